/** `rules`: the workspace's own instructions. `tools`: tool definitions and our instructions. */
export type PriceCategory = 'draft' | 'attachments' | 'history' | 'rules' | 'tools';

/** What the next message will send, estimated. The answer and further steps come on top. */
export interface NextPrice {
  /** The sum of `parts`. */
  tokens: number;
  microUsd: number;
  parts: Record<PriceCategory, number>;
  /** What the history alone costs with every message. */
  historyMicroUsd: number;
  /** What Compact would cost once and save with every further request; absent when it would save nothing. */
  compact?: { priceMicroUsd: number; savedTokens: number; savedMicroUsd: number; paysAfterRequests: number };
  /** In 19 of 20 cases what is counted differs from `tokens` by no more, relative. */
  error: number;
  /** What a request may carry, as far as anybody knows. */
  limit?: { tokens: number; by: 'set' | 'learned' };
  /** Images are part of it, and what this model counts for one is not known yet. */
  assumed?: true;
}
