import type { Reply } from './contract.ts';

/** W02: what a token is when the service does not say. */
const charactersPerToken = 3.5;

/** Tokens of so many characters, estimated without calibration. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** Tokens of all that a model wrote, estimated. */
export function replyTokens({ text, reasoning, toolCalls }: Pick<Reply, 'text' | 'reasoning' | 'toolCalls'>): number {
  const calls = toolCalls.reduce((characters, call) => characters + call.name.length + call.arguments.length, 0);
  return tokensIn(text.length + reasoning.length + calls);
}
