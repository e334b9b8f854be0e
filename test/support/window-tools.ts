import type { Tool } from '../../src/agent/tool.ts';
import { createWindowTools, type WindowPorts } from '../../src/tools/all-tools.ts';

type FilePorts = Pick<WindowPorts, 'workspace' | 'files' | 'search'>;

/** The tools that need no more than files: `read_file`, `list_directory`, `find_files`, `search_text`. */
export function createReadTools({ workspace, files, search }: FilePorts): readonly Tool[] {
  return createWindowTools({ workspace, files, search } as WindowPorts).slice(0, 4);
}

/** The tools that talk to the user: `ask_user`, `update_plan`. */
export function createTalkTools(): readonly Tool[] {
  return createWindowTools({} as WindowPorts).filter(({ access }) => access === 'ask');
}
