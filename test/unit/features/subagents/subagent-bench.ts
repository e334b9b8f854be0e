import assert from 'node:assert/strict';
import path from 'node:path';
import { createConsent } from '../../../../src/agent/consent.ts';
import { runTurn } from '../../../../src/agent/loop.ts';
import { createSubagents, type SubagentsDeps } from '../../../../src/features/subagents/core/subagents.ts';
import type { ChatRequest } from '../../../../src/service/contract.ts';
import { knownModels } from '../../../../src/service/models.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import { type BudgetLimits, leftToSpend } from '../../../../src/spend/budget.ts';
import { createEstimator } from '../../../../src/spend/estimate.ts';
import { createLedger } from '../../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../../src/spend/metered-client.ts';
import { createSubagentTools, toolDialect } from '../../../../src/tools/all-tools.ts';
import type { LocalService } from '../../../service/local-service.ts';
import { createReadTools } from '../../../support/window-tools.ts';
import { askWith } from '../../agent/ask-with.ts';
import { quickClock as clock, createRealClient } from '../../agent/real-client.ts';
import { openFolders } from '../../tools/workspace.ts';

export const model = 'svc/glm-5.3';

export interface BenchOptions
  extends Partial<Pick<SubagentsDeps, 'agents' | 'maxMicroUsd' | 'confirmAboveMicroUsd' | 'estimator'>> {
  /** Of the conversation, which is `c`. */
  limits?: BudgetLimits;
  /** Given to each question. */
  answer?: string;
  /** A reply that breaks off is gone on with by another model. */
  fallback?: boolean;
  /** Tokens that the conversation sends with each request, besides what is said here. */
  history?: string;
  /** A subagent is given the tool that asks one, which it must not use. */
  isOfferedItself?: true;
  onEvent?(event: ChatEvent, stop: { turn(): void; call(callId: string): void }): void;
}

/** A turn that may ask subagents: the real loop, client, meter and ledger in `dir`, before a service that answers as scripted. */
export async function askWithSubagents(service: LocalService, dir: string, options: BenchOptions = {}) {
  const { limits = {}, history = '', answer, onEvent } = options;
  let ids = 0;
  const client = createRealClient(service, { fallback: options.fallback === true, waitMs: 60_000 });
  const ledger = createLedger({ dir: path.join(dir, '.ledger'), clock });
  await ledger.refresh();
  const estimator = createEstimator(undefined);
  const onError = (error: unknown) => assert.fail(String(error));
  const metered = createMeteredClient({ client, ledger, limits: () => limits, estimator, clock, onError });
  const subagents = createSubagents({
    agents: () => [],
    modelIds: () => knownModels.map(({ id }) => id),
    maxMicroUsd: () => 20_000,
    model: () => model,
    confirmAboveMicroUsd: () => 20_000,
    estimator,
    dialect: toolDialect,
    clock,
    log: (line) => assert.fail(line),
    ...options,
  });
  const reads = createReadTools(openFolders({ ws: dir }));
  const stop = new AbortController();
  const calls = new Map<string, AbortController>();
  const parent = metered({ surface: 'chat', conversationId: 'c', turnId: 't1' });
  let sent: ChatRequest | undefined;
  const end = subagents.begin('t1', {
    turnId: 't1',
    message: 'What is in a.ts?',
    client: (max) => metered({ surface: 'subagent', conversationId: 'c', turnId: 't1' }, false, max),
    left: () =>
      leftToSpend({ ledger, spentOn: async (id) => (await ledger.conversation(id)).microUsd, onError }, limits, 'c'),
    model: () => model,
    request: {},
    sentTokens: () => (sent ? estimator.prompt(sent).tokens : 0),
    begins: (agent) => ({
      tools: [...(agent?.narrow(reads) ?? reads), ...(options.isOfferedItself ? createSubagentTools(subagents) : [])],
      systemPrompt: () => `You look. ${agent?.text ?? ''}`,
    }),
  });
  const events: ChatEvent[] = [];
  const emit = (event: ChatEvent) => {
    events.push(event);
    onEvent?.(event, { turn: () => stop.abort(), call: (id) => calls.get(id)?.abort() });
  };
  const result = await runTurn(
    {
      client: {
        stream(request, ...rest) {
          sent = request;
          return parent.stream(request, ...rest);
        },
      },
      tools: [...reads, ...createSubagentTools(subagents)],
      dialect: toolDialect,
      systemPrompt: () => `You help. ${history}`,
      clock,
      maxSteps: () => 10,
      newCallId: () => `c${++ids}`,
      log: (line) => assert.fail(line),
    },
    {
      turnId: 't1',
      history: [{ role: 'user', text: 'The question.' }],
      model,
      request: { surface: 'chat' },
      emit,
      signal: stop.signal,
      callSignal(id) {
        const call = new AbortController();
        calls.set(id, call);
        return call.signal;
      },
      person: { consent: createConsent(), ask: askWith(emit, 't1', { question: () => answer }) },
    },
  );
  end();
  await ledger.refresh();
  const [spent, bySurface] = [await ledger.conversation('c'), await ledger.bySurface({ from: '0000', to: '9999' })];
  await ledger.close();
  const finished = events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
  return { result, events, finished, spent, bySurface };
}
