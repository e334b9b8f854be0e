import { createTwoFilesPatch, structuredPatch } from 'diff';
import { between, pick, type Random } from '../edits/case.ts';
import { commonIndent, indentOf, isBlank, type PartEdit, resultOf } from './answer-case.ts';

/** One way in which models write down the lines that are to stand instead of a part. */
export interface AnswerForm {
  kind: string;
  /** Undefined: this edit has nothing that could be written so. */
  write(edit: PartEdit, random: Random): string | undefined;
}

export const answerForms: readonly AnswerForm[] = [
  { kind: 'fence', write: (edit) => fenced(edit.fresh, edit) },
  {
    kind: 'fence: words around it',
    write: (edit) => `Here is the updated code:\n\n${fenced(edit.fresh, edit)}\n\nI kept the rest.`,
  },
  { kind: 'fence: CRLF', write: (edit) => fenced(edit.fresh, edit).replaceAll('\n', '\r\n') },
  { kind: 'fence: blank lines inside', write: (edit) => fenced(['', ...edit.fresh, ''], edit) },
  { kind: 'no fence', write: (edit) => edit.fresh.join('\n') },
  { kind: 'no fence: trimmed', write: (edit) => edit.fresh.join('\n').trim() },
  {
    kind: 'no fence: words around it',
    write: (edit) => `Here is the updated code:\n\n${edit.fresh.join('\n')}\n\nI kept the rest.`,
  },
  { kind: 'whole file', write: (edit) => fenced(withoutLastEnd(resultOf(edit)), edit) },
  { kind: 'whole file: no fence', write: (edit) => resultOf(edit).join('\n') },
  { kind: 'whole file: and another change', write: otherChange },
  { kind: 'wider: what was sent', write: (edit) => wider(edit, 150, 150) },
  { kind: 'wider: one line above', write: (edit) => wider(edit, 1, 0) },
  { kind: 'wider: one line below', write: (edit) => wider(edit, 0, 1) },
  { kind: 'wider: some lines', write: (edit, random) => wider(edit, between(random, 0, 6), between(random, 0, 6)) },
  { kind: 'wider: elided around', write: elidedAround },
  { kind: 'wider: trimmed', write: (edit, random) => trimmedWider(edit, between(random, 1, 5), between(random, 0, 5)) },
  { kind: 'line numbers: of the file', write: (edit, random) => numbered(edit, random, edit.first + 1) },
  { kind: 'line numbers: from 1', write: (edit, random) => numbered(edit, random, 1) },
  { kind: 'diff: of the file', write: (edit) => diffOf(edit, 3, 'headers') },
  { kind: 'diff: hunks alone', write: (edit) => diffOf(edit, 3, 'hunks') },
  { kind: 'diff: hunks without numbers', write: (edit) => diffOf(edit, 3, 'bare') },
  { kind: 'diff: all of the part', write: (edit) => partDiff(edit, 'diff') },
  { kind: 'diff: all of the part, fence of the language', write: (edit) => partDiff(edit, 'language') },
  { kind: 'diff: little context', write: (edit) => diffOf(edit, 1, 'hunks') },
  {
    kind: 'markers: search and replace',
    write: (edit) => searchBlock(edit, edit.lines.slice(edit.first, edit.last + 1), edit.fresh),
  },
  { kind: 'markers: small blocks', write: smallBlocks },
  {
    kind: 'markers: of the question',
    write: (edit) => fenced(['<<<<<<< marked part begins', ...edit.fresh, '>>>>>>> marked part ends'], edit),
  },
  { kind: 'markers: patch', write: patchOf },
  {
    kind: 'markers: left over',
    write: (edit, random) =>
      fenced(
        pick(random, [
          ['<<<<<<< SEARCH', ...edit.fresh],
          [...edit.fresh, '>>>>>>> REPLACE'],
          ['=======', ...edit.fresh, '>>>>>>> REPLACE'],
        ]),
        edit,
      ),
  },
  { kind: 'column 0: all moved', write: dedented },
  { kind: 'column 0: first line', write: firstLineCut },
  { kind: 'column 0: moved by some', write: movedBySome },
  { kind: 'column 0: all stripped', write: stripped },
  { kind: 'indentation: tabs for blanks', write: tabbed },
  { kind: 'indentation: blanks for tabs', write: spaced },
  { kind: 'indentation: half as deep', write: halved },
  { kind: 'elision: in the middle', write: (edit, random) => elided(edit, random, 'middle') },
  { kind: 'elision: at an end', write: (edit, random) => elided(edit, random, 'end') },
  { kind: 'only the changed lines', write: onlyChanged },
  { kind: 'wrapped: CDATA', write: (edit) => fenced(['<![CDATA[', ...edit.fresh, ']]>'], edit) },
  { kind: 'wrapped: tag', write: (edit) => fenced(['<replacement>', ...edit.fresh, '</replacement>'], edit) },
  { kind: 'wrapped: path first', write: (edit) => fenced([edit.source, ...edit.fresh], edit) },
  {
    kind: 'wrapped: invisible sign',
    write: (edit) => fenced(['\u200B', ...edit.fresh].join('\n').replace('\n', '').split('\n'), edit),
  },
  {
    kind: 'wrapped: entities',
    write: (edit) =>
      /[<>]/.test(edit.fresh.join(''))
        ? fenced(
            edit.fresh.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
            edit,
          )
        : undefined,
  },
  { kind: 'wrapped: JSON', write: (edit) => fenced([JSON.stringify({ replacement: edit.fresh.join('\n') })], edit) },
  {
    kind: 'several blocks',
    write: (edit) => `${fenced(edit.fresh, edit)}\n\nUse it so:\n\n${fenced(['run(value);'], edit)}`,
  },
  {
    kind: 'cut: no end of the fence',
    write: (edit) => `\`\`\`\n${edit.fresh.slice(0, Math.ceil(edit.fresh.length / 2)).join('\n')}`,
  },
];

