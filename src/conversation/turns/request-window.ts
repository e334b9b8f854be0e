import type { RequestWindow } from '../../agent/turn.ts';
import { type CompactionDeps, createCompaction } from './compaction.ts';
import { type ContextWindow, compactAtShare } from './context-window.ts';
import { type Keep, summaryMessage } from './summary-text.ts';

export interface RequestWindowDeps extends Pick<CompactionDeps, 'client' | 'estimator' | 'toSent'> {
  contextWindowOf(model: string): ContextWindow | undefined;
  keep(): Keep;
}

export function createRequestWindow({ contextWindowOf, keep, ...deps }: RequestWindowDeps): RequestWindow {
  return {
    size(request) {
      const known = contextWindowOf(request.model);
      const max = known && { max: compactAtShare * known.tokens };
      return { tokens: deps.estimator.prompt(request).tokens, ...max };
    },
    async summarise(history, model, { signal, onEvent }) {
      const windowTokens = contextWindowOf(model)?.tokens;
      const write = createCompaction({ ...deps, model, keep: keep(), windowTokens });
      const { compaction, ...rest } = await write(history, signal, onEvent);
      if (compaction === undefined) return rest;
      const { summary, tokensBefore, tokensAfter } = compaction;
      return { ...rest, written: { summary, tokensBefore, tokensAfter, message: summaryMessage(summary) } };
    },
  };
}
