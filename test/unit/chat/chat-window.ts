import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Tool } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { openChats } from '../../../src/chat/chats.ts';
import { createComparisons } from '../../../src/chat/comparisons.ts';
import { createDraftStore } from '../../../src/chat/draft-store.ts';
import type { OutsideChangeWatch } from '../../../src/chat/meanwhile/outside-changes.ts';
import { type ConversationEdits, createTurnRunner, type TurnRunnerDeps } from '../../../src/chat/run-turn.ts';
import { createTurnContext, type TurnContextDeps } from '../../../src/chat/turn-context.ts';
import { createQueueStore } from '../../../src/chat/view-memory.ts';
import { type ChatViewModel, openChatViewModel } from '../../../src/chat/view-model.ts';
import { openWindow } from '../../../src/chat/window.ts';
import type { ChatRequest, ServiceClient, StreamResult } from '../../../src/service/contract.ts';
import { estimatePromptTokens } from '../../../src/service/tokens.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import type { CreateMetered } from '../../../src/spend/metered-client.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders } from '../tools/workspace.ts';
import { createMemento } from '../vscode/memento.ts';

export const model = 'svc/glm-5.3';

/** Requests that wait for their answer, oldest first. */
interface Asked {
  request: ChatRequest;
  answer(text: string): void;
}

/** A service that answers when it is told to; Stop ends a request with what it has. */
function createService() {
  const requests: ChatRequest[] = [];
  const asked: Asked[] = [];
  const stream: ServiceClient['stream'] = (request, onEvent, signal) =>
    new Promise<StreamResult>((resolve) => {
      requests.push(request);
      const end = (outcome: 'done' | 'stopped', text: string) => {
        if (text !== '') onEvent({ type: 'text', text });
        resolve({ outcome, reply: wholeReply(request.model, { text }), attempts: [] });
      };
      signal.addEventListener('abort', () => end('stopped', ''));
      asked.push({ request, answer: (text) => end('done', text) });
    });
  return { client: { stream } as ServiceClient, requests, asked };
}

export interface WindowOptions
  extends Partial<
    Pick<TurnContextDeps, 'settings' | 'isSandboxed' | 'external' | 'steering' | 'workspace' | 'learned'>
  > {
  tools?: readonly Tool[];
  edits?: Partial<ConversationEdits>;
  outsideChanges?: OutsideChangeWatch;
  subagents?: Partial<TurnRunnerDeps['subagents']>;
  onMetered?(...asked: Parameters<CreateMetered>): void;
}

/** A window of the chat without an editor: the parts of `src/chat/` over real files in `dir`, as the adapters put them together. */
export async function openChatWindow(dir: string, options: WindowOptions = {}) {
  const { workspace, files, search } = openFolders({ project: dir });
  const service = createService();
  const errors: string[] = [];
  const log = { error: (line: string) => void errors.push(line) };
  const window = openWindow({
    dir: path.join(dir, '.storage'),
    clock: systemClock,
    newId: randomUUID,
    images: { keep: async () => undefined },
    onDamage: ({ id }) => void errors.push(id),
  });
  const values = await openStoredValues({
    dir: path.join(dir, '.storage', 'unsent'),
    onError: (error) => log.error(String(error)),
  });
  const turnContext = createTurnContext({
    workspace,
    isRepository: () => false,
    settings: { chatMode: () => 'agent' },
    windowTools: options.tools ?? createReadTools({ workspace, files, search }),
    editToolsFor: (_, others) => others,
    isSandboxed: () => true,
    external: () => [],
    steering: { rules: () => '', byPath: () => [], rows: () => '', agentText: () => '', narrow: (tools) => tools },
    learned: { get: () => ({ parameters: {} }) },
    machine: () => 'Linux, bash',
    today: () => '2026-11-23',
    ...options,
  });
  const turns = createTurnRunner({
    turnContext,
    refreshRules: async () => undefined,
    edits: {
      laterChanges: async () => undefined,
      begin: () => () => undefined,
      journal: () => ({ willChange: async () => undefined, didChange: async () => undefined }),
      ...options.edits,
    },
    outsideChanges: options.outsideChanges ?? { changes: async () => undefined },
    commands: { ready: async () => undefined, begin: () => () => undefined },
    subagents: { begin: () => () => undefined, ...options.subagents },
    size: (request) => estimatePromptTokens(request),
    settings: { maxSteps: () => 5 },
    checks: () => undefined,
    clock: systemClock,
    log: () => undefined,
  });
  const comparisons = createComparisons(createMemento());
  const { conversations, others, historyOf } = openChats({
    window,
    turns,
    turnContext,
    money: {
      metered: (...asked) => {
        options.onMetered?.(...asked);
        return service.client;
      },
      left: async () => Number.POSITIVE_INFINITY,
      estimator: createEstimator(undefined, () => undefined),
      contextWindowOf: () => undefined,
    },
    comparisons,
    request: () => ({ surface: 'chat' }),
    openFiles: () => [],
    withoutKeys: (record) => record,
    workspace: () => undefined,
    queues: createQueueStore(values),
    clock: systemClock,
    newId: randomUUID,
    log,
  });
  const drafts = createDraftStore(values);
  const viewModelAt = async (conversationId?: string): Promise<ChatViewModel> => {
    const viewModel = await openChatViewModel({
      conversations,
      list: window.store.list,
      drafts,
      place: { view: 'tabs', conversationId },
      defaultModel: () => model,
      newId: randomUUID,
    });
    window.focus.add(viewModel);
    return viewModel;
  };
  return {
    ...{ window, turnContext, turns, conversations, others, historyOf, comparisons, viewModelAt, errors, values },
    client: service.client,
    requests: service.requests,
    asked: service.asked,
    async close() {
      others.dispose();
      conversations.dispose();
      await Promise.all([window.store.dispose(), values.flush()]);
    },
  };
}

export type ChatTestWindow = Awaited<ReturnType<typeof openChatWindow>>;
