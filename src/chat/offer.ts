import { economise } from '../agent/economy.ts';
import { accessIn, offeredTools } from '../agent/offered-tools.ts';
import { systemPrompt } from '../agent/system-prompt.ts';
import type { Tool, ToolAccess, ToolNeed } from '../agent/tool.ts';
import { toolDefinitions } from '../agent/tool-definitions.ts';
import type { LoopDeps } from '../agent/turn.ts';
import { touchedPaths } from '../conversation/touched-paths.ts';
import type { Learned } from '../service/step/learned.ts';
import type { ChatMode } from '../shared/approval.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import type { Overhead } from '../spend/preview.ts';
import { namesPage } from '../tools/fetch-url.ts';
import type { Workspace, WorkspaceRoot } from '../tools/files/workspace.ts';
import { toolKind } from '../tools/index.ts';
import { withoutSandbox } from '../tools/run-command.ts';

export interface OfferDeps {
  workspace: Pick<Workspace, 'isTrusted' | 'roots'>;
  isRepository(root: WorkspaceRoot): boolean;
  mode(): ChatMode;
  /** Tools of this window that change no files, in the order in which models get them. */
  windowTools: readonly Tool[];
  /** Adds to `others` the conversation's own tools that change files. */
  editToolsFor(conversationId: string, others: readonly Tool[]): readonly Tool[];
  /** Commands run in a sandbox here. */
  isSandboxed(): boolean;
  /** Tools of other extensions beside those that are offered. */
  foreign(offered: readonly Tool[]): readonly Tool[];
  /** The workspace's own instructions for these paths, as they were read last. */
  rules(inPlay: readonly string[]): string;
  learned: Pick<Learned, 'get'>;
  /** System and shell, as people call them. */
  machine(): string;
  /** `2026-11-23` */
  today(): string;
}

/** The beginning of a turn without its history: tools, rules, prompt. Made of facts that are known now: reads no file. */
export interface Offer {
  /** All that the mode that is chosen now lets a call do. */
  access(): readonly ToolAccess[];
  tools(conversationId: string, history: readonly HistoryMessage[]): readonly Tool[];
  /** A request is made of these and the history alone, so that it can be shown before it is sent. */
  parts(
    tools: readonly Tool[],
    history: readonly HistoryMessage[],
  ): Pick<LoopDeps, 'tools' | 'systemPrompt' | 'economise'>;
  /** Leaves out of a stored history what `model` does not get. */
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  /** Size of a request's other parts after `history`. */
  overhead(conversationId: string, history: readonly HistoryMessage[]): Overhead;
}

export function createOffer(deps: OfferDeps): Offer {
  const { workspace, windowTools, learned } = deps;
  const economy = (messages: readonly HistoryMessage[], model: string, room?: number) =>
    economise(messages, { model, facts: learned.get(model), toolKind, ...(room !== undefined && { room }) });
  const has = (need: ToolNeed, history: readonly HistoryMessage[]) => {
    if (need === 'page') return namesPage(history);
    const roots = workspace.roots();
    return need === 'disk' ? roots.some(({ fsPath }) => fsPath !== undefined) : roots.some(deps.isRepository);
  };
  const tools: Offer['tools'] = (conversationId, history) => {
    if (!workspace.isTrusted() || workspace.roots().length === 0) return [];
    const mode = deps.mode();
    const known = deps.isSandboxed() ? windowTools : windowTools.map(withoutSandbox);
    const offered = offeredTools(mode, deps.editToolsFor(conversationId, known), (need) => has(need, history));
    return mode === 'agent' ? [...offered, ...deps.foreign(offered)] : offered;
  };
  const promptFor = (offered: readonly Tool[], instructions: string) =>
    systemPrompt({
      folders: workspace.roots().map(({ name }) => name),
      virtualFolders: workspace.roots().flatMap(({ fsPath, name }) => (fsPath === undefined ? [name] : [])),
      tools: offered,
      machine: deps.machine(),
      instructions,
      today: deps.today(),
    });
  return {
    access: () => accessIn[deps.mode()],
    tools,
    parts(offered, history) {
      const rules = deps.rules(touchedPaths(history));
      return { tools: offered, systemPrompt: () => promptFor(offered, rules), economise: economy };
    },
    toSent(messages, model) {
      const { messages: sent } = economy(messages, model);
      return learned.get(model).images?.works === false ? sent.map(withoutImages) : sent;
    },
    overhead(conversationId, history) {
      const offered = tools(conversationId, history);
      return {
        system: promptFor(offered, ''),
        rules: deps.rules(touchedPaths(history)),
        tools: toolDefinitions(offered),
      };
    },
  };
}

/** As it goes to a model that takes none: their names are few words. */
function withoutImages(message: HistoryMessage): HistoryMessage {
  return message.role === 'user' ? { role: 'user', text: message.text } : message;
}
