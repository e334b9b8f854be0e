/** Ways to the editor, to agents that sign or unlock, to displays and to other machines; and what runs before the command. */
const ways =
  /^(?:VSCODE_.*|ELECTRON_.*|SSH_.*|DBUS_.*|LD_.*|.*_SOCK|.*DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|WSL_INTEROP|DOCKER_.*|KUBECONFIG|BASH_ENV|ENV|TMPDIR|TMP|TEMP)$/i;
const secrets =
  /TOKEN|SECRET|PASS|KEY|CRED|AUTH|COOKIE|SESSION|PRIVATE|WEBHOOK|JWT|CONN(?:ECTION)?_?STR|.PWD$|(?:^|_)(?:PAT|DSN)(?:_|$)/i;
/** Where the shell is and was. */
const folders = /^(?:OLD)?PWD$/;
/** Marks of issuers on their tokens, and settings of a connection. */
const secretValues =
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|sk-|AKIA|eyJ[\w-]{8})|-----BEGIN|\b(?:password|pwd|accountkey|sharedaccesskey)=/i;
/** A user in an address, as proxies and registries have them, mostly with a password. */
function holdsAddressWithUser(value: string): boolean {
  const at = value.indexOf('://');
  return at >= 0 && value.indexOf('@', at) >= 0;
}

/**
 * The variables for a command in the sandbox. Cleaned before bubblewrap starts: everything that bubblewrap itself was
 * given stays readable in `/proc/1/environ` inside, whatever it unsets.
 */
export function sandboxEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      value !== undefined &&
      !ways.test(name) &&
      (!secrets.test(name) || folders.test(name)) &&
      !secretValues.test(value) &&
      !holdsAddressWithUser(value),
  );
  return Object.fromEntries(kept);
}
