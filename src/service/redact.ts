const keyStart = 'sk-svc-';
const shownKeyChars = 4;
/** Shorter secrets are words, and removing them by value would garble every text. */
const shortestSecret = 8;

/**
 * Matches whole terminal sequences. Node's own expression takes time quadratic in a text in which many begin and none
 * ends; here each part ends where the next may begin.
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant.
  /(?:\u001b\[|\u009b)[\d;:?]*[ -/]?[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)/g;
const invisible = /(?![\t\n])[\p{Cc}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/** Matches the code of a sign of a token, which begins as any escape does: of addresses, of JSON, of pages, once or more often. */
const signCode = '(?:2[B-Fb-f]|3[0-9Dd]|[46][1-9A-Fa-f]|[57][0-9AEFaef])';
const tokenSign = String.raw`(?:[A-Za-z0-9._~+/-]|\\{1,4}/|(?:%(?:25){0,3}|\\{1,4}(?:u00|x)|&#[Xx]0{0,4})${signCode};?|&(?:#0{0,4}(?:4[35-9]|[5-8]\d|9[0-7]|1[0-2]\d)|(?!amp|quot|lt|gt|apos|nbsp)[a-z]{3,8});)`;
/**
 * Matches the rest of a key behind a line end. It must hold letters and digits and stand alone on its line, because
 * no word does.
 */
const wrapped = (min: number): string =>
  String.raw`(?:(?:\n|\\n)[ \t]{0,8}(?!sk-svc-)(?=[A-Za-z._~+/-]*\d)(?=[0-9._~+/-]*[A-Za-z])[A-Za-z0-9._~+/-]{${min},}=*(?=["'\s\\,;]|$))`;
const keyShape = new RegExp(`sk-svc-(?:${tokenSign}*(?:(?<!\\.)|(?=…))=*${wrapped(8)}{0,8})?…?`, 'gi');
const bearerShape = /\b(Bearer(?:\s+|%20))(?!sk-svc-)[^\s"'`,;<>]{8,}/gi;
const headerShape =
  /\b((?:authorization|(?:x-)?api-key)["']?\s*[:=]\s*["']?)(?!Bearer\b|sk-svc-)(?:Basic\s+)?[^\s"'`,;<>]+/gi;
const urlCredentials = /(:\/\/)[^\s/@]+@/g;

/**
 * Makes text safe to log, show and report: removes the known secrets by value, then whatever has the shape of a key
 * or a credential. Also removes control characters, which could hide a key or forge a line. `secrets` is called every
 * time.
 */
export function createRedactor(secrets: () => readonly string[]): (text: string) => string {
  return (text) => {
    let clean = text.toWellFormed().replace(escapes, '').replace(invisible, '');
    const known = secrets().filter((secret) => secret.length >= shortestSecret);
    for (const secret of known.toSorted((left, right) => right.length - left.length)) {
      for (const written of spellings(secret)) clean = clean.replaceAll(written, () => cutKey(secret));
      clean = clean.replace(anyForm(secret), () => cutKey(secret));
    }
    return clean
      .replace(keyShape, cutKey)
      .replace(bearerShape, '$1[redacted]')
      .replace(headerShape, '$1[redacted]')
      .replace(urlCredentials, '$1[redacted]@');
  };
}

/**
 * Removes the known secrets from a record before it is stored, whether a reply, a tool or the user put them there.
 * Returns the same record when it holds none, which is nearly always.
 */
export function createSecretMask(secrets: () => readonly string[]): <T>(record: T) => T {
  return (record) => {
    const known = secrets().filter((secret) => secret.length >= shortestSecret);
    if (known.length === 0) return record;
    const text = JSON.stringify(record);
    const found = known.filter((secret) => text.search(anyForm(secret)) >= 0);
    if (found.length === 0) return record;
    return JSON.parse(found.reduce((clean, secret) => clean.replace(anyForm(secret), () => cutKey(secret)), text));
  };
}

/** A match is too long to be an example of a key; a shorter one is only masked when it is a known key. */
const wholeKey = new RegExp(`sk-svc-${tokenSign}{16,}(?<!\\.)=*${wrapped(16)}{0,8}`, 'g');

/**
 * Masks keys in text that is about to be sent: the known ones by value, others by their shape. Returns the same text
 * when it holds none.
 */
export function createKeyMask(secrets: () => readonly string[]): (text: string) => string {
  return (text) => {
    const known = secrets().filter((secret) => secret.length >= shortestSecret);
    const clean = known.reduce((masked, secret) => masked.replace(anyForm(secret), () => cutKey(secret)), text);
    return clean.includes(keyStart) ? clean.replace(wholeKey, cutKey) : clean;
  };
}

function spellings(secret: string): Set<string> {
  const plain = secret.toWellFormed();
  return new Set([plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)]);
}

const lineEnd = String.raw`(?:\r?(?:\n|\\r\\n|\\n)[ \t>|]{0,8})?`;
const betweenBytes = String.raw`(?:[ :%]|\\{1,2}x)?`;
/** Two signs are others in addresses. */
const base64Signs: Readonly<Record<string, string>> = { '+': '[+-]', '/': String.raw`(?:\\?/|_)` };
const forms = new Map<string, RegExp>();

/** Matches a secret as it is, broken by line ends, escaped, in hexadecimal digits, and in base64 wherever in a text it stood. */
function anyForm(secret: string): RegExp {
  const known = forms.get(secret);
  if (known !== undefined) return known;
  const bytes = [...Buffer.from(secret.toWellFormed())].map((byte) => byte.toString(16).padStart(2, '0'));
  const inHex = bytes.map((byte) => byte.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`));
  const written = [
    [...secret.toWellFormed()].map(eitherSign).join(lineEnd),
    inHex.join(`${betweenBytes}${lineEnd}`),
    ...[0, 1, 2].map((before) => inBase64(secret, before)),
  ];
  const pattern = new RegExp(written.join('|'), 'g');
  // One key and its successors; a list that grows would keep what was replaced.
  if (forms.size >= 8) forms.clear();
  forms.set(secret, pattern);
  return pattern;
}

function eitherSign(sign: string): string {
  const plain = sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const code = `\\\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return sign === '/' ? `(?:\\\\?/|${code})` : `(?:${plain}|${code})`;
}

/** The signs that tell of nothing but the secret, where so many bytes of something else stood before it. Lines end after whole fours. */
function inBase64(secret: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret.toWellFormed())]);
  const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3)];
  const signs = [...bytes.toString('base64').slice(from, to)];
  const end = (at: number) => (at > 0 && (at + from) % 4 === 0 ? lineEnd : '');
  return signs.map((sign, at) => end(at) + (base64Signs[sign] ?? sign)).join('');
}

function cutKey(key: string): string {
  if (!key.toLowerCase().startsWith(keyStart)) return '[redacted]';
  const secret = key.slice(keyStart.length);
  if (secret === '' || (secret.endsWith('…') && secret.length <= shownKeyChars + 1)) return key;
  const shown = secret.slice(0, shownKeyChars);
  // Half of an escape would break the JSON around it.
  return `${keyStart}${secret.length >= shownKeyChars * 3 && !/[\s\\]/.test(shown) ? shown : ''}…`;
}
