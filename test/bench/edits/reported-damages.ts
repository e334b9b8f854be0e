import { type Block, pick, type Random } from './case.ts';
import type { Damage } from './damages.ts';
import { changeText, type Draft, indentOf, isBlank, rewrite, type Written, writtenLines } from './draft.ts';
import { occurrences } from './intent.ts';

/** Reported by users of other agents. Most of them nobody can mend for certain: then the block has to be refused. */
export interface ReportedDamage extends Damage {
  /** `owner/repository#number` of the thread on GitHub. */
  seen: string;
}

export const reportedDamages: readonly ReportedDamage[] = [
  { kind: 'reported: dollar signs in what comes', seen: 'anomalyco/opencode#45892', apply: dollars },
  {
    kind: 'reported: a line of equals signs',
    seen: 'BaseIntelligence/bounty-challenge#51638',
    context: 2,
    apply: equalsSigns,
  },
  { kind: 'reported: the markers of Cline around it', seen: 'cline/cline#4427', apply: markers },
  { kind: 'reported: an escape of the file read', seen: 'anthropics/claude-code#52813', context: 1, apply: escapeRead },
  { kind: 'reported: escapes and signs mixed', seen: 'anthropics/claude-code#64479', context: 2, apply: escapesMixed },
  { kind: 'reported: other blanks in the file', seen: 'anomalyco/opencode#38134', context: 1, apply: otherBlanks },
  { kind: 'reported: a minus sign in the file', seen: 'anomalyco/opencode#38134', context: 1, apply: minusSign },
  { kind: 'reported: low quotes in the file', seen: 'anthropics/claude-code#38765', context: 1, apply: lowQuotes },
  { kind: 'reported: a form feed in the file', seen: 'xyTom/coding-tools-mcp#50', context: 1, apply: formFeed },
  { kind: 'reported: a line separator in a line', seen: 'xyTom/coding-tools-mcp#50', context: 1, apply: lineSeparator },
  { kind: 'reported: entities with numbers', seen: 'RooCodeInc/Roo-Code#5633', apply: numbered },
  { kind: 'reported: entities of the file read', seen: 'RooCodeInc/Roo-Code#4077', context: 1, apply: entitiesRead },
  {
    kind: 'reported: tabs as backslash-t',
    seen: 'anthropics/claude-code#18050',
    apply: (draft) => tabsAs(draft, '\\t'),
  },
  { kind: 'reported: tabs as entities', seen: 'anthropics/claude-code#18050', apply: (draft) => tabsAs(draft, '&#9;') },
  {
    kind: 'reported: tabs as eight blanks',
    seen: 'strands-agents/harness-sdk#3175',
    apply: (draft) => tabsAs(draft, '        '),
  },
  { kind: 'reported: no line end at the end of the file', seen: 'Aider-AI/aider#3737', apply: noLineEnd },
  { kind: 'reported: a patch around it', seen: 'github/copilot-cli#1109', apply: patch },
  { kind: 'reported: closing tags of the call', seen: 'buildomator/buildomator#29', apply: closingTags },
  { kind: 'reported: the next argument swallowed', seen: 'anthropics/claude-code#83088', apply: nextArgument },
  { kind: 'reported: broken closing tags', seen: 'adolfousier/opencrabs#419', apply: brokenTags },
  {
    kind: 'reported: a long line cut, said',
    seen: 'microsoft/vscode#317862',
    context: 1,
    apply: (draft) => cutLine(draft, ' [truncated]'),
  },
  {
    kind: 'reported: a long line cut, dots',
    seen: 'langchain-ai/deepagents#784',
    context: 1,
    apply: (draft) => cutLine(draft, '...'),
  },
  { kind: 'reported: the first sign lost', seen: 'google-gemini/gemini-cli#4480', context: 1, apply: firstSignLost },
  {
    kind: 'reported: the replacement escaped once more',
    seen: 'google-gemini/gemini-cli#539',
    apply: escapedReplacement,
  },
  { kind: 'reported: backslashes lost', seen: 'google-gemini/gemini-cli#6488', context: 1, apply: backslashesLost },
  { kind: 'reported: one block twice', seen: 'Aider-AI/aider#3895', apply: twice },
  { kind: 'reported: a block on what another wrote', seen: 'esengine/DeepSeek-Reasonix#458', apply: onAnother },
  { kind: 'reported: half of the last line', seen: 'cline/cline#11439', context: 2, apply: halfLine },
  { kind: 'reported: the path in front', seen: 'Aider-AI/aider#5662', apply: pathInFront },
  { kind: 'reported: said to be unchanged', seen: 'google-gemini/gemini-cli#4426', context: 6, apply: saidUnchanged },
];

function staying(draft: Draft): Written[] {
  return draft.parts.flat().filter(({ role, search }) => role === 'same' && !isBlank(search));
}

