import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { noteForModel, noteForUser } from '../edits/apply/applied-note.ts';
import { readDoomedFile } from '../edits/apply/current-file.ts';
import { needOf } from '../edits/apply/edit-warnings.ts';
import type { EditToolDeps } from '../edits/apply/plan-write.ts';
import { confirmPlace, refuseGuess, resolveWritePlace } from '../edits/apply/write-place.ts';
import type { FileText, TextFormat } from '../files/file-text.ts';
import { nearPathsHint } from '../files/near-paths.ts';
import { deleteDialect } from './dialect/edits.ts';

/**
 * `delete_file` moves one file into the trash and keeps it for the checkpoint as well. It asks in every mode until
 * the user allows deleting for the conversation: a diff to undo is no help to someone who does not see that a file is
 * gone.
 */
export const deleteFile = toolRecord({
  name: 'delete_file',
  description: 'Moves one file to the trash.',
  parameters: z.object({ path: z.string() }),
  dialect: deleteDialect,
  kind: 'edit',
  access: 'write',
  presentation: () => ({
    words: l10n.t('Delete file'),
    icon: 'edit',
    subject: ['path'],
    gathers: 'edits',
  }),
  title: ({ path }) => l10n.t('Delete {0}', path),
  plan:
    (deps: EditToolDeps) =>
    async ({ path: typed }, { turnId, callId, signal }) => {
      const target = await resolveWritePlace(deps.workspace, deps.policy, typed);
      refuseGuess(target, typed);
      const doomed = await readDoomedFile(deps, target);
      if (doomed === undefined)
        throw new ToolError(`There is no file ${target.path}.${await nearPathsHint(deps, target.place, signal)}`);
      const confirm = async () => {
        await confirmPlace(deps.workspace, deps.policy, typed, target);
        const now = await readDoomedFile(deps, target);
        if (now !== undefined && Buffer.compare(now.bytes, doomed.bytes) === 0) return;
        throw new ToolError(`${target.path} changed meanwhile, so it was not deleted. Read it again.`);
      };
      return {
        approval: needOf(
          { kind: 'delete', path: target.path, isProtected: target.sensitive !== undefined },
          target.sensitive,
          doomed.dirty && l10n.t('You have unsaved changes in this file. Only the checkpoint keeps them.'),
        ),
        async run() {
          await confirm();
          await deps.journal.willChange(turnId, target.place, doomed.bytes);
          await confirm();
          const change = { kind: 'delete' as const, place: target.place, ...deletedText(doomed.file) };
          const { note } = await deps.port.apply(change, { turnId, callId });
          await deps.journal.didChange(turnId, target.place, undefined);
          return {
            forModel: `Deleted ${target.path}.${note === undefined ? '' : ` ${noteForModel[note]}`}`,
            forUser: l10n.t('Deleted {0}', target.path) + (note === undefined ? '' : `\n${noteForUser[note]()}`),
          };
        },
      };
    },
});

function deletedText(file: FileText | undefined): { before?: string; format?: TextFormat } {
  if (file === undefined) return {};
  const { text, encoding, mark } = file;
  return { before: text, format: { encoding, mark } };
}
