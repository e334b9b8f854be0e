import * as vscode from 'vscode';
import { type Economised, economise } from '../../agent/economy/economise.ts';
import { tellLaterChanges } from '../../agent/history.ts';
import { runTurn } from '../../agent/loop.ts';
import { systemPrompt } from '../../agent/system-prompt.ts';
import type { Tool, ToolAccess } from '../../agent/tool.ts';
import { toolDefinitions } from '../../agent/tool-definitions.ts';
import type { LoopDeps, TurnInput, TurnLimit, TurnResult } from '../../agent/turn.ts';
import { firstRequest } from '../../agent/turn-request.ts';
import { systemClock } from '../../base/clock.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import { callsOnFirstUse, onFirstUse } from '../../base/on-first-use.ts';
import { touchedPaths } from '../../conversation/touched-paths.ts';
import type { ChatRequest, ServiceClient } from '../../service/contract.ts';
import type { Learned } from '../../service/step/learned.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { ChatMode } from '../../shared/chat-mode.ts';
import type { DurableEvent } from '../../shared/events.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import type { Overhead } from '../../spend/preview.ts';
import { runName } from '../../tools/command/shell.ts';
import type { Files, Search, Workspace } from '../../tools/files/workspace.ts';
import type { ForeignTools } from '../../tools/foreign-tools.ts';
import type { Git } from '../../tools/git/git.ts';
import {
  createChangesTool,
  createCodeTools,
  createCommandTool,
  createReadTools,
  createTalkTools,
} from '../../tools/index.ts';
import type { Language } from '../../tools/language.ts';
import { toolKind } from '../../tools/tool-kind.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Log } from '../host/log.ts';
import type { Settings } from '../host/settings.ts';
import { createEditing, type Editing } from '../review/editing.ts';
import { createGit } from '../workspace/git-adapter.ts';
import { createInstructions, type InstructionsAdapter } from '../workspace/instructions-adapter.ts';
import { createLmTools } from '../workspace/lm-tools-adapter.ts';
import { createSearch } from '../workspace/search-adapter.ts';
import { createWorkspace } from '../workspace/workspace-adapter.ts';

/** Whose requests are paid for. */
type PaidTurn = Pick<TurnInput, 'turnId' | 'overBudget'>;

export interface TurnPartsDeps {
  context: vscode.ExtensionContext;
  settings: Settings;
  learned: Learned;
  log: Log;
  own: <T extends vscode.Disposable>(part: T) => T;
  /** The conversation of this turn; that of the active view when no live one has it. */
  state(turnId?: unknown): ChatState;
  /** The one of the chat that was used last. */
  conversationAtHand(): string;
  /** Undefined for a conversation that is not stored any more. */
  titleOf(conversationId: string): Promise<string | undefined>;
}

/** What the turns of all conversations of this window share: tools, rules, economy. */
export interface TurnParts {
  editing: Editing;
  instructions: InstructionsAdapter;
  foreign: ForeignTools;
  /** What the tools see of this window, for everything else that looks at it. */
  ports: { workspace: Workspace; files: Files; search: Search; language: Language; git: Git };
  /** Shows the terminal in which this call of a command runs. */
  showTerminal(call: { turnId: string; callId: string }): Promise<void>;
  /** The tools that only look, whatever is open. */
  lookingTools: readonly Tool[];
  /** The stored history as it is sent to `model`, and what its last message would bring back if it were another. */
  economise(messages: readonly HistoryMessage[], model: string): Pick<Economised, 'messages' | 'recall'>;
  /** The stored history as it is sent to `model`. */
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  /** What a request after `history` would carry besides it, with the rules as they were read last. Reads no file. */
  overhead(history: readonly HistoryMessage[]): Overhead;
  /** Exactly what a turn over `history` would send first. Reads the rules anew, sends nothing. */
  nextRequest(
    input: Pick<TurnInput, 'history' | 'model' | 'request'> & { conversationId: string },
  ): Promise<ChatRequest>;
  /** The last request of a conversation in this window, for "show what was sent". */
  lastRequest(conversationId: string): ChatRequest | undefined;
  /** One conversation's way to run a turn. */
  createRun(deps: {
    conversationId: string;
    client(turn: PaidTurn): Pick<ServiceClient, 'stream'>;
    newCallId(): string;
    onCheckpoint(event: Extract<DurableEvent, { type: 'checkpointTaken' }>): void;
    /** How a turn stays within what the model takes. */
    limit(turn: PaidTurn, economiseHard: TurnLimit['economiseHard']): TurnLimit;
    /** Asked when a turn begins: true lets it look at the workspace, and change or run nothing. */
    lookingOnly(): boolean;
  }): (input: TurnInput) => Promise<TurnResult>;
}

