import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Customization } from '../../customizations/customization.ts';
import { findCustomizations, type UserFolder } from '../../customizations/find-customizations.ts';
import { loadableOf, type PromptFile, renderRows, typedOf } from '../../customizations/named.ts';
import { type InPlay, renderRules, rulesByPath, type UsedRule } from '../../customizations/rules-text.ts';
import { createShelf } from '../../customizations/shelf.ts';
import type { Files, Place, Search, Workspace, WorkspaceRoot } from '../../tools/files/workspace.ts';
import type { Shelf } from '../../tools/load-skill.ts';
import { findWorkspaceFiles } from './find-workspace-files.ts';
import { uriOfPlace } from './place-uri.ts';

const maxNested = 100;

export interface Customizations {
  /** Reads the files again. Called before a turn, so that all its requests speak of the same text. Never rejects. */
  refresh(): Promise<void>;
  /** As read last; empty in Restricted Mode. */
  all(): readonly Customization[];
  /** For the system prompt; `paths`: those that the conversation has touched. */
  rules(paths: readonly string[]): string;
  /** Paths of the rules for certain files that are in force. */
  byPath(paths: readonly string[]): readonly string[];
  /** For the system prompt; empty where the model may load nothing. */
  rows(): string;
  shelf: Shelf;
  /** For the user, the part that `rules` sends of each file. */
  ruleFiles(paths: readonly string[]): readonly ShownRule[];
  /** Slash commands, by name. */
  promptFiles(): readonly (PromptFile & { uri: vscode.Uri })[];
}

export interface ShownRule extends Pick<UsedRule, 'tokens' | 'state'> {
  label: string;
  uri: vscode.Uri;
}

export interface CustomizationsDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  /** Absolute, where VS Code keeps the user's own; absent where there is none. */
  editorFolder?: string;
  onError(error: unknown): void;
}

export function createCustomizations(deps: CustomizationsDeps): Customizations {
  const { workspace, files, search, onError } = deps;
  let found: readonly Customization[] = [];
  const home = userFolder(homedir(), '~');
  const editor =
    deps.editorFolder === undefined ? undefined : userFolder(deps.editorFolder, shownFolder(deps.editorFolder));
  const all = () => (workspace.isTrusted() ? found : []);
  const inPlay = (paths: readonly string[]): InPlay => ({ paths, severalRoots: workspace.roots().length > 1 });
  return {
    async refresh() {
      try {
        const nested = (root: WorkspaceRoot) => nestedInstructions(search, root);
        found = await findCustomizations({ workspace, files, nested, home, editor });
      } catch (error) {
        onError(error);
      }
    },
    all,
    rules: (paths) => renderRules(all(), inPlay(paths)).text,
    byPath: (paths) => rulesByPath(all(), inPlay(paths)),
    rows: () => renderRows(loadableOf(all())),
    shelf: createShelf({ all, workspace, files }),
    ruleFiles(paths) {
      const known = all();
      return renderRules(known, inPlay(paths)).used.flatMap(({ path: shown, tokens, state }) => {
        const file = known.find((candidate) => candidate.path === shown);
        return file === undefined ? [] : [{ label: shown, uri: uriOfPlace(file.place), tokens, state }];
      });
    },
    promptFiles: () => typedOf(all()).map(({ place, ...prompt }) => ({ ...prompt, uri: uriOfPlace(place) })),
  };
}

function userFolder(fsPath: string, shown: string): UserFolder {
  return { root: { name: shown, uri: vscode.Uri.file(fsPath).toString(), fsPath }, shown };
}

/** No path of this machine reaches the service: outside of the home folder only what it is. */
function shownFolder(folder: string): string {
  const below = path.relative(homedir(), folder);
  const isBelow = below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  return isBelow ? `~/${below.split(path.sep).join('/')}` : '~vscode';
}

async function nestedInstructions(search: Search, root: WorkspaceRoot): Promise<Place[]> {
  const query = { root, glob: '**/AGENTS.md', exclude: '**/node_modules/**', maxFiles: maxNested };
  return (await findWorkspaceFiles(search, query)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
