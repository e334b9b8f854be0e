import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { readDoomedFile } from '../edits/apply/current-file.ts';
import { needOf } from '../edits/apply/edit-warnings.ts';
import type { EditToolDeps } from '../edits/apply/plan-write.ts';
import { confirmPlace, refuseGuess, resolveWritePlace, type WritePlace } from '../edits/apply/write-place.ts';
import { nearPathsHint, noteMove } from '../files/near-paths.ts';
import { shownPath } from '../files/workspace.ts';
import { alsoCalled } from './dialect/named-arguments.ts';

export const renameFile = toolRecord({
  name: 'rename_file',
  description: 'Renames or moves one file. References to it are not changed.',
  parameters: z.object({ path: z.string(), newPath: z.string() }),
  dialect: alsoCalled('rename_file', 'movefile movepath renamepath move'),
  kind: 'edit',
  access: 'write',
  presentation: () => ({
    words: l10n.t('Rename file'),
    icon: 'file',
    subject: ['from'],
    gathers: 'edits',
  }),
  title: ({ path, newPath }) => l10n.t('Rename {0} to {1}', path, newPath),
  plan:
    (deps: EditToolDeps) =>
    async ({ path: typed, newPath: typedTo }, { turnId, callId, signal }) => {
      const from = await resolveWritePlace(deps.workspace, deps.policy, typed);
      refuseGuess(from, typed);
      const resolved = await resolveWritePlace(deps.workspace, deps.policy, typedTo);
      const to = (await renamedByCase(deps, from, resolved, typedTo)) ?? resolved;
      const moved = await readDoomedFile(deps, from);
      if (moved === undefined)
        throw new ToolError(`There is no file ${from.path}.${await nearPathsHint(deps, from.place, signal)}`);
      const confirm = async () => {
        await confirmPlace(deps.workspace, deps.policy, typed, from);
        await confirmPlace(deps.workspace, deps.policy, typedTo, resolved);
        const isTaken = to === resolved && (await deps.files.stat(to.place)) !== undefined;
        if (isTaken) throw new ToolError(`${to.path} exists already.`);
        const now = await readDoomedFile(deps, from);
        if (now !== undefined && Buffer.compare(now.bytes, moved.bytes) === 0) return;
        throw new ToolError(`${from.path} changed meanwhile, so it was not renamed. Read it again.`);
      };
      await confirm();
      const asks = deps.policy.mode() !== 'apply';
      const sensitive = from.sensitive ?? to.sensitive;
      const need = needOf(
        { kind: 'rename', path: from.path, to: to.path, isProtected: sensitive !== undefined },
        sensitive,
        moved.dirty && l10n.t("You have unsaved changes in this file. They'll be saved under the new name."),
      );
      return {
        ...(asks || need.warnings.length > 0 ? { approval: need } : {}),
        async run() {
          await confirm();
          await deps.journal.willChange(turnId, from.place, moved.bytes);
          await deps.journal.willChange(turnId, to.place, undefined);
          await confirm();
          await deps.port.apply({ kind: 'rename', place: from.place, to: to.place }, { turnId, callId });
          await deps.journal.didChange(turnId, from.place, undefined);
          await deps.journal.didChange(turnId, to.place, moved.bytes);
          deps.tracker.noteMoved(from.place, to.place);
          noteMove(deps.workspace, { from: from.place, to: to.place });
          return {
            forModel: `Renamed ${from.path} to ${to.path}.`,
            forUser: l10n.t('Renamed {0} to {1}', from.path, to.path),
          };
        },
      };
    },
});

/**
 * Returns the new place of a file that only gets another case, on a disk that ignores case: there the new name leads
 * to the file itself. Resolves undefined where the name is free, or another file's.
 */
async function renamedByCase(
  { files, workspace }: EditToolDeps,
  from: WritePlace,
  to: WritePlace,
  typedTo: string,
): Promise<WritePlace | undefined> {
  const name = typedTo.split(/[\\/]/).at(-1) ?? '';
  const folder = from.place.path.split('/').slice(0, -1).join('/');
  const path = folder === '' ? name : `${folder}/${name}`;
  const isOther = from.place.root.uri !== to.place.root.uri || path === from.place.path;
  if (isOther || to.place.path.toLowerCase() !== from.place.path.toLowerCase()) return undefined;
  if ((await files.stat({ ...from.place, path })) === undefined) return undefined;
  const entries = await files.list({ ...from.place, path: folder });
  if (entries.some((entry) => entry.name === name)) return undefined;
  const place = { ...from.place, path };
  return { ...to, place, path: shownPath(workspace, place) };
}
