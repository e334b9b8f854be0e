import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test with the rows of the tracker that its title names. */
export interface TitledTest {
  /** Below `test/`, with forward slashes. */
  file: string;
  title: string;
  rows: string[];
}

/** What the service's interface says, one row each; a statement of its own is one line of the table. */
export const serviceRows: Readonly<Record<string, string>> = {
  S1: 'the address contains /v1; a slash at the end or a missing /v1 is 404',
  S2: 'the list of models is free, needs no key, and reports ids only',
  S3: 'ids are exact and case-sensitive',
  S4: 'only confirmed fields are sent unasked',
  S5: 'a reply is read tolerantly; what is missing is estimated',
  S6: '401 invalid_auth is about the key and never retried',
  S7: 'only the 401 body is JSON: status first, then the body',
  S8: '522 and capacity errors are retried with backoff, refusals never',
  S9: 'a capacity error names the model; another one may be asked',
  S10: 'failed and empty calls are not charged',
  S11: '0.33 USD per 1M tokens, flat',
  S12: 'prepaid, topped up in the dashboard; no balance is guessed',
  S13: 'no memory: history is input on every request',
  S14: 'keys, top-ups and usage are in the dashboard',
  S15: 'what a support report holds, and never the full key',
  S16: 'what is stated about data, and what is not',
  S17: 'how the key is written, kept and sent',
  S18: 'the key is checked before the body, so checking it is free',
  S19: 'the four steps after a key leaked',
  S20: 'browsers are refused',
  S21: 'what is not served is never asked for, and explained',
  S22: 'streaming is not published: tried and remembered',
  S23: 'tool calling is not published: tried and remembered',
  S24: 'image input is not published: tried and remembered',
  S25: 'requests can queue',
  S26: 'what is not documented is shown as the service said it',
  S27: 'models come and go',
  S28: 'no events: nothing polls',
  S29: 'max_tokens caps the reply',
};

const title = /(?:\bit\(|\btitle: |\bname: |\[)\s*(['"`])((?:(?:[A-Z]\d{1,3}[a-d]?|ux \d+\.\d+),?:? )+[^\n]*?)\1/g;

/** Tests of the local service and of other clients say nothing about the product. */
const notTheProduct = /^unit\/(?:local-service|clients|conformance)/;

/** Every test of the product below `folder` whose title begins with row ids. */
export function titledTests(folder: string): TitledTest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$|a1-streams\.ts$/.test(name))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !notTheProduct.test(name))
    .sort()
    .flatMap((file) => titlesIn(readFileSync(join(folder, file), 'utf8')).map((found) => ({ file, ...found })));
}

export function titlesIn(source: string): { title: string; rows: string[] }[] {
  return [...source.matchAll(title)].map((match) => {
    const text = match[2] ?? '';
    const ids = /^(?:(?:[A-Z]\d{1,3}[a-d]?|ux \d+\.\d+),?:? )+/.exec(text)?.[0] ?? '';
    return { title: text, rows: ids.match(/[A-Z]\d{1,3}[a-d]?|ux \d+\.\d+/g) ?? [] };
  });
}

/** One line per row of the interface: how many tests prove it, and where they are. */
export function conformanceTable(tests: readonly TitledTest[]): string {
  const lines = Object.entries(serviceRows).map(([row, says]) => {
    const proving = tests.filter(({ rows }) => rows.includes(row));
    const files = [...new Set(proving.map(({ file }) => file.replace(/\.test\.tsx?$/, '')))];
    const where = files.length === 0 ? 'no test' : files.join(', ');
    return `${row.padEnd(4)} ${String(proving.length).padStart(3)} ${proving.length === 1 ? 'test ' : 'tests'}  ${says} (${where})`;
  });
  return ['== conformance with the interface of the service', ...lines].join('\n');
}
