/** JSON with comments and trailing commas, as theme files are written. Throws `SyntaxError`. */
export function parseJsonc(text: string): unknown {
  const plain = text
    .replace(/^\ufeff/, '')
    // A string is matched first, so that what looks like a comment in it stays.
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? ' ')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, string: string | undefined) => string ?? '');
  return JSON.parse(plain) as unknown;
}
