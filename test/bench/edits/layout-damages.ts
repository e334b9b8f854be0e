import { between, pick, type Random } from './case.ts';
import type { Damage } from './damages.ts';
import { changeText, type Draft, indentOf, isBlank, rewrite, unmixed, type Written, writtenLines } from './draft.ts';

/** Blanks, tabs, blank lines, line ends: what a model cannot see. */
export const layoutDamages: readonly Damage[] = [
  { kind: 'indent: none at all', combines: true, apply: (draft) => dedent(draft, () => true) },
  {
    kind: 'indent: none at all, search only',
    apply: (draft) => {
      const before = draft.parts.flat().map(({ replace }) => replace);
      const done = dedent(draft, () => true);
      draft.parts.flat().forEach((line, index) => {
        line.replace = before[index] ?? '';
      });
      return done;
    },
  },
  { kind: 'indent: none at all, replacement only', context: 1, apply: dedentReplacement },
  { kind: 'indent: shifted', combines: true, apply: shift },
  { kind: 'indent: first line only lost', apply: trimEnds },
  { kind: 'indent: first line only lost, one side', context: 1, apply: trimOneSide },
  { kind: 'indent: tabs and spaces swapped', combines: true, apply: swapTabs },
  { kind: 'indent: other width', apply: otherWidth },
  { kind: 'indent: single lines off', apply: ragged },
  { kind: 'trailing blanks: in the file', combines: true, apply: trailingInFile },
  { kind: 'trailing blanks: in the block', combines: true, apply: trailingInBlock },
  { kind: "trailing blanks: Markdown's line breaks", context: 1, apply: lineBreaks },
  { kind: "trailing blanks: Markdown's line breaks that come", context: 1, apply: freshLineBreaks },
  { kind: 'line ends: CRLF file', combines: true, apply: (draft) => inFile(draft, crlf) },
  {
    kind: 'line ends: CRLF block',
    apply: (draft) => inBlock(draft, ({ search, replace }) => ({ search: crlf(search), replace: crlf(replace) })),
  },
  {
    kind: 'line ends: mixed file',
    apply: (draft) => inFile(draft, (text) => `LF stands here.\nAnd here.\n${crlf(text)}`),
  },
  { kind: 'BOM', combines: true, apply: (draft) => inFile(draft, (text) => `\uFEFF${text}`) },
  { kind: 'blank lines: left out', context: 3, apply: (draft) => blankLines(draft, () => 0) },
  { kind: 'blank lines: added', context: 3, apply: addBlankLines },
  { kind: 'newline: around both sides', apply: newlineAround },
  { kind: 'newline: after the search only', apply: (draft) => newlineAfter(draft, true) },
  { kind: 'newline: after the replacement only', apply: (draft) => newlineAfter(draft, false) },
];

function dedent(draft: Draft, isWanted: (line: Written) => boolean): boolean {
  let done = false;
  for (const part of draft.parts) {
    const lines = part.filter(isWanted);
    const widths = lines.flatMap(({ search }) => (isBlank(search) ? [] : [indentOf(search)]));
    const shared = widths.reduce((a, b) => commonStart(a, b), widths[0] ?? '');
    for (const line of lines) {
      line.search = line.search.startsWith(shared) ? line.search.slice(shared.length) : line.search;
      line.replace = line.replace.startsWith(shared) ? line.replace.slice(shared.length) : line.replace;
    }
    done ||= shared !== '';
  }
  return done;
}

/** The search was copied, the replacement written from column 0. */
function dedentReplacement(draft: Draft): boolean {
  const before = draft.parts.flat().map(({ search }) => search);
  const done = dedent(draft, () => true);
  draft.parts.flat().forEach((line, index) => {
    line.search = before[index] ?? '';
  });
  return done;
}

