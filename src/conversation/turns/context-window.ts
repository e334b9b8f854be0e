/** The share of a known limit at which a conversation is shortened, so that the next reply still fits. */
export const compactAtShare = 0.8;

/** `set`: by the user. `learned`: an error of the service named it. */
export interface ContextWindow {
  tokens: number;
  by: 'set' | 'learned';
}

/** The service publishes no limit. Of the two that the user may set the smaller counts, before the learned one. */
export function contextWindow(limits: {
  /** `svc.context.maxTokens`. */
  request?: number;
  /** `svc.models.limits` of this model. */
  model?: number;
  learned?: number;
}): ContextWindow | undefined {
  const set = [limits.request, limits.model].filter(isWindow);
  if (set.length > 0) return { tokens: Math.min(...set), by: 'set' };
  return isWindow(limits.learned) ? { tokens: limits.learned, by: 'learned' } : undefined;
}

function isWindow(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0;
}

/** True when the next request of `promptTokens` is too near to the limit. Never without a limit. */
export function mustCompact(promptTokens: number, limit: ContextWindow | undefined): boolean {
  return limit !== undefined && promptTokens >= compactAtShare * limit.tokens;
}
