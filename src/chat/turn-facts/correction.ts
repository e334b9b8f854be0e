import { type AnswerItem, asTyped, type ChatState, type ToolPart } from '../../shared/chat/chat-state.ts';

export interface Correction {
  turnId: string;
  /** One line in the user's own words. */
  text: string;
}

const maxLength = 300;

/**
 * Returns what the user told the model to do otherwise in the last turn: why a call was denied, or the message that
 * followed an edit which was undone. It is told from what was done and not from words, whose language is unknown.
 */
export function correctionIn(
  { items, running }: Pick<ChatState, 'items' | 'running'>,
  isUndone: (callId: string) => boolean,
): Correction | undefined {
  const at = items.findLastIndex(({ kind }) => kind === 'answer');
  const last = items[at];
  if (running !== undefined || last?.kind !== 'answer') return undefined;
  const denied = toolsOf(last).findLast(({ approval }) => approval?.answer?.decision === 'deny')?.approval?.answer;
  const said = denied?.decision === 'deny' ? denied.reason : saidAfterUndo(items, at, isUndone);
  const text = said.replace(/\s+/g, ' ').trim();
  return text === '' || text.length > maxLength ? undefined : { turnId: last.turnId, text };
}

function saidAfterUndo(items: ChatState['items'], at: number, isUndone: (callId: string) => boolean): string {
  const [before, question] = [items[at - 2], items[at - 1]];
  if (before?.kind !== 'answer' || question?.kind !== 'user') return '';
  return toolsOf(before).some(({ id }) => isUndone(id)) ? asTyped(question) : '';
}

function toolsOf({ parts }: AnswerItem): ToolPart[] {
  return parts.filter((part) => part.type === 'tool');
}
