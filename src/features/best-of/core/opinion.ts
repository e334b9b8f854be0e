import type { HistoryMessage } from '../../../shared/messages.ts';
import { costMicroUsd } from '../../../shared/money.ts';
import { type Contest, maxPatch } from './contest.ts';

export const opinionReply = { of: 'opinion', tokens: 300 } as const;
const aroundTokens = 200;

/** Prices the question before its text is there, from what is known of the patches. */
export function opinionMicroUsd({ entries }: Contest): number {
  const patches = entries.reduce((sum, { changes }) => sum + (changes?.tokens ?? 0), 0);
  return costMicroUsd(patches + aroundTokens + opinionReply.tokens);
}

export const letterOf = (at: number): string => String.fromCharCode('A'.charCodeAt(0) + at);

/** Asks without names, so that no model favours one. */
export function opinionMessages(task: string, patches: readonly string[]): HistoryMessage[] {
  const system =
    'Compare changes that several authors made for the same task. Judge correctness first, then side effects, then readability. Name the better one by its letter in the first sentence, then give the reason in at most five short bullets. If none is better, say so.';
  const parts = patches.map((patch, at) => {
    const shown = patch.length > maxPatch ? `${patch.slice(0, maxPatch)}\n[cut]` : patch;
    return `<change name="${letterOf(at)}">\n${shown || '(nothing changed)'}\n</change>`;
  });
  return [
    { role: 'system', text: system },
    { role: 'user', text: [`<task>\n${task}\n</task>`, ...parts].join('\n\n') },
  ];
}
