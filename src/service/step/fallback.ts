import type { ChatRequest } from '../contract.ts';
import { type Counted, estimatePromptTokens } from '../tokens.ts';
import { asksAboutImages } from '../wire/images.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Learned } from './learned.ts';

export interface FallbackRules {
  enabled: boolean;
  /** The user's order; empty means the order of the live list. */
  order: readonly string[];
}

export interface FallbackQuestion {
  rules: FallbackRules;
  modelIds: readonly string[];
  /** Models that this step has asked already: each is asked in one stretch only and never returned to. */
  tried: ReadonlySet<string>;
  request: ChatRequest;
  learned: Learned;
  breaker: CircuitBreaker;
  promptTokens?(request: Counted): number;
}

/**
 * The model to ask instead, or undefined when there is none. Never one that is known not to take the tools that
 * the request brings, only one that has accepted an image when the request is about one, never one whose learned
 * limit is below the request's size, never one that is at capacity itself.
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

/** Without a list nothing is known to be missing. */
function isOffered(id: string, modelIds: readonly string[]): boolean {
  return modelIds.length === 0 || modelIds.includes(id);
}
