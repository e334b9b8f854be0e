import { between, pick, type Random } from './case.ts';
import type { Damage } from './damages.ts';
import { type Draft, indentOf, isBlank, rewrite, unmixed, type Written, writtenLines } from './draft.ts';

/** Characters and words: what a model repairs, forgets or writes otherwise while it copies. */
export const spellingDamages: readonly Damage[] = [
  { kind: 'quotes: curly in the block', combines: true, apply: curlyInBlock },
  { kind: 'quotes: dashes and nbsp in the block', apply: dashesInBlock },
  { kind: 'quotes: typography in the file', apply: typographyInFile },
  { kind: 'invisible characters in the file', apply: invisibleInFile },
  { kind: 'escapes: entities in the block', apply: entities },
  { kind: 'escapes: quotes', apply: (draft) => replaceAll(draft, '"', '\\"') },
  { kind: 'escapes: backslashes twice', apply: (draft) => replaceAll(draft, '\\', '\\\\') },
  { kind: 'escapes: backslash-n read as a line end', apply: unescaped },
  { kind: 'misremembered: words of a comment', context: 3, apply: commentWords },
  { kind: 'misremembered: comment left out', context: 3, apply: commentDropped },
  { kind: 'misremembered: trailing comment left out', context: 3, apply: trailingCommentDropped },
  { kind: 'misremembered: punctuation', context: 3, apply: punctuation },
  { kind: 'misremembered: blanks inside a line', context: 2, apply: innerBlanks },
  {
    kind: 'letters: one wrong in a line that stays',
    context: 1,
    apply: (draft, random) => letters(draft, random, 1, 'same'),
  },
  {
    kind: 'letters: two wrong in a line that stays',
    context: 1,
    apply: (draft, random) => letters(draft, random, 2, 'same'),
  },
  { kind: 'letters: one wrong in a line that goes', apply: (draft, random) => letters(draft, random, 1, 'old') },
  { kind: 'letters: one wrong, search only', context: 1, apply: lettersInSearch },
  { kind: 'unicode: composed in the block', apply: (draft, random) => accents(draft, random, 'NFD', 'NFC') },
  { kind: 'unicode: decomposed in the block', apply: (draft, random) => accents(draft, random, 'NFC', 'NFD') },
  { kind: 'unicode: another form in the replacement', context: 1, apply: accentsInReplacement },
];

function replaceAll(draft: Draft, from: string, to: string): boolean {
  if (!staying(draft).some(({ search }) => search.includes(from))) return false;
  rewrite(draft, (line) => line.replaceAll(from, to));
  return true;
}

/** Lines of the file that the block shows. */
function staying(draft: Draft): Written[] {
  return draft.parts.flat().filter(({ role }) => role !== 'new');
}

