import type { Learned } from '../service/step/learned.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';

export function takesImages(learned: Pick<Learned, 'get'>, model: string): boolean {
  return learned.get(model).images?.works !== false;
}

/**
 * Returns the models in the order in which they are suggested after a failure: `preferred`, then all `known`; an id
 * may occur twice. When the last message has an image, models known to refuse images are left out, and those that
 * took one come first.
 */
export function modelOrder(
  { preferred, known }: { preferred: readonly string[]; known: readonly string[] },
  { items }: Pick<ChatState, 'items'>,
  learned: Pick<Learned, 'get'>,
): string[] {
  const order = [...preferred, ...known];
  const asked = items.findLast((item) => item.kind === 'user');
  if (asked?.kind !== 'user' || asked.attachments.every(({ image }) => image === undefined)) return order;
  const rank = (model: string) => (learned.get(model).images === undefined ? 1 : 0);
  return order.filter((model) => takesImages(learned, model)).sort((a, b) => rank(a) - rank(b));
}
