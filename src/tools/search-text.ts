import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ApprovalNeed, ToolError, toolRecord } from '../agent/tool.ts';
import { createGlob } from './files/glob.ts';
import { isGitPath, isSecretPath } from './files/protected-path.ts';
import { resolveReadPlace } from './files/read-place.ts';
import {
  displayPath,
  type Files,
  isWholeWorkspace,
  type Place,
  type Search,
  type TextMatch,
  type UnsearchedFile,
  type Workspace,
} from './files/workspace.ts';
import { widen } from './find-files.ts';

/** Lines shown; the search ends there. */
const maxMatches = 100;
/** Characters of a line around the match. */
const maxLineLength = 200;
/** Files that are named as not searched. */
const maxUnsearched = 5;

export interface SearchTextDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
}

/** `search_text`: plain text unless a pattern is asked for, without case unless asked for. */
export const searchText = toolRecord({
  name: 'search_text',
  description: 'Searches the text of files for a line that holds query (plain text, any case).',
  parameters: z.object({
    query: z.string().check(z.minLength(1)),
    path: z.optional(z.string().check(z.describe('file or folder'))),
    glob: z.optional(z.string()),
    regex: z.optional(z.boolean()),
    caseSensitive: z.optional(z.boolean()),
  }),
  kind: 'search',
  access: 'read',
  title: ({ query, path }) =>
    path === undefined
      ? l10n.t('Search {0}', JSON.stringify(query))
      : l10n.t('Search {0} in {1}', JSON.stringify(query), path),
  plan:
    ({ workspace, files, search }: SearchTextDeps) =>
    async ({ query, path, glob, regex = false, caseSensitive = false }, { signal }) => {
      if (/[\r\n\0]/.test(query)) throw new ToolError('query must be one line: search for a part of it.');
      const matchesGlob = glob === undefined ? () => true : createGlob(widen(glob));
      if (matchesGlob === undefined) throw new ToolError('The glob is too long or has too many alternatives.');
      const { places, approval, confirm } = await placesOf({ workspace, files }, path);
      const wants = (place: Place) => {
        // Outside of the workspace the folders above say what a file is, so all of its path counts.
        const whole = displayPath(workspace, place);
        return matchesGlob(place.path) && !isSecretPath(whole) && !isGitPath(place.path);
      };
      return {
        approval,
        async run() {
          await confirm();
          const found: TextMatch[] = [];
          const onMatch = (match: TextMatch) => found.push(match) < maxMatches;
          const unsearched: UnsearchedFile[] = [];
          for (const place of places) {
            if (found.length >= maxMatches) break;
            const given = { pattern: query, regex, caseSensitive };
            unsearched.push(...(await search.text(place, given, wants, onMatch, signal)));
          }
          return { forModel: answer(workspace, found) + notSearched(workspace, unsearched), forUser: summary(found) };
        },
      };
    },
});

interface Places {
  places: readonly Place[];
  approval?: ApprovalNeed;
  confirm(): Promise<void>;
}

async function placesOf(deps: { workspace: Workspace; files: Files }, path: string | undefined): Promise<Places> {
  const wholeWorkspace = path === undefined || isWholeWorkspace(path);
  if (wholeWorkspace) {
    return { places: deps.workspace.roots().map((root) => ({ root, path: '' })), confirm: async () => undefined };
  }
  const { place, shown, approval, confirm } = await resolveReadPlace(deps, path, 'below');
  if (approval?.subject.kind === 'read' && approval.subject.reason === 'secret') {
    throw new ToolError(`${shown} may hold secrets and is not searched. read_file asks the user for it.`);
  }
  return { places: [place], approval, confirm };
}

/** Grouped by file, so that no path is paid for twice; a line is cited as `path:line`. */
function answer(workspace: Workspace, found: readonly TextMatch[]): string {
  if (found.length === 0) return 'No match. Ignored and binary files are not searched.';
  const byFile = Map.groupBy(found, (match) => displayPath(workspace, match.place));
  const blocks = [...byFile.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, matches]) => {
      const lines = matches.toSorted((a, b) => a.line - b.line).map((match) => `${match.line}: ${excerpt(match)}`);
      return [path, ...lines].join('\n');
    });
  const cut = found.length >= maxMatches ? `\n[stopped at ${maxMatches} lines: narrow query, path or glob]` : '';
  return `${blocks.join('\n')}${cut}`;
}

const reasons: Readonly<Record<UnsearchedFile['because'], string>> = {
  large: 'too large, not searched',
  begun: 'too large, only its beginning was searched',
  unreadable: 'could not be read',
};

/** A file that was left out is one that may hold what is looked for. */
function notSearched(workspace: Workspace, files: readonly UnsearchedFile[]): string {
  const named = files
    .slice(0, maxUnsearched)
    .map(({ place, because }) => `\n[${displayPath(workspace, place)}: ${reasons[because]}]`);
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

function excerpt({ text, column }: TextMatch): string {
  if (text.length <= maxLineLength) return text.trimEnd();
  const start = Math.max(0, Math.min(column - maxLineLength / 4, text.length - maxLineLength));
  const end = start + maxLineLength;
  const part = text.slice(start, end).toWellFormed();
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}
