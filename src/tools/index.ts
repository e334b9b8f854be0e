import { type Tool, ToolError } from '../agent/tool.ts';
import { createAskUser } from './ask-user.ts';
import { createFindFiles } from './find-files.ts';
import { createFindReferences } from './find-references.ts';
import { createGetChanges } from './get-changes.ts';
import { createGetProblems } from './get-problems.ts';
import { createGetSymbols } from './get-symbols.ts';
import type { Git } from './git.ts';
import { createGoToDefinition } from './go-to-definition.ts';
import type { LanguageDeps } from './language.ts';
import { createListDirectory } from './list-directory.ts';
import { createUpdatePlan } from './plan.ts';
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

/** F13: the editor's language features, in place of an index that the service cannot have. */
export function createCodeTools(deps: LanguageDeps): readonly Tool[] {
  const tools = [
    createGetSymbols(deps),
    createGoToDefinition(deps),
    createFindReferences(deps),
    createGetProblems(deps),
  ];
  return tools.map((tool) => whenTrusted(deps.workspace, tool));
}

/** Offered only where there is a repository. */
export function createChangesTool(deps: { workspace: Workspace; git: Git }): Tool {
  return whenTrusted(deps.workspace, createGetChanges(deps));
}

/** F18: the tools that talk to the user. They see nothing of the workspace and need none. */
export function createTalkTools(): readonly Tool[] {
  return [createAskUser(), createUpdatePlan()];
}

/** X34: asked at every call and again after consent, because trust can come and go while a turn runs. */
function whenTrusted(workspace: Workspace, tool: Tool): Tool {
  const refuseUntrusted = () => {
    if (workspace.isTrusted()) return;
    throw new ToolError('The workspace is in Restricted Mode: no tool runs until the user trusts it.');
  };
  return {
    ...tool,
    async plan(args, context) {
      refuseUntrusted();
      const plan = await tool.plan(args, context);
      return {
        ...plan,
        run: async () => {
          refuseUntrusted();
          return plan.run();
        },
      };
    },
  };
}