function language({ source }: PartEdit): string {
  return /\.(\w+)(?:\.txt)?$/.exec(source)?.[1] ?? '';
}

function fenced(lines: readonly string[], edit: PartEdit, info = language(edit)): string {
  const fence = lines.some((line) => line.includes('```')) ? '````' : '```';
  return [`${fence}${info}`, ...lines, fence].join('\n');
}

function withoutLastEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** With so many lines that are not blank on either side. */
function around({ lines, first, last }: PartEdit, above: number, below: number): { above: string[]; below: string[] } {
  let [from, to] = [first, last + 1];
  for (let left = above; left > 0 && from > 0; ) if (!isBlank(lines[--from] ?? '')) left--;
  for (let left = below; left > 0 && to < lines.length; ) if (!isBlank(lines[to++] ?? '')) left--;
  return { above: lines.slice(from, first), below: [...withoutLastEnd(lines.slice(last + 1, to))] };
}

function wider(edit: PartEdit, above: number, below: number): string | undefined {
  const shown = around(edit, above, below);
  if (shown.above.length + shown.below.length === 0) return undefined;
  return fenced([...shown.above, ...edit.fresh, ...shown.below], edit);
}

function trimmedWider(edit: PartEdit, above: number, below: number): string | undefined {
  const shown = around(edit, above, below);
  if (shown.above.length === 0) return undefined;
  return fenced([...shown.above, ...edit.fresh, ...shown.below].join('\n').trim().split('\n'), edit);
}

/** As a whole file of which another line far away changed too. */
function otherChange(edit: PartEdit, random: Random): string | undefined {
  const { lines, first } = edit;
  const words = lines.flatMap((line, at) => (at < first - 2 && /\w{4}/.test(line) ? [at] : []));
  if (words.length === 0) return undefined;
  const at = pick(random, words);
  const changed = lines.map((line, index) => (index === at ? line.replace(/\w{4,}/, 'somethingElse') : line));
  return fenced(withoutLastEnd(resultOf({ ...edit, lines: changed })), edit);
}

function elidedAround(edit: PartEdit, random: Random): string | undefined {
  const mark = markFor(edit, random);
  if (mark === '...' && /py$/.test(edit.source)) return undefined;
  const above = edit.lines.slice(0, Math.min(2, edit.first));
  return fenced([...pick(random, [[], above]), mark, ...edit.fresh, mark], edit);
}

const marks = [
  '// ... existing code ...',
  '// ...',
  '...',
  '# ... existing code ...',
  '# same loop as before',
  '// rest of the function stays the same',
  '// ... rest unchanged ...',
  '<!-- ... existing code ... -->',
  '/* ... */',
  '-- (unchanged)',
];

