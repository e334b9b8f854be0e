import { toHistory } from '../../../src/agent/history.ts';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import {
  type Conversation,
  type ConversationDeps,
  createConversation,
} from '../../../src/conversation/conversation.ts';
import type { RunTurn } from '../../../src/conversation/turns/turns.ts';
import type { ChatEvent, DurableEvent, StepFinished } from '../../../src/shared/events.ts';
import type { Attempt } from '../../../src/shared/messages.ts';
import { sumCost } from '../../../src/spend/price.ts';

export const model = 'svc/glm-5.3';

export function attempt(change: Partial<Attempt> = {}): Attempt {
  return {
    requestId: 'r1',
    model,
    startedAt: 1000,
    durationMs: 500,
    outcome: 'complete',
    charge: 'yes',
    usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, estimated: false },
    ...change,
  };
}

export function stepFinished(turnId: string, change: Partial<StepFinished> = {}): StepFinished {
  return {
    type: 'stepFinished',
    turnId,
    step: 0,
    requestedModel: model,
    model,
    text: 'an answer',
    reasoning: '',
    toolCalls: [],
    finish: 'stop',
    complete: true,
    attempts: [attempt()],
    ...change,
  };
}

/** A turn that streams a text and finishes with it. */
export function answering(text: string, change: Partial<StepFinished> = {}) {
  return async ({ turnId, emit }: TurnInput): Promise<TurnResult> => {
    emit({ type: 'requestSent', turnId, step: 0, model, at: 1 });
    emit({ type: 'textDelta', turnId, step: 0, text });
    const step = stepFinished(turnId, { text, ...change });
    emit(step);
    return { outcome: 'finished', cost: sumCost(step.attempts), text, model };
  };
}

export interface Harness {
  conversation: Conversation;
  /** What was stored, as the disk has it. */
  stored: DurableEvent[];
  batches: (readonly ChatEvent[])[];
  inputs: TurnInput[];
  errors: unknown[];
  bugs: unknown[];
}

/** A conversation whose turns are played by `turns`, one after the other. */
export function converse(turns: RunTurn[], change: Partial<ConversationDeps> = {}): Harness {
  const stored: DurableEvent[] = [...(change.events ?? [])];
  const batches: (readonly ChatEvent[])[] = [];
  const inputs: TurnInput[] = [];
  const errors: unknown[] = [];
  const bugs: unknown[] = [];
  let ids = stored.length * 100;
  let now = 1_000_000;
  const conversation = createConversation({
    id: 'conversation-1',
    events: [],
    append: async (event) => void stored.push(structuredClone(event)),
    runTurn: async (input, host) => {
      inputs.push(input);
      const turn = turns.shift();
      if (turn === undefined) throw new Error('no turn is scripted');
      return turn(input, host);
    },
    toHistory,
    request: () => ({ surface: 'chat' }),
    clock: { epochMs: () => ++now },
    newId: () => `id-${++ids}`,
    onStorageError: (error) => void errors.push(error),
    onBug: (error) => void bugs.push(error),
    ...change,
  });
  conversation.onDidEmit((events) => void batches.push(events));
  return { conversation, stored, batches, inputs, errors, bugs };
}
