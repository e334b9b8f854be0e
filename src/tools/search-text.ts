import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ApprovalNeed, ToolError, toolRecord } from '../agent/tool.ts';
import { isGitPath, isSecretPath } from '../files/file-class.ts';
import { createGlobs } from '../files/glob.ts';
import { nearPathsHint } from '../files/near-paths.ts';
import { resolveReadPlace } from '../files/read-place.ts';
import { checkedMatches, type SearchRoot, searchRootOf } from '../files/search/checked-matches.ts';
import { noteHits } from '../files/search/last-hits.ts';
import { maxIgnored, withSearchTimeout } from '../files/search/search-timeout.ts';
import {
  displayPath,
  type Files,
  isWholeWorkspace,
  type Place,
  type Search,
  shownPath,
  type TextMatch,
  type TextQuery,
  type UnsearchedFile,
  type Workspace,
} from '../files/workspace.ts';
import { replaceOutsideClasses, searchDialect } from './dialect/reads.ts';
import { widen } from './find-files.ts';

const maxMatches = 100;
const maxLineLength = 200;
const maxContext = 10;
const maxUnsearched = 5;

export interface SearchTextDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
}

export const searchText = toolRecord({
  name: 'search_text',
  description: 'Searches the text of files for lines that hold query (plain text, any case).',
  parameters: z.object({
    query: z.string().check(z.minLength(1)),
    path: z.optional(z.string()),
    glob: z.optional(z.string()),
    regex: z.optional(z.boolean()),
    caseSensitive: z.optional(z.boolean()),
    context: z.optional(z.int().check(z.minimum(0))),
  }),
  dialect: searchDialect,
  kind: 'search',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Search text'),
    icon: 'search',
    subject: ['path', 'query'],
    gathers: 'searches',
    opens: true,
  }),
  title: ({ query, path }) =>
    path === undefined
      ? l10n.t('Search {0}', JSON.stringify(query))
      : l10n.t('Search {0} in {1}', JSON.stringify(query), path),
  plan:
    (deps: SearchTextDeps) =>
    async ({ query, path, glob = '', regex = false, caseSensitive = false, context = 0 }, { signal, turnId }) => {
      const { workspace } = deps;
      const [folder, among] = path?.includes('*') ? [undefined, path] : [path, ''];
      const [isAmong, matchesGlob] = [among, glob].map((list) =>
        createGlobs(list, (one) => widen(one, workspace.roots())),
      );
      if (!isAmong || !matchesGlob) throw new ToolError('The glob is too long or has too many alternatives.');
      const { places, gone = [], approval, confirm } = await placesOf(deps, folder, signal);
      const isWanted = ({ root, path: at }: Place) =>
        matchesGlob(at) ||
        places.some(({ place: { root: top, path: below } }) => {
          return root === top && at.startsWith(`${below}/`) && matchesGlob(at.slice(below.length + 1));
        });
      const wants = (place: Place) => {
        // Outside the workspace a parent folder can make a file secret, so the whole path is checked.
        const whole = displayPath(workspace, place);
        const isThere = isAmong(place.path) || isAmong(whole);
        return isThere && isWanted(place) && !isSecretPath(whole) && !isGitPath(place.path);
      };
      return {
        approval,
        async run() {
          await confirm();
          const asked = among === '' ? glob : `${among} in the workspace${glob === '' ? '' : ` and ${glob}`}`;
          const wanted = { query, regex, caseSensitive, asked, wants };
          const { found, texts, unsearched, note } = await findInAnyReading(deps, places, wanted, signal);
          noteHits(workspace, turnId, found);
          const around = context === 0 ? undefined : { texts, lines: Math.min(context, maxContext) };
          const lines = [
            ...(note === '' ? [] : [note]),
            ...(context > maxContext ? [`[${maxContext} lines of context, the most that there is]`] : []),
            ...(found.length === 0 ? [] : [answer(workspace, found, around)]),
          ];
          const forModel = [lines.join('\n') + notSearched(workspace, unsearched), ...gone].join('\n');
          return { forModel, forUser: summary(found) };
        },
      };
    },
});