/** As a word processor would: an opening one after a blank or a bracket. A sort that only the new lines have stays. */
function curlyInBlock(draft: Draft): boolean {
  const shown = staying(draft)
    .map(({ search }) => search)
    .join('\n');
  const hasDouble = shown.includes('"');
  const hasSingle = shown.includes("'");
  if (writtenLines(draft).some((line) => /[‘’“”]/.test(line)) || !(hasDouble || hasSingle)) return false;
  rewrite(draft, (line) => {
    let result = line;
    if (hasDouble) result = result.replace(/(^|[\s([{=,:])"/g, '$1“').replaceAll('"', '”');
    if (hasSingle) result = result.replace(/(^|[\s([{=,:])'/g, '$1‘').replaceAll("'", '’');
    return result;
  });
  return true;
}

function dashesInBlock(draft: Draft, random: Random): boolean {
  const [from, to] = pick(random, [
    [' - ', ' – '],
    [' - ', ' — '],
    [' ', '\u00a0'],
    ['...', '…'],
    ['-', '\u2011'],
  ] as const);
  if (writtenLines(draft).some((line) => line.includes(to))) return false;
  const has = staying(draft).some(({ search }) => search.trim().includes(from));
  rewrite(draft, (line) => indentOf(line) + line.slice(indentOf(line).length).replaceAll(from, to));
  return has;
}

/** The file is set with care; the model types what is on its keyboard. */
function typographyInFile(draft: Draft, random: Random): boolean {
  let done = false;
  for (const { at, search } of unmixed(draft)) {
    const set = search
      .replace(/(\w)'(\w)/g, '$1’$2')
      .replaceAll(' - ', ' – ')
      .replace(/"(\w[\w ]*)"/g, '“$1”')
      .replace(/(\w) (\w)/, random() < 0.2 ? '$1\u00a0$2' : '$1 $2')
      .replace('...', '…');
    if (set !== search) draft.intent.lines[at] = set;
    done ||= set !== search;
  }
  return done;
}

function invisibleInFile(draft: Draft, random: Random): boolean {
  const lines = unmixed(draft).filter(({ search }) => search.trim().length > 3);
  if (lines.length === 0) return false;
  for (let count = between(random, 1, 3); count > 0; count--) {
    const { at } = pick(random, lines);
    const line = draft.intent.lines[at] ?? '';
    const column = between(random, indentOf(line).length + 1, line.length);
    const sign = pick(random, ['\u200b', '\u200b\u200b', '\u202e', '\u2066', '\u{e0041}', '\ufeff', '\u2060']);
    draft.intent.lines[at] = line.slice(0, column) + sign + line.slice(column);
  }
  return true;
}

function entities(draft: Draft): boolean {
  const shown = staying(draft).map(({ search }) => search);
  if (!shown.some((line) => /[<>&]/.test(line)) || writtenLines(draft).some((line) => /&\w+;/.test(line))) return false;
  rewrite(draft, (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
  return true;
}

/** One level of escaping too few: `'\n'` in the source arrives as a string over two lines. */
function unescaped(draft: Draft): boolean {
  const lines = draft.parts.flat().filter(({ role }) => role === 'same');
  const has = lines.some(({ search }) => /[^\\]\\n/.test(search));
  const others = draft.parts.flat().filter(({ role }) => role !== 'same');
  if (!has || others.some(({ search }) => search.includes('\\'))) return false;
  rewrite(draft, (line) => line.replace(/(?<!\\)\\n/g, '\n').replace(/(?<!\\)\\t/g, '\t'));
  return true;
}

const comment = /^\s*(?:\/\/+|#(?!\s*(?:if|else|endif|include|define|undef|pragma|ifdef|ifndef|error))|\*|--|;;)\s+\S/;

function comments(draft: Draft): Written[] {
  return draft.parts.flat().filter(({ role, search }) => role === 'same' && comment.test(search));
}

/** A comment that stays comes back in slightly other words, the same on both sides. */
function commentWords(draft: Draft, random: Random): boolean {
  const lines = comments(draft).filter(({ search }) => search.trim().split(/\s+/).length >= 5);
  if (lines.length === 0 || codeLines(draft).length < 3) return false;
  const line = pick(random, lines);
  const words = line.search.slice(indentOf(line.search).length).split(' ');
  const at = between(random, 2, words.length - 1);
  const way = random();
  if (way < 0.35) words.splice(at, 1);
  else if (way < 0.7) words.splice(at, 0, pick(random, ['the', 'a', 'only', 'also', 'here', 'all']));
  else words[at] = swapLetters(words[at] ?? '');
  line.search = indentOf(line.search) + words.join(' ');
  line.replace = line.search;
  return line.search !== draft.intent.lines[line.at];
}

function swapLetters(word: string): string {
  const middle = word.length >> 1;
  return word.slice(0, middle - 1) + (word[middle] ?? '') + (word[middle - 1] ?? '') + word.slice(middle + 1);
}

function codeLines(draft: Draft): Written[] {
  return staying(draft).filter(({ search }) => !isBlank(search) && !comment.test(search) && /\w/.test(search));
}

/** Between two lines that stay: next to a change it may have been meant to go. */
function commentDropped(draft: Draft, random: Random): boolean {
  if (codeLines(draft).length < 3) return false;
  const part = draft.parts[0] ?? [];
  const shown = part.filter(({ role, search }) => role !== 'same' || !isBlank(search));
  const inner = comments(draft).filter((line) => {
    const index = shown.indexOf(line);
    return shown[index - 1]?.role === 'same' && shown[index + 1]?.role === 'same';
  });
  if (inner.length === 0) return false;
  const gone = pick(random, inner);
  draft.parts = draft.parts.map((lines) => lines.filter((line) => line !== gone));
  return true;
}

function trailingCommentDropped(draft: Draft, random: Random): boolean {
  const trailing = /^(.*\S)\s+(?:\/\/|#)\s\S.*$/;
  const lines = draft.parts.flat().filter(({ role, search }) => role === 'same' && trailing.test(search));
  if (lines.length === 0) return false;
  const line = pick(random, lines);
  line.search = line.search.replace(trailing, '$1');
  line.replace = line.search;
  return !isBlank(line.search) && /\w/.test(line.search);
}

function punctuation(draft: Draft, random: Random): boolean {
  const lines = codeLines(draft).filter(({ role, search }) => role === 'same' && /[\w)\]}'"][;,]?$/.test(search));
  if (lines.length === 0 || codeLines(draft).length < 3) return false;
  const line = pick(random, lines);
  const last = line.search.at(-1) ?? '';
  if (last === ';' || last === ',') line.search = line.search.slice(0, -1);
  else if (/['"].*['"]/.test(line.search) && random() < 0.7) line.search = otherQuotes(line.search);
  else line.search += pick(random, [';', ',']);
  line.replace = line.search;
  return true;
}

function otherQuotes(line: string): string {
  return line.includes("'") ? line.replaceAll("'", '"') : line.replaceAll('"', "'");
}

/** `if(x){` for `if (x) {`, `a=b` for `a = b`, columns of a table no longer aligned. */
function innerBlanks(draft: Draft): boolean {
  let done = false;
  for (const line of draft.parts.flat()) {
    if (line.role !== 'same') continue;
    const indent = indentOf(line.search);
    const spaced = line.search
      .slice(indent.length)
      .replace(/ {2,}/g, ' ')
      .replace(/\b(if|for|while|catch) \(/g, '$1(');
    line.search = indent + spaced.replace(/\) \{$/, '){').replace(/^(\w+) = /, '$1=');
    line.replace = line.search;
    done ||= line.search !== draft.intent.lines[line.at];
  }
  return done;
}

/** Letters left out, doubled, exchanged or taken for others; never so that another name of the file comes out. */
function letters(draft: Draft, random: Random, count: number, role: Written['role']): boolean {
  const lines = draft.parts.flat().filter((line) => line.role === role && /\p{L}{3}/u.test(line.search));
  if (lines.length === 0) return false;
  const line = pick(random, lines);
  const before = line.search;
  for (let done = 0; done < count; done++) {
    const spots = [...line.search.matchAll(/\p{L}{3,}/gu)];
    if (spots.length === 0) return false;
    const { 0: word, index } = pick(random, spots);
    const wrong = misspelt(random, word);
    const text = draft.intent.lines.join('\n').toLowerCase();
    if (wrong === word || text.includes(wrong.toLowerCase())) return false;
    line.search = line.search.slice(0, index) + wrong + line.search.slice(index + word.length);
  }
  if (role === 'same') line.replace = line.search;
  return line.search !== before && isOnlyPlace(draft);
}

function misspelt(random: Random, word: string): string {
  const at = between(random, 0, word.length - 1);
  const other = /[a-zA-Z]/.test(word) ? pick(random, [...'etaoinshrdlu']) : pick(random, [...'的一是不了人我在有他']);
  return pick(random, [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + other + word.slice(at),
    word.slice(0, at) + other + word.slice(at + 1),
    word.slice(0, at) + (word[at] ?? '') + word.slice(at),
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
  ]);
}

function lettersInSearch(draft: Draft, random: Random): boolean {
  const before = draft.parts.flat().map(({ replace }) => replace);
  const done = letters(draft, random, 1, 'same');
  draft.parts.flat().forEach((line, index) => {
    line.replace = before[index] ?? '';
  });
  return done;
}

/** No other run of lines is nearly the same, letters aside. */
function isOnlyPlace({ intent, parts }: Draft): boolean {
  const key = (line: string) => line.replace(/[\p{L}\s]+/gu, '');
  const lines = intent.lines.filter((line) => !isBlank(line));
  return parts.every((part) => {
    const shown = part.filter(({ role, search }) => role !== 'new' && !isBlank(search));
    const starts = [...lines.keys()].filter((at) =>
      shown.every(({ search }, row) => {
        const own = lines[at + row];
        return own !== undefined && key(own) === key(search) && Math.abs(own.trim().length - search.trim().length) <= 4;
      }),
    );
    return starts.length === 1;
  });
}

const accented: Readonly<Record<string, string>> = { a: 'ä', e: 'é', o: 'ö', u: 'ů', n: 'ñ', c: 'ç', i: 'が', s: '각' };

/** Text of a language that is not English, which the file has in one form and the block in another. */
function accents(draft: Draft, random: Random, file: 'NFC' | 'NFD', block: 'NFC' | 'NFD'): boolean {
  const from = pick(random, Object.keys(accented));
  const wanted = new Set(unmixed(draft));
  let done = false;
  for (const line of wanted) {
    const text = line.search.replaceAll(from, accented[from] ?? '');
    done ||= text !== line.search;
    draft.intent = { ...draft.intent, lines: draft.intent.lines.with(line.at, text.normalize(file)) };
    line.search = text.normalize(block);
    line.replace = text.normalize(block);
  }
  return done;
}

function accentsInReplacement(draft: Draft, random: Random): boolean {
  const [file, other] = pick(random, [
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ] as const);
  const done = accents(draft, random, file, file);
  for (const line of unmixed(draft)) line.replace = line.replace.normalize(other);
  return done && draft.parts.flat().some(({ role, replace }) => role === 'same' && replace.normalize(file) !== replace);
}
