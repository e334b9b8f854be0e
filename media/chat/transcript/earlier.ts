import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

const firstDrawn = 20;
/** The distance above the view is counted in views; with less, messages would visibly appear while one scrolls. */
const viewsAhead = 3;
/**
 * A stored position farther from the end is not restored, because everything below it would have to be drawn first.
 */
const farthestNeeded = 1000;
/** Half a frame leaves room for the user's input. */
const budgetMs = 8;
/** A busy machine makes every slice seem expensive, so there is a minimum. */
const minAtOnce = 10;
const maxAtOnce = 200;

export interface Earlier {
  from: number;
  /**
   * Draws some or all earlier messages and then calls `then`. Returns false, without the call, when there are none.
   */
  reach(which: 'some' | 'all', then: () => void): boolean;
}

/**
 * Draws the end of a conversation (or from `needed`, where its reader left off). Earlier messages are drawn when the
 * reader comes near, as many at once as fit into half a frame, so a long conversation costs only what is read.
 */
export function useEarlier(
  log: RefObject<HTMLElement | null>,
  conversation: string,
  count: number,
  needed: number | undefined,
): Earlier {
  const [, redraw] = useState(0);
  const drawn = useRef({ conversation: '', from: 0 });
  const pace = useRef({ messages: minAtOnce, startedAt: 0 });
  const waiting = useRef<{ from: number; then: () => void }[]>([]);
  const look = useRef(() => {});
  if (drawn.current.conversation !== conversation) {
    const wanted = needed !== undefined && needed > count - farthestNeeded ? needed : count;
    drawn.current = { conversation, from: wanted };
    waiting.current = [];
  }
  // Also after messages were deleted.
  drawn.current.from = Math.max(0, Math.min(count - firstDrawn, drawn.current.from));
  const { from } = drawn.current;
  useLayoutEffect(() => {
    const { messages, startedAt } = pace.current;
    if (startedAt !== 0) {
      const fitting = (messages * budgetMs) / Math.max(1, performance.now() - startedAt);
      pace.current = {
        messages: Math.round(Math.min(2 * messages, maxAtOnce, Math.max(minAtOnce, fitting))),
        startedAt: 0,
      };
    }
    const reached = waiting.current.filter((one) => from <= one.from);
    waiting.current = waiting.current.filter((one) => from > one.from);
    for (const { then } of reached) then();
  }, [from]);
  useEffect(() => {
    const box = log.current;
    if (from === 0 || !box) return undefined;
    let handle = 0;
    const draw = () => {
      pace.current.startedAt = performance.now();
      drawn.current.from = Math.max(0, from - pace.current.messages);
      redraw((times) => times + 1);
    };
    look.current = () => {
      if (handle !== 0 || (waiting.current.length === 0 && box.scrollTop > viewsAhead * box.clientHeight)) return;
      handle = requestIdleCallback(draw, { timeout: 100 });
    };
    const onChange = () => look.current();
    const sizes = new ResizeObserver(onChange);
    sizes.observe(box);
    box.addEventListener('scroll', onChange, { passive: true });
    onChange();
    return () => {
      cancelIdleCallback(handle);
      look.current = () => {};
      sizes.disconnect();
      box.removeEventListener('scroll', onChange);
    };
  }, [from, conversation]);
  const reach = useMemo(
    (): Earlier['reach'] => (which, then) => {
      const { from: first } = drawn.current;
      if (first === 0) return false;
      waiting.current.push({ from: which === 'all' ? 0 : first - 1, then });
      look.current();
      return true;
    },
    [],
  );
  return { from, reach };
}
