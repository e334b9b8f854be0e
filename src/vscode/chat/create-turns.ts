import * as vscode from 'vscode';
import { economise } from '../../agent/economy.ts';
import { tellLaterChanges } from '../../agent/history.ts';
import { runTurn } from '../../agent/loop.ts';
import { offeredTools } from '../../agent/offered-tools.ts';
import { systemPrompt } from '../../agent/system-prompt.ts';
import type { Tool, ToolNeed } from '../../agent/tool.ts';
import { toolDefinitions } from '../../agent/tool-definitions.ts';
import type { LoopDeps, TurnInput, TurnLimit, TurnResult } from '../../agent/turn.ts';
import { firstRequest } from '../../agent/turn-request.ts';
import { systemClock } from '../../base/clock.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import { touchedPaths } from '../../conversation/touched-paths.ts';
import type { ChatRequest, ServiceClient } from '../../service/contract.ts';
import type { Learned } from '../../service/step/learned.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { DurableEvent } from '../../shared/events.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import type { Overhead } from '../../spend/preview.ts';
import { shellName } from '../../tools/command/process-shell.ts';
import { runName } from '../../tools/command/shell.ts';
import { createEditChecks } from '../../tools/edit-checks.ts';
import { namesPage } from '../../tools/fetch-url.ts';
import type { Files, Search, Workspace } from '../../tools/files/workspace.ts';
import type { ForeignTools } from '../../tools/foreign-tools.ts';
import { createForeignTools } from '../../tools/foreign-tools.ts';
import type { Git } from '../../tools/git/git.ts';
import { createWindowTools, toolKind } from '../../tools/index.ts';
import type { Language } from '../../tools/language.ts';
import { withoutSandbox } from '../../tools/run-command.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Log } from '../host/log.ts';
import type { Settings } from '../host/settings.ts';
import { createReview, type Review } from '../review/create-review.ts';
import { type CommandPorts, createCommandPorts } from '../workspace/command-ports.ts';
import { createGit } from '../workspace/git-adapter.ts';
import { createInstructions, type InstructionsAdapter } from '../workspace/instructions-adapter.ts';
import { createLanguage } from '../workspace/language-adapter.ts';
import { createLmTools } from '../workspace/lm-tools-adapter.ts';
import { createSearch } from '../workspace/search-adapter.ts';
import { createWeb } from '../workspace/web-adapter.ts';
import { createWorkspace } from '../workspace/workspace-adapter.ts';

/** Whose requests are paid for. */
type PaidTurn = Pick<TurnInput, 'turnId' | 'overBudget'>;

