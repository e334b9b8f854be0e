import { onFirstCall, type Tool, ToolError } from '../agent/tool.ts';
import * as definitions from './definitions.ts';
import type { EditToolDeps } from './edit/plan-write.ts';
import type { Files, Search, Workspace } from './files/workspace.ts';
import type { Git } from './git/git.ts';
import type { LanguageDeps } from './language.ts';
import type { RunCommandDeps } from './run-command.ts';

export interface ReadToolDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
}

/** The tools that only look. None of them reaches the network. */
export function createReadTools(deps: ReadToolDeps): readonly Tool[] {
  const tools = [
    onFirstCall(definitions.readFile, async () => (await import('./read-file.ts')).createReadFile(deps)),
    onFirstCall(definitions.listDirectory, async () => (await import('./list-directory.ts')).createListDirectory(deps)),
    onFirstCall(definitions.findFiles, async () => (await import('./find-files.ts')).createFindFiles(deps)),
    onFirstCall(definitions.searchText, async () => (await import('./search-text.ts')).createSearchText(deps)),
  ];
  return tools.map((tool) => whenTrusted(deps.workspace, tool));
}

/** The editor's language features, in place of an index that the service cannot have. */
export function createCodeTools(deps: LanguageDeps): readonly Tool[] {
  const tools = [
    onFirstCall(definitions.getSymbols, async () => (await import('./get-symbols.ts')).createGetSymbols(deps)),
    onFirstCall(definitions.goToDefinition, async () =>
      (await import('./go-to-definition.ts')).createGoToDefinition(deps),
    ),
    onFirstCall(definitions.findReferences, async () =>
      (await import('./find-references.ts')).createFindReferences(deps),
    ),
    onFirstCall(definitions.getProblems, async () => (await import('./get-problems.ts')).createGetProblems(deps)),
  ];
  return tools.map((tool) => whenTrusted(deps.workspace, tool));
}

/** Offered only where there is a repository. */
export function createChangesTool(deps: { workspace: Workspace; git: Git }): Tool {
  const load = async () => (await import('./get-changes.ts')).createGetChanges(deps);
  return whenTrusted(deps.workspace, onFirstCall(definitions.getChanges, load));
}

/** The tools that talk to the user. They see nothing of the workspace and need none. */
export function createTalkTools(): readonly Tool[] {
  return [
    onFirstCall(definitions.askUser, async () => (await import('./ask-user.ts')).createAskUser()),
    onFirstCall(definitions.updatePlan, async () => (await import('./plan.ts')).createUpdatePlan()),
  ];
}

/** What it needs is asked for at the first call. */
export function createCommandTool(deps: () => Promise<RunCommandDeps>): Tool {
  return onFirstCall(definitions.runCommand, async () =>
    (await import('./run-command.ts')).createRunCommand(await deps()),
  );
}

/** The tools that change files, for one conversation. What they need is asked for at the first call. */
export function createEditTools(deps: () => Promise<EditToolDeps>): readonly Tool[] {
  return [
    onFirstCall(definitions.editFile, async () => (await import('./edit-file.ts')).createEditFile(await deps())),
    onFirstCall(definitions.createFile, async () => (await import('./create-file.ts')).createCreateFile(await deps())),
    onFirstCall(definitions.deleteFile, async () => (await import('./delete-file.ts')).createDeleteFile(await deps())),
    onFirstCall(definitions.renameFile, async () => (await import('./rename-file.ts')).createRenameFile(await deps())),
  ];
}

/** Asked at every call and again after consent, because trust can come and go while a turn runs. */
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