function trimOneSide(draft: Draft, random: Random): boolean {
  draft.endsInNewline = false;
  const line = draft.parts[0]?.[0];
  if (line === undefined || indentOf(line.search) === '') return false;
  if (random() < 0.5) line.search = line.search.trimStart();
  else line.replace = line.replace.trimStart();
  return true;
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

function shift(draft: Draft, random: Random): boolean {
  const unit = writtenLines(draft).some((line) => line.startsWith('\t')) ? '\t' : ' '.repeat(between(random, 1, 4));
  const deeper = random() < 0.5;
  if (!deeper && !writtenLines(draft).every((line) => isBlank(line) || line.startsWith(unit))) return false;
  rewrite(draft, (line) => (isBlank(line) ? line : deeper ? unit + line : line.slice(unit.length)));
  return true;
}

/** Both sides went through a trim: the first line begins with its first character, all others are as they were. */
function trimEnds(draft: Draft): boolean {
  let done = false;
  draft.endsInNewline = false;
  for (const part of draft.parts) {
    const search = part.find(({ role }) => role !== 'new');
    const replace = part.find(({ role }) => role !== 'old');
    done ||= indentOf(search?.search ?? '') !== '';
    if (search) search.search = search.search.trimStart();
    if (replace) replace.replace = replace.replace.trimStart();
  }
  return done;
}

function swapTabs(draft: Draft, random: Random): boolean {
  const indents = draft.intent.lines.filter((line) => !isBlank(line)).map(indentOf);
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length;
  const spaces = indents.filter((indent) => indent.startsWith('  ')).length;
  if (tabs > spaces * 10) {
    const width = pick(random, [2, 4]);
    rewrite(draft, (line) => withIndent(line, (indent) => indent.replaceAll('\t', ' '.repeat(width))));
  } else if (spaces > tabs * 10) {
    const width = indents.some((indent) => indent === '  ') ? 2 : 4;
    rewrite(draft, (line) => withIndent(line, (indent) => indent.replaceAll(' '.repeat(width), '\t')));
  }
  return hasChanged(draft);
}

function otherWidth(draft: Draft): boolean {
  const indents = new Set(draft.intent.lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
  if (draft.intent.lines.some((line) => line.startsWith('\t'))) return false;
  const from = indents.has(2) ? 2 : 4;
  if (writtenLines(draft).some((line) => !isBlank(line) && indentOf(line).length % from !== 0)) return false;
  rewrite(draft, (line) => withIndent(line, (indent) => ' '.repeat((indent.length / from) * (6 - from))));
  return hasChanged(draft);
}

function withIndent(line: string, change: (indent: string) => string): string {
  const indent = indentOf(line);
  return isBlank(line) ? line : change(indent) + line.slice(indent.length);
}

function hasChanged({ intent, parts }: Draft): boolean {
  return parts.flat().some(({ role, search, at }) => role !== 'new' && search !== intent.lines[at]);
}

/** One or two lines that stay are a blank or two off, the same on both sides. */
function ragged(draft: Draft, random: Random): boolean {
  const lines = draft.parts.flat().filter(({ role, search }) => role === 'same' && !isBlank(search));
  if (lines.length < 3) return false;
  for (let count = between(random, 1, 2); count > 0; count--) {
    const line = pick(random, lines);
    const by = between(random, 1, 2);
    const deeper = random() < 0.5 || !line.search.startsWith('  ');
    line.search = deeper ? ' '.repeat(by) + line.search : line.search.slice(by);
    line.replace = line.search;
  }
  return hasChanged(draft);
}

function trailingInFile(draft: Draft, random: Random): boolean {
  // Of a line that comes once more nobody could say which one is which.
  const fresh = new Set(draft.parts.flat().flatMap(({ role, replace }) => (role === 'new' ? [replace.trim()] : [])));
  const bodies = draft.parts.flat().flatMap(({ role, search }) => (role === 'new' ? [] : [search.trim()]));
  const isAlone = (body: string) => bodies.indexOf(body) === bodies.lastIndexOf(body) && !fresh.has(body);
  for (const { at } of unmixed(draft).filter(({ search }) => !isBlank(search) && isAlone(search.trim()))) {
    if (random() < 0.5) draft.intent.lines[at] += pick(random, [' ', '  ', '\t']);
  }
  return hasChanged(draft);
}

function trailingInBlock(draft: Draft, random: Random): boolean {
  for (const line of draft.parts.flat()) {
    if (line.role === 'new' || random() < 0.5) continue;
    line.search += pick(random, [' ', '  ', '    ']);
    if (random() < 0.5) line.replace = line.search;
  }
  return hasChanged(draft);
}

/** Lines end in two blanks, which the model leaves out on one side or both. */
function lineBreaks(draft: Draft, random: Random): boolean {
  const fresh = new Set(draft.parts.flat().flatMap(({ role, replace }) => (role === 'new' ? [replace.trim()] : [])));
  const lines = unmixed(draft).filter(
    ({ role, search }) => role === 'same' && !isBlank(search) && !fresh.has(search.trim()),
  );
  const [inSearch, inReplace] = pick(random, [
    ['  ', '  '],
    ['  ', ''],
    ['', ''],
  ] as const);
  for (const line of lines) {
    draft.intent.lines[line.at] = `${line.search}  `;
    line.search += inSearch;
    line.replace += inReplace;
  }
  if (random() < 0.5) dedent(draft, () => true);
  return lines.length > 0;
}

/** Lines that are new or changed end in two blanks, as the model means them to. */
function freshLineBreaks(draft: Draft, random: Random): boolean {
  changeText(draft, (line, role) => (role === 'same' || isBlank(line) ? line : `${line.trimEnd()}  `));
  if (random() < 0.5) dedent(draft, () => true);
  return draft.parts.flat().some(({ role, replace }) => role === 'new' && !isBlank(replace));
}

function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

function inFile(draft: Draft, change: (text: string) => string): boolean {
  const before = draft.fileStep;
  draft.fileStep = (text) => change(before(text));
  return true;
}

function inBlock(draft: Draft, step: Draft['blockSteps'][number]): boolean {
  draft.blockSteps.push(step);
  return true;
}

/** Blank lines between two lines that stay; next to a change nobody could know what was meant. */
function blankLines(draft: Draft, keep: (random: number) => number): boolean {
  let done = false;
  draft.parts = draft.parts.map((part) =>
    part.filter((line, index) => {
      const [above, below] = [part[index - 1], part[index + 1]];
      const between = above?.role === 'same' && below?.role === 'same' && !isBlank(below.search);
      const goes = line.role === 'same' && isBlank(line.search) && between && keep(index) === 0;
      done ||= goes;
      return !goes;
    }),
  );
  return done;
}

function addBlankLines(draft: Draft, random: Random): boolean {
  let done = false;
  draft.parts = draft.parts.map((part) =>
    part.flatMap((line, index) => {
      const below = part.slice(index + 1).find(({ search, role }) => role !== 'same' || !isBlank(search));
      const fits = line.role === 'same' && below?.role === 'same' && !isBlank(line.search) && random() < 0.4;
      done ||= fits;
      return fits ? [line, { role: 'same' as const, search: '', replace: '', at: line.at }] : [line];
    }),
  );
  return done;
}

function newlineAround(draft: Draft, random: Random): boolean {
  const [before, after] = pick(random, [
    ['\n', ''],
    ['', '\n'],
    ['\n', '\n'],
  ] as const);
  return inBlock(draft, ({ search, replace }) => ({
    search: before + search + after,
    replace: replace === '' ? '' : before + replace + after,
  }));
}

function newlineAfter(draft: Draft, search: boolean): boolean {
  draft.endsInNewline = false;
  return inBlock(draft, (block) => ({
    search: search ? `${block.search}\n` : block.search,
    replace: search || block.replace === '' ? block.replace : `${block.replace}\n`,
  }));
}
