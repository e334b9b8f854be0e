import type { Attempt, Usage } from '../../shared/messages.ts';
import type { Reply } from '../contract.ts';

export function reasoningShare(
  { text, reasoning, toolCalls }: Pick<Reply, 'text' | 'reasoning' | 'toolCalls'>,
  usage: Usage | undefined,
): Pick<Attempt, 'reasoningTokens'> {
  if (reasoning === '' || usage === undefined) return {};
  const others = toolCalls.reduce((sum, call) => sum + call.arguments.length, text.length);
  return { reasoningTokens: Math.round((usage.completionTokens * reasoning.length) / (reasoning.length + others)) };
}
