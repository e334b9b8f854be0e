import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSubagentEstimate } from '../../../../src/features/subagents/core/subagent-estimate.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import { attempt } from '../../conversation/samples.ts';

function values() {
  const stored = new Map<string, unknown>();
  return {
    get: <T>(name: string) => stored.get(name) as T | undefined,
    update: async (name: string, value: unknown) => void stored.set(name, value),
  };
}

const call = { turnId: 't', step: 0, callId: 'c1' };
const paid = (tokens: number): ChatEvent => ({
  ...{ type: 'subagentPaid', ...call, estimatedMicroUsd: 1, maxMicroUsd: 2 },
  attempts: [attempt({ usage: { promptTokens: tokens, completionTokens: 0, totalTokens: tokens, estimated: false } })],
});
const ended = (answered: boolean): ChatEvent => ({
  ...{ type: 'toolFinished', ...call, name: 'ask_subagent', title: '', forModel: '', durationMs: 1 },
  ...(answered ? { state: 'done', sub: { keptTokens: 1, aheadTokens: 1 } } : { state: 'cancelled' }),
});

describe('the usual price of a subagent', () => {
  it('U17 is the median of those that answered, and one cent until there are five', () => {
    const stored = values();
    const median = createSubagentEstimate(stored);
    for (const tokens of [10_000, 20_000, 30_000, 40_000]) median.follow([paid(tokens), paid(tokens), ended(true)]);
    assert.equal(median.microUsd(), 10_000);
    median.follow([paid(1), ended(false)]);
    assert.equal(median.microUsd(), 10_000, 'one that was stopped says nothing');
    median.follow([paid(1_000_000), ended(true)]);
    assert.equal(median.microUsd(), 19_800);
    assert.equal(createSubagentEstimate(stored).microUsd(), 19_800, 'kept for the next window');
  });

  it('U17 counts none that a turn took along when it ended', () => {
    const median = createSubagentEstimate(values());
    const end: ChatEvent = { type: 'turnEnded', turnId: 't', at: 1, outcome: 'stopped', cost: {} as never };
    for (let at = 0; at < 5; at++) median.follow([paid(90_000), end, paid(10_000), ended(true)]);
    assert.equal(median.microUsd(), 3300);
  });
});
