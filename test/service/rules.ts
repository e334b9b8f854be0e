// Decides which rules of a script apply to a request. Keeps the counters (`times`, `nth`) of one script.
import { chatPath } from './paths.ts';
import type { Effect, Match, Rule, ScriptedReply, ServiceScript } from './script-schema.ts';

/** What matchers may look at. The body facts are missing before the body was read and for malformed bodies. */
export interface RequestFacts {
  method: string;
  path: string;
  model?: string;
  messageTexts?: string[];
  hasTools?: boolean;
  hasImages?: boolean;
  stream?: boolean;
}

export interface RuleBook {
  /** Effects of a proxy in front, which acts before the key check. Take once per request, before `takeEffect`. */
  takeFrontEffect(facts: RequestFacts): Effect;
  /** All matching rules together; where two set the same field, the earlier rule wins. Take once per request. */
  takeEffect(facts: RequestFacts): Effect;
  /** The first scripted reply that matches and is not used up. */
  takeReply(facts: RequestFacts): ScriptedReply | undefined;
}

const bodyConditions = ['model', 'messageIncludes', 'lastMessageIncludes', 'hasTools', 'hasImages', 'stream'] as const;

export function createRuleBook(script: ServiceScript): RuleBook {
  const rules = (script.rules ?? []).map((rule) => ({ rule, takes: createCounter(rule.match, rule.times) }));
  const replies = (script.replies ?? []).map((reply) => ({
    reply,
    takes: createCounter(reply.match, reply.times ?? 1),
  }));
  const merge = (facts: RequestFacts, front: boolean): Effect => {
    const matching = rules.filter(({ rule, takes }) => isFront(rule) === front && takes(facts));
    return Object.assign({}, ...matching.map(({ rule }) => rule.effect).reverse());
  };
  return {
    takeFrontEffect: (facts) => merge(facts, true),
    takeEffect: (facts) => merge(facts, false),
    takeReply: (facts) => replies.find(({ takes }) => takes(facts))?.reply,
  };
}

function isFront({ match, effect }: Rule): boolean {
  return effect.page522 === true && !bodyConditions.some((condition) => match?.[condition] !== undefined);
}

/** A function that says whether a matcher takes this request, and counts it. */
function createCounter(match: Match | undefined, times = Number.POSITIVE_INFINITY): (facts: RequestFacts) => boolean {
  let seen = 0;
  let taken = 0;
  return (facts) => {
    if (taken >= times || !matches(match ?? {}, facts)) return false;
    seen += 1;
    if (match?.nth !== undefined && match.nth !== seen) return false;
    taken += 1;
    return true;
  };
}

function matches(match: Match, facts: RequestFacts): boolean {
  const { messageIncludes, lastMessageIncludes } = match;
  const same = <T>(wanted: T | undefined, actual: T | undefined): boolean => wanted === undefined || wanted === actual;
  return (
    (match.path ?? chatPath) === facts.path &&
    same(match.method, facts.method) &&
    same(match.model, facts.model) &&
    same(match.hasTools, facts.hasTools) &&
    same(match.hasImages, facts.hasImages) &&
    same(match.stream, facts.stream) &&
    (messageIncludes === undefined || facts.messageTexts?.some((text) => text.includes(messageIncludes)) === true) &&
    (lastMessageIncludes === undefined || facts.messageTexts?.at(-1)?.includes(lastMessageIncludes) === true)
  );
}
