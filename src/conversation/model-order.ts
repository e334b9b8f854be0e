import type { Learned } from '../service/step/learned.ts';
import type { ChatState } from '../shared/chat/chat-state.ts';

/** Whether nothing is known against sending images to this model. */
export function takesImages(learned: Pick<Learned, 'get'>, model: string): boolean {
  return learned.get(model).images?.works !== false;
}

/**
 * The models in the order in which they are offered after a failure: the `preferred` ones, then all that are `known`; an id
 * may come twice. When the last message of the conversation has an image, models that are known not to take one are
 * left out, and those that took one come first.
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
