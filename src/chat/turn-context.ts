import * as l10n from '@vscode/l10n';
import { economise } from '../agent/economy.ts';
import { accessIn, offeredTools } from '../agent/offered-tools.ts';
import { withoutSpentLoads } from '../agent/spent-loads.ts';
import { systemPrompt } from '../agent/system-prompt.ts';
import type { Tool, ToolAccess, ToolNeed } from '../agent/tool.ts';
import { sentTools, toolDefinitions } from '../agent/tool-definitions.ts';
import type { LoopDeps } from '../agent/turn.ts';
import { touchedPaths } from '../conversation/touched-paths.ts';
import type { CallableAgent } from '../customizations/asked-agents.ts';
import { bringsComments } from '../features/review-comments/core/comment-text.ts';
import type { Workspace, WorkspaceRoot } from '../files/workspace.ts';
import type { Learned } from '../service/step/learned.ts';
import { estimateTokens } from '../service/tokens.ts';
import type { ChatMode } from '../shared/approval.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import type { Overhead } from '../spend/preview.ts';
import { toolKind } from '../tools/all-tools.ts';
import type { ExternalToolsOffer } from '../tools/external-tools.ts';
import { namesPage } from '../tools/fetch-url.ts';
import { toolRows } from '../tools/load-tools.ts';
import { withoutSandbox } from '../tools/run-command.ts';

export interface TurnContextDeps {
  workspace: Pick<Workspace, 'isTrusted' | 'roots'>;
  isRepository(root: WorkspaceRoot): boolean;
  settings: { chatMode(): ChatMode };
  windowTools: readonly Tool[];
  editToolsFor(conversationId: string, others: readonly Tool[]): readonly Tool[];
  isSandboxed(): boolean;
  external(beside: ExternalToolsOffer): readonly Tool[];
  steering: TurnCustomizations;
  learned: Pick<Learned, 'get'>;
  machine(): string;
  today(): string;
}

/**
 * Gives the texts of instruction files, skills and the picked agent. `paths` are those that the conversation has
 * touched.
 */
export interface TurnCustomizations {
  rules(paths: readonly string[]): string;
  byPath(paths: readonly string[]): readonly string[];
  rows(): string;
  agentText(): string;
  narrow(tools: readonly Tool[]): readonly Tool[];
}

/**
 * Makes what comes before the history in a turn's requests: tools, rules, prompt. It uses only known facts and reads no
 * file.
 */
export interface TurnContext {
  access(): readonly ToolAccess[];
  tools(conversationId: string, history: readonly HistoryMessage[]): readonly Tool[];
  /** A request is made of these parts and the history alone, so that it can be shown before it is sent. */
  parts(
    tools: readonly Tool[],
    history: readonly HistoryMessage[],
  ): Pick<LoopDeps, 'tools' | 'systemPrompt' | 'rulesNote' | 'economise'>;
  /**
   * Makes the tools and the system prompt of a subagent: tools that only read, none of which asks a subagent, and
   * rules, but not the picked agent.
   */
  subagent(agent: CallableAgent | undefined): Pick<LoopDeps, 'tools' | 'systemPrompt' | 'economise'>;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  overhead(conversationId: string, history: readonly HistoryMessage[]): Overhead;
}

