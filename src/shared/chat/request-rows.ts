import type { DurableEvent, SentTokens } from '../events.ts';
import type { Attempt, Charge } from '../messages.ts';
import { costMicroUsd } from '../money.ts';

export interface RequestRow {
  model: string;
  purpose:
    | { kind: 'answer' }
    | { kind: 'tools'; names: readonly string[] }
    | { kind: 'summary' }
    | { kind: 'subagent' }
    | { kind: 'failed' };
  charge: Charge;
  promptTokens: number;
  completionTokens: number;
  thinkingTokens: number;
  microUsd: number;
  estimated: boolean;
}

type PaidEvent = Extract<DurableEvent, { type: 'stepFinished' | 'compacted' | 'summaryDropped' | 'subagentPaid' }>;

export function requestRows(event: PaidEvent): RequestRow[] {
  return (event.attempts ?? []).map((attempt) => ({ ...figuresOf(attempt), purpose: purposeOf(event, attempt) }));
}

function purposeOf(event: PaidEvent, { outcome }: Attempt): RequestRow['purpose'] {
  if (outcome === 'failed' || outcome === 'empty') return { kind: 'failed' };
  if (event.type === 'subagentPaid') return { kind: 'subagent' };
  if (event.type !== 'stepFinished') return { kind: 'summary' };
  const names = [...new Set(event.toolCalls.map(({ name }) => name))];
  return names.length > 0 ? { kind: 'tools', names } : { kind: 'answer' };
}

function figuresOf({ model, charge, usage, reasoningTokens = 0 }: Attempt): Omit<RequestRow, 'purpose'> {
  const counted = charge === 'no' ? undefined : usage;
  return {
    model,
    charge,
    promptTokens: counted?.promptTokens ?? 0,
    completionTokens: counted?.completionTokens ?? 0,
    thinkingTokens: Math.min(reasoningTokens, counted?.completionTokens ?? 0),
    microUsd: costMicroUsd(counted?.totalTokens ?? 0),
    estimated: charge !== 'no' && (usage?.estimated ?? true),
  };
}

export function addSent(before: SentTokens | undefined, sent: SentTokens, promptTokens: number): SentTokens {
  const all = sent.overhead + sent.history + sent.steps;
  if (all <= 0) return before ?? { overhead: 0, history: 0, steps: 0 };
  const overhead = Math.round((promptTokens * sent.overhead) / all);
  const history = Math.min(promptTokens - overhead, Math.round((promptTokens * sent.history) / all));
  return {
    overhead: (before?.overhead ?? 0) + overhead,
    history: (before?.history ?? 0) + history,
    steps: (before?.steps ?? 0) + promptTokens - overhead - history,
  };
}
