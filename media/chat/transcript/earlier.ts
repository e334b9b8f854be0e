import { type ReadonlySignal, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const firstDrawn = 20;
/**
 * Earlier messages are drawn when the view is nearer to their end than this many views; with less, messages would
 * visibly appear while one scrolls.
 */
const viewsAhead = 3;
/** A stored position farther from the end is not restored, because everything below it would have to be drawn first. */
const farthestNeeded = 1000;
/** One slice of drawing may take half a frame, which leaves room for the user's input. */
const budgetMs = 8;
/** At least this many messages are drawn at once, because a busy machine makes every slice seem expensive. */
const minAtOnce = 10;
const maxAtOnce = 200;

/** Holds which messages are drawn. The keys ask it for more, and the transcript draws them. */
export interface Earlier {
  drawn: { conversation: string; from: number };
  waiting: { from: number; then: () => void }[];
  asked: ReadonlySignal<number>;
  /** Draws some or all earlier messages and then calls `then`. Returns false, without the call, when there are none. */
  reach(which: 'some' | 'all', then: () => void): boolean;
}

export function createEarlier(): Earlier {
  const asked = signal(0);
  const earlier: Earlier = {
    drawn: { conversation: '', from: 0 },
    waiting: [],
    asked,
    reach(which, then) {
      const { from } = earlier.drawn;
      if (from === 0) return false;
      earlier.waiting.push({ from: which === 'all' ? 0 : from - 1, then });
      asked.value++;
      return true;
    },
  };
  return earlier;
}

/**
 * Draws the end of a conversation (or from `needed`, where its reader left off). Earlier messages are drawn when the
 * reader comes near, as many at once as fit into half a frame, so a long conversation costs only what is read. Returns
 * the first message that is drawn.
 */
export function useEarlier(
  earlier: Earlier,
  log: RefObject<HTMLElement | null>,
  { conversation, count, needed }: { conversation: string; count: number; needed: number | undefined },
): number {
  const [, redraw] = useState(0);
  const pace = useRef({ messages: minAtOnce, startedAt: 0 });
  if (earlier.drawn.conversation !== conversation) {
    const wanted = needed !== undefined && needed > count - farthestNeeded ? needed : count;
    earlier.drawn = { conversation, from: wanted };
    earlier.waiting = [];
  }
  // Also after messages were deleted.
  earlier.drawn.from = Math.max(0, Math.min(count - firstDrawn, earlier.drawn.from));
  const { from } = earlier.drawn;
  useLayoutEffect(() => {
    const { messages, startedAt } = pace.current;
    if (startedAt !== 0) {
      const fitting = (messages * budgetMs) / Math.max(1, performance.now() - startedAt);
      pace.current = {
        messages: Math.round(Math.min(2 * messages, maxAtOnce, Math.max(minAtOnce, fitting))),
        startedAt: 0,
      };
    }
    const reached = earlier.waiting.filter((one) => from <= one.from);
    earlier.waiting = earlier.waiting.filter((one) => from > one.from);
    for (const { then } of reached) then();
  }, [from]);
  useEffect(() => {
    const box = log.current;
    if (from === 0 || !box) return undefined;
    let handle = 0;
    const draw = () => {
      pace.current.startedAt = performance.now();
      earlier.drawn.from = Math.max(0, from - pace.current.messages);
      redraw((times) => times + 1);
    };
    const drawWhenNear = () => {
      if (handle !== 0 || (earlier.waiting.length === 0 && box.scrollTop > viewsAhead * box.clientHeight)) return;
      handle = requestIdleCallback(draw, { timeout: 100 });
    };
    const sizes = new ResizeObserver(drawWhenNear);
    sizes.observe(box);
    box.addEventListener('scroll', drawWhenNear, { passive: true });
    const stop = earlier.asked.subscribe(drawWhenNear);
    return () => {
      cancelIdleCallback(handle);
      stop();
      sizes.disconnect();
      box.removeEventListener('scroll', drawWhenNear);
    };
  }, [from, conversation]);
  return from;
}
