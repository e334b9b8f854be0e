import { between, pick, type Random } from './case.ts';
import type { Damage } from './damages.ts';
import { type Draft, indentOf, isBlank, rewrite, type Written } from './draft.ts';

/** Signs that stand for lines, or that look as if they did. */
export const elisionDamages: readonly Damage[] = [
  { kind: 'elision: in both', context: 7, apply: (draft, random) => elide(draft, random, 'both') },
  { kind: 'elision: in the replacement', context: 6, apply: (draft, random) => elide(draft, random, 'replace') },
  { kind: 'elision: at the ends', context: 2, apply: elideEnds },
  { kind: 'elision: blank lines beside it', context: 7, apply: elideBesideBlanks },
  { kind: 'elision: a line of the file itself', context: 2, apply: ownDots },
  { kind: 'elision: a line of the file itself goes', context: 1, apply: ownDotsGo },
  { kind: 'elision: a line of the file itself, others elided', context: 8, apply: ownDotsBesideElision },
];

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
function elide(draft: Draft, random: Random, where: 'both' | 'replace', blanks: () => Written[] = () => []): boolean {
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
      ? [...blanks(), mark, ...blanks()]
      : [
          ...hidden.map((line) => ({ ...line, role: 'old' as const })),
          ...[...blanks(), mark, ...blanks()].map((line) => ({ ...line, role: 'new' as const })),
        ];
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

/** The lines that an elision hides begin or end with blank ones, or the block has some around it that the file has not. */
function elideBesideBlanks(draft: Draft, random: Random): boolean {
  const lines = [...draft.intent.lines];
  const part = draft.parts[0] ?? [];
  for (const line of longRuns(part).flatMap(({ from, to }) => part.slice(from + 1, to - 1))) {
    if (random() < 0.6) continue;
    lines[line.at] = '';
    line.search = '';
    line.replace = '';
  }
  draft.intent = { ...draft.intent, lines };
  const at = part[0]?.at ?? 0;
  const blanks = () => (random() < 0.5 ? [{ role: 'same' as const, search: '', replace: '', at }] : []);
  return elide(draft, random, random() < 0.6 ? 'both' : 'replace', blanks);
}

/** One line of those wanted becomes dots, in the file as well. */
function dotsFor(draft: Draft, random: Random, wanted: readonly Written[]): boolean {
  const lines = wanted.filter(({ search }) => !isBlank(search));
  if (lines.length === 0) return false;
  const line = pick(random, lines);
  const marker = indentOf(line.search) + markerFor(draft, random);
  draft.intent = { ...draft.intent, lines: draft.intent.lines.with(line.at, marker) };
  line.search = marker;
  line.replace = marker;
  return true;
}

function ownDots(draft: Draft, random: Random): boolean {
  const done = dotsFor(
    draft,
    random,
    draft.parts.flat().filter(({ role }) => role === 'same'),
  );
  if (random() < 0.4) rewrite(draft, (line) => (isBlank(line) ? line : `  ${line}`));
  return done && isShownOnce(draft);
}

function ownDotsGo(draft: Draft, random: Random): boolean {
  const done = dotsFor(
    draft,
    random,
    draft.parts.flat().filter(({ role }) => role === 'old'),
  );
  if (random() < 0.4) rewrite(draft, (line) => (isBlank(line) ? line : `  ${line}`));
  return done && isShownOnce(draft);
}

function ownDotsBesideElision(draft: Draft, random: Random): boolean {
  const lines = (draft.parts[0] ?? []).filter(({ role }) => role === 'same');
  return (
    dotsFor(draft, random, [...lines.slice(0, 2), ...lines.slice(-2)]) &&
    elide(draft, random, 'both') &&
    isShownOnce(draft)
  );
}

/** With the dots read as what they are, there is one place. */
function isShownOnce({ intent, parts }: Draft): boolean {
  return parts.every((part) => {
    const shown = part.filter(({ role, search }) => role !== 'new' && !isBlank(search));
    const lines = intent.lines.filter((line) => !isBlank(line)).map((line) => ({ search: line }));
    const own = new Set(lines.map(({ search }) => search.trim()));
    const known = shown.filter(({ search }) => own.has(search.trim()));
    return (
      known.length > 1 &&
      places(
        intent.lines.filter((line) => !isBlank(line)),
        known.slice(0, 2),
      ).length === 1
    );
  });
}
