import { useEffect, useRef, useState } from 'preact/hooks';

const firstDrawn = 20;
const perIdle = 40;

/**
 * The index of the first message to draw. A long conversation opens with its end (or with `needed`, where its reader left
 * off); the rest is drawn above while nothing else is to do, so search, arrow keys and screen readers reach all of it (P7).
 */
export function useBackfill(conversation: string, count: number, needed: number | undefined): number {
  const [, redraw] = useState(0);
  const drawn = useRef({ conversation: '', from: 0 });
  if (drawn.current.conversation !== conversation) {
    drawn.current = { conversation, from: Math.max(0, Math.min(count - firstDrawn, needed ?? count)) };
  }
  const { from } = drawn.current;
  useEffect(() => {
    if (from === 0) return undefined;
    const handle = requestIdleCallback(
      () => {
        drawn.current.from = Math.max(0, from - perIdle);
        redraw((times) => times + 1);
      },
      { timeout: 100 },
    );
    return () => cancelIdleCallback(handle);
  }, [from]);
  return from;
}
