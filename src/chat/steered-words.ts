import { asTyped, type ChatState } from '../shared/chat/chat-state.ts';
import type { ChatViewModel } from './view-model.ts';

/**
 * Returns what the user said to turns that are removed with everything from this message on. It must be called before
 * they are.
 */
export function wordsSaidAfter({ items }: ChatState, messageId: string) {
  const at = items.findIndex((item) => item.kind === 'user' && item.id === messageId);
  if (at < 0) return [];
  return items
    .slice(at)
    .flatMap((item) => (item.kind === 'answer' ? item.parts : []))
    .flatMap((part) => (part.type === 'steered' ? part.messages : []));
}

export function bringBack({ draft }: ChatViewModel, words: ReturnType<typeof wordsSaidAfter>): void {
  if (words.length === 0 || draft.text().trim() !== '' || draft.attachments().length > 0) return;
  for (const attachment of words.flatMap(({ attachments }) => attachments)) draft.attach(attachment);
  draft.append(words.map(asTyped).join('\n\n'));
}
