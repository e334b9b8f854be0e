import type { TokenFeatures } from '../service/token-features.ts';
import { type ClassTokens, sum } from '../service/token-rates.ts';
import { type PromptParts, partTokens } from '../service/tokens.ts';

export interface Difference {
  counted: number;
  added: ClassTokens;
  gone: ClassTokens;
}

export interface CountedPrompts {
  nearest(parts: PromptParts): Difference | undefined;
  add(parts: PromptParts, counted: number): void;
}

interface Counted {
  texts: ReadonlyMap<string, number>;
  echoes: ReadonlyMap<string, number>;
  messages: number;
  tokens: number;
}

const maxKept = 3;

/**
 * Keeps the last three prompts of one model with a known token count, in memory, to estimate a similar prompt from
 * its difference.
 */
export function createCountedPrompts(model: string, shape: (text: string) => TokenFeatures): CountedPrompts {
  const kept: Counted[] = [];
  const tokensOf = (parts: PromptParts) => partTokens(parts, model, shape);

  const differenceTo = (parts: PromptParts, one: Counted): Difference => {
    const texts = compare(parts.texts, one.texts);
    const echoes = compare(parts.echoes, one.echoes);
    const messages = parts.messages - one.messages;
    return {
      counted: one.tokens,
      added: tokensOf({ texts: texts.added, echoes: echoes.added, messages: Math.max(0, messages) }),
      gone: tokensOf({ texts: texts.gone, echoes: echoes.gone, messages: Math.max(0, -messages) }),
    };
  };

  return {
    nearest(parts) {
      let nearest: Difference | undefined;
      let distance = kept.length === 0 ? 0 : sum(tokensOf(parts));
      for (const one of kept) {
        const difference = differenceTo(parts, one);
        const its = sum(difference.added) + sum(difference.gone);
        if (its >= distance) continue;
        [nearest, distance] = [difference, its];
      }
      return nearest;
    },
    add(parts, tokens) {
      kept.push({ texts: bagOf(parts.texts), echoes: bagOf(parts.echoes), messages: parts.messages, tokens });
      if (kept.length > maxKept) kept.shift();
    },
  };
}

function bagOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const text of texts) bag.set(text, (bag.get(text) ?? 0) + 1);
  return bag;
}

function compare(texts: readonly string[], bag: ReadonlyMap<string, number>): { added: string[]; gone: string[] } {
  const left = new Map(bag);
  const added = texts.filter((text) => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count === 0;
  });
  const gone = [...left].flatMap(([text, count]) => Array.from({ length: count }, () => text));
  return { added, gone };
}
