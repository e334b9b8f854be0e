import { type Block, between, type Case, pick, type Random } from './case.ts';
import type { Revision } from './corpus.ts';
import { chains } from './elision-damages.ts';
import { createIntent, type Intent, linesOf, occurrences, resultOf, withoutBlanks } from './intent.ts';

/** A way to make blocks that must not be applied; undefined when this revision has no material for it. */
export interface Refusal {
  kind: string;
  make(random: Random, revision: Revision, others: readonly Revision[]): Made | undefined;
}

interface Made {
  text: string;
  blocks: Block[];
}

export const refusals: readonly Refusal[] = [
  { kind: 'ambiguous: stands there twice', make: (random, revision) => twice(random, revision, (text) => text) },
  { kind: 'ambiguous: without its indentation', make: (random, revision) => twice(random, revision, flush) },
  { kind: 'ambiguous: twice, other indentation', make: twiceIndented },
  { kind: 'vanished', make: vanished },
  { kind: 'vanished: another name or number stands there', make: renamed },
  { kind: 'vanished: a twin under another name', make: twin },
  { kind: 'contradictory: context of one place, target of another', make: mixedContext },
  { kind: 'contradictory: a wrong name in the context', make: wrongName },
  { kind: 'letters: another name of the file', make: nearName },
  { kind: 'letters: fits two lines', make: nearTwice },
  { kind: 'letters: in several lines', make: manySlips },
  { kind: 'diff: of other lines', make: foreignDiff },
  { kind: 'elision: fits several spans', make: elisionSeveral },
  { kind: 'elision: stands for nothing', make: elisionOrphan },
  { kind: 'wrong file', make: wrongFile },
  { kind: 'applied before', make: appliedBefore },
  { kind: 'overlap', make: overlap },
  { kind: 'inside a word', make: insideWord },
  {
    kind: 'empty search',
    make: (random, revision) =>
      withIntent(random, revision, ({ text, block }) => ({
        text,
        blocks: [{ ...block, search: pick(random, ['', '\n', '   ']) }],
      })),
  },
  {
    kind: 'no change',
    make: (random, revision) =>
      withIntent(random, revision, ({ text, block }) => ({
        text,
        blocks: [{ search: block.search, replace: block.search }],
      })),
  },
  { kind: 'one good block, one bad', make: oneBad },
];

interface Material {
  intent: Intent;
  text: string;
  block: Block;
}

function withIntent(
  random: Random,
  revision: Revision,
  make: (material: Material) => Made | undefined,
  context?: number,
): Made | undefined {
  const intent = createIntent(random, revision, { parts: 1, context });
  const pieces = intent?.parts[0]?.pieces;
  if (intent === undefined || pieces === undefined) return undefined;
  const block = { search: linesOf(pieces, 'new').join('\n'), replace: linesOf(pieces, 'old').join('\n') };
  return make({ intent, text: intent.lines.join('\n'), block });
}

/** What a model would make of some lines when it is asked for a small change. */
function smallChange(random: Random, search: string): string {
  const lines = search.split('\n');
  const at = between(random, 0, lines.length - 1);
  const line = lines[at] ?? '';
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  if (random() < 0.5) lines.splice(at + 1, 0, `${indent}checkThis();`);
  else lines[at] = /\w/.test(line) ? line.replace(/\w+/, (word) => `${word}2`) : `${line} // checked`;
  return lines.join('\n');
}

function repeated(random: Random, lines: readonly string[], key: (line: string) => string): number[][] {
  const length = between(random, 1, 4);
  const places = new Map<string, number[]>();
  for (let at = 0; at + length <= lines.length; at++) {
    const part = lines.slice(at, at + length);
    if (part[0]?.trim() === '' || part.at(-1)?.trim() === '' || !part.some((line) => /\w{2}/.test(line))) continue;
    const id = part.map(key).join('\n');
    places.set(id, [...(places.get(id) ?? []), at]);
  }
  return [...places.values()].filter((at) => at.length >= 2).map((at) => [length, ...at]);
}

function twice(random: Random, revision: Revision, damage: (text: string) => string): Made | undefined {
  const lines = revision.before.split('\n');
  const groups = repeated(random, lines, (line) => line);
  if (groups.length === 0) return undefined;
  const [length = 1, at = 0] = pick(random, groups);
  const search = lines.slice(at, at + length).join('\n');
  const written = damage(search);
  // Without its indentation it may be the very text of yet another place.
  if (written !== search && occurrences(revision.before, written) > 0) return undefined;
  return { text: revision.before, blocks: [{ search: written, replace: damage(smallChange(random, search)) }] };
}

function flush(text: string): string {
  return text.replace(/^[ \t]+/gm, '');
}

