import type { HistoryImage, HistoryMessage } from '../../shared/messages.ts';
import { isOfUser } from '../step/step-continuation.ts';

const stateWords = {
  attached: '',
  earlier: ', sent earlier, not repeated',
  refused: ', not sent to this model',
  missing: ', no longer stored',
};

export function imageNote({ label, width, height }: HistoryImage, state: keyof typeof stateWords): string {
  const name = label.replace(/\s+/g, ' ').trim();
  return `[image: ${name}, ${width}×${height}${stateWords[state]}]`;
}

export function imagesIn(messages: readonly HistoryMessage[]): HistoryImage[] {
  return messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : []));
}

/**
 * Returns whether the latest message of the user has images; then only a model that takes images can answer it. Images
 * of earlier messages can be replaced by a note.
 */
export function asksAboutImages(messages: readonly HistoryMessage[]): boolean {
  const asked = messages.findLast(isOfUser);
  return asked?.role === 'user' && (asked.images?.length ?? 0) > 0;
}
