import type { ChatRequest } from '../contract.ts';
import { type Counted, estimatePromptTokens } from '../tokens.ts';
import { asksAboutImages } from '../wire/images.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Learned } from './learned.ts';

export interface FallbackRules {
  enabled: boolean;
  order: readonly string[];
}

export interface FallbackQuestion {
  rules: FallbackRules;
  modelIds: readonly string[];
  tried: ReadonlySet<string>;
  request: ChatRequest;
  learned: Learned;
  breaker: CircuitBreaker;
  promptTokens?(request: Counted): number;
}

/**
 * Returns the model to ask instead, if there is one. It is not known to refuse the tools of the request, has accepted
 * an image before if the request is about one, has no learned limit below the size of the request, and is not at
 * capacity itself.
 */
export function nextModel(question: FallbackQuestion): string | undefined {
  const { rules, modelIds, tried, request, learned, breaker, promptTokens = estimatePromptTokens } = question;
  if (!rules.enabled) return undefined;
  const order = rules.order.length > 0 ? rules.order.filter((id) => isOffered(id, modelIds)) : modelIds;
  const needsImages = asksAboutImages(request.messages);
  const needsTools = (request.tools?.length ?? 0) > 0;
  return order.find((id) => {
    const facts = learned.get(id);
    if (tried.has(id) || breaker.tripped(id) !== undefined) return false;
    if (needsImages && facts.images?.works !== true) return false;
    if (needsTools && facts.tools?.works === false) return false;
    return facts.contextTokens === undefined || promptTokens({ ...request, model: id }) <= facts.contextTokens;
  });
}

function isOffered(id: string, modelIds: readonly string[]): boolean {
  return modelIds.length === 0 || modelIds.includes(id);
}