function markFor(edit: PartEdit, random: Random): string {
  const end = language(edit);
  const fits = marks.filter((mark) => {
    if (/^(?:py|rb|ya?ml|sh|pyi|toml|coffee)$/.test(end)) return /^[#.]/.test(mark);
    if (/^(?:md|html|svelte|vue|rst)$/.test(end)) return /^[<.]/.test(mark);
    if (/^(?:hs|sql|lua)$/.test(end)) return /^(?:--|\.)/.test(mark);
    return /^[/.]/.test(mark);
  });
  return pick(random, fits);
}

function numbered(edit: PartEdit, random: Random, from: number): string {
  const format = pick(random, [
    (n: number) => `${n}\t`,
    (n: number) => `${String(n).padStart(4)} | `,
    (n: number) => `${n}: `,
    (n: number) => `${String(n).padStart(6)}\t`,
    (n: number) => `${n}→`,
  ]);
  return fenced(
    edit.fresh.map((line, at) => format(from + at) + line),
    edit,
  );
}

function diffOf(edit: PartEdit, context: number, form: 'headers' | 'hunks' | 'bare'): string {
  const [before, after] = [edit.lines.join('\n'), resultOf(edit).join('\n')];
  const patch = createTwoFilesPatch(`a/${edit.source}`, `b/${edit.source}`, before, after, '', '', { context });
  const lines = patch.split('\n').filter((line) => !/^(?:={5,}|\\ )/.test(line));
  const body = lines.filter((line, at) => form === 'headers' || !/^(?:--- |\+\+\+ )/.test(line) || at > 3);
  const rows = withoutLastEnd(body).map((line) => (form === 'bare' && line.startsWith('@@') ? '@@ ... @@' : line));
  return fenced(rows, edit, 'diff');
}

function partDiff(edit: PartEdit, info: 'diff' | 'language'): string {
  const part = edit.lines.slice(edit.first, edit.last + 1).join('\n');
  const { hunks } = structuredPatch('a', 'b', `${part}\n`, `${edit.fresh.join('\n')}\n`, '', '', { context: 1000 });
  const rows = hunks.flatMap(({ lines }) => lines);
  return fenced(rows, edit, info === 'diff' ? 'diff' : language(edit));
}

function searchBlock(edit: PartEdit, old: readonly string[], fresh: readonly string[]): string {
  return fenced(['<<<<<<< SEARCH', ...old, '=======', ...fresh, '>>>>>>> REPLACE'], edit);
}

function hunksOf(edit: PartEdit): { old: string[]; fresh: string[] }[] {
  const part = edit.lines.slice(edit.first, edit.last + 1).join('\n');
  const { hunks } = structuredPatch('a', 'b', `${part}\n`, `${edit.fresh.join('\n')}\n`, '', '', { context: 2 });
  const side = (lines: readonly string[], sign: string) =>
    lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  return hunks.map(({ lines }) => ({ old: side(lines, '+'), fresh: side(lines, '-') }));
}

function smallBlocks(edit: PartEdit): string {
  return hunksOf(edit)
    .map(({ old, fresh }) => searchBlock(edit, old, fresh))
    .join('\n\n');
}

function patchOf(edit: PartEdit): string {
  const part = edit.lines.slice(edit.first, edit.last + 1).join('\n');
  const { hunks } = structuredPatch('a', 'b', `${part}\n`, `${edit.fresh.join('\n')}\n`, '', '', { context: 3 });
  const rows = hunks.flatMap(({ lines }) => ['@@', ...lines]);
  return fenced(['*** Begin Patch', `*** Update File: ${edit.source}`, ...rows, '*** End Patch'], edit, '');
}

/** The edit moves lines to the right or left, or begins elsewhere: with the indentation wrong nobody could say by how much. */
function isReindent({ lines, first, last, fresh }: PartEdit): boolean {
  const part = lines.slice(first, last + 1);
  const known = new Map(part.map((line) => [line.trim(), line]));
  const isMoved = fresh.some(
    (line) => !isBlank(line) && (known.get(line.trim()) ?? line) !== line && !part.includes(line),
  );
  return isMoved || indentOf(fresh[0] ?? '') !== indentOf(part[0] ?? '');
}

function dedented(edit: PartEdit): string | undefined {
  if (isReindent(edit)) return undefined;
  const common = commonIndent(edit.fresh);
  return common === ''
    ? undefined
    : fenced(
        edit.fresh.map((line) => (isBlank(line) ? '' : line.slice(common.length))),
        edit,
      );
}

function firstLineCut(edit: PartEdit): string | undefined {
  if (isReindent(edit)) return undefined;
  const [top = '', ...rest] = edit.fresh;
  return indentOf(top) === '' ? undefined : fenced([top.trimStart(), ...rest], edit);
}

function movedBySome(edit: PartEdit, random: Random): string | undefined {
  if (isReindent(edit)) return undefined;
  const common = commonIndent(edit.fresh);
  if (common.length < 2) return undefined;
  const cut = between(random, 1, common.length - 1);
  return fenced(
    edit.fresh.map((line) => (isBlank(line) ? '' : line.slice(cut))),
    edit,
  );
}

function stripped(edit: PartEdit): string | undefined {
  if (isReindent(edit)) return undefined;
  const bare = edit.fresh.map((line) => line.trimStart());
  return bare.every((line, at) => line === edit.fresh[at]) ? undefined : fenced(bare, edit);
}

function isPure(lines: readonly string[], sign: string): boolean {
  const indents = lines
    .filter((line) => !isBlank(line))
    .map(indentOf)
    .filter((indent) => indent !== '');
  return indents.length > 0 && indents.every((indent) => [...indent].every((one) => one === sign));
}

function tabbed(edit: PartEdit): string | undefined {
  if (isReindent(edit)) return undefined;
  const unit = [4, 2].find((width) => edit.fresh.every((line) => isBlank(line) || indentOf(line).length % width === 0));
  if (unit === undefined || !isPure(edit.lines, ' ') || !isPure(edit.fresh, ' ')) return undefined;
  return fenced(
    edit.fresh.map((line) => '\t'.repeat(indentOf(line).length / unit) + line.trimStart()),
    edit,
  );
}

function spaced(edit: PartEdit, random: Random): string | undefined {
  if (isReindent(edit)) return undefined;
  if (!isPure(edit.lines, '\t') || !isPure(edit.fresh, '\t')) return undefined;
  const unit = pick(random, ['  ', '    ']);
  return fenced(
    edit.fresh.map((line) => unit.repeat(indentOf(line).length) + line.trimStart()),
    edit,
  );
}

function halved(edit: PartEdit): string | undefined {
  if (isReindent(edit)) return undefined;
  const fits = edit.fresh.every((line) => isBlank(line) || indentOf(line).length % 4 === 0);
  if (!fits || !isPure(edit.lines, ' ') || !isPure(edit.fresh, ' ')) return undefined;
  return fenced(
    edit.fresh.map((line) => ' '.repeat(indentOf(line).length / 2) + line.trimStart()),
    edit,
  );
}

/** Leaves out a run of lines that stay. */
function elided(edit: PartEdit, random: Random, where: 'middle' | 'end'): string | undefined {
  const part = edit.lines.slice(edit.first, edit.last + 1);
  const { hunks } = structuredPatch('a', 'b', `${part.join('\n')}\n`, `${edit.fresh.join('\n')}\n`, '', '', {
    context: 1000,
  });
  const all = hunks.flatMap(({ lines }) => lines);
  // Where lines only go, nothing of the run may be left out.
  const rows = all.flatMap((line, at) => {
    const isGap =
      line.startsWith('-') &&
      !all[at - 1]?.startsWith('-') &&
      !/^[+-]/.test(all.slice(at).find((next) => !next.startsWith('-')) ?? '+');
    return line.startsWith('-') ? (isGap ? ['-'] : []) : [line];
  });
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= rows.length; at++) {
    if (rows[at]?.startsWith(' ')) continue;
    const isEnd = from === 0 || at === rows.length;
    if (at - from >= 4 && isEnd === (where === 'end')) runs.push({ from, to: at });
    from = at + 1;
  }
  if (runs.length === 0) return undefined;
  const run = pick(random, runs);
  const start = run.from === 0 ? (where === 'end' ? pick(random, [0, 1]) : 0) : run.from + pick(random, [0, 1]);
  const end = run.to === rows.length ? (where === 'end' ? rows.length : run.to) : run.to - pick(random, [0, 1]);
  const hidden = rows.slice(start, end);
  // Beside lines that go, nobody could say whether they are meant to.
  if (hidden.length < 2 || rows[start - 1] === '-' || rows[end] === '-') return undefined;
  const mark = indentOf((hidden.find((line) => !isBlank(line.slice(1))) ?? '').slice(1)) + markFor(edit, random);
  const bare = (lines: readonly string[]) => lines.filter((line) => line !== '-').map((line) => line.slice(1));
  return fenced([...bare(rows.slice(0, start)), mark, ...bare(rows.slice(end))], edit);
}

/** The lines that come, with one line of context or none. */
function onlyChanged(edit: PartEdit, random: Random): string | undefined {
  const part = edit.lines.slice(edit.first, edit.last + 1);
  const { hunks } = structuredPatch('a', 'b', `${part.join('\n')}\n`, `${edit.fresh.join('\n')}\n`, '', '', {
    context: pick(random, [0, 1]),
  });
  const [hunk] = hunks;
  if (hunks.length !== 1 || hunk === undefined) return undefined;
  const rows = hunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
  return rows.length === 0 || part.length - rows.length < 6 ? undefined : fenced(rows, edit);
}
