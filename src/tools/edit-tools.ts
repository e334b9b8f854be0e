import type { Tool } from '../agent/tool.ts';
import { createCreateFile } from './create-file.ts';
import { createDeleteFile } from './delete-file.ts';
import { createEditFile } from './edit-file.ts';
import type { EditToolDeps } from './plan-write.ts';
import { createRenameFile } from './rename-file.ts';

/** F14: the tools that change files, for one conversation. */
export function createEditTools(deps: EditToolDeps): readonly Tool[] {
  return [createEditFile(deps), createCreateFile(deps), createDeleteFile(deps), createRenameFile(deps)];
}
