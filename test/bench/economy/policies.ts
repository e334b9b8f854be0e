import { type ModelMessage, pruneMessages } from 'ai';
import { type EconomyOptions, economise, usualZone } from '../../../src/agent/economy.ts';
import { compactAtShare } from '../../../src/conversation/turns/context-window.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolKind } from '../../../src/tools/all-tools.ts';
import { type Policy, tokensOf } from './replay.ts';
import { leaves } from './session.ts';

type Result = Extract<HistoryMessage, { role: 'tool' }>;

function ours(more: Partial<EconomyOptions> = {}): () => Policy {
  return () => (history) => economise([...history], { model: 'svc/kimi-k3', toolKind, ...more }).messages;
}

/** `steps` as many as so much of ours, then by steps alone and by tokens alone: what another choice would cost. */
export const front: Readonly<Record<string, () => Policy>> = {
  ...Object.fromEntries(
    [20, 30, 40, 50, 60].map((kept) => [`${kept} to ${kept + 12} steps`, ours({ zone: zoneOf(kept, usualZone) })]),
  ),
  ...Object.fromEntries(
    [30, 40, 60].map((kept) => [
      `${kept},000 to ${1.5 * kept},000 tokens, however many steps`,
      ours({
        zone: { max: { steps: Infinity, tokens: 1500 * kept }, kept: { steps: Infinity, tokens: 1000 * kept } },
      }),
    ]),
  ),
};

function zoneOf(kept: number, { max, kept: usual }: typeof usualZone): typeof usualZone {
  return { max: { ...max, steps: kept + 12 }, kept: { ...usual, steps: kept } };
}

/** Ours where a model is known to take so many tokens. */
export function oursWithin(windowTokens: number, overhead: number): () => Policy {
  return ours({ room: compactAtShare * windowTokens - overhead });
}

/** Ours beside what other agents do without asking a model, each for one session: some remember what they took out. */
export const policies: Readonly<Record<string, () => Policy>> = {
  ours: ours(),
  'everything again': () => (history) => history,
  /** Its own function, with the setting that keeps the most of those that its documentation shows. */
  'AI SDK, pruneMessages before the last 20': () => (history) => {
    const kept = pruneMessages({ messages: history.map(modelMessage), toolCalls: 'before-last-20-messages' });
    const ids = new Set(kept.flatMap(({ content }) => (typeof content === 'string' ? [] : content.flatMap(callIds))));
    return history.flatMap((message) => onlyCalls(message, ids));
  },
  /** `last_n_observations` as in the default configuration of its first releases. */
  'SWE-agent, last 5 results': () => {
    const old = textOnce(({ text }) => `Old environment output: (${text.split('\n').length} lines omitted)`);
    return (history) => replaceResults(history, resultsOf(history).slice(0, -5), old);
  },
  /** `PRUNE_PROTECT` and `PRUNE_MINIMUM`; its condition that there are two turns is left out. */
  'opencode, last 40k tokens of results': () => {
    const gone = new Set<Result>();
    const old = textOnce(() => '[Old tool result content cleared]');
    return (history) => {
      const beyond: Result[] = [];
      let tokens = 0;
      for (const result of resultsOf(history).toReversed()) {
        if (gone.has(result)) break;
        tokens += tokensOf(result);
        if (tokens > 40_000) beyond.push(result);
      }
      if (beyond.reduce((sum, result) => sum + tokensOf(result), 0) > 20_000) for (const one of beyond) gone.add(one);
      return replaceResults(history, [...gone], old);
    };
  },
  /** `clear_tool_uses_20250919` as it comes: from 100k tokens on only the last 3 results stay. */
  'Claude API, context editing': () => {
    const gone = new Set<Result>();
    const old = textOnce(() => '[cleared to save context]');
    return (history) => {
      const sent = replaceResults(history, [...gone], old);
      if (sent.reduce((sum, message) => sum + tokensOf(message), 0) < 100_000) return sent;
      for (const result of resultsOf(history).slice(0, -3)) gone.add(result);
      return replaceResults(history, [...gone], old);
    };
  },
};

function resultsOf(history: readonly HistoryMessage[]): Result[] {
  return history.filter((message) => message.role === 'tool');
}

function replaceResults(history: readonly HistoryMessage[], some: readonly Result[], old: (result: Result) => Result) {
  const gone = new Set<HistoryMessage>(some);
  return history.map((message) => (message.role === 'tool' && gone.has(message) ? old(message) : message));
}

/** The same message for the same result, so that its tokens are counted once. */
function textOnce(text: (result: Result) => string): (result: Result) => Result {
  const known = new WeakMap<Result, Result>();
  return (result) => {
    const is = known.get(result) ?? { ...result, text: text(result) };
    known.set(result, is);
    return is;
  };
}

const modelMessages = new WeakMap<HistoryMessage, ModelMessage>();

function modelMessage(message: HistoryMessage): ModelMessage {
  const known = modelMessages.get(message) ?? toModelMessage(message);
  modelMessages.set(message, known);
  return known;
}

function toModelMessage(message: HistoryMessage): ModelMessage {
  if (message.role === 'tool') {
    const { callId: toolCallId, name: toolName, text } = message;
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
    };
  }
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const calls = message.toolCalls.map(({ id, name, arguments: args }) => {
    return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: leaves(args) };
  });
  return { role: 'assistant', content: [{ type: 'text', text: message.text }, ...calls] };
}

function callIds(part: object): string[] {
  return 'toolCallId' in part ? [String(part.toolCallId)] : [];
}

function onlyCalls(message: HistoryMessage, ids: ReadonlySet<string>): HistoryMessage[] {
  if (message.role === 'tool') return ids.has(message.callId) ? [message] : [];
  if (message.role !== 'assistant' || message.toolCalls.every(({ id }) => ids.has(id))) return [message];
  const toolCalls = message.toolCalls.filter(({ id }) => ids.has(id));
  return toolCalls.length === 0 && message.text === '' ? [] : [{ ...message, toolCalls }];
}
