import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { HistoryMessage, ToolCall } from '../../../src/shared/messages.ts';
import type { Need, Needs } from './needs.ts';
import { type Session, textOf } from './session.ts';

/** What of a history is sent. */
export type Policy = (history: readonly HistoryMessage[]) => readonly HistoryMessage[];

/** What a session costs under a policy, and what the model would have had to do without. */
export interface Replayed {
  /** Of all requests, with those that read again what was missing. */
  tokens: number;
  /** Of each recorded request. */
  requests: number[];
  reads: number;
  names: { needed: number; missing: number };
  edits: { needed: number; blinded: number };
  milliseconds: number[];
}

/**
 * Goes through a recorded session as the policy would have had it, up to so many requests. Where the next step of the recording uses
 * what an earlier result said and the request does not hold it any more, that result is read again: one more request, and
 * the result stands in the history from then on. An edit that was blind has failed before: that step is paid for as well.
 */
export function replay(
  session: Session,
  needs: Needs,
  policy: Policy,
  { overhead, upTo = Infinity }: { overhead: number; upTo?: number },
): Replayed {
  const history: HistoryMessage[] = [];
  const done: Replayed = {
    tokens: 0,
    requests: [],
    reads: 0,
    names: { needed: 0, missing: 0 },
    edits: { needed: 0, blinded: 0 },
    milliseconds: [],
  };
  const send = () => {
    const before = performance.now();
    const sent = policy(history);
    done.milliseconds.push(performance.now() - before);
    return sent;
  };
  const bill = (sent: readonly HistoryMessage[]) => sent.reduce((sum, message) => sum + tokensOf(message), overhead);
  for (const [index, message] of session.messages.entries()) {
    if (message.role === 'assistant') {
      if (done.requests.length >= upTo) break;
      let sent = send();
      done.requests.push(bill(sent));
      const blinded = done.edits.blinded;
      const again = count(done, needs.get(index) ?? [], sent, session.messages);
      if (done.edits.blinded > blinded) done.tokens += bill(sent) + tokensOf(message);
      if (again.size > 0) {
        for (const source of again) history.push(...readAgain(session, source, ++done.reads));
        sent = send();
        done.tokens += bill(sent);
      }
    }
    history.push(message);
  }
  done.tokens += done.requests.reduce((sum, tokens) => sum + tokens, 0);
  return done;
}

/** Counts what of the needs is missing; gives the messages that hold it. */
function count(
  done: Replayed,
  needs: readonly Need[],
  sent: readonly HistoryMessage[],
  all: readonly HistoryMessage[],
): Set<number> {
  const whole = new Set(sent);
  const known = knownOf(all);
  const others = sent.filter((one) => !known.has(one));
  const isThere = ({ text, holders }: Need['parts'][number]) =>
    holders.some((at) => whole.has(all[at] as HistoryMessage)) || others.some((one) => textOf(one).includes(text));
  const again = new Set<number>();
  for (const { kind, parts } of needs) {
    done[kind].needed++;
    const missing = parts.filter((part) => !isThere(part));
    for (const { source } of missing) again.add(source);
    if (missing.length === 0) continue;
    if (kind === 'names') done.names.missing++;
    else done.edits.blinded++;
  }
  return again;
}

const knownSets = new WeakMap<readonly HistoryMessage[], ReadonlySet<HistoryMessage>>();

/** The messages of the recording itself: what else is sent was made of them. */
function knownOf(all: readonly HistoryMessage[]): ReadonlySet<HistoryMessage> {
  const known = knownSets.get(all) ?? new Set(all);
  knownSets.set(all, known);
  return known;
}

/** The same call with the same result, or a read that shows what an edit wrote. */
function readAgain({ messages }: Session, source: number, count: number): HistoryMessage[] {
  const from = messages[source];
  const id = `again${count}`;
  if (from?.role === 'tool') {
    const made = messages.slice(0, source).findLast((message) => message.role === 'assistant');
    const original = made?.role === 'assistant' ? made.toolCalls.find((one) => one.id === from.callId) : undefined;
    return step({ id, name: from.name, arguments: original?.arguments ?? '{}' }, from.text);
  }
  return step({ id, name: 'read_file', arguments: '{}' }, from === undefined ? '' : textOf(from));
}

function step(call: ToolCall, text: string): HistoryMessage[] {
  return [
    { role: 'assistant', text: '', model: '', toolCalls: [call] },
    { role: 'tool', callId: call.id, name: call.name, text },
  ];
}

const tokens = new WeakMap<HistoryMessage, number>();

/** As it stands in a request body; the form of the messages is counted with them. */
export function tokensOf(message: HistoryMessage): number {
  const known = tokens.get(message) ?? encode(JSON.stringify(wire(message))).length;
  tokens.set(message, known);
  return known;
}

function wire(message: HistoryMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const calls = message.toolCalls.map(({ id, name, arguments: args }) => {
    return { id, type: 'function', function: { name, arguments: args } };
  });
  return { role: 'assistant', content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
}