/** Changes one line that stays, in the file, and what the model wrote of it. False: there is none. */
function changeOne(
  draft: Draft,
  random: Random,
  {
    fits = () => true,
    inFile,
    written,
  }: { fits?(line: string): boolean; inFile(line: string): string; written(line: string): string },
): boolean {
  const coming = new Set(draft.parts.flat().flatMap(({ role, replace }) => (role === 'new' ? [replace] : [])));
  const lines = staying(draft).filter(
    ({ search }) => fits(search) && !coming.has(search) && occurrences(draft.intent.lines.join('\n'), search) === 1,
  );
  if (lines.length === 0) return false;
  const { search: own } = pick(random, lines);
  const fresh = inFile(own);
  changeText(draft, (line, role) => (role === 'same' && line === own ? fresh : line));
  for (const line of draft.parts.flat()) {
    if (line.search === fresh) line.search = written(own);
    if (line.replace === fresh) line.replace = written(own);
  }
  return true;
}

function dollars(draft: Draft): boolean {
  changeText(draft, (line, role) => (role === 'new' ? `${line} $& $$ $1 $\` $'` : line));
  return draft.parts.flat().some(({ role }) => role === 'new');
}

function equalsSigns(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, { inFile: () => '=======', written: () => '=======' });
}

function markers(draft: Draft, random: Random): boolean {
  const [head, tail] = pick(random, [
    ['------- SEARCH', '+++++++ REPLACE'],
    ['------- SEARCH>', '+++++++ REPLACE>'],
  ] as const);
  draft.blockSteps.push(({ search, replace }) => ({
    search: `${head}\n${ended(search)}=======`,
    replace: `${ended(replace)}${tail}`,
  }));
  return true;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function escapeRead(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, { inFile: (line) => `${line} \\u00e9t\\u00e9`, written: (line) => `${line} été` });
}

function escapesMixed(draft: Draft, random: Random): boolean {
  const one = changeOne(draft, random, {
    fits: (line) => !/[éu]/.test(line),
    inFile: (line) => `${line} été \\u00e9`,
    written: (line) => `${line} \\u00e9t\\u00e9 \\u00e9`,
  });
  return one;
}

function otherBlanks(draft: Draft, random: Random): boolean {
  const blank = pick(random, ['\u202f', '\u2009', '\u3000', '\u00a0']);
  return changeOne(draft, random, {
    fits: (line) => / /.test(line.trim()),
    inFile: (line) => indentOf(line) + line.trimStart().replaceAll(' ', blank),
    written: (line) => line,
  });
}

function minusSign(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, {
    fits: (line) => line.includes('-'),
    inFile: (line) => line.replaceAll('-', '\u2212'),
    written: (line) => line,
  });
}

function lowQuotes(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, {
    fits: (line) => /"[^"]+"/.test(line),
    inFile: (line) => line.replace(/"([^"]+)"/g, '\u201e$1\u201c'),
    written: (line) => line,
  });
}

function formFeed(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, { inFile: (line) => `\f${line}`, written: (line) => line });
}

function lineSeparator(draft: Draft, random: Random): boolean {
  const end = pick(random, ['\u2028', '\u0085', '\v']);
  const change = (line: string) => `${line} a${end}b`;
  return changeOne(draft, random, { inFile: change, written: change });
}

