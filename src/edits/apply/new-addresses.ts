import { type Because, fold } from '../../files/file-class.ts';

/**
 * Addresses that an editor or a package manager would fetch without being asked: `$schema` of any file, since files can be
 * renamed and editors take many names for JSON; any address in editor settings and in files that steer a build.
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

/** Takes each value whole, so that no part of a long line is looked through again. */
const schemaValue = /schema(?:location)?["']?\s*[:=]\s*["']?([^"'\n]*)/gi;
/** For files where a plain `schema` may be a name of the program's own. */
const markedSchemaValue = /(?:\$schema|schemalocation)["']?\s*[:=]\s*["']?([^"'\n]*)/gi;

/** As an editor reads JSON: what is not closed ends with its line or with the text. */
function withoutComments(text: string): string {
  const tokens = /"(?:[^"\\\r\n]+|\\[\s\S])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
  return text.replace(tokens, (token) => (token.startsWith('"') ? token : ' '));
}

/** As JSON and YAML read their strings: `https:\/\/` is an address too. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_escape, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/');
}