export interface TurnsDeps {
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
export interface Turns {
  review: Review;
  instructions: InstructionsAdapter;
  foreign: ForeignTools;
  /** What the tools see of this window, for everything else that looks at it. */
  ports: { workspace: Workspace; files: Files; search: Search; language: Language; git: Git };
  /** Shows the terminal in which this call of a command runs. */
  showTerminal(call: { turnId: string; callId: string }): Promise<void>;
  commands: CommandPorts;
  /** The tools that only look, whatever is open. */
  lookingTools: readonly Tool[];
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

export async function createTurns(deps: TurnsDeps): Promise<Turns> {
  const { context, settings, learned, log, own } = deps;
  const { workspace, files } = createWorkspace();
  const search = createSearch({
    workspace,
    files,
    regexThread: vscode.Uri.joinPath(context.extensionUri, 'dist', 'regex-thread.js').fsPath,
    ripgrepPath: settings.ripgrepPath,
    log: log.info,
  });
  const language = own(createLanguage({ workspace, clock: systemClock }));
  const git = createGit();
  const instructions = createInstructions({
    workspace,
    files,
    search,
    onError: (error) => log.error('The instruction files could not be read', error),
  });
  const review = own(
    await createReview({
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
  const foreign = createForeignTools({ workspace, foreign: lmTools, picked: settings.foreignTools });
  const commands = own(
    createCommandPorts({
      ...{ context, workspace, files, settings, log },
      isProtected: review.isProtected,
      isStored: async (id) => (await deps.titleOf(id)) !== undefined,
    }),
  );
  const ports = { workspace, files, search, language, git };
  const windowTools = createWindowTools({ ...ports, ...commands.ports, web: createWeb() });
  const lookingTools = windowTools.filter(({ access }) => access === 'read');
  const has = (need: Exclude<ToolNeed, 'page'>) => {
    const roots = workspace.roots();
    return need === 'disk' ? roots.some(({ fsPath }) => fsPath !== undefined) : roots.some(git.isRepository);
  };
  /** `withEdits` adds the tools that change files. */
  const offered = (
    history: readonly HistoryMessage[],
    withEdits: (others: readonly Tool[]) => readonly Tool[],
  ): readonly Tool[] => {
    if (!workspace.isTrusted() || workspace.roots().length === 0) return [];
    const mode = settings.chatMode();
    const known = commands.isSandboxed() ? windowTools : windowTools.map(withoutSandbox);
    const tools = offeredTools(mode, withEdits(known), (need) => (need === 'page' ? namesPage(history) : has(need)));
    return mode === 'agent' ? [...tools, ...foreign(tools)] : tools;
  };
  const economy = (messages: readonly HistoryMessage[], model: string) =>
    economise(messages, { model, facts: learned.get(model), toolKind });
  const toSent: Turns['toSent'] = (messages, model) => {
    const { messages: sent } = economy(messages, model);
    return learned.get(model).images?.works === false ? sent.map(withoutImages) : sent;
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
      tools,
      machine: `${systems[process.platform] ?? process.platform}, ${shellName(vscode.env.shell) || 'sh'}`,
      instructions: rules,
      today: new Date().toISOString().slice(0, 10),
    });
  /** What is sent is made of these alone, so that it can be shown before. */
  const partsOfTurn = (tools: readonly Tool[], history: readonly HistoryMessage[]) => {
    const rules = instructions.text(touchedPaths(history));
    return { tools, systemPrompt: () => promptFor(tools, rules), economise: economy };
  };
  return {
    review,
    instructions,
    foreign: lmTools,
    ports,
    showTerminal: async (call) => commands.shell.show(runName(call)),
    commands,
    lookingTools,
    toSent,
    overhead(history) {
      const tools = offered(history, (others) => review.toolsFor(others, noConversation, nothingTaken));
      return {
        system: promptFor(tools, ''),
        rules: instructions.text(touchedPaths(history)),
        tools: toolDefinitions(tools),
      };
    },
    async nextRequest(input) {
      await instructions.refresh();
      const tools = offered(input.history, (others) => review.toolsFor(others, noConversation, nothingTaken));
      const later = await review.laterChanges(input.conversationId, 'look');
      const history = [...input.history];
      if (later) tellLaterChanges(history, later);
      return firstRequest(partsOfTurn(tools, history), { ...input, history });
    },
    lastRequest: (id) => lastRequests.get(id),
    createRun({ conversationId, client, newCallId, onCheckpoint, limit, lookingOnly }) {
      const conversationTools = (others: readonly Tool[]) => review.toolsFor(others, conversationId, onCheckpoint);
      return async (input) => {
        await Promise.all([instructions.refresh(), commands.ready()]);
        const all = offered(input.history, conversationTools);
        const tools = lookingOnly() ? all.filter(({ access }) => access === 'read') : all;
        const later = await review.laterChanges(conversationId, 'take');
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
          ...(settings.verifyAfterEdits() && { checks: createEditChecks({ workspace, language }) }),
          limit: limit(input, (messages, model) =>
            economise(messages, { model, facts: learned.get(model), toolKind, hard: true }),
          ),
          log: log.info,
        };
        const end = commands.begin(input.turnId, { conversationId, journal: review.journal(onCheckpoint) });
        return runTurn(loop, { ...input, history }).finally(() => {
          end();
          review.ended(conversationId);
        });
      };
    },
  };
}

/** As people call them. */
const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
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
