import type * as vscode from 'vscode';
import {
  type PromptFile,
  parsePromptFile,
  renderInstructions,
  type UsedInstruction,
} from '../../agent/instructions.ts';
import type { Files, Place, Search, Workspace, WorkspaceRoot } from '../../tools/files/workspace.ts';
import { type FoundFile, findInstructions, findPrompts } from '../../tools/instruction-files.ts';
import { findWorkspaceFiles } from './find-workspace-files.ts';
import { uriOfPlace } from './place-uri.ts';

const maxNested = 100;

export interface InstructionsAdapter {
  /** Reads the files again. Called before a turn, so that all its requests begin with the same text. Never rejects. */
  refresh(): Promise<void>;
  /** For the system prompt, as read last; `inPlay`: paths that the conversation has touched. Empty in Restricted Mode. */
  text(inPlay: readonly string[]): string;
  /** For the user, the part that `text` sends of each file. */
  instructionFiles(inPlay: readonly string[]): readonly ShownInstruction[];
  /** Slash commands, by name; of two with one name the first counts. */
  promptFiles(): readonly (PromptFile & { uri: vscode.Uri })[];
}

export interface ShownInstruction extends Pick<UsedInstruction, 'tokens' | 'state'> {
  label: string;
  uri: vscode.Uri;
}

export interface InstructionsDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  onError(error: unknown): void;
}

export function createInstructions({ workspace, files, search, onError }: InstructionsDeps): InstructionsAdapter {
  let instructions: Awaited<ReturnType<typeof findInstructions>> = [];
  let prompts: readonly FoundFile[] = [];
  const current = () => (workspace.isTrusted() ? instructions : []);
  return {
    async refresh() {
      try {
        const nested = (root: WorkspaceRoot) => nestedInstructions(search, root);
        const read = { workspace, files, nested };
        [instructions, prompts] = await Promise.all([findInstructions(read), findPrompts(read)]);
      } catch (error) {
        onError(error);
      }
    },
    text: (inPlay) => renderInstructions(current(), inPlay).text,
    instructionFiles(inPlay) {
      const found = current();
      return renderInstructions(found, inPlay).used.flatMap(({ path, tokens, state }) => {
        const file = found.find((candidate) => candidate.path === path);
        return file === undefined ? [] : [{ label: path, uri: uriOfPlace(file.place), tokens, state }];
      });
    },
    promptFiles() {
      const byName = new Map<string, PromptFile & { uri: vscode.Uri }>();
      for (const { place, text } of workspace.isTrusted() ? prompts : []) {
        const parsed = parsePromptFile(place.path.split('/').at(-1) ?? '', text);
        if (parsed !== undefined && !byName.has(parsed.name))
          byName.set(parsed.name, { ...parsed, uri: uriOfPlace(place) });
      }
      return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

async function nestedInstructions(search: Search, root: WorkspaceRoot): Promise<Place[]> {
  const query = { root, glob: '**/AGENTS.md', exclude: '**/node_modules/**', maxFiles: maxNested };
  return (await findWorkspaceFiles(search, query)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
