import { type Block, between, pick, type Random, shuffled } from './case.ts';
import type { Damage } from './damages.ts';
import { type Draft, indentOf, isBlank, type Written } from './draft.ts';

/** What models put around lines, in front of them or in their place. */
export const wrappingDamages: readonly Damage[] = [
  { kind: 'line numbers: both sides', combines: true, apply: (draft, random) => lineNumbers(draft, random, true) },
  { kind: 'line numbers: search only', apply: (draft, random) => lineNumbers(draft, random, false) },
  { kind: 'fence: both sides', combines: true, apply: (draft) => fence(draft, true, true) },
  { kind: 'fence: search only', apply: (draft) => fence(draft, true, false) },
  { kind: 'fence: replacement only', apply: (draft) => fence(draft, false, true) },
  { kind: 'escapes: the whole block twice', apply: escapedTwice },
  { kind: 'partial first and last line', context: 1, apply: partialLines },
  { kind: 'elision: in both', context: 7, apply: (draft, random) => elide(draft, random, 'both') },
  { kind: 'elision: in the replacement', context: 6, apply: (draft, random) => elide(draft, random, 'replace') },
  { kind: 'elision: at the ends', context: 2, apply: elideEnds },
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

const markers = [
  '// ... existing code ...',
  '// ...',
  '// ... rest of the code ...',
  '// (unchanged)',
  '# ... existing code ...',
  '# ...',
  '...',
  '/* ... */',
  '<!-- ... existing code ... -->',
  '// ... (keep existing code) ...',
];

function markerFor(draft: Draft, random: Random): string {
  const extension = /\.(\w+)$/.exec(draft.intent.source)?.[1] ?? '';
  const fits = markers.filter((marker) => {
    if (/^(?:py|gypi?|ya?ml)$/.test(extension)) return /^(?:#|\.)/.test(marker);
    if (/^(?:md|html|svelte)$/.test(extension)) return /^(?:<|\.)/.test(marker);
    if (/^s?css$/.test(extension)) return /^(?:\/\*|\/\/|\.)/.test(marker);
    return /^(?:\/|\.)/.test(marker);
  });
  return pick(random, fits);
}

/** Runs of lines that stay, of four and more, inside the block. */
function elide(draft: Draft, random: Random, where: 'both' | 'replace'): boolean {
  const part = draft.parts[0] ?? [];
  const runs = longRuns(part);
  if (runs.length === 0) return false;
  const run = pick(random, runs);
  const from = run.from + between(random, 1, 2);
  const to = run.to - between(random, 1, 2);
  const hidden = part.slice(from, to);
  const above = part.slice(0, from).filter(({ role }) => role !== 'new');
  const below = part.slice(to).filter(({ role }) => role !== 'new');
  if (hidden.length < 2 || chains(draft.intent.lines, above, below) !== 1) return false;
  const marker = indentOf(hidden.find(({ search }) => !isBlank(search))?.search ?? '') + markerFor(draft, random);
  const mark: Written = { role: 'same', search: marker, replace: marker, at: hidden[0]?.at ?? 0 };
  const shown =
    where === 'both'
      ? [mark]
      : [...hidden.map((line) => ({ ...line, role: 'old' as const })), { ...mark, role: 'new' as const }];
  draft.parts = [[...part.slice(0, from), ...shown, ...part.slice(to)]];
  const edges = [part[from - 1], part[to]];
  return edges.every(
    (line) =>
      line !== undefined &&
      !isBlank(line.search) &&
      part.filter((other) => other.search.trim() === line.search.trim()).length === 1,
  );
}

function longRuns(part: readonly Written[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= part.length; at++) {
    if (part[at]?.role === 'same') continue;
    if (at - from >= 5) runs.push({ from, to: at });
    from = at + 1;
  }
  return runs;
}

/** In how many ways the two shown pieces can be laid on the file, blanks aside. */
export function chains(
  lines: readonly string[],
  above: readonly { search: string }[],
  below: readonly { search: string }[],
): number {
  const heads = places(lines, above);
  const tails = places(lines, below);
  return heads.reduce((sum, head) => sum + tails.filter((tail) => tail >= head + above.length).length, 0);
}

function places(lines: readonly string[], wanted: readonly { search: string }[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (wanted.every(({ search }, index) => lines[at + index]?.trim() === search.trim())) found.push(at);
  }
  return found;
}

function elideEnds(draft: Draft, random: Random): boolean {
  const marker = markerFor(draft, random);
  const [top, bottom] = pick(random, [
    [true, true],
    [true, false],
    [false, true],
  ] as const);
  draft.parts = draft.parts.map((part) => {
    const mark = (at: number): Written => ({ role: 'same', search: marker, replace: marker, at });
    return [...(top ? [mark(part[0]?.at ?? 0)] : []), ...part, ...(bottom ? [mark(part.at(-1)?.at ?? 0)] : [])];
  });
  return true;
}

function shuffleBlocks(draft: Draft, random: Random): boolean {
  draft.parts = shuffled(random, draft.parts);
  return true;
}
