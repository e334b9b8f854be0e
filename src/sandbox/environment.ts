import { looksHarmless, matchesSecret, withoutUserInfo } from './secret-values.ts';

/**
 * These variables lead to the editor, to agents that sign or unlock, to displays and to other machines, or they run
 * something before the command.
 */
const ways =
  /^(?:VSCODE_.*|ELECTRON_.*|SSH_.*|DBUS_.*|LD_.*|.*_SOCK|.*DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|WSL_INTEROP|DOCKER_.*|KUBECONFIG|BASH_ENV|ENV|TMPDIR|TMP|TEMP|GIT_CONFIG_(?:COUNT|KEY_.*|VALUE_.*|PARAMETERS)|npm_config_userconfig)$/i;
const secretWord =
  /^(?:.*(?:TOKENS?|SECRETS?|PASSW(?:OR)?DS?|PASSPHRASES?|CREDENTIALS?|WEBHOOKS?|COOKIES?|JWT)|(?:.*(?<!COM|BY|TRES))?PASS(?:CODE)?|.*(?<!MON|TUR|DON|HOC|JOC|WHIS|HON)KEYS?|CREDS?|O?AUTH2?|SESSION|PRIVATE|PAT|DSN|CONN(?:ECTION)?STR(?:INGS?)?)$/;
const secretName = /CONN(?:ECTION)?_?STR|.PWD$/i;
const folders = /^(?:OLD)?PWD$/;
const known =
  /^(?:PATH|.*PATH|HOME|PWD|OLDPWD|PS\d|PROMPT_COMMAND|LS_?COLORS|GREP_COLORS?|TERM(?:CAP|INFO)?|LESS.*|LC_.*|LANG(?:UAGE)?|.*_?FLAGS|.*_(?:OPTS|OPTIONS)|MAKEFLAGS|RUST_LOG|DEBUG|XDG_.*_DIRS|GIT_(?:AUTHOR|COMMITTER)_.*|BASH_FUNC_.*|IFS|_)$/;
/**
 * Without one of these, packages would come from the public registry, so a value that cannot be passed on is replaced
 * and not dropped.
 */
const registries =
  /^(?:npm_config_registry|yarn_registry|yarn_npm_registry_server|bun_config_registry|pip_index_url|uv_index_url|uv_default_index|goproxy)$/i;

/** Packages are requested from this address when the right registry is not known, so that the request fails. */
export const closedRegistry = 'https://registry-settings-hidden-by-the-sandbox.invalid/';

/** These variables override all settings of tools, for commands that may not know where packages should come from. */
export const closedRegistries: Readonly<Record<string, string>> = Object.fromEntries(
  ['npm_config_registry', 'YARN_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'BUN_CONFIG_REGISTRY'].map((name) => [
    name,
    closedRegistry,
  ]),
);

const retries = {
  ...{ npm_config_fetch_retry_mintimeout: '300', npm_config_fetch_retry_maxtimeout: '1000' },
  ...{ PIP_RETRIES: '1', CARGO_NET_RETRY: '1', YARN_HTTP_RETRY: '1' },
};

/**
 * Without a network, tools would retry until the time limit; npm retries each of a thousand packages before it prints
 * anything, so its retries wait until something was allowed. What the user set stays.
 */
export function briefRetries(environment: NodeJS.ProcessEnv, canDownload: boolean): Record<string, string> {
  const all = canDownload ? retries : { ...retries, npm_config_fetch_retries: '0' };
  return Object.fromEntries(Object.entries(all).filter(([name]) => environment[name] === undefined));
}

/**
 * Returns the variables for a command in the sandbox, without ways out and secrets, recognized by name and by value,
 * and with addresses without users. They must be cleaned before bubblewrap starts: everything that bubblewrap itself
 * was given stays readable in `/proc/1/environ` inside, whatever it unsets.
 */
export function sandboxEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || ways.test(name)) return [];
    const passed = passedOn(name, value);
    if (passed !== undefined) return [[name, passed] as const];
    return registries.test(name) ? [[name, closedRegistry] as const] : [];
  });
  return Object.fromEntries(kept);
}

const proxies = /^(?:https?|ftp|all|no)_proxy$|^npm_config_(?:https?_)?proxy$|^npm_config_noproxy$/i;

/** Removes proxies, which cannot be reached from a shared network; that one has the egress proxy. */
export function withoutProxies(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !proxies.test(name)));
}

function passedOn(name: string, value: string): string | undefined {
  if (folders.test(name)) return value;
  if (isSecretName(name)) return undefined;
  const cut = withoutUserInfo(value);
  if (cut === undefined || matchesSecret(cut)) return undefined;
  return known.test(name) || looksHarmless(cut) ? cut : undefined;
}

function isSecretName(name: string): boolean {
  if (secretName.test(name)) return true;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z\d]+/);
  return words.some((word) => secretWord.test(word));
}
