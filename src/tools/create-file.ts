import { defineTool, type Tool, ToolError } from '../agent/tool.ts';
import { createFile } from './definitions.ts';
import { type EditToolDeps, planWrite } from './edit/plan-write.ts';
import { maxEditedBytes, readCurrentFile } from './files/current-file.ts';
import { resolveWritePlace } from './files/write-place.ts';

/** `create_file`: never over a file that is there, because nobody would see what was lost. */
export function createCreateFile(deps: EditToolDeps): Tool {
  return defineTool({
    ...createFile,
    async plan({ path: typed, content }, context) {
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
}
