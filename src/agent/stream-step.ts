import type { Clock } from '../base/clock.ts';
import type { ChatRequest, ServiceClient, StreamEvent, StreamResult } from '../service/contract.ts';
import { isCapacity } from '../service/step/retry.ts';
import type { ChatEvent } from '../shared/events.ts';
import { type AskingStep, askInStream } from './ask-in-stream.ts';
import type { TurnInput } from './turn.ts';

const partialEveryMs = 1000;

export interface StepInput extends AskingStep {
  request: ChatRequest;
  emit(event: ChatEvent): void;
  roomAfter?: TurnInput['roomAfter'];
}

/**
 * Sends one request with the client's retries, fallback and degradation, and emits `requestSent (asked | notice |
 * delta | toolForming | stepPartial)*`. The caller emits `stepFinished`.
 */
export async function streamStep(
  { client, clock }: { client: Pick<ServiceClient, 'stream'>; clock: Clock },
  input: StepInput,
): Promise<StreamResult> {
  const { turnId, step, request, emit, signal, roomAfter } = input;
  let model = request.model;
  let text = '';
  let reasoning = '';
  let cancel: (() => void) | undefined;

  const savePartial = () => {
    cancel?.();
    cancel = undefined;
    emit({ type: 'stepPartial', turnId, step, model, text, reasoning });
  };
  // Hot path: runs for every delta, so one timer is armed per second and no clock is read.
  const onEvent = (event: StreamEvent): void => {
    switch (event.type) {
      case 'text':
        text += event.text;
        cancel ??= clock.after(partialEveryMs, savePartial);
        emit({ type: 'textDelta', turnId, step, text: event.text });
        return;
      case 'reasoning':
        reasoning += event.text;
        cancel ??= clock.after(partialEveryMs, savePartial);
        emit({ type: 'reasoningDelta', turnId, step, text: event.text });
        return;
      case 'toolForming':
        // Now, because a partial that came between would take the preview of the call off the screen.
        if (cancel !== undefined) savePartial();
        emit({
          type: 'toolForming',
          turnId,
          step,
          key: event.key,
          name: event.name,
          argumentsDelta: event.argumentsDelta,
        });
        return;
      case 'requestSent':
        model = event.model;
        emit({ type: 'requestSent', turnId, step, model, at: event.at });
        return;
      case 'responseStarted':
        emit({ type: 'responseStarted', turnId, step, model: event.model });
        return;
      case 'asked':
        askInStream(event, input);
        return;
      case 'notice':
        emit({ type: 'notice', turnId, step, notice: event.notice });
        return;
      case 'attemptEnded':
        // The metered client keeps the ledger; the turn's cost comes from the result's attempts.
        return;
    }
  };

  try {
    const send = () => client.stream(request, onEvent, signal);
    let result = await send();
    while (result.outcome === 'failed' && isFree(result) && (await roomAfter?.(result.failure, step))) {
      const next = await send();
      result = { ...next, attempts: [...result.attempts, ...next.attempts] };
    }
    // Stop calls off a wait.
    if (result.outcome !== 'failed' || !signal.aborted) return result;
    return { outcome: 'stopped', reply: result.reply, attempts: result.attempts };
  } finally {
    cancel?.();
  }
}

function isFree({ failure, attempts }: Extract<StreamResult, { outcome: 'failed' }>): boolean {
  return isCapacity(failure) && attempts.every(({ charge }) => charge === 'no');
}