/** Two places that differ by their indentation alone, and a block that has neither. */
function twiceIndented(random: Random, revision: Revision): Made | undefined {
  const lines = revision.before.split('\n');
  const groups = repeated(random, lines, (line) => line.trim()).filter(([, a = 0, b = 0]) => lines[a] !== lines[b]);
  if (groups.length === 0) return undefined;
  const [length = 1, at = 0] = pick(random, groups);
  const search = lines.slice(at, at + length).join('\n');
  const written = ` ${search.replaceAll('\n', '\n ')}`.replace(/^\s+/gm, (indent) => `${indent}   `);
  const bare = (text: string) => text.replace(/\s*\n\s*\n/g, '\n').replace(/[ \t]+$/gm, '');
  if (bare(revision.before).includes(bare(written))) return undefined;
  return { text: revision.before, blocks: [{ search: written, replace: smallChange(random, written) }] };
}

function vanished(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, text, block }) => {
    const length = block.search.split('\n').length;
    const start = intent.parts[0]?.start ?? 0;
    const rest = [...intent.lines.slice(0, start), ...intent.lines.slice(start + length)].join('\n');
    // A line that differs by backslashes alone would be the block with its escapes wrong.
    const bare = (side: string) => withoutBlanks(side).replaceAll('\\', '');
    // Nor is a line that is nearly the same: where the file is known, it counts as misspelt.
    const rows = block.search.split('\n').map((line) => line.trim());
    const isNearby = rows.some(
      (row) => row.length >= 10 && rest.split('\n').some((line) => line.trim() !== row && isNear(line.trim(), row)),
    );
    const isGone = occurrences(bare(rest), bare(block.search)) === 0 && !isNearby;
    return isGone && rest !== text && /\w{3}/.test(block.search) ? { text: rest, blocks: [block] } : undefined;
  });
}

const keywords = new Set(
  'const return function export import from this that default static async await while break case class extends public private void null true false undefined self None True False else typeof instanceof switch catch throw finally'.split(
    ' ',
  ),
);

