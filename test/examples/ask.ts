import type { Ask } from '../../src/shared/interaction.ts';

/** Asks before a tool does something; without an answer nothing is done. */
export async function mayRename(ask: Ask, callId: string, signal: AbortSignal): Promise<boolean> {
  const question = { callId, text: 'Rename all 12 files?', options: ['Rename', 'Leave'] };
  const answer = await ask('question', question, { id: callId, step: 1, signal });
  return answer === 'Rename';
}
