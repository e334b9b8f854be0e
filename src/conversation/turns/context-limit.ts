/** The share of a known limit at which a conversation is shortened, so that the next reply still fits. */
export const compactAtShare = 0.8;

/** `set`: by the user. `learned`: an error of the service named it. */
export interface ContextLimit {
  tokens: number;
  by: 'set' | 'learned';
}

/** The service publishes no limit. Of the two that the user may set the smaller counts, before the learned one. */
export function contextLimit(limits: {
  /** `svc.context.maxTokens`. */
  request?: number;
  /** `svc.models.limits` of this model. */
  model?: number;
  learned?: number;
}): ContextLimit | undefined {
  const set = [limits.request, limits.model].filter(isLimit);
  if (set.length > 0) return { tokens: Math.min(...set), by: 'set' };
  return isLimit(limits.learned) ? { tokens: limits.learned, by: 'learned' } : undefined;
}

function isLimit(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0;
}

/** True when the next request of `promptTokens` is too near to the limit. Never without a limit. */
export function mustCompact(promptTokens: number, limit: ContextLimit | undefined): boolean {
  return limit !== undefined && promptTokens >= compactAtShare * limit.tokens;
}