function numbered(draft: Draft): boolean {
  const shown = staying(draft).some(({ search }) => /["']/.test(search));
  if (!shown || writtenLines(draft).some((line) => /&#?\w+;/.test(line))) return false;
  rewrite(draft, (line) => line.replaceAll('"', '&#34;').replaceAll("'", '&#39;'));
  return true;
}

function entitiesRead(draft: Draft, random: Random): boolean {
  return changeOne(draft, random, {
    fits: (line) => /[&<>]/.test(line) && !/&\w+;/.test(line),
    inFile: (line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    written: (line) => line,
  });
}

function tabsAs(draft: Draft, written: string): boolean {
  if (!writtenLines(draft).some((line) => line.startsWith('\t'))) return false;
  rewrite(draft, (line) => line.replace(/^\t+/, (tabs) => written.repeat(tabs.length)));
  return true;
}

function noLineEnd(draft: Draft): boolean {
  const { lines, parts } = draft.intent;
  const last = parts.at(-1);
  const length = last?.pieces.filter(({ role }) => role !== 'new').length ?? 0;
  if (last === undefined || lines.at(-1) !== '' || last.start + length !== lines.length - 1) return false;
  draft.fileStep = (text) => text.replace(/\n$/, '');
  draft.endsInNewline = true;
  return true;
}

/** All of it in the one argument, and nothing in the other. */
function patch(draft: Draft): boolean {
  const part = draft.parts[0] ?? [];
  const signs = { same: ' ', old: '-', new: '+' };
  const body = part.map(({ role, search }) => `${signs[role]}${search}`).join('\n');
  const path = draft.intent.source;
  const text = `*** Begin Patch\n*** Update File: ${path}\n@@\n${body}\n*** End Patch\n`;
  draft.blockSteps.push(() => ({ search: text, replace: '' }));
  return part.some(({ role }) => role === 'same');
}

function appended(draft: Draft, tail: string): boolean {
  draft.blockSteps.push(({ search, replace }: Block) => ({ search, replace: `${ended(replace)}${tail}` }));
  return draft.parts.flat().some(({ role }) => role !== 'old');
}

function closingTags(draft: Draft, random: Random): boolean {
  return appended(
    draft,
    pick(random, ['</new_string>', '</content>\n</invoke>', '</parameter>\n</invoke>\n', '</replace>\n']),
  );
}

function nextArgument(draft: Draft, random: Random): boolean {
  const name = pick(random, ['replace', 'new_string']);
  return appended(draft, `</${name}>\n<parameter name="replace_all">false</parameter>`);
}

function brokenTags(draft: Draft, random: Random): boolean {
  return appended(draft, pick(random, ['</｜｜DSML｜｜parameter>', '</｜DSML｜parameter>\n</｜DSML｜invoke>']));
}

function cutLine(draft: Draft, note: string): boolean {
  const long = staying(draft).filter(({ search }) => search.length > 60);
  for (const line of long) {
    line.search = line.search.slice(0, 40) + note;
    line.replace = line.search;
  }
  return long.length > 0;
}

function firstSignLost(draft: Draft): boolean {
  const first = draft.parts[0]?.[0];
  if (first?.role !== 'same' || !/^[({["'<]/.test(first.search.trimStart())) return false;
  first.search = first.search.trimStart().slice(1);
  first.replace = first.search;
  return /\w/.test(first.search);
}

function escapedReplacement(draft: Draft): boolean {
  draft.blockSteps.push(({ search, replace }) => ({ search, replace: JSON.stringify(replace).slice(1, -1) }));
  return draft.parts.every((part) => part.filter(({ role }) => role !== 'old').length > 1);
}

function backslashesLost(draft: Draft): boolean {
  const lines = staying(draft).filter(({ search }) => search.includes('\\'));
  for (const line of lines) {
    line.search = line.search.replaceAll('\\', '');
    line.replace = line.search;
  }
  return lines.length > 0;
}

function twice(draft: Draft): boolean {
  draft.parts.push(...draft.parts.map((part) => part.map((line) => ({ ...line }))));
  return true;
}

/** Edits of one call in the order in which they are to be made. */
function onAnother(draft: Draft): boolean {
  const part = draft.parts[0] ?? [];
  const fresh = part.filter(({ role }) => role === 'new');
  if (fresh.length === 0 || fresh.every(({ replace }) => isBlank(replace))) return false;
  const later = part.flatMap((line): Written[] => {
    if (line.role === 'old') return [];
    if (line.role === 'same') return [{ ...line }];
    return [{ ...line, role: 'old', search: `${line.replace} step1` }, { ...line }];
  });
  for (const line of fresh) line.replace = `${line.replace} step1`;
  draft.parts.push(later);
  return true;
}

function halfLine(draft: Draft): boolean {
  draft.endsInNewline = false;
  const last = draft.parts.at(-1)?.at(-1);
  if (last?.role !== 'same') return false;
  const half = /^\s*\W*\w+\W+\w+(?=\W+\w)/.exec(last.search)?.[0];
  if (half === undefined) return false;
  last.search = half;
  last.replace = half;
  return true;
}

function pathInFront(draft: Draft, random: Random): boolean {
  const both = random() < 0.5;
  const path = draft.intent.source;
  draft.blockSteps.push(({ search, replace }) => ({
    search: `${path}\n${search}`,
    replace: both && replace !== '' ? `${path}\n${replace}` : replace,
  }));
  return true;
}

/** In the replacement alone, over lines of the search that stay. */
function saidUnchanged(draft: Draft, random: Random): boolean {
  const part = draft.parts[0] ?? [];
  const from = part.findIndex(
    (line, at) => [0, 1, 2].every((next) => part[at + next]?.role === 'same') && !isBlank(line.search),
  );
  if (from < 0) return false;
  const words = pick(random, [
    '(unchanged fields...)',
    '(rest of the code stays unchanged)',
    '(remaining lines unchanged)',
  ]);
  const sign = /\.(?:py|rb|ya?ml|sh|toml)$/.test(draft.intent.source) ? '#' : '//';
  const [first, ...others] = part.slice(from, from + 3);
  if (first === undefined) return false;
  first.replace = `${indentOf(first.search)}${sign} ${words}`;
  draft.parts = [part.flatMap((line): Written[] => (others.includes(line) ? [onlySearched(line)] : [line]))];
  return true;
}

function onlySearched(line: Written): Written {
  return { ...line, role: 'old' };
}
