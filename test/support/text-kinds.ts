import { createRandom } from '../bench/seeded-random.ts';

/** Texts of a kind that differ from each other, as people paste them; made up from a seed. */
export type TextKind = (seed: number) => string;

const words =
  'user order price total address invoice status created updated customer country amount account payload cache'.split(
    ' ',
  );

function maker(seed: number) {
  const random = createRandom(seed);
  const number = (max: number) => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[number(list.length)] as T;
  const signs = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[number(alphabet.length)]).join('');
  const lines = (count: number, line: () => string) => Array.from({ length: count }, line).join('\n');
  return { number, pick, signs, lines };
}

const base64Signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const hexSigns = '0123456789abcdef';

export const textKinds: Readonly<Record<string, TextKind>> = {
  prose: (seed) => {
    const { pick, lines, number } = maker(seed);
    const sentences = [
      'The meeting was moved to the afternoon because most of the people could not come in time.',
      'She opened the window and listened to the rain that had been falling since the early morning.',
      'Nothing in the report explains why the machine stopped, and nobody remembers touching it.',
      'We should ask the neighbours before we cut the old tree behind the house.',
      'After a while the children grew tired of the game and went looking for something to eat.',
      'It is not clear whether the change will help, but it is cheap enough to try it once.',
    ];
    return lines(6 + number(4), () => pick(sentences));
  },
  code: (seed) => {
    const { pick, lines, number } = maker(seed);
    const forms = [
      () => `export function ${pick(words)}Of(${pick(words)}: string): number {`,
      () => `  const ${pick(words)} = ${pick(words)}.filter((each) => each.${pick(words)} > ${number(90)});`,
      () => `  if (${pick(words)} === undefined) return ${pick(words)}.length;`,
      () => `  return ${pick(words)}.map(({ ${pick(words)} }) => ${pick(words)});`,
      () => '}',
    ];
    return lines(20, () => pick(forms)());
  },
  json: (seed) => {
    const { pick, lines, number } = maker(seed);
    return `[\n${lines(14, () => `  { "${pick(words)}": ${number(9000)}, "${pick(words)}": "${pick(words)} ${pick(words)}", "active": true },`)}\n]`;
  },
  logs: (seed) => {
    const { pick, lines, number, signs } = maker(seed);
    const two = () => String(number(60)).padStart(2, '0');
    return lines(
      14,
      () =>
        `2026-11-${two()}T${two()}:${two()}:${two()}.${number(999)}Z INFO ${pick(words)} finished id=${signs(hexSigns, 8)} ms=${number(900)}`,
    );
  },
  base64: (seed) => {
    const { signs, lines } = maker(seed);
    return lines(14, () => signs(base64Signs, 76));
  },
  sql: (seed) => {
    const { pick, lines, number } = maker(seed);
    const upper = () => pick(words).toUpperCase();
    return lines(
      12,
      () =>
        `SELECT T${number(9)}.${upper()}, COUNT(*) FROM ${upper()}S INNER JOIN ${upper()}_${upper()} ON T1.ID = T2.${upper()}_ID WHERE ${upper()} IS NOT NULL GROUP BY ${upper()};`,
    );
  },
  hexDump: (seed) => {
    const { signs, lines, number } = maker(seed);
    const row = () => Array.from({ length: 8 }, () => signs(hexSigns, 4)).join(' ');
    return lines(14, () => `${(number(4096) * 16).toString(16).padStart(8, '0')}: ${row()}`);
  },
  uuids: (seed) => {
    const { signs, lines } = maker(seed);
    return lines(20, () => [8, 4, 4, 4, 12].map((length) => signs(hexSigns, length)).join('-'));
  },
  table: (seed) => {
    const { lines, number } = maker(seed);
    return lines(20, () => Array.from({ length: 8 }, () => (number(100_000) / 100).toFixed(2)).join(','));
  },
  minified: (seed) => {
    const { pick, signs, number } = maker(seed);
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const forms = [
      () =>
        `function ${signs(letters, 1)}(${signs(letters, 1)},${signs(letters, 1)}){return ${signs(letters, 1)}.${pick(words)}(${number(9)})}`,
      () => `var ${signs(letters, 1)}=${signs(letters, 1)}[${number(99)}]||{};`,
      () =>
        `${signs(letters, 1)}&&(${signs(letters, 1)}=!0,${signs(letters, 1)}.${signs(letters, 2)}=${signs(letters, 1)}),`,
    ];
    return Array.from({ length: 40 }, () => pick(forms)()).join('');
  },
  shouting: (seed) => {
    const { pick, lines } = maker(seed);
    return lines(16, () => Array.from({ length: 9 }, () => pick(words).toUpperCase()).join(' '));
  },
  shell: (seed) => {
    const { pick, lines, number, signs } = maker(seed);
    return lines(
      16,
      () =>
        `-rw-r--r--  1 ${pick(words)} staff  ${number(90_000)} Nov ${number(30)} ${number(23)}:0${number(9)} ./${pick(words)}/${signs(hexSigns, 6)}-${pick(words)}.tar.gz`,
    );
  },
};
