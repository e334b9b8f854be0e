/** Names as careless file systems compare them: case, composition and characters that are not shown do not count (X04). */
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

const secretNames = [
  /^\.env(?!\.(example|sample|template|dist)$)(\..*)?$/,
  /^\.envrc$/,
  /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?(?!\.pub$)(\..*)?$/,
  /^\.(npmrc|yarnrc\.yml|pypirc|netrc|git-credentials|htpasswd|pgpass|my\.cnf|dockercfg|vault-token)$/,
  /^_netrc$/,
  /^\.?credentials(\.json)?$/,
  /^(client_secret|service[-_]?account).*\.json$/,
  /\.tfstate(\.backup)?$/,
];

/** X16: files that usually hold secrets; what they hold would leave the machine with the next request. */
export function isSecretPath(path: string): boolean {
  const parts = fold(path).split('/');
  const name = parts.at(-1) ?? '';
  return parts.slice(0, -1).includes('.ssh') || secretNames.some((pattern) => pattern.test(name));
}

/** X09: git's own data; remotes in it may hold credentials. */
export function isGitPath(path: string): boolean {
  return fold(path).split('/').includes('.git');
}
