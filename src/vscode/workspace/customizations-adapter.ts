import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Tool } from '../../agent/tool.ts';
import { type MatchPath, narrowTools } from '../../customizations/agent-spec.ts';
import { agentsOf, renderAgent, withMode } from '../../customizations/agent-text.ts';
import { askedAgents, type CallableAgent } from '../../customizations/asked-agents.ts';
import { type Choice, choices, keyOf, withChoices } from '../../customizations/choices.ts';
import type { Customization } from '../../customizations/customization.ts';
import type { LocationSetting } from '../../customizations/editor-locations.ts';
import { findCustomizations, type UserFolder } from '../../customizations/find-customizations.ts';
import { loadableOf, type PromptFile, renderRows, slashCommandsOf } from '../../customizations/named.ts';
import { type OverviewRow, overviewOf } from '../../customizations/overview.ts';
import { type InPlay, renderRules, rulesByPath } from '../../customizations/rules-text.ts';
import { createSkillStore } from '../../customizations/skill-store.ts';
import { matchesInThread } from '../../files/search/regex-worker.ts';
import type { Files, Place, Search, Workspace, WorkspaceRoot } from '../../files/workspace.ts';
import type { SkillStore } from '../../tools/load-skill.ts';
import { findWorkspaceFiles } from './find-workspace-files.ts';
import { uriOfPlace } from './place-uri.ts';

const maxNested = 100;

export interface Customizations {
  /** Reads the files again before a turn, so that all requests of the turn have the same text. It never rejects. */
  refresh(): Promise<void>;
  /** Returns the files as they were last read; empty in Restricted Mode. */
  all(): readonly Customization[];
  rules(paths: readonly string[]): string;
  byPath(paths: readonly string[]): readonly string[];
  /** Returns text for the system prompt; empty where the model may load nothing. */
  rows(): string;
  skills: SkillStore;
  overview(paths: readonly string[]): readonly OverviewRow[];
  choiceOf(file: Customization): Choice;
  choose(file: Customization, choice: Choice): Promise<void>;
  agents(): readonly Customization[];
  agent(): Customization | undefined;
  askedAgents(): readonly CallableAgent[];
  pickAgent(agent: Customization | undefined): Promise<void>;
  agentText(): string;
  /** Removes the tools that the picked agent does not allow. */
  narrow(tools: readonly Tool[]): readonly Tool[];
  onDidPickAgent: vscode.Event<void>;
  /** Returns the URIs of the files from which `rules` sends something even without paths. */
  sentAlways(): readonly string[];
  promptFiles(): readonly (PromptFile & { uri: vscode.Uri })[];
}

export interface CustomizationsDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  /** The location of the thread for expressions of other people. */
  regexThread: string;
  /** The absolute path of VS Code's own customizations folder of the user; absent where there is none. */
  editorFolder?: string;
  memento: vscode.Memento;
  onError(error: unknown): void;
}

const stored = { choices: 'svc.customizations', agent: 'svc.agent' };

export function createCustomizations(deps: CustomizationsDeps): Customizations & vscode.Disposable {
  const { workspace, files, search, memento, onError } = deps;
  const matches: MatchPath = (expression, path) => matchesInThread(deps.regexThread, expression, path);
  const pickedAgent = new vscode.EventEmitter<void>();
  let found: readonly Customization[] = [];
  const home = userFolder(homedir(), '~');
  const editor =
    deps.editorFolder === undefined ? undefined : userFolder(deps.editorFolder, shownFolder(deps.editorFolder));
  const chosen = () => memento.get<Record<string, unknown>>(stored.choices) ?? {};
  const choiceFor = (key: string) => choices.find((choice) => choice === chosen()[key]);
  const all = () => (workspace.isTrusted() ? withChoices(found, choiceFor) : []);
  const agent = () => {
    const key = memento.get<string>(stored.agent);
    return key === undefined ? undefined : agentsOf(all()).find((one) => keyOf(one) === key);
  };
  const inPlay = (paths: readonly string[]): InPlay => ({ paths, severalRoots: workspace.roots().length > 1 });
  return {
    async refresh() {
      try {
        const nested = (root: WorkspaceRoot) => nestedInstructions(search, root);
        found = await findCustomizations({ workspace, files, nested, home, editor, setting: locationSetting });
      } catch (error) {
        onError(error);
      }
    },
    all,
    rules: (paths) => renderRules(all(), inPlay(paths)).text,
    byPath: (paths) => rulesByPath(all(), inPlay(paths)),
    rows: () => renderRows(loadableOf(all())),
    overview: (paths) => {
      const picked = agent();
      return overviewOf(all(), inPlay(paths), picked && keyOf(picked));
    },
    choiceOf: (file) => choiceFor(keyOf(file)) ?? 'model',
    async choose(file, choice) {
      const { [keyOf(file)]: _before, ...others } = chosen();
      await memento.update(stored.choices, choice === 'model' ? others : { ...others, [keyOf(file)]: choice });
    },
    agents: () => agentsOf(all()),
    agent,
    askedAgents: () => askedAgents(all(), agent(), matches),
    async pickAgent(picked) {
      await memento.update(stored.agent, picked && keyOf(picked));
      pickedAgent.fire();
    },
    agentText() {
      const picked = agent();
      return picked === undefined ? '' : renderAgent(picked, withMode(all(), picked));
    },
    narrow(tools) {
      const picked = agent();
      return picked?.entry.when === 'picked' ? narrowTools(picked.entry.agent, tools, matches) : tools;
    },
    onDidPickAgent: pickedAgent.event,
    dispose: () => pickedAgent.dispose(),
    skills: createSkillStore({ all, workspace, files }),
    sentAlways() {
      const known = all();
      const used = renderRules(known, inPlay([])).used.map(({ path: shown }) => shown);
      return known.filter(({ path: shown }) => used.includes(shown)).map(({ place }) => uriOfPlace(place).toString());
    },
    promptFiles: () => slashCommandsOf(all()).map(({ place, ...prompt }) => ({ ...prompt, uri: uriOfPlace(place) })),
  };
}

function locationSetting(name: string): LocationSetting {
  const chat = vscode.workspace.getConfiguration('chat');
  return { value: chat.get(name), usersValue: chat.inspect(name)?.globalValue };
}

function userFolder(fsPath: string, shown: string): UserFolder {
  return { root: { name: shown, uri: vscode.Uri.file(fsPath).toString(), fsPath }, shown };
}

/** No path of this machine reaches the service: outside of the home folder, only the kind of folder is shown. */
function shownFolder(folder: string): string {
  const below = path.relative(homedir(), folder);
  const isBelow = below !== '' && !below.startsWith('..') && !path.isAbsolute(below);
  return isBelow ? `~/${below.split(path.sep).join('/')}` : '~vscode';
}

async function nestedInstructions(search: Search, root: WorkspaceRoot): Promise<Place[]> {
  const query = { root, glob: '**/AGENTS.md', exclude: '**/node_modules/**', maxFiles: maxNested };
  return (await findWorkspaceFiles(search, query)).sort((a, b) => (a.path < b.path ? -1 : 1));
}
