import type { Clock } from '../../../src/base/clock.ts';
import type { ChatRequest, Reply, ServiceClient, StreamEvent, StreamResult } from '../../../src/service/contract.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { Attempt } from '../../../src/shared/messages.ts';
import { wholeReply } from '../../support/whole-reply.ts';

export const model = 'svc/glm-5.3';

/** What one request is answered with; the text is streamed word by word. */
export interface ScriptedReply extends Partial<Reply> {
  outcome?: 'done' | 'stopped' | 'failed';
  failure?: Failure;
  /** Events before the text. */
  events?: readonly StreamEvent[];
  /** Runs while the reply is streamed, after the text. */
  during?: () => void | Promise<void>;
}

/** A client that answers request after request from a script and keeps what it was asked. */
export function createScriptedClient(script: readonly ScriptedReply[] | ((request: ChatRequest) => ScriptedReply)): {
  client: Pick<ServiceClient, 'stream'>;
  requests: ChatRequest[];
} {
  const requests: ChatRequest[] = [];
  const stream: ServiceClient['stream'] = async (request, onEvent) => {
    const scripted = typeof script === 'function' ? script(request) : script[requests.length];
    requests.push(request);
    if (scripted === undefined) throw new Error(`No reply is scripted for request ${requests.length}.`);
    const { outcome = 'done', failure, events = [], during, ...given } = scripted;
    const requestId = `r${requests.length}`;
    onEvent({ type: 'requestSent', requestId, model: request.model, at: 1000 });
    onEvent({ type: 'responseStarted', model: request.model });
    for (const event of events) onEvent(event);
    for (const word of given.text?.split(/(?<= )/) ?? []) onEvent({ type: 'text', text: word });
    await during?.();
    const reply = wholeReply(request.model, given);
    const attempt: Attempt = {
      requestId,
      model: request.model,
      startedAt: 1000,
      durationMs: 5,
      outcome: outcome === 'done' ? 'complete' : outcome,
      usage: { promptTokens: 90, completionTokens: 10, totalTokens: 100, estimated: false },
      charge: outcome === 'done' ? 'yes' : 'no',
    };
    onEvent({ type: 'attemptEnded', attempt });
    const attempts = [attempt];
    const result: StreamResult =
      outcome === 'failed'
        ? { outcome, reply, failure: failure ?? makeFailure('server-error'), attempts }
        : { outcome, reply, attempts };
    return result;
  };
  return { client: { stream }, requests };
}

export function makeFailure(kind: Failure['kind']): Failure {
  return { kind, message: kind, at: '2026-11-20T00:00:00.000Z' };
}

/** A clock that moves when it is told to. */
export function createManualClock(): Clock & { advance(ms: number): void; pending(): number } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    epochMs: () => 1_000_000 + now,
    sleep: () => Promise.reject(new Error('not used here')),
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.run();
    },
    pending: () => timers.length,
  };
}
