import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const firstDrawn = 20;
/** Half a frame: what the user does meanwhile is never late. */
const budgetMs = 8;
/** A machine that is busy with other things makes a slice look dear; the rest must come all the same. */
const leastAtOnce = 10;
const mostAtOnce = 200;

/**
 * The index of the first message to draw. A long conversation opens with its end (or with `needed`, where its reader left
 * off); the rest is drawn above while nothing else is to do, as much at once as fits into half a frame, so search, arrow
 * keys and screen readers reach all of it.
 */
export function useBackfill(conversation: string, count: number, needed: number | undefined): number {
  const [, redraw] = useState(0);
  const drawn = useRef({ conversation: '', from: 0 });
  const pace = useRef({ messages: leastAtOnce, startedAt: 0 });
  if (drawn.current.conversation !== conversation) {
    drawn.current = { conversation, from: Math.max(0, Math.min(count - firstDrawn, needed ?? count)) };
  }
  const { from } = drawn.current;
  useLayoutEffect(() => {
    const { messages, startedAt } = pace.current;
    if (startedAt === 0) return;
    const fitting = (messages * budgetMs) / Math.max(1, performance.now() - startedAt);
    pace.current = {
      messages: Math.round(Math.min(2 * messages, mostAtOnce, Math.max(leastAtOnce, fitting))),
      startedAt: 0,
    };
  }, [from]);
  useEffect(() => {
    if (from === 0) return undefined;
    const handle = requestIdleCallback(
      () => {
        pace.current.startedAt = performance.now();
        drawn.current.from = Math.max(0, from - pace.current.messages);
        redraw((times) => times + 1);
      },
      { timeout: 100 },
    );
    return () => cancelIdleCallback(handle);
  }, [from]);
  return from;
}
