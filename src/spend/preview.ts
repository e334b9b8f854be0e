import type { ToolDefinition } from '../service/contract.ts';
import type { HistoryMessage, ImageRef } from '../shared/messages.ts';
import type { NextPrice, PriceCategory } from '../shared/panel/panel-info.ts';
import type { Estimator } from './estimate.ts';
import { costMicroUsd } from './price.ts';

export interface Overhead {
  system: string;
  rules: string;
  tools: readonly ToolDefinition[];
}

export interface PreviewParts {
  model: string;
  draft: string;
  attachments: string;
  images: readonly ImageRef[];
  history: readonly HistoryMessage[];
  added: string;
  overhead: Overhead;
}

/**
 * Depends on nothing but the given parts. A part that is the same object as in the last call is not counted again, so
 * that typing costs as much as the draft is long, not the conversation.
 */
export function createPreview(
  estimator: Pick<Estimator, 'prompt' | 'text' | 'images'>,
): (parts: PreviewParts) => NextPrice {
  const attachments = lastOf((model, text: string) => estimator.text(model, text));
  const added = lastOf((model, text: string) => estimator.text(model, text));
  const rules = lastOf((model, { rules: text }: Overhead) => estimator.text(model, text));
  const history = lastOf((model, messages: PreviewParts['history']) => estimator.prompt({ model, messages }));
  const tools = lastOf((model, { system, tools }: Overhead) =>
    estimator.prompt({ model, messages: [{ role: 'system', text: system }], ...(tools.length > 0 && { tools }) }),
  );
  return ({ model, overhead, ...parts }) => {
    const images = estimator.images(model, parts.images);
    const sent = history(model, parts.history);
    const texts = {
      draft: estimator.prompt({ model, messages: [{ role: 'user', text: parts.draft }] }),
      attachments: attachments(model, parts.attachments),
      history: sent,
      added: added(model, parts.added),
      rules: rules(model, overhead),
      tools: tools(model, overhead),
    };
    const counted: Record<PriceCategory, number> = {
      draft: texts.draft.tokens,
      attachments: texts.attachments.tokens + images.tokens,
      history: sent.tokens + texts.added.tokens,
      rules: texts.rules.tokens,
      tools: texts.tools.tokens,
    };
    const tokens = total(Object.values(counted));
    // Parts of one script are off together, so their errors add up.
    const error = total(Object.values(texts).map((part) => part.tokens * part.error)) / tokens;
    const historyMicroUsd = costMicroUsd(counted.history);
    const assumed = images.assumed || sent.assumed ? { assumed: true as const } : {};
    return { tokens, microUsd: costMicroUsd(tokens), parts: counted, historyMicroUsd, error, ...assumed };
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function lastOf<Part, Count>(count: (model: string, part: Part) => Count): (model: string, part: Part) => Count {
  let last: { model: string; part: Part; counted: Count } | undefined;
  return (model, part) => {
    if (last?.model !== model || last.part !== part) last = { model, part, counted: count(model, part) };
    return last.counted;
  };
}
