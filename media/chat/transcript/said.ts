import { type AnswerItem, asTyped, type ChatItem, type UserItem } from '../../../src/shared/chat/chat-state.ts';

/** As markdown, without the calls of tools. */
export function answerText({ parts }: AnswerItem): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim();
}

/** Undefined for the lines between messages. */
export function saidIn(item: ChatItem): string | undefined {
  if (item.kind === 'user') return asTyped(item);
  return item.kind === 'answer' ? answerText(item) : undefined;
}

/** The message at this place, or the one that the answer there was given to. */
export function questionAt(items: readonly ChatItem[], at: number): UserItem | undefined {
  return items.slice(0, at + 1).findLast((item) => item.kind === 'user');
}
