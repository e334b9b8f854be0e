import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { ignoreRulesUnder } from '../files/ignore-rules.ts';
import { nearPathsHint } from '../files/near-paths.ts';
import { resolveReadPlace } from '../files/read-place.ts';
import {
  childPlace,
  type Files,
  isWholeWorkspace,
  type Place,
  type Search,
  type Workspace,
} from '../files/workspace.ts';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import { listDialect } from './dialect/reads.ts';

const maxEntries = 500;

/** `list_directory` lists folders first, without ignored entries, unless the folder itself is ignored. */
export const listDirectory = toolRecord({
  name: 'list_directory',
  description: 'Lists one folder; ignored entries are left out. Without path: the workspace.',
  parameters: z.object({ path: z.optional(z.string()) }),
  dialect: listDialect,
  kind: 'list',
  access: 'read',
  presentation: () => ({
    words: l10n.t('List directory'),
    icon: 'folder',
    subject: ['path'],
    gathers: 'searches',
    opens: true,
  }),
  title: ({ path }) => l10n.t('List {0}', path ?? '.'),
  plan:
    ({ workspace, files, search }: { workspace: Workspace; files: Files; search: Search }) =>
    async ({ path = '' }, { signal }) => {
      const roots = workspace.roots();
      if (roots.length > 1 && isWholeWorkspace(path)) {
        const lines = roots.map(async (root) => {
          const isGone = (await files.stat({ root, path: '' })) === undefined;
          return isGone ? `${root.name}/ (gone)` : `${root.name}/`;
        });
        return { run: async () => ({ forModel: `Workspace folders:\n${(await Promise.all(lines)).join('\n')}` }) };
      }
      const { place, shown, approval, confirm } = await resolveReadPlace(
        { workspace, files },
        isWholeWorkspace(path) ? '' : path,
        'folder',
      );
      return {
        approval,
        async run() {
          await confirm();
          const stat = await files.stat(place);
          if (stat === undefined) {
            const near = await nearPathsHint({ workspace, search }, place, signal);
            throw new ToolError(`There is no folder ${shown}.${near}`);
          }
          if (stat.kind !== 'directory') throw new ToolError(`${shown} is a file: use read_file.`);
          return { forModel: await listing(workspace, files, place, shown) };
        },
      };
    },
});

export async function listing(workspace: Workspace, files: Files, place: Place, shown: string): Promise<string> {
  const rules = await ignoreRulesUnder(files, place, workspace.excludes(place.root));
  const all = await files.list(place);
  await rules.enter(place.path);
  const kept = all.filter(({ name, kind }) => !rules.ignores(childPlace(place, name).path, kind === 'directory'));
  const names = kept
    .toSorted((a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory') || (a.name < b.name ? -1 : 1))
    .map(({ name, kind }) => {
      const shown = writeOutInvisible(name);
      return kind === 'directory' ? `${shown}/` : kind === 'link' ? `${shown} (link)` : shown;
    });
  const notes = [
    ...(names.length > maxEntries ? [`${names.length - maxEntries} more`] : []),
    ...(kept.length < all.length ? [`${all.length - kept.length} ignored`] : []),
  ];
  const header = names.length === 0 ? `${shown} has nothing to show` : shown;
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return [`${header}${note}:`, ...names.slice(0, maxEntries)].join('\n');
}