export function createTurnContext(deps: TurnContextDeps): TurnContext {
  const { workspace, windowTools, learned } = deps;
  const economy = (messages: readonly HistoryMessage[], model: string, room?: number) =>
    economise(messages, { model, facts: learned.get(model), toolKind, room });
  const has = (need: ToolNeed, history: readonly HistoryMessage[]) => {
    if (need === 'page') return namesPage(history);
    if (need === 'comment') return bringsComments(history);
    if (need === 'length') return worthSubagent(history);
    if (need === 'skill') return deps.steering.rows() !== '';
    // The tool that loads others is added together with them.
    if (need === 'index') return false;
    const roots = workspace.roots();
    return need === 'disk' ? roots.some(({ fsPath }) => fsPath !== undefined) : roots.some(deps.isRepository);
  };
  const tools: TurnContext['tools'] = (conversationId, history) => {
    if (!workspace.isTrusted() || workspace.roots().length === 0) return [];
    const mode = deps.settings.chatMode();
    const known = deps.isSandboxed() ? windowTools : windowTools.map(withoutSandbox);
    const offered = offeredTools(mode, deps.editToolsFor(conversationId, known), (need) => has(need, history));
    const { narrow } = deps.steering;
    const own = narrow(offered);
    return mode === 'agent' ? [...own, ...deps.external({ own, conversationId, keep: narrow })] : own;
  };
  const promptFor = (offered: readonly Tool[], instructions: string) =>
    systemPrompt({
      folders: workspace.roots(),
      virtualFolders: workspace.roots().flatMap(({ fsPath, name }) => (fsPath === undefined ? [name] : [])),
      tools: offered,
      machine: deps.machine(),
      instructions,
      today: deps.today(),
    });
  const rulesFor = (
    offered: readonly Tool[],
    paths: readonly string[],
    agentText: string = deps.steering.agentText(),
  ) => {
    const rows = offered.some(({ needs }) => needs === 'skill') ? deps.steering.rows() : '';
    return [agentText, deps.steering.rules(paths), rows, toolRows(offered)].filter((text) => text !== '').join('\n');
  };
  return {
    access: () => accessIn[deps.settings.chatMode()],
    tools,
    parts(offered, history) {
      const before = history.findLastIndex(({ role }) => role === 'user');
      const touched = new Set(touchedPaths(history.slice(0, Math.max(0, before))));
      let inForce = deps.steering.byPath([...touched]);
      // What a summary takes out of the messages was touched all the same.
      const pathsOf = (messages: readonly HistoryMessage[]) => {
        for (const path of touchedPaths(messages)) touched.add(path);
        return [...touched];
      };
      return {
        tools: offered,
        systemPrompt: (messages) => promptFor(offered, rulesFor(offered, pathsOf(messages))),
        rulesNote(messages) {
          const now = deps.steering.byPath(pathsOf(messages));
          const note = noticeOfChange(inForce, now);
          inForce = now;
          return note;
        },
        economise: economy,
      };
    },
    subagent(agent) {
      if (!workspace.isTrusted()) return { tools: [], systemPrompt: () => '' };
      const checks = offeredTools('ask', windowTools, (need) => has(need, [])).filter(
        ({ access }) => access === 'read',
      );
      const kept = deps.steering.narrow(checks);
      const own = agent ? agent.narrow(kept) : kept;
      return {
        tools: own,
        systemPrompt: (history) => promptFor(own, rulesFor(own, touchedPaths(history), agent?.text ?? '')),
        economise: economy,
      };
    },
    toSent(messages, model) {
      const { messages: sent } = economy(withoutSpentLoads(messages, toolKind), model);
      return learned.get(model).images?.works === false ? sent.map(withoutImages) : sent;
    },
    overhead(conversationId, history) {
      const offered = tools(conversationId, history);
      return {
        system: promptFor(offered, ''),
        rules: rulesFor(offered, touchedPaths(history)),
        tools: toolDefinitions(sentTools(offered)),
      };
    },
  };
}

function noticeOfChange(before: readonly string[], now: readonly string[]): string | undefined {
  const joined = now.filter((path) => !before.includes(path));
  const left = before.filter((path) => !now.includes(path));
  const lines = [
    ...(joined.length > 0 ? [l10n.t('Instructions for these files are now in force: {0}', joined.join(', '))] : []),
    ...(left.length > 0 ? [l10n.t('No longer in force: {0}', left.join(', '))] : []),
  ];
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function withoutImages(message: HistoryMessage): HistoryMessage {
  return message.role === 'user' ? { role: 'user', text: message.text } : message;
}

/**
 * From this many tokens of history on, a subagent may cost less than the same reads with the whole history sent each
 * time.
 */
const worthFrom = 6000;

const mention = /(?:^|\s)@subagent\b/;

function worthSubagent(history: readonly HistoryMessage[]): boolean {
  if (mention.test(history.findLast(({ role }) => role === 'user')?.text ?? '')) return true;
  let tokens = 0;
  // The latest first: a long history is not counted to its beginning.
  for (const { text } of history.toReversed()) {
    tokens += estimateTokens(text);
    if (tokens > worthFrom) return true;
  }
  return false;
}
