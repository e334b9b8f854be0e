import { type Because, fold } from '../../files/file-class.ts';

/**
 * Returns new addresses that an editor or a package manager would fetch without being asked: `$schema` of any file,
 * because files can be renamed and editors read many names as JSON, and any address in editor settings and build
 * files.
 */
export function newAddresses(
  before: string,
  after: string,
  { path, sensitive }: { path: string; sensitive?: Because | undefined },
): string[] {
  const steers = sensitive === 'editor' || sensitive === 'runs' || sensitive === 'server';
  const isData = /\.(?:json[c5]?|code-[\w-]+|ya?ml|toml|xml)$/.test(fold(path));
  const value = isData ? schemaValue : markedSchemaValue;
  const addressesIn = (text: string): Set<string> => {
    const plain = [text, withoutComments(text)].map(withoutEscapes);
    const values = steers ? plain : plain.flatMap((one) => Array.from(one.matchAll(value), ([, found = '']) => found));
    return new Set(values.flatMap((one) => one.match(/https?:\/\/[^\s"'<>\\]+/gi) ?? []));
  };
  const known = addressesIn(before);
  const found = [...addressesIn(after)].filter((address) => !known.has(address));
  return found.slice(0, 5).map((text) => text.slice(0, 300).toWellFormed());
}

/** The pattern takes each value whole, so that no part of a long line is scanned twice. */
const schemaValue = /schema(?:location)?["']?\s*[:=]\s*["']?([^"'\n]*)/gi;
const markedSchemaValue = /(?:\$schema|schemalocation)["']?\s*[:=]\s*["']?([^"'\n]*)/gi;

/** Strips comments as an editor reads JSON: what is not closed ends with its line or with the text. */
function withoutComments(text: string): string {
  const tokens = /"(?:[^"\\\r\n]+|\\[\s\S])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : ' '));
}

/** Decodes escapes as JSON and YAML do, because `https:\/\/` is an address too. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_escape, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/');
}
