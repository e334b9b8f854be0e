import { createRandom } from '../seeded-random.ts';

const words =
  'the value of each item is read once and kept because callers expect it to stay the same until the next change arrives'.split(
    ' ',
  );
const chunks = 4550;
const length = 50_000;
/** All of them in 9.7 s, 470 a second: several times faster than a model writes. */
export const pieceEveryMs = 2.13;

/** A reply of 50 kB in the pieces in which a model gives it. */
export interface Answer {
  name: 'mixed' | 'one code block';
  pieces: readonly string[];
}

/** The inputs of P6: prose with lists, tables and code of several languages; and one long block of code. */
export function buildAnswers(seed: number): Answer[] {
  const random = createRandom(seed);
  return [
    { name: 'mixed', pieces: cut(mixed(random), random) },
    { name: 'one code block', pieces: cut(`Here it is:\n\n\`\`\`ts\n${code(random, length - 40)}`, random) },
  ];
}

export interface MarkedAnswer extends Answer {
  /** By mark, from 0: the index of the piece that completes it. */
  marks: readonly number[];
}

/** The same answers with words that can be found again, `item0x`, `item1x` …, in all that is drawn of them. */
export function buildMarkedAnswers(seed: number): MarkedAnswer[] {
  const random = createRandom(seed + 1);
  return buildAnswers(seed).map(({ name, pieces }) => {
    let count = 0;
    const text = pieces.join('').replace(/\bitem\b/g, () => `item${count++}x`);
    const marked = cut(`${text}\n\nitem${count}x\n`, random);
    return { name, pieces: marked, marks: completedBy(marked) };
  });
}

function completedBy(pieces: readonly string[]): number[] {
  const marks: number[] = [];
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    text += piece;
    for (const [, mark] of text.matchAll(/item(\d+)x/g)) marks[Number(mark)] ??= index;
    text = text.slice(-12);
  }
  return marks;
}

function mixed(random: () => number): string {
  let text = '';
  for (let section = 1; text.length < length; section++) {
    text += `## ${sentence(random, 4)}\n\n${sentence(random, 30)} **${sentence(random, 3)}** and \`value${section}\`, see [the notes](https://example.com/${section}). ${sentence(random, 25)}\n\n`;
    text += `- ${sentence(random, 8)}\n- *${sentence(random, 6)}*\n  - ${sentence(random, 5)}\n- [x] ${sentence(random, 7)}\n\n`;
    text += `\`\`\`ts\n${code(random, 600)}\`\`\`\n\n1. ${sentence(random, 9)}\n2. ${sentence(random, 9)}\n\n`;
    text += `| name | ${sentence(random, 2)} |\n| :-- | --: |\n| a | ${section} |\n| ~~b~~ | ${sentence(random, 3)} |\n\n> ${sentence(random, 14)}\n\n`;
  }
  return text.slice(0, length);
}

/** Whole lines of TypeScript, at least `size` characters. */
export function code(random: () => number, size: number): string {
  let text = '';
  for (let line = 0; text.length < size; line++) {
    text += `/** ${sentence(random, 8)} */\nexport async function read${line}(name: string, limit = ${line}): Promise<number> {\n`;
    text += `  const found = await files.get(\`\${name}-${line}\`); // ${sentence(random, 4)}\n  if (!found || found.size > limit) throw new Error('${sentence(random, 5)}');\n  return found.size * 0x${line.toString(16)};\n}\n\n`;
  }
  return text;
}

export function sentence(random: () => number, count: number): string {
  return Array.from({ length: count }, () => words[Math.floor(random() * words.length)] ?? '').join(' ');
}

/** In pieces of the size of tokens, none empty. */
function cut(text: string, random: () => number): string[] {
  const borders = new Set<number>([0]);
  while (borders.size < chunks) borders.add(Math.floor(random() * text.length));
  const sorted = [...borders].sort((a, b) => a - b);
  return sorted.map((start, index) => text.slice(start, sorted[index + 1]));
}
