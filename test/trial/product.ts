import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns';
import { mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { startDeadline } from '../../src/base/deadline.ts';
import { openChats } from '../../src/chat/chats.ts';
import { createComparisons } from '../../src/chat/comparisons.ts';
import { createTurnRunner } from '../../src/chat/run-turn.ts';
import { createTurnContext } from '../../src/chat/turn-context.ts';
import { createQueueStore } from '../../src/chat/view-memory.ts';
import { openWindow } from '../../src/chat/window.ts';
import { contextWindow } from '../../src/conversation/turns/context-window.ts';
import { createDiskPort } from '../../src/edits/apply/disk-port.ts';
import type { EditJournal } from '../../src/edits/apply/edit-ports.ts';
import { createReadTracker, trackReads } from '../../src/edits/apply/read-tracker.ts';
import { createTextWork } from '../../src/edits/apply/text-work.ts';
import { createSubagents } from '../../src/features/subagents/core/subagents.ts';
import { createReach } from '../../src/sandbox/reach.ts';
import type { Learned } from '../../src/service/step/learned.ts';
import type { ChatMode } from '../../src/shared/approval.ts';
import { type BudgetLimits, leftToSpend } from '../../src/spend/budget.ts';
import type { Estimator } from '../../src/spend/estimate.ts';
import type { Ledger } from '../../src/spend/ledger.ts';
import type { CreateMetered } from '../../src/spend/metered-client.ts';
import type { ImageStore } from '../../src/storage/image-store.ts';
import { openStoredValues } from '../../src/storage/stored-values.ts';
import {
  createEditTools,
  createPlanTools,
  createSubagentTools,
  createWindowTools,
  toolDialect,
  type WindowPorts,
  withoutLanguage,
} from '../../src/tools/all-tools.ts';
import { type CommandPorts, createCommandPorts } from '../../src/tools/command/command-ports.ts';
import { createProcessShell, shellName } from '../../src/tools/command/process-shell.ts';
import { textThread } from '../unit/tools/node-edit-port.ts';
import { openFolders, type TestWorkspace } from '../unit/tools/workspace.ts';
import { createMemento } from '../unit/vscode/memento.ts';

const judgeMs = 120_000;

export interface Commands extends CommandPorts {
  /** Lets commands of this conversation, or of the judge, run in this place and see no other. */
  place(id: string, at: Pick<TestWorkspace, 'workspace'>): void;
  /** Runs a line in this folder, which is all that it sees. A test that does not end has failed. */
  judge(line: string, folder: string, signal: AbortSignal): Promise<{ exitCode?: number; output: string }>;
}

/** Commands as the product runs them: in its sandbox, each conversation in the folder that it was given. */
export function openCommands(dir: string, log: (line: string) => void): Commands {
  const places = new Map<string, Pick<TestWorkspace, 'workspace'>>();
  const shellPath = () => (process.platform === 'win32' ? (process.env.ComSpec ?? '') : '/bin/bash');
  const nobodys = path.join(dir, 'nobodys');
  mkdirSync(nobodys, { recursive: true });
  const commands = createCommandPorts({
    ...{ dir, editorData: [], ...openFolders({ nobodys }) },
    settings: {
      sandbox: { mode: () => 'on', choose: async () => undefined, readable: () => [], writable: () => [] },
    },
    worktrees: { of: (id) => places.get(id), borrowed: async () => [] },
    protection: () => () => false,
    createShell: (sandbox) => createProcessShell({ shellPath, clock: systemClock, sandbox }),
    network: {
      keeperFile: path.join(import.meta.dirname, '../../src/sandbox/namespace-keeper.ts'),
      reach: createReach({ lookup, networkInterfaces, proxy: () => undefined }),
    },
    log: { info: log, error: (line, error) => log(`${line}: ${String(error)}`) },
    isStored: async () => true,
  });
  return {
    ...commands,
    place: (id, at) => void places.set(id, at),
    async judge(line, folder, signal) {
      const conversationId = randomUUID();
      places.set(conversationId, openFolders({ judged: folder }));
      const deadline = startDeadline(systemClock, judgeMs, signal);
      const printed: string[] = [];
      const listener = { started: () => undefined, output: (chunk: string) => void printed.push(chunk) };
      const command = { commandLine: line, cwd: folder, sandbox: { level: 'on' as const, conversationId } };
      try {
        const { exitCode } = await commands.shell.run(command, listener, deadline.signal);
        return { output: printed.join(''), ...(exitCode !== undefined && { exitCode }) };
      } finally {
        deadline.close();
      }
    },
  };
}

export interface ProductDeps {
  commands: Commands;
  metered: CreateMetered;
  limits(): BudgetLimits;
  ledger: Ledger;
  estimator: Estimator;
  learned: Learned;
  images: ImageStore;
  modelIds(): readonly string[];
  clock: Clock;
  maskKeys<T>(record: T): T;
  log(line: string): void;
}

export interface OpenedProduct {
  folder: string;
  /** Where the conversation is stored. */
  dir: string;
  mode: ChatMode;
  model: string;
  maxTokens?: number;
  onPlan(text: string): void;
}

/**
 * Opens the product over one folder without an editor, as `create-chat.ts` and `create-tools.ts` do with one: prompt,
 * tools, loop, consent, sandbox, budget and store are those of the extension. What only an editor has is left out, as it
 * is for a task in a worktree: the language features, and the review of edits.
 */
export async function openProduct(deps: ProductDeps, { folder, dir, ...opened }: OpenedProduct) {
  const { commands, estimator, learned, clock, log } = deps;
  const place = openFolders({ [path.basename(folder)]: folder });
  const journal: EditJournal = { willChange: async () => undefined, didChange: async () => undefined };
  const tracker = createReadTracker();
  const editTools = createEditTools({
    ...{ ...place, journal, tracker },
    port: createDiskPort(place.workspace),
    policy: { mode: () => 'apply', isProtected: () => false },
    reviewer: { review: async () => ({ decision: 'undo', reason: '' }) },
    work: createTextWork(textThread),
  });
  const subagents = createSubagents({
    ...{ estimator, clock, log, modelIds: deps.modelIds, dialect: toolDialect },
    agents: () => [],
    maxMicroUsd: () => 20_000,
    model: () => opened.model,
    confirmAboveMicroUsd: () => undefined,
  });
  const windowTools = withoutLanguage(
    createWindowTools({ ...place, ...commands.portsIn(place) } as unknown as WindowPorts),
  );
  const turnContext = createTurnContext({
    ...{ workspace: place.workspace, windowTools, learned },
    isRepository: () => false,
    settings: { chatMode: () => opened.mode },
    editToolsFor: (_, others) => [
      ...others.map((tool) => (tool.name === 'read_file' ? trackReads(tool, { ...place, tracker }) : tool)),
      ...editTools,
      ...createPlanTools({ write: async (text) => void opened.onPlan(text) }),
      ...createSubagentTools(subagents),
    ],
    isSandboxed: commands.isSandboxed,
    external: () => [],
    steering: { rules: () => '', byPath: () => [], rows: () => '', agentText: () => '', narrow: (tools) => tools },
    machine: () => `${process.platform === 'darwin' ? 'macOS' : 'Linux'}, ${shellName('/bin/bash')}`,
    today: () => new Date(clock.epochMs()).toISOString().slice(0, 10),
  });
  const turns = createTurnRunner({
    ...{ turnContext, commands, subagents, clock, log },
    refreshRules: async () => undefined,
    edits: { laterChanges: async () => undefined, begin: () => () => undefined, journal: () => journal },
    outsideChanges: { changes: async () => undefined },
    size: (request) => estimator.prompt(request).tokens,
    settings: { maxSteps: () => 50 },
    checks: () => undefined,
  });
  const onError = (error: unknown) => log(String(error));
  const values = await openStoredValues({ dir: path.join(dir, 'unsent'), onError });
  const window = openWindow({
    ...{ dir, clock, images: deps.images },
    newId: randomUUID,
    onDamage: (damage) => log(JSON.stringify(damage)),
  });
  const spentOn = async (conversationId: string) => (await deps.ledger.conversation(conversationId)).microUsd;
  const { conversations, others } = openChats({
    ...{ window, turns, turnContext, clock },
    money: {
      metered: deps.metered,
      left: (of) => leftToSpend({ ledger: deps.ledger, spentOn, onError }, deps.limits(), of),
      estimator,
      contextWindowOf: (model) => contextWindow({ learned: learned.get(model).contextTokens }),
    },
    comparisons: createComparisons(createMemento()),
    request: () => ({ surface: 'chat', ...(opened.maxTokens && { maxTokens: opened.maxTokens }) }),
    openFiles: () => [],
    withoutKeys: deps.maskKeys,
    workspace: () => undefined,
    queues: createQueueStore(values),
    newId: randomUUID,
    log: { error: (line, error) => log(`${line}: ${String(error)}`) },
  });
  const conversation = conversations.create();
  commands.place(conversation.id, place);
  return {
    conversation,
    async close() {
      others.dispose();
      conversations.dispose();
      await commands.processes.stopAll(conversation.id);
      await Promise.all([window.store.dispose(), values.flush()]);
    },
  };
}
