import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ignoreToolError, ToolError, toolRecord } from '../agent/tool.ts';
import { createGlobs } from '../files/glob.ts';
import { locatePlace } from '../files/path-guard.ts';
import { maxIgnored, withSearchTimeout } from '../files/search/search-timeout.ts';
import {
  displayPath,
  type Place,
  type Search,
  shownPath,
  type Workspace,
  type WorkspaceRoot,
} from '../files/workspace.ts';
import { findDialect } from './dialect/reads.ts';

const maxShown = 200;
const maxFound = 2000;

interface FindFilesDeps {
  workspace: Workspace;
  search: Search;
}

export const findFiles = toolRecord({
  name: 'find_files',
  description: 'Finds files by glob (`src/**/*.test.ts`) or part of their name.',
  parameters: z.object({ pattern: z.string().check(z.minLength(1)) }),
  dialect: findDialect,
  kind: 'search',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Find files'),
    icon: 'search',
    subject: ['pattern'],
    gathers: 'searches',
  }),
  title: ({ pattern }) => l10n.t('Find {0}', pattern),
  run:
    (deps: FindFilesDeps) =>
    async ({ pattern }, { signal }) => {
      const { found, isWanted } = await find(deps, pattern, signal);
      if (found.length > 0) return { forModel: answer(found) };
      const here = await patternHere(deps.workspace, pattern);
      const inHere = here === undefined ? [] : (await find(deps, here, signal)).found;
      const told = inHere.length > 0 ? `${here} does:\n${answer(inHere)}` : await elsewhere(deps, isWanted, signal);
      return { forModel: `No file matches ${pattern}. ${told}` };
    },
});

async function find({ workspace, search }: FindFilesDeps, pattern: string, signal: AbortSignal) {
  const roots = workspace.roots();
  const matches = createGlobs(pattern, (one) => widen(one, roots));
  if (matches === undefined) throw new ToolError('The pattern is too long or has too many alternatives.');
  // The name of the root is in front only where there are several.
  const isWanted = (place: Place) =>
    matches(place.path) || (roots.length > 1 && matches(displayPath(workspace, place)));
  const found: string[] = [];
  for (const root of roots) {
    const onFile = (place: Place) => {
      if (isWanted(place)) found.push(shownPath(workspace, place));
      return found.length < maxFound;
    };
    await search.files({ root, path: '' }, onFile, signal);
  }
  return { found, isWanted };
}

/** Returns the pattern below the folder that an absolute one of another machine means here. */
async function patternHere(workspace: Workspace, pattern: string): Promise<string | undefined> {
  const [head] = /^\/[^*?[{]*\//.exec(pattern) ?? [];
  const found = head === undefined ? undefined : await locatePlace(workspace, head).catch(ignoreToolError);
  if (head === undefined || !found?.isGuessed) return undefined;
  return path.posix.join(displayPath(workspace, found.place), pattern.slice(head.length));
}

/** Says, where no file was found, which folders and ignored files match. */
async function elsewhere(
  { workspace, search }: FindFilesDeps,
  isWanted: (place: Place) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const look = withSearchTimeout(signal);
  const ignored: string[] = [];
  const folders = new Map<string, boolean>();
  for (const root of workspace.roots()) {
    const onFile = (place: Place) => {
      if (isWanted(place)) ignored.push(shownPath(workspace, place));
      for (let end = place.path.lastIndexOf('/'); end > 0; end = place.path.lastIndexOf('/', end - 1)) {
        const folder = { root, path: place.path.slice(0, end) };
        const shown = `${shownPath(workspace, folder)}/`;
        if (folders.has(shown)) break;
        folders.set(shown, isWanted(folder));
      }
      return ignored.length < maxIgnored;
    };
    await search.files({ root, path: '', withIgnored: true }, onFile, look);
  }
  const matching = [...folders].flatMap(([folder, matches]) => (matches ? [folder] : [])).slice(0, maxIgnored);
  const told = [
    ...(matching.length > 0 ? [`Folders that match: ${matching.join(', ')}.`] : []),
    ...(ignored.length > 0 ? [`Ignored files that match, for example: ${ignored.join(', ')}.`] : []),
  ];
  if (told.length > 0) return told.join(' ');
  return look.aborted ? 'Ignored files are not looked at.' : 'Nor does an ignored file.';
}

/**
 * A pattern without a slash matches the name in any folder; without a wildcard it matches a part of it. The absolute path
 * of a folder of the workspace is taken off, and where it is the only one, its name may stand for it.
 */
export function widen(pattern: string, roots: readonly WorkspaceRoot[] = []): string {
  const slashed = pattern.replaceAll('\\', '/');
  const tops = roots.map(({ fsPath = '\0' }) => `${fsPath.replaceAll('\\', '/')}/`);
  const top = tops.find((one) => slashed.startsWith(one)) ?? '';
  const normal = slashed.slice(top.length).replace(/^(\.?\/)+/, '');
  const part = /[*?[{]/.test(normal) ? normal : `*${normal}*`;
  const from = part.startsWith('**/') ? part : normal.includes('/') && part === normal ? normal : `**/${part}`;
  const [only, ...others] = roots;
  const isNamed = others.length === 0 && only !== undefined && from.startsWith(`${only.name}/`);
  return isNamed ? `{${from},${from.slice(only.name.length + 1)}}` : from;
}

function answer(found: string[]): string {
  const shown = found.sort().slice(0, maxShown);
  const more = found.length - shown.length;
  const cut =
    found.length >= maxFound
      ? [`[the search ended at ${maxFound} files, of which these are ${shown.length}: narrow the pattern]`]
      : more > 0
        ? [`[${more} more: narrow the pattern]`]
        : [];
  return [...shown, ...cut].join('\n');
}
