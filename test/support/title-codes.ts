const one = String.raw`(?:[A-Z]\d{1,3}[a-d]?|ux \d+\.\d+)`;
const codes = `(?:${one}(?:–${one})?,?:? )+`;
/** A title as it stands in the source: of a test or suite, or in a table from which tests are made. */
const title = new RegExp(
  String.raw`(?:\b(?:it|describe)(?:\.\w+)?\(|\btitle: |\bname: |\[)\s*(['"\`])(${codes}[^\n]*?)\1`,
  'g',
);
const leading = new RegExp(`^${codes}`);

/** The codes of requirements that the titles in a source file begin with, in order. */
export function codesInTitles(source: string): string[] {
  return [...source.matchAll(title)].flatMap((match) => {
    const begins = leading.exec(match[2] ?? '')?.[0] ?? '';
    return begins.match(new RegExp(one, 'g')) ?? [];
  });
}
