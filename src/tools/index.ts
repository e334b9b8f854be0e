import { type Tool, ToolError } from '../agent/tool.ts';
import { createFindFiles } from './find-files.ts';
import { createListDirectory } from './list-directory.ts';
import { createReadFile } from './read-file.ts';
import { createSearchText } from './search-text.ts';
import type { Files, Search, Workspace } from './workspace.ts';

export interface ReadToolDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
}

/** F13: the tools that only look. None of them reaches the network (X24). */
export function createReadTools(deps: ReadToolDeps): readonly Tool[] {
  const tools = [createReadFile(deps), createListDirectory(deps), createFindFiles(deps), createSearchText(deps)];
  return tools.map((tool) => whenTrusted(deps.workspace, tool));
}

/** X34: asked at every call, because trust can come and go while a turn runs. */
function whenTrusted(workspace: Workspace, tool: Tool): Tool {
  return {
    ...tool,
    async plan(args, context) {
      if (!workspace.isTrusted()) {
        throw new ToolError('The workspace is in Restricted Mode: no tool runs until the user trusts it.');
      }
      return tool.plan(args, context);
    },
  };
}
