import type { CapacitySummary } from '../../../service/step/capacity-board.ts';

export interface ModelsToAsk {
  ids: readonly string[];
  /** The user's choice for completions; an empty name means the quickest model. */
  named: string;
  chatModel: string;
  thinksFirst(model: string): boolean;
  seen(model: string): CapacitySummary | undefined;
}

export interface ModelChoice {
  model: string;
  thinks: boolean;
  /** This is the time until the last token, as measured on this machine; it is absent where nothing was measured. */
  answerMs?: number;
}

/** A completion is assumed to have this many tokens. */
export const estimatedTokens = 60;

/**
 * Chooses the model that the user named, else the quickest that this machine has seen answer and that does not think
 * first, else the chat's model, or the first in the list that does not think first where that one does. Where all think
 * first, it chooses the quickest of them. A model without capacity at its last attempt counts as not measured.
 */
export function chooseModel({ ids, named, chatModel, thinksFirst, seen }: ModelsToAsk): ModelChoice {
  const choice = (model: string): ModelChoice => {
    const answerMs = expectedMs(seen(model));
    return { model, thinks: thinksFirst(model), ...(answerMs !== undefined && { answerMs }) };
  };
  if (named !== '') return choice(named);
  const all = [...new Set([chatModel, ...ids])].map(choice);
  const plain = all.filter(({ thinks }) => !thinks);
  const some = plain.length > 0 ? plain : all;
  const measured = some.filter(({ answerMs }) => answerMs !== undefined);
  const [quickest] = measured.toSorted((a, b) => (a.answerMs ?? 0) - (b.answerMs ?? 0));
  return quickest ?? some[0] ?? choice(chatModel);
}

function expectedMs(seen: CapacitySummary | undefined): number | undefined {
  if (seen?.waitMs === undefined || seen.last.outcome === 'capacity') return undefined;
  const { waitMs, tokensPerSecond, reasoningTokens = 0 } = seen;
  return waitMs + (tokensPerSecond === undefined ? 0 : ((reasoningTokens + estimatedTokens) / tokensPerSecond) * 1000);
}
