export const compactAtShare = 0.8;

export interface ContextWindow {
  tokens: number;
  by: 'set' | 'learned';
}

/** The service publishes no limit. The smaller of the two that the user may set counts, before the learned one. */
export function contextWindow(limits: {
  request?: number;
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

export function mustCompact(promptTokens: number, limit: ContextWindow | undefined): boolean {
  return limit !== undefined && promptTokens >= compactAtShare * limit.tokens;
}