interface Places {
  places: readonly SearchRoot[];
  gone?: readonly string[];
  approval?: ApprovalNeed;
  confirm(): Promise<void>;
}

async function placesOf(deps: SearchTextDeps, path: string | undefined, signal: AbortSignal): Promise<Places> {
  const wholeWorkspace = path === undefined || isWholeWorkspace(path);
  if (wholeWorkspace) {
    return { ...(await allRoots(deps.workspace)), confirm: async () => undefined };
  }
  const { place, checked, shown, approval, confirm } = await resolveReadPlace(deps, path, 'below');
  if (approval?.subject.kind === 'read' && approval.subject.reason === 'secret') {
    throw new ToolError(`${shown} may hold secrets and is not searched. read_file asks the user for it.`);
  }
  if ((await deps.files.stat(place)) === undefined) {
    throw new ToolError(`There is no file or folder ${shown}.${await nearPathsHint(deps, place, signal)}`);
  }
  return { places: [{ place, checked }], approval, confirm };
}

async function allRoots(workspace: Workspace): Promise<Pick<Places, 'places' | 'gone'>> {
  const searched = await Promise.allSettled(workspace.roots().map(searchRootOf));
  const places = searched.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [fault] = searched.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (fault !== undefined && (places.length === 0 || !(fault instanceof ToolError))) throw fault;
  return { places, gone: searched.flatMap((one) => (one.status === 'rejected' ? [`[${one.reason.message}]`] : [])) };
}

const withIgnored = ({ place, ...rest }: SearchRoot): SearchRoot => ({
  ...rest,
  place: { ...place, withIgnored: true },
});

interface Found {
  found: TextMatch[];
  texts: ReadonlyMap<Place['root'], ReadonlyMap<string, string>>;
  unsearched: UnsearchedFile[];
}

const nothing: Found = { found: [], texts: new Map(), unsearched: [] };

async function findLines(
  { search, files, workspace }: SearchTextDeps,
  places: readonly SearchRoot[],
  { query, wants, max = maxMatches }: { query: TextQuery; wants(place: Place): boolean; max?: number },
  signal: AbortSignal,
): Promise<Found> {
  const found: TextMatch[] = [];
  const texts = new Map<Place['root'], ReadonlyMap<string, string>>();
  const unsearched: UnsearchedFile[] = [];
  for (const under of places) {
    if (found.length >= max) break;
    const here: TextMatch[] = [];
    const onMatch = (match: TextMatch) => found.length + here.push(match) < max;
    unsearched.push(...(await search.text(under.place, query, { wants, onMatch }, signal)));
    const held = await checkedMatches({ files, workspace }, under, here);
    found.push(...held.matches);
    texts.set(under.place.root, held.texts);
  }
  return { found, texts, unsearched };
}

