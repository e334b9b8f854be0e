import type { Attempt } from '../../src/shared/messages.ts';

/** A request that was answered whole, by model `m`, and charged for 1,000 tokens. */
export const paidAttempt: Attempt = {
  requestId: 'r1',
  model: 'm',
  startedAt: 0,
  durationMs: 1,
  outcome: 'complete',
  usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, estimated: false },
  charge: 'yes',
};