export async function createTurnParts(deps: TurnPartsDeps): Promise<TurnParts> {
  const { context, settings, learned, log, own } = deps;
  const { workspace, files } = createWorkspace();
  const search = createSearch({
    workspace,
    files,
    regexThread: vscode.Uri.joinPath(context.extensionUri, 'dist', 'regex-thread.js').fsPath,
    ripgrepPath: settings.ripgrepPath,
    log: log.info,
  });
  const language = callsOnFirstUse<Language>(languageCalls, async () => {
    const { createLanguage } = await import('../workspace/language-adapter.ts');
    return own(createLanguage({ workspace, clock: systemClock }));
  });
  const git = createGit();
  const instructions = createInstructions({
    workspace,
    files,
    search,
    onError: (error) => log.error('The instruction files could not be read', error),
  });
  const editing = own(
    await createEditing({
      workspace,
      files,
      settings,
      globalDir: context.globalStorageUri.fsPath,
      ...(context.storageUri && {
        kept: {
          pending: vscode.Uri.joinPath(context.storageUri, 'undecided-edits.json').fsPath,
          proposals: vscode.Uri.joinPath(context.storageUri, 'proposals.json').fsPath,
          outcomes: vscode.Uri.joinPath(context.storageUri, 'edit-outcomes.json').fsPath,
        },
      }),
      setContext(key, value) {
        setContextKey(key, value);
        // Tells the shim, after a reload, that there is something to show before anything is used.
        if (key === 'svc.hasUndecidedEdits') void context.workspaceState.update(key, value || undefined);
      },
      state: deps.state,
      conversationAtHand: deps.conversationAtHand,
      titleOf: deps.titleOf,
      log,
    }),
  );
  const lmTools = createLmTools();
  let foreign: ((own: readonly Tool[]) => readonly Tool[]) | undefined;
  const loadForeign = onFirstUse(async () => {
    const { createForeignTools } = await import('../../tools/foreign-tools.ts');
    foreign = createForeignTools({ workspace, foreign: lmTools, picked: settings.foreignTools });
  });
  /** Few people pick any. */
  const readyForeign = async () => {
    if (settings.foreignTools().length === 0) return;
    await loadForeign().catch((error: unknown) => log.error('The tools of others cannot be offered', error));
  };
  await readyForeign();
  own(settings.onDidChange(() => void readyForeign()));
  const looking = createReadTools({ workspace, files, search });
  const code = createCodeTools({ workspace, files, language });
  const changes = createChangesTool({ workspace, git });
  const shell = onFirstUse(async () => {
    const { createShell } = await import('../workspace/shell-adapter.ts');
    return own(createShell({ clock: systemClock, log: log.info }));
  });
  const command = createCommandTool(async () => ({ workspace, files, shell: await shell(), clock: systemClock }));
  const lookingTools = [...looking, ...code, changes];
  const lookingNames = new Set(lookingTools.map(({ name }) => name));
  /** What cannot apply now is not offered, because every definition is paid for with every request. */
  const offered = (tools: (others: readonly Tool[]) => readonly Tool[]): readonly Tool[] => {
    if (!workspace.isTrusted() || workspace.roots().length === 0) return [];
    const roots = workspace.roots();
    const mode = settings.chatMode();
    const own = tools([
      ...looking,
      ...code,
      ...(roots.some((root) => git.isRepository(root)) ? [changes] : []),
      ...(roots.some((root) => root.fsPath !== undefined) ? [command] : []),
      ...createTalkTools(),
    ]);
    return mode === 'agent'
      ? [...own, ...(foreign?.(own) ?? [])]
      : own.filter(({ access }) => accessIn[mode].includes(access));
  };
  const economy = (messages: readonly HistoryMessage[], model: string) =>
    economise(messages, { model, facts: learned.get(model), toolKind });
  const economiseFor: TurnParts['economise'] = (messages, model) => {
    const { messages: sent, recall } = economy(messages, model);
    return { messages: learned.get(model).images?.works === false ? sent.map(withoutImages) : sent, recall };
  };
  const lastRequests = new Map<string, ChatRequest>();
  const remember = (id: string, client: Pick<ServiceClient, 'stream'>): Pick<ServiceClient, 'stream'> => ({
    stream: (request, onEvent, signal) => {
      lastRequests.delete(id);
      lastRequests.set(id, request);
      dropOldest(lastRequests, maxLastRequests);
      return client.stream(request, onEvent, signal);
    },
  });
  const promptFor = (tools: readonly Tool[], rules: string) =>
    systemPrompt({
      folders: workspace.roots().map((root) => root.name),
      virtualFolders: workspace.roots().flatMap(({ fsPath, name }) => (fsPath === undefined ? [name] : [])),
      hasTools: tools.length > 0,
      canEdit: tools.some((tool) => tool.name === 'edit_file'),
      canRun: tools.includes(command),
      instructions: rules,
      today: new Date().toISOString().slice(0, 10),
    });
  /** What is sent is made of these alone, so that it can be shown before. */
  const partsOfTurn = (tools: readonly Tool[], history: readonly HistoryMessage[]) => {
    const rules = instructions.text(touchedPaths(history));
    return { tools, systemPrompt: () => promptFor(tools, rules), economise: economy };
  };
  return {
    editing,
    instructions,
    foreign: lmTools,
    ports: { workspace, files, search, language, git },
    showTerminal: async (call) => (await shell()).show(runName(call)),
    lookingTools,
    economise: economiseFor,
    toSent: (messages, model) => economiseFor(messages, model).messages,
    overhead(history) {
      const tools = offered((others) => editing.toolsFor(others, noConversation, nothingTaken));
      return {
        system: promptFor(tools, ''),
        rules: instructions.text(touchedPaths(history)),
        tools: toolDefinitions(tools),
      };
    },
    async nextRequest(input) {
      await Promise.all([instructions.refresh(), readyForeign()]);
      const tools = offered((others) => editing.toolsFor(others, noConversation, nothingTaken));
      const later = await editing.laterChanges(input.conversationId, 'look');
      const history = [...input.history];
      if (later) tellLaterChanges(history, later);
      return firstRequest(partsOfTurn(tools, history), { ...input, history });
    },
    lastRequest: (id) => lastRequests.get(id),
    createRun({ conversationId, client, newCallId, onCheckpoint, limit, lookingOnly }) {
      const conversationTools = (others: readonly Tool[]) => editing.toolsFor(others, conversationId, onCheckpoint);
      return async (input) => {
        await Promise.all([instructions.refresh(), readyForeign()]);
        const all = offered(conversationTools);
        const tools = lookingOnly() ? all.filter(({ name }) => lookingNames.has(name)) : all;
        const later = await editing.laterChanges(conversationId, 'take');
        const history = [...input.history];
        if (later !== undefined) {
          const { turnId } = input;
          input.emit({ type: 'notice', turnId, step: 1, notice: { kind: 'later-changes', ...later } });
          tellLaterChanges(history, later);
        }
        const loop: LoopDeps = {
          ...partsOfTurn(tools, history),
          client: remember(conversationId, client(input)),
          clock: systemClock,
          maxSteps: settings.maxSteps,
          newCallId,
          limit: limit(input, (messages, model) =>
            economise(messages, { model, facts: learned.get(model), toolKind, ...hard }),
          ),
          log: log.info,
        };
        return runTurn(loop, { ...input, history });
      };
    },
  };
}

/** Where a request would not fit otherwise. */
const hard = { keepRecentSteps: 1, recentTokens: 1500, recall: false };

/** What tools of ours do in the modes that leave some out. */
const accessIn: Record<Exclude<ChatMode, 'agent'>, readonly ToolAccess[]> = {
  ask: ['read', 'ask'],
  edit: ['read', 'ask', 'write'],
};

/** A request holds a whole history. */
const maxLastRequests = 10;

/** Stands for a conversation whose tools are only weighed, never run. */
const noConversation = '';
const nothingTaken = () => undefined;

/** As it goes to a model that takes none: their names are few words. */
function withoutImages(message: HistoryMessage): HistoryMessage {
  return message.role === 'user' ? { role: 'user', text: message.text } : message;
}

const languageCalls: Readonly<Record<keyof Language, true>> = {
  lines: true,
  outline: true,
  symbols: true,
  definitions: true,
  references: true,
  problems: true,
};
