const marks = [
  /(?:^|[^A-Za-z])(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|sk-|[spr]k_(?:live|test)_|whsec_|hf_|npm_|pypi-|dckr_pat_|hvs\.|SG\.|shp(?:at|ss)_|dop_v1_|lin_api_|ATATT3|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]{8})/,
  /-----BEGIN|"(?:private_key|client_secret|refresh_token|password|api_?key)"/i,
  /\b(?:password|passwd|pwd|accountkey|sharedaccesskey|sharedaccesssignature)\s*=/i,
  /[?&](?:[\w-]*(?:key|token|secret|password|passwd|auth|credential|signature)|sig|code|pwd)=/i,
  /\/\/(?:hooks\.slack\.com|(?:[\w-]+\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com|outlook\.office\.com\/webhook|hooks\.zapier\.com)\//i,
  /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i,
  /(?:^|\D)\d{8,10}:[\w-]{35}(?:$|[^\w-])/,
];

export function matchesSecret(value: string): boolean {
  return marks.some((mark) => mark.test(value));
}

/**
 * Removes users and passwords from addresses in the text. Returns undefined where an `@` remains behind the beginning
 * of an address, because then the start of the host name is unknown.
 */
export function withoutUserInfo(value: string): string | undefined {
  const cut = value.replace(/:\/\/[^\s,|/?#@\\]{0,1000}@/g, '://');
  const at = cut.indexOf('://');
  return at >= 0 && cut.includes('@', at) ? undefined : cut;
}

const plain = [
  // A word; a number, version or size; a number with its unit.
  /^\p{L}{1,24}$/u,
  /^v?\d{1,12}(?:[.:x]\d{1,12}){0,7}$/,
  /^\d{1,6}[a-z%]{1,3}$/i,
  // `user@host`; punctuation only.
  /^[\w.+-]{1,64}@[\w.-]{1,100}$/,
  /^[^\p{L}\p{N}\s]{1,24}$/u,
];

/**
 * Returns whether the text consists only of paths, numbers, versions, locales, addresses, options and short words,
 * none of which is a long mix of letters and digits. A value above 20,000 characters never is.
 */
export function looksHarmless(value: string): boolean {
  if (matchesSecret(value) || value.length > 20_000) return false;
  return value.split(/[\s,;|()[\]{}<>"'=]+/).every((piece) => piece === '' || isPlain(piece));
}

function isPlain(piece: string): boolean {
  if (plain.some((kind) => kind.test(piece))) return true;
  // `a:b@…` may be a user with a password.
  if (/^[^:/\\]+:[^:/\\]+@/.test(piece)) return false;
  return piece.split(/[/\\:._\-+*?&#%~!$@^`]+/).every((part) => part === '' || isWord(part));
}

const maxMixLength = 12;

function isWord(part: string): boolean {
  if (/^\p{L}{1,24}$/u.test(part) || /^\d{1,12}$/.test(part)) return true;
  // Words of a long name, and a number behind it.
  if (/^(?:[A-Z]?[a-z]{2,20}){1,6}\d{0,4}$/.test(part)) return true;
  return part.length <= maxMixLength && /^[\p{L}\p{N}]+$/u.test(part) && !/\d\D+\d/.test(part);
}
