import { type AnswerItem, asTyped, type ChatItem, type UserItem } from '../../../src/shared/chat/chat-state.ts';

/** Returns markdown without tool calls. */
export function answerText({ parts }: AnswerItem): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim();
}

export function saidIn(item: ChatItem): string | undefined {
  if (item.kind === 'user') return asTyped(item);
  return item.kind === 'answer' ? answerText(item) : undefined;
}

/** Returns the user message at this index, or the one that the answer there belongs to. */
export function questionAt(items: readonly ChatItem[], at: number): UserItem | undefined {
  return items.slice(0, at + 1).findLast((item) => item.kind === 'user');
}
