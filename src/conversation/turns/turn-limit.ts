import type { TurnLimit } from '../../agent/turn.ts';
import { type CompactionDeps, createCompaction } from './compaction.ts';
import { type ContextLimit, mustCompact } from './context-limit.ts';
import { type Keep, summaryMessage } from './summary-text.ts';

export interface TurnLimitDeps extends Pick<CompactionDeps, 'client' | 'estimator' | 'toSent'> {
  limit(model: string): ContextLimit | undefined;
  economiseHard: TurnLimit['economiseHard'];
  keep(): Keep;
}

/** How a running turn stays within the limit that is known of its model. */
export function createTurnLimit({ limit, economiseHard, keep, ...deps }: TurnLimitDeps): TurnLimit {
  return {
    isNear: (request) => mustCompact(deps.estimator.prompt(request).tokens, limit(request.model)),
    economiseHard,
    async summarise(history, model, signal) {
      const limitTokens = limit(model)?.tokens;
      const write = createCompaction({
        ...deps,
        model,
        keep: keep(),
        ...(limitTokens !== undefined && { limitTokens }),
      });
      const { compaction, ...rest } = await write(history, signal);
      if (compaction === undefined) return rest;
      const { summary, tokensBefore, tokensAfter } = compaction;
      return { ...rest, written: { summary, tokensBefore, tokensAfter, message: summaryMessage(summary) } };
    },
  };
}
