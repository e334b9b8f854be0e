import type { HistoryImage, HistoryMessage } from '../../shared/messages.ts';
import { isOfUser } from '../step/step-continuation.ts';

const stateWords = {
  attached: '',
  earlier: ', sent earlier, not repeated',
  refused: ', not sent to this model',
  missing: ', no longer stored',
};

/** The line that names an image to the model, with the image or in place of it. */
export function imageNote({ label, width, height }: HistoryImage, state: keyof typeof stateWords): string {
  const name = label.replace(/\s+/g, ' ').trim();
  return `[image: ${name}, ${width}×${height}${stateWords[state]}]`;
}

export function imagesIn(messages: readonly HistoryMessage[]): HistoryImage[] {
  return messages.flatMap((message) => (message.role === 'user' ? (message.images ?? []) : []));
}

/**
 * True when what is asked now came with an image: then only a model that takes images can answer it. Images of earlier
 * messages are context that can be named instead.
 */
export function asksAboutImages(messages: readonly HistoryMessage[]): boolean {
  const asked = messages.findLast(isOfUser);
  return asked?.role === 'user' && (asked.images?.length ?? 0) > 0;
}
