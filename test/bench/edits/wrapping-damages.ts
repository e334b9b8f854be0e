import { type Block, pick, type Random, shuffled } from './case.ts';
import type { Damage } from './damages.ts';
import { type Draft, indentOf } from './draft.ts';

/** What models put around lines, in front of them or in their place. */
export const wrappingDamages: readonly Damage[] = [
  { kind: 'line numbers: both sides', combines: true, apply: (draft, random) => lineNumbers(draft, random, true) },
  { kind: 'line numbers: search only', apply: (draft, random) => lineNumbers(draft, random, false) },
  { kind: 'fence: both sides', combines: true, apply: (draft) => fence(draft, true, true) },
  { kind: 'fence: search only', apply: (draft) => fence(draft, true, false) },
  { kind: 'fence: replacement only', apply: (draft) => fence(draft, false, true) },
  { kind: 'escapes: the whole block twice', apply: escapedTwice },
  { kind: 'partial first and last line', context: 1, apply: partialLines },
  { kind: 'blocks: several', parts: 3, apply: shuffleBlocks },
  { kind: 'blocks: several that share lines', parts: 2, context: 3, apply: shuffleBlocks },
];

function lineNumbers(draft: Draft, random: Random, both: boolean): boolean {
  const format = pick(random, [
    (n: number) => `${n}\t`,
    (n: number) => `${n}\t`,
    (n: number) => `${String(n).padStart(5)} | `,
    (n: number) => `${n}: `,
    (n: number) => `${String(n).padStart(6)}\t`,
    (n: number) => `${n}→`,
  ]);
  const counted = random() < 0.5;
  for (const part of draft.parts) {
    let next = (part[0]?.at ?? 0) + 1;
    for (const line of part) {
      line.search = format(line.at + 1) + line.search;
      if (!both || line.role === 'old') continue;
      // Some number the new lines on, others leave them without a number.
      if (counted) line.replace = format(next++) + line.replace;
      else if (line.role === 'same') line.replace = line.search;
    }
  }
  return draft.parts.flat().filter(({ role }) => role !== 'new').length > 1;
}

function fence(draft: Draft, search: boolean, replace: boolean): boolean {
  const language = /\.(\w+)$/.exec(draft.intent.source)?.[1] ?? '';
  if (draft.parts.flat().some((line) => line.search.includes('```'))) return false;
  const wrap = (text: string) => `\`\`\`${language}\n${text}${text.endsWith('\n') ? '' : '\n'}\`\`\``;
  draft.blockSteps.push((block) => ({
    search: search ? wrap(block.search) : block.search,
    replace: replace && block.replace !== '' ? wrap(block.replace) : block.replace,
  }));
  return true;
}

/** Arguments encoded as JSON inside JSON. */
function escapedTwice(draft: Draft): boolean {
  const encode = (text: string) => JSON.stringify(text).slice(1, -1);
  draft.blockSteps.push(({ search, replace }: Block) => ({ search: encode(search), replace: encode(replace) }));
  return draft.parts.every((part) => part.filter(({ role }) => role !== 'new').length > 1);
}

/** Begins and ends in the middle of a line that stays. */
function partialLines(draft: Draft): boolean {
  draft.endsInNewline = false;
  const part = draft.parts[0] ?? [];
  const [first, last] = [part[0], part.at(-1)];
  if (first === undefined || last === undefined || first === last) return false;
  const [head, tail] = [first.search.trimStart(), last.search.trimEnd()];
  const from = head.search(/(?<=\W)\w+\W/);
  const to = tail.search(/\W\w+\W*$/);
  if (from <= 0 || to <= indentOf(tail).length) return false;
  first.search = head.slice(from);
  last.search = tail.slice(0, to + 1);
  first.replace = first.search;
  last.replace = last.search;
  return first.role === 'same' && last.role === 'same' && first.search.length > 3 && /\w/.test(last.search);
}

function shuffleBlocks(draft: Draft, random: Random): boolean {
  draft.parts = shuffled(random, draft.parts);
  return true;
}
