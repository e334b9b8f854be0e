import assert from 'node:assert/strict';
import type { Consent } from '../../../src/agent/consent.ts';
import { toHistory } from '../../../src/agent/history.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import type { TurnResult } from '../../../src/agent/turn.ts';
import type { ChatEvent, DurableEvent } from '../../../src/shared/events.ts';
import type { LocalService } from '../../service/local-service.ts';
import { type Answers, askWith } from './ask-with.ts';
import { quickClock as clock, createRealClient } from './real-client.ts';
import { model } from './scripted-client.ts';

const isDurable = (event: ChatEvent): event is DurableEvent =>
  ['userMessage', 'stepPartial', 'stepFinished', 'toolFinished'].includes(event.type);

export interface AskOptions {
  service: LocalService;
  tools: readonly Tool[];
  questions: readonly string[];
  onEvent?: (event: ChatEvent, stop: () => void) => void;
  fallback?: boolean;
  person?: { consent: Consent; answers: Answers };
}

/** A conversation of one turn per question: the real loop and the real client, at most ten steps a turn. */
export async function askService(options: AskOptions): Promise<{ results: TurnResult[]; events: ChatEvent[] }> {
  const { service, tools, questions, onEvent, fallback = false, person } = options;
  let ids = 0;
  const client = createRealClient(service, { fallback, waitMs: 5000 });
  const events: ChatEvent[] = [];
  const results: TurnResult[] = [];
  for (const [index, text] of questions.entries()) {
    const controller = new AbortController();
    const turnId = `t${index}`;
    const emit = (event: ChatEvent) => {
      events.push(event);
      onEvent?.(event, () => controller.abort());
    };
    events.push({ type: 'userMessage', id: `u${index}`, at: index, text, attachments: [] });
    results.push(
      await runTurn(
        {
          client,
          tools,
          systemPrompt: () => 'You help.',
          clock,
          maxSteps: () => 10,
          newCallId: () => `c${++ids}`,
          log: (line) => assert.fail(line),
        },
        {
          turnId,
          history: toHistory(events.filter(isDurable)),
          model,
          request: { surface: 'chat' },
          emit,
          signal: controller.signal,
          ...(person && { person: { consent: person.consent, ask: askWith(emit, turnId, person.answers) } }),
        },
      ),
    );
  }
  return { results, events };
}
