import type { TurnLimit } from '../../agent/turn.ts';
import { type CompactionDeps, createCompaction } from './compaction.ts';
import { type ContextLimit, compactAtShare } from './context-limit.ts';
import { type Keep, summaryMessage } from './summary-text.ts';

export interface TurnLimitDeps extends Pick<CompactionDeps, 'client' | 'estimator' | 'toSent'> {
  limit(model: string): ContextLimit | undefined;
  keep(): Keep;
}

/** How a running turn stays within the limit that is known of its model. */
export function createTurnLimit({ limit, keep, ...deps }: TurnLimitDeps): TurnLimit {
  return {
    size(request) {
      const known = limit(request.model);
      const most = known && { most: compactAtShare * known.tokens };
      return { tokens: deps.estimator.prompt(request).tokens, ...most };
    },
    async summarise(history, model, { signal, onEvent }) {
      const limitTokens = limit(model)?.tokens;
      const write = createCompaction({
        ...deps,
        model,
        keep: keep(),
        ...(limitTokens !== undefined && { limitTokens }),
      });
      const { compaction, ...rest } = await write(history, signal, onEvent);
      if (compaction === undefined) return rest;
      const { summary, tokensBefore, tokensAfter } = compaction;
      return { ...rest, written: { summary, tokensBefore, tokensAfter, message: summaryMessage(summary) } };
    },
  };
}