/** A name or a number of a line, that is not a word of the language. */
function nameIn(random: Random, line: string): string | undefined {
  const code = line.replace(/(?:\/\/|#|\/?\*).*/, '');
  const names = (code.match(/\b(?:[A-Za-z_$][\w$]{2,}|\d+)\b/g) ?? []).filter((name) => !keywords.has(name));
  return names.length === 0 ? undefined : pick(random, names);
}

function otherName(random: Random, name: string, text: string): string {
  if (/^\d+$/.test(name)) return String(Number(name) + between(random, 1, 9));
  const others = (text.match(/\b[A-Za-z_$][\w$]{2,}\b/g) ?? []).filter(
    (other) => other !== name && !keywords.has(other),
  );
  return others.length > 0 && random() < 0.5
    ? pick(random, others)
    : `${name}${pick(random, ['2', 'Sync', 'Old', 'Ids'])}`;
}

function swapName(line: string, name: string, other: string): string {
  return line.replace(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`), () => other);
}

/** Since the model read the file, somebody changed a name or a number in a line that the block is to replace. */
function renamed(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, block }) => {
    const start = intent.parts[0]?.start ?? 0;
    const old = (intent.parts[0]?.pieces ?? []).filter(({ role }) => role !== 'new');
    const targets = old.flatMap(({ role, text }, index) => (role === 'old' && nameIn(() => 0, text) ? [index] : []));
    if (targets.length === 0) return undefined;
    const at = start + pick(random, targets);
    const line = intent.lines[at] ?? '';
    const name = nameIn(random, line);
    if (name === undefined) return undefined;
    const lines = intent.lines.with(at, swapName(line, name, otherName(random, name, intent.lines.join('\n'))));
    return withoutBlanks(lines.join('\n')).includes(withoutBlanks(block.search))
      ? undefined
      : { text: lines.join('\n'), blocks: [block] };
  });
}

/** The block's place is gone; one of the same shape that serves something else is still there. */
function twin(random: Random, revision: Revision): Made | undefined {
  return withIntent(
    random,
    revision,
    ({ intent, block }) => {
      const names = [...new Set(block.search.match(/\b[A-Za-z_$][\w$]{3,}\b/g) ?? [])].filter(
        (name) => !keywords.has(name),
      );
      if (names.length === 0) return undefined;
      const name = pick(random, names);
      const other = otherName(random, name, intent.lines.join('\n'));
      const start = intent.parts[0]?.start ?? 0;
      const end = start + block.search.split('\n').length;
      const pattern = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
      const code = block.search.replace(/(?:^\s*(?:#|\*|\/\*|--)|(?:^|\s)(?:\/\/|#\s)).*$/gm, '');
      if (!pattern.test(code)) return undefined;
      const lines = intent.lines.map((line, at) =>
        at >= start && at < end ? line.replace(pattern, () => other) : line,
      );
      const text = lines.join('\n');
      return withoutBlanks(text).includes(withoutBlanks(block.search)) ? undefined : { text, blocks: [block] };
    },
    3,
  );
}

function mixedContext(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, text, block }) => {
    const lines = intent.lines;
    const at = between(random, 0, lines.length - 4);
    const above = lines.slice(at, at + between(random, 1, 3)).filter((line) => /\w{3}/.test(line));
    // Next to the block it may be its own context, with a line of comment left out.
    const distance = at - (intent.parts[0]?.start ?? 0);
    if (above.length === 0 || Math.abs(distance) < 12) return undefined;
    const search = [...above, block.search].join('\n');
    if (withoutBlanks(text).includes(withoutBlanks(search))) return undefined;
    return { text, blocks: [{ search, replace: [...above, block.replace].join('\n') }] };
  });
}

function wrongName(random: Random, revision: Revision): Made | undefined {
  return withIntent(
    random,
    revision,
    ({ intent, text, block }) => {
      const same = (intent.parts[0]?.pieces ?? []).filter(
        ({ role, text: line }) =>
          role === 'same' && nameIn(() => 0, line) !== undefined && !/^\s*(?:\/\/|#|\*|\/\*|--|<!--)/.test(line),
      );
      if (same.length === 0) return undefined;
      const line = pick(random, same).text;
      const name = nameIn(random, line);
      if (name === undefined) return undefined;
      const wrong = swapName(line, name, otherName(random, name, text));
      const swap = (side: string) =>
        side
          .split('\n')
          .map((other) => (other === line ? wrong : other))
          .join('\n');
      const search = swap(block.search);
      if (wrong === line || withoutBlanks(text).includes(withoutBlanks(search))) return undefined;
      return { text, blocks: [{ search, replace: swap(block.replace) }] };
    },
    2,
  );
}

/** One name for another that the file has too and that differs by two letters at most. */
function nearName(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ text, block }) => {
    const pattern = /(?<![\p{L}\p{M}\p{N}_$])[A-Za-z_$]{3,}(?![\p{L}\p{M}\p{N}_$])/gu;
    const names = [...new Set(text.match(pattern) ?? [])];
    // Words of a comment may be other ones.
    const lines = block.search.split('\n').filter((line) => !/\/\/|#|\*|--/.test(line));
    const line = lines.length === 0 ? '' : pick(random, lines);
    const name = pick(random, line.match(pattern) ?? ['']);
    const near = names.filter((other) => other !== name && isNear(name, other));
    if (name === '' || near.length === 0) return undefined;
    const other = pick(random, near);
    const wrong = line.replaceAll(pattern, (found) => (found === name ? other : found));
    const swap = (side: string) =>
      side
        .split('\n')
        .map((one) => (one === line ? wrong : one))
        .join('\n');
    const search = swap(block.search);
    if (withoutBlanks(text).includes(withoutBlanks(search))) return undefined;
    return { text, blocks: [{ search, replace: swap(block.replace) }] };
  });
}

/** At most two letters more, fewer or other at one place. */
function isNear(a: string, b: string): boolean {
  let head = 0;
  while (head < a.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return Math.max(a.length, b.length) - head - tail <= 2;
}

/** A line that is as near to one line of the file as to another one. */
function nearTwice(random: Random, revision: Revision): Made | undefined {
  const lines = revision.before.split('\n');
  const at = between(random, 0, lines.length - 1);
  const line = lines[at] ?? '';
  const word = /\p{L}{5,}/u.exec(line);
  if (word === null) return undefined;
  const changed = (letter: string) => line.slice(0, word.index + 2) + letter + line.slice(word.index + 3);
  const letters = [...'qzxjkvw'].filter((letter) => !revision.before.includes(changed(letter)));
  const [one, two, three] = letters;
  if (one === undefined || two === undefined || three === undefined) return undefined;
  const text = [...lines.slice(0, at), changed(one), ...lines.slice(at), changed(two), ''].join('\n');
  const search = changed(three);
  const isMany = random() < 0.5;
  const own = isMany ? text : text.replace(`${line}\n`, '');
  return own === text && !isMany ? undefined : { text: own, blocks: [{ search, replace: `${search}\ncheckThis();` }] };
}

/** Letters wrong in every line: nobody copied this. */
function manySlips(random: Random, revision: Revision): Made | undefined {
  return withIntent(
    random,
    revision,
    ({ text, block }) => {
      const rows = block.search.split('\n').filter((line) => /[a-z]{5}/.test(line));
      if (rows.length < 2) return undefined;
      const swap = (side: string) =>
        side
          .split('\n')
          .map((line) => (rows.includes(line) ? line.replace(/([a-z]{2})([a-z])([a-z]{2})/, '$1qx$3') : line))
          .join('\n');
      return { text, blocks: [{ search: swap(block.search), replace: swap(block.replace) }] };
    },
    2,
  );
}

/** The lines that a diff takes away, or those around it, stand nowhere. */
function foreignDiff(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, text, block }) => {
    const pieces = intent.parts[0]?.pieces ?? [];
    const marked = pieces.map(({ role, text: line }) => ({ same: ' ', old: '-', new: '+' })[role] + line);
    const gone = ['-thisStandsNowhere(atAll);', ...marked];
    const diff = [random() < 0.5 ? '@@ -1,2 +1,2 @@' : '', ...gone].filter((line) => line !== '').join('\n');
    if (!pieces.some(({ role }) => role === 'new')) return undefined;
    return { text, blocks: [random() < 0.5 ? { search: block.search, replace: diff } : { search: diff, replace: '' }] };
  });
}

function elisionSeveral(random: Random, revision: Revision): Made | undefined {
  const lines = revision.before.split('\n');
  for (let round = 0; round < 20; round++) {
    const from = between(random, 0, Math.max(0, lines.length - 12));
    const head = lines.slice(from, from + between(random, 1, 2)).map((search) => ({ search }));
    const to = from + between(random, 4, 10);
    const tail = lines.slice(to, to + 1).map((search) => ({ search }));
    if (![...head, ...tail].every(({ search }) => search.trim() !== '') || chains(lines, head, tail) < 2) continue;
    // Blanks would tell the places apart.
    if (lines.filter((line) => line === tail[0]?.search).length < 2 || chains(lines.slice(to + 1), [], tail) < 1)
      continue;
    const exact = lines.flatMap((line, at) => (line === tail[0]?.search && at > from + head.length ? [at] : []));
    if (exact.length < 2) continue;
    const top = head.map(({ search }) => search);
    const bottom = tail.map(({ search }) => search);
    const marker = '// ... existing code ...';
    const search = [...top, marker, ...bottom].join('\n');
    const replace = [...top, marker, 'checkThis();', ...bottom].join('\n');
    return { text: revision.before, blocks: [{ search, replace }] };
  }
  return undefined;
}

function elisionOrphan(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ text, block }) => {
    const marker = pick(random, [
      '// ... existing code ...',
      '// ... rest of the function ...',
      '# ... existing code ...',
      '// rest of the code remains unchanged',
      '/* ... existing code ... */',
    ]);
    const first = block.search.split('\n')[0] ?? '';
    const replace = `${first}2\n${marker}\n  finished();`;
    return { text, blocks: [{ search: first, replace }] };
  });
}

function wrongFile(random: Random, revision: Revision, others: readonly Revision[]): Made | undefined {
  const other = pick(random, others);
  return withIntent(random, other, ({ block }) => {
    const isThere = withoutBlanks(revision.before).includes(withoutBlanks(block.search));
    return isThere || !/\w{3}/.test(block.search) ? undefined : { text: revision.before, blocks: [block] };
  });
}

function appliedBefore(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, text, block }) => {
    const after = resultOf(intent).join('\n');
    const adds = /\w{3}/.test(
      (intent.parts[0]?.pieces ?? [])
        .filter(({ role }) => role === 'new')
        .map((piece) => piece.text)
        .join(''),
    );
    return after !== text && adds ? { text: after, blocks: [block] } : undefined;
  });
}

/** Two blocks that make different lines of the same one. */
function overlap(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, ({ intent, text, block }) => {
    const old = (intent.parts[0]?.pieces ?? []).find(({ role, text: line }) => role === 'old' && /\w{3}/.test(line));
    if (old === undefined) return undefined;
    const other = block.search.split('\n').map((line) => (line === old.text ? `${line} // otherwise` : line));
    return { text, blocks: [block, { search: block.search, replace: other.join('\n') }] };
  });
}

function insideWord(random: Random, revision: Revision): Made | undefined {
  const words = [...new Set(revision.before.match(/\b[A-Za-z_]\w{7,}\b/g) ?? [])];
  if (words.length === 0) return undefined;
  const part = pick(random, words).slice(2);
  const isWord = new RegExp(`(?<![\\w$])${part}`).test(revision.before);
  return isWord ? undefined : { text: revision.before, blocks: [{ search: part, replace: `${part}Other` }] };
}

function oneBad(random: Random, revision: Revision): Made | undefined {
  return withIntent(random, revision, (good) => {
    const bad = renamed(random, revision);
    if (bad === undefined) return undefined;
    const block = bad.blocks[0];
    if (block === undefined) return undefined;
    const line = block.search.split('\n').find((text) => /\w{4}/.test(text));
    const search = `${line}\nthis stands nowhere\n`;
    return { text: good.text, blocks: [good.block, { search, replace: 'x\n' }] };
  });
}

/** The case, if what was made is one. */
export function toCase(kind: string, revision: Revision, made: Made | undefined): Case | undefined {
  return made && { kind, source: revision.name, ...made, expected: undefined };
}
