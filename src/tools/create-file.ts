import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { createDialect } from './dialect/edits.ts';
import { type EditToolDeps, planWrite } from './edit/plan-write.ts';
import { maxEditedBytes, readCurrentFile } from './files/current-file.ts';
import { resolveWritePlace } from './files/write-place.ts';

/** `create_file`: never over a file that is there, because nobody would see what was lost. */
export const createFile = toolRecord({
  name: 'create_file',
  description: 'Creates a text file and its folders. Not for files that exist.',
  parameters: z.object({ path: z.string(), content: z.string() }),
  dialect: createDialect,
  kind: 'edit',
  access: 'write',
  face: () => ({
    words: l10n.t('Create file'),
    icon: 'edit',
    subject: ['path'],
    gathers: 'nothing',
    card: 'diff',
    opens: true,
  }),
  title: ({ path }) => l10n.t('Create {0}', path),
  plan:
    (deps: EditToolDeps) =>
    async ({ path: typed, content }, context) => {
      const target = await resolveWritePlace(deps.workspace, deps.policy, typed);
      if ((await readCurrentFile(deps, target)) !== undefined) {
        throw new ToolError(`${target.path} exists. Use edit_file to change it.`);
      }
      if (/[\\/]$/.test(typed)) throw new ToolError('The path names a folder, not a file.');
      if (content.includes('\0')) throw new ToolError('The content is not text.');
      if (Buffer.byteLength(content) > maxEditedBytes) {
        throw new ToolError(`The content is larger than ${maxEditedBytes / 1024 / 1024} MB.`);
      }
      return planWrite(deps, { typed, target, after: content.toWellFormed(), notes: [] }, context);
    },
});
