import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { createGlobs } from '../files/glob.ts';
import { displayPath, type Place, type Search, shownPath, type Workspace } from '../files/workspace.ts';
import { findDialect } from './dialect/reads.ts';

const maxShown = 200;
const maxFound = 2000;

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
    card: 'line',
    opens: false,
  }),
  title: ({ pattern }) => l10n.t('Find {0}', pattern),
  run:
    ({ workspace, search }: { workspace: Workspace; search: Search }) =>
    async ({ pattern }, { signal }) => {
      const matches = createGlobs(pattern, widen);
      if (matches === undefined) throw new ToolError('The pattern is too long or has too many alternatives.');
      const found: string[] = [];
      const roots = workspace.roots();
      for (const root of roots) {
        const onFile = (place: Place) => {
          // The name of the root is in front only where there are several.
          if (matches(place.path) || (roots.length > 1 && matches(displayPath(workspace, place)))) {
            found.push(shownPath(workspace, place));
          }
          return found.length < maxFound;
        };
        await search.files({ root, path: '' }, onFile, signal);
      }
      return { forModel: answer(pattern, found) };
    },
});

/** A pattern without a slash matches the name in any folder; without a wildcard it matches a part of it. */
export function widen(pattern: string): string {
  const normal = pattern.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
  const part = /[*?[{]/.test(normal) ? normal : `*${normal}*`;
  return part.startsWith('**/') ? part : normal.includes('/') && part === normal ? normal : `**/${part}`;
}

function answer(pattern: string, found: string[]): string {
  if (found.length === 0) return `No file matches ${pattern}. Ignored files are not looked at.`;
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
