import { createDialect, type Dialect } from '../agent/dialect/dialect.ts';
import { type Tool, ToolError, type ToolKind, type ToolRecord, type ToolSpec } from '../agent/tool.ts';
import type { EditToolDeps } from '../edits/apply/plan-write.ts';
import type { Workspace } from '../files/workspace.ts';
import { presentationDefaults, type ToolPresentations } from '../shared/tool-presentation.ts';
import { answerComment, type CommentPort } from './answer-comment.ts';
import { askSubagent, type SubagentPort } from './ask-subagent.ts';
import { askUser } from './ask-user.ts';
import { createFile } from './create-file.ts';
import { deleteFile } from './delete-file.ts';
import { absent, endings } from './dialect/index.ts';
import { editFile } from './edit-file.ts';
import { fetchUrl } from './fetch-url.ts';
import { findFiles } from './find-files.ts';
import { getChanges } from './get-changes.ts';
import { findReferences } from './language/find-references.ts';
import { getProblems } from './language/get-problems.ts';
import { getSymbols } from './language/get-symbols.ts';
import { goToDefinition } from './language/go-to-definition.ts';
import { listDirectory } from './list-directory.ts';
import { loadSkill, type SkillToolPorts } from './load-skill.ts';
import { loadTools } from './load-tools.ts';
import { processTool } from './process.ts';
import { readFile } from './read-file.ts';
import { renameFile } from './rename-file.ts';
import { runCommand } from './run-command.ts';
import { searchText } from './search-text.ts';
import { updatePlan } from './update-plan.ts';
import { type PlanDocument, writePlan } from './write-plan.ts';

/** Models get our tools in the order of these lists. */
const windowTools = [
  readFile,
  listDirectory,
  findFiles,
  searchText,
  getSymbols,
  goToDefinition,
  findReferences,
  getProblems,
  getChanges,
  runCommand,
  processTool,
  askUser,
  updatePlan,
  fetchUrl,
] as const;
/**
 * The tools of a window ask for these ports together: what they read and run, and settings. Only `web` reaches the
 * network.
 */
export type WindowPorts = (typeof windowTools)[number]['create'] extends (deps: infer All) => Tool ? All : never;

const editTools: readonly ToolRecord<EditToolDeps>[] = [editFile, createFile, deleteFile, renameFile];

const allTools = [...windowTools, ...editTools, writePlan, loadSkill, loadTools, answerComment, askSubagent];

export const toolSpecs: readonly ToolSpec[] = allTools;

export const toolDialect: Dialect = createDialect({ tools: allTools, absent, endings });

/** These tools return most about a name or a file with least text. */
export const shortReads: ReadonlySet<string> = new Set(
  [readFile, searchText, getSymbols, goToDefinition].map(({ name }) => name),
);

export function toolPresentations(): ToolPresentations {
  return Object.fromEntries(
    allTools.map(({ name, presentation }) => [name, { ...presentationDefaults, ...presentation() }]),
  );
}

/** Creates the tools that change no files; one list serves all conversations of a window. */
export function createWindowTools(ports: WindowPorts): readonly Tool[] {
  return windowTools.map(({ create }) => whenTrusted(ports.workspace, create(ports)));
}

export function createEditTools(deps: EditToolDeps): readonly Tool[] {
  return editTools.map(({ create }) => create(deps));
}

/** Creates the tools of Plan mode, which have a port of their own, for the conversation that may use them. */
export const createPlanTools = (document: PlanDocument): readonly Tool[] => [writePlan.create(document)];
export const createSkillTools = (ports: SkillToolPorts): readonly Tool[] => [loadSkill.create(ports)];
export const createCommentTools = (comments: CommentPort): readonly Tool[] => [answerComment.create(comments)];
/**
 * Creates the tools that ask subagents. They are never among those of the window, because a subagent has no subagents.
 */
export const createSubagentTools = (port: SubagentPort): readonly Tool[] => [askSubagent.create(port)];

const languageTools = new Set([getSymbols, goToDefinition, findReferences, getProblems].map(({ name }) => name));

/** Leaves out the tools that ask the editor's language features, which know the window's own folders alone. */
export function withoutLanguage(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ name }) => !languageTools.has(name));
}

const kinds = new Map(toolSpecs.map(({ name, kind }) => [name, kind]));

export function toolKind(name: string): ToolKind {
  return kinds.get(name) ?? 'other';
}

/** Trust is checked at every plan and again after consent, because it can come and go while a turn runs. */
function whenTrusted(workspace: Workspace, tool: Tool): Tool {
  if (tool.access !== 'read' && tool.access !== 'fetch') return tool;
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
