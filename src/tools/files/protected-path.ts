/** Names as careless file systems compare them: case, composition and characters that are not shown do not count. */
export function fold(path: string): string {
  return (
    path
      .normalize('NFC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      // Both ways: a long s is an s, a Kelvin sign a k to disks that fold case.
      .toUpperCase()
      .toLowerCase()
  );
}

/** Files that usually hold secrets, by what they hold. Names after `fold`. */
const secretNames: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'variables of an environment',
    /^\.env(?:[-._].*)?$|\.env$|^\.envrc$|^\.(?:flask|docker|dev|prod)env$|^\.dev\.vars(?:\..*)?$/,
  ],
  [
    'private keys',
    /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|bcfks|kdbx?|ppk|asc|gpg|pgp|age|agekey|ovpn|mobileprovision)$|^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?!\.pub$)(?:\..*)?$/,
  ],
  [
    'tokens of package registries',
    /^\.(?:npmrc|yarnrc\.yml|pypirc|gem-credentials)$|^(?:nuget\.config|\.?auth\.json)$/,
  ],
  [
    'passwords of services',
    /^\.(?:netrc|git-credentials|htpasswd|pgpass|my\.cnf|mylogin\.cnf|dockercfg|vault-token|vault[-_]pass(?:word)?|s3cfg|boto|databrickscfg|mongorc\.js|rediscli_history)$|^_netrc$|^vault[-_]pass(?:word)?(?:\.txt)?$/,
  ],
  [
    'credentials',
    /^\.?credentials(?:\.(?:json|ya?ml|toml|xml|db|properties|tfrc\.json))?$|^\.?secrets?(?:\.[\w-]+)?\.(?:json|ya?ml|toml|ini|env|properties|txt)$|^\.?secrets?$|^.*\.secrets?(?:\.ya?ml|\.json)?$/,
  ],
  [
    'accounts of cloud services',
    /^(?:client_secret|service[-_]?account|application_default_credentials|adminsdk|gcp-?key|firebase-adminsdk).*\.json$|-firebase-adminsdk-.*\.json$|^(?:accesstokens|azureprofile|msal_token_cache.*)\.(?:json|bin)$|\.publishsettings$/,
  ],
  [
    'values and states of infrastructure',
    /\.(?:auto\.)?tfvars(?:\.json)?$|\.tfstate(?:\..*)?$|^\.?terraformrc$|^terraform\.rc$/,
  ],
  ['access to clusters', /^\.?kube-?config(?:\.ya?ml)?$|\.kubeconfig$|^k3s\.ya?ml$/],
  [
    'what was typed, passwords among it',
    /^\.?(?:bash|zsh|sh|ksh|fish|python|node_repl|mysql|psql|sqlite|redis|mongo|php|irb|lesshst|units|ts_node_repl|dbshell)_?history$|^\.(?:histfile|zhistory|lesshst|dbshell|viminfo|node_repl_history)$|^fish_history$|^consolehost_history\.txt$/,
  ],
  [
    'logins of browsers and of password managers',
    /^(?:logins|key[34]|signons)\.(?:json|db|sqlite)$|^(?:cookies|login data|web data)(?:\.sqlite|-journal)?$|\.(?:keychain(?:-db)?|agilekeychain|opvault|1pux|psafe3)$/,
  ],
  ['hashes of passwords', /^(?:g?shadow|master\.passwd)-?$/],
];

/** Folders, anywhere in a path, whose files hold secrets whatever their name. */
const secretFolders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
  '.password-store',
  '.oci',
  '.bluemix',
  '.terraform.d',
  '.chef',
  '.fly',
];
/** A folder and a file or folder in it. */
const secretPairs: readonly string[] = [
  '.docker/config.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.config/gh',
  '.config/hub',
  '.config/gcloud',
  '.config/op',
  '.config/doctl',
  '.config/netlify',
  '.composer/auth.json',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.config/git/credentials',
  '.local/share/keyrings',
  '.vercel/auth.json',
  '.codex/auth.json',
  '.claude/.credentials.json',
];

/** Files that show how one with secrets looks. */
const sample = /(?:^|[._-])(?:example|sample|template|dist|tpl)(?:\.|$)/;

/** Files that usually hold secrets; what they hold would leave the machine with the next request. */
export function isSecretPath(path: string): boolean {
  const folded = fold(path);
  const parts = folded.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.slice(0, -1).some((part) => secretFolders.includes(part))) return true;
  if (secretPairs.some((pair) => `/${folded}/`.includes(`/${pair}/`))) return true;
  return !sample.test(name) && secretNames.some(([, pattern]) => pattern.test(name));
}

/** Git's own data; remotes in it may hold credentials. */
export function isGitPath(path: string): boolean {
  return fold(path).split('/').includes('.git');
}
