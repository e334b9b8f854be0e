import { asTyped, type ChatState } from '../shared/chat/chat-state.ts';
import type { ChatViewModel } from './view-model.ts';

/** Words of the user to turns that go away with everything from this message on; to be called before they do. */
export function wordsSaidAfter({ items }: ChatState, messageId: string) {
  const at = items.findIndex((item) => item.kind === 'user' && item.id === messageId);
  if (at < 0) return [];
  return items
    .slice(at)
    .flatMap((item) => (item.kind === 'answer' ? item.parts : []))
    .flatMap((part) => (part.type === 'steered' ? part.messages : []));
}

/** They wait in the composer, unless their writer is at something else there. The file has them in any case. */
export function bringBack(viewModel: ChatViewModel, words: ReturnType<typeof wordsSaidAfter>): void {
  if (words.length === 0 || viewModel.draft().trim() !== '' || viewModel.attachments().length > 0) return;
  for (const attachment of words.flatMap(({ attachments }) => attachments)) viewModel.attach(attachment);
  viewModel.addToDraft(words.map(asTyped).join('\n\n'));
}