/** Returns lines of the workspace that hold the name as a word, in the order of their paths. */
export async function findWord(deps: SearchTextDeps, name: string, signal: AbortSignal): Promise<TextMatch[]> {
  const edge = '[^\\p{L}\\p{N}_$]';
  const pattern = `(?:^|${edge})${literal(name)}(?:$|${edge})`;
  const { places } = await allRoots(deps.workspace);
  const wants = (place: Place) => !isSecretPath(place.path) && !isGitPath(place.path);
  const query = { pattern, regex: true, caseSensitive: true };
  const { found } = await findLines(deps, places, { query, wants }, signal);
  return found.toSorted((a, b) => (a.place.path < b.place.path ? -1 : 1));
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

interface Wanted {
  query: string;
  regex: boolean;
  caseSensitive: boolean;
  asked: string;
  wants(place: Place): boolean;
}

type Reading = Omit<TextQuery, 'caseSensitive'>;

/**
 * An empty result is a claim, so it is given only when no other reading of the query finds anything, nor do ignored
 * files. `note` says to the model how the lines were found, or that there are none.
 */
async function findInAnyReading(
  deps: SearchTextDeps,
  places: readonly SearchRoot[],
  { query, regex, caseSensitive, asked, wants }: Wanted,
  signal: AbortSignal,
): Promise<Found & { note: string }> {
  const asWritten = readingOf(query, regex);
  let refused: unknown;
  let unsearched: UnsearchedFile[] = [];
  for (const reading of [asWritten, ...otherReadings(query, regex, asWritten)]) {
    const isFirst = reading === asWritten;
    const result = await findLines(deps, places, { query: { ...reading, caseSensitive }, wants }, signal).catch(
      (error: unknown) => {
        if (!(error instanceof ToolError)) throw error;
        if (isFirst) refused = error;
        return nothing;
      },
    );
    if (isFirst) ({ unsearched } = result);
    if (result.found.length > 0) return { ...result, note: isFirst ? '' : readingNote(reading, regex) };
  }
  if (refused !== undefined) throw refused;
  const look = withSearchTimeout(signal);
  const everywhere = places.map(withIgnored);
  const wanted = { query: { ...asWritten, caseSensitive }, wants, max: maxIgnored };
  const ignored = await findLines(deps, everywhere, wanted, look);
  if (ignored.found.length > 0) return { ...ignored, unsearched, note: 'Only ignored files match, for example:' };
  let isAny = false;
  const onFile = (place: Place) => {
    isAny = wants(place);
    return !isAny;
  };
  for (const { place } of everywhere) if (!isAny) await deps.search.files(place, onFile, look);
  if (!isAny && !look.aborted) {
    return {
      ...nothing,
      unsearched,
      note: asked === '' ? 'There is no file to search.' : `No file matches glob ${asked}.`,
    };
  }
  const note = look.aborted ? '. Ignored and binary' : ', nor in ignored files. Binary';
  return { ...nothing, unsearched, note: `No match${note} files are not searched.` };
}

function readingNote({ pattern, regex: isPattern, multiline }: Reading, regex: boolean): string {
  const failed = regex ? 'No line matches this' : 'No line holds this as plain text';
  const asPattern = multiline && regex ? 'over several lines' : `as the regular expression ${pattern}`;
  return `${failed}; it was searched ${isPattern ? asPattern : 'as plain text'}`;
}

const namesLineEnd = /\\[rn]|\[\\[sSwWdD]\\[sSwWdD]\]|\[\^\]/;
const takesLineEnd = /\\[sWD]|\[\^/;

function readingOf(query: string, regex: boolean): Reading {
  const all = query.split(/\r?\n/);
  const lines = all.slice(
    all.findIndex((line) => line !== ''),
    all.findLastIndex((line) => line !== '') + 1,
  );
  const [only] = lines;
  if (query.includes('\0') || only === undefined) throw new ToolError('query must be text.');
  if (lines.length === 1 && !(regex && namesLineEnd.test(only))) return { pattern: only, regex };
  const parts = regex ? lines : lines.map(literal);
  const pattern = replaceOutsideClasses(parts.join('\\n'), (sign) =>
    sign.startsWith('\\r') || sign === '\\n' ? '\\r?\\n' : sign,
  );
  return { pattern, regex: true, multiline: true };
}

function otherReadings(query: string, regex: boolean, { pattern, multiline }: Reading): Reading[] {
  if (multiline) return regex && !/[\r\n]/.test(query) ? [{ pattern: query, regex: false }] : [];
  // In grep's basic syntax these have their meaning with a backslash, and none without.
  const basic = query.replace(/\\([|(){}+?])/g, '$1');
  const patterns = [...(!regex && looksLikePattern(query) ? [query] : []), ...(basic === query ? [] : [basic])];
  const others = patterns.map((one) => readingOf(one, true));
  if (!regex) return query.includes('\\n') ? [...others, readingOf(query.replaceAll('\\n', '\n'), false)] : others;
  const over = takesLineEnd.test(pattern) ? [{ pattern, regex, multiline: true }] : [];
  return [...others, ...over, { pattern, regex: false }];
}

/** Returns true for signs that are rare in plain text, such as `.*` or `\w`; a lone bracket is not enough. */
function looksLikePattern(query: string): boolean {
  return /\.[*+?]|\\[a-zA-Z.()[\]{}|*+?$^/-]|\w\||\|\w|\][*+?]|^\^|\$$|\(\?|\)[*+?]/.test(query);
}

/** Groups matches by file, so that no path is paid for twice; a line is cited as `path:line`. */
function answer(
  workspace: Workspace,
  found: readonly TextMatch[],
  around: (Pick<Found, 'texts'> & { lines: number }) | undefined,
): string {
  const byFile = Map.groupBy(found, ({ place }) => shownPath(workspace, place));
  const blocks: string[] = [];
  for (const [path, matches] of [...byFile].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = matches.toSorted((a, b) => a.line - b.line);
    blocks.push(path, ...(around === undefined ? sorted.map(matchLine) : withContext(sorted, around)));
  }
  const cut = found.length >= maxMatches ? `\n[stopped at ${maxMatches} lines: narrow query, path or glob]` : '';
  return `${blocks.join('\n')}${cut}`;
}

function matchLine(match: TextMatch): string {
  return `${match.line}: ${excerpt(match)}`;
}

function withContext(
  matches: readonly TextMatch[],
  { texts, lines }: Pick<Found, 'texts'> & { lines: number },
): string[] {
  const [first] = matches;
  const text = first && texts.get(first.place.root)?.get(first.place.path);
  if (text === undefined) return matches.map(matchLine);
  const all = text.split(/\r?\n/);
  const byLine = new Map(matches.map((match) => [match.line, match]));
  const shown = new Set(
    matches.flatMap(({ line }) => Array.from({ length: 2 * lines + 1 }, (_, index) => line - lines + index)),
  );
  const rows: string[] = [];
  let last = 0;
  for (const line of [...shown].sort((a, b) => a - b)) {
    const of = all[line - 1];
    if (of === undefined) continue;
    if (rows.length > 0 && line > last + 1) rows.push('…');
    const match = byLine.get(line);
    rows.push(match ? matchLine(match) : `${line}- ${excerpt({ text: of, column: 0 })}`);
    last = line;
  }
  return rows;
}

const reasons: Readonly<Record<UnsearchedFile['because'], string>> = {
  large: 'too large, not searched',
  begun: 'too large, only its beginning was searched',
  unreadable: 'could not be read',
};

/** Names the files that were left out, because each may hold what is searched for. */
function notSearched(workspace: Workspace, files: readonly UnsearchedFile[]): string {
  const named = files
    .slice(0, maxUnsearched)
    .map(({ place, because }) => `\n[${shownPath(workspace, place)}: ${reasons[because]}]`);
  return named.join('') + (files.length > maxUnsearched ? `\n[${files.length - maxUnsearched} more files]` : '');
}

function summary(found: readonly TextMatch[]): string {
  const files = new Set(found.map(({ place }) => `${place.root.name}/${place.path}`)).size;
  const lines = found.length;
  if (lines === 0) return l10n.t('No match');
  if (lines === 1) return l10n.t('1 line in 1 file');
  if (lines < maxMatches) {
    return files === 1 ? l10n.t('{0} lines in 1 file', lines) : l10n.t('{0} lines in {1} files', lines, files);
  }
  return files === 1
    ? l10n.t('{0} or more lines in 1 file', lines)
    : l10n.t('{0} or more lines in {1} files', lines, files);
}

function excerpt({ text, column }: Pick<TextMatch, 'text' | 'column'>): string {
  if (text.length <= maxLineLength) return text.trimEnd();
  const start = Math.max(0, Math.min(column - maxLineLength / 4, text.length - maxLineLength));
  const end = start + maxLineLength;
  const part = text.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}
