import { type AnswerItem, type ChatState, costSoFar } from '../../../shared/chat/chat-state.ts';
import type { Ended, Figures } from './contest.ts';

export function usageOf(state: ChatState, model: string): Figures {
  const answers = state.items.filter((item): item is AnswerItem => item.kind === 'answer');
  const costs = answers.map(costSoFar);
  const rows = answers.flatMap(({ requests = [] }) => requests);
  const others = rows.filter((row) => row.charge !== 'no' && row.purpose.kind !== 'subagent' && row.model !== model);
  return {
    requests: rows.length,
    microUsd: costs.reduce((sum, { microUsd }) => sum + microUsd, 0),
    estimated: costs.some(({ estimated }) => estimated),
    ms: answers.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    others: [...new Set(others.map((row) => row.model))],
  };
}

/** Returns how the last answer ended, with what the conversation took; undefined before there is an end. */
export function endedOf(state: ChatState, model: string): Ended | undefined {
  const answer = state.items.findLast((item) => item.kind === 'answer');
  if (answer?.kind !== 'answer' || answer.outcome === undefined) return undefined;
  const { outcome, failure } = answer;
  return { ...usageOf(state, model), outcome, ...(failure && { why: failure.kind }) };
}
