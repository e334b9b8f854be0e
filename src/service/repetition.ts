/** Deltas of one kind that may be equal in a row (W64). */
const mostEqualDeltas = 100;
/** Text this long with a period this short is a model that has lost the thread. */
const repeatedChars = 2000;
const longestPeriod = 8;
const checkEveryChars = 500;
/** Blank space and the lines that people draw in text: only their sheer length gives a loop away. */
const trivial = /^[\s\-=_*#.~|+─━═│]*$/;

/**
 * Watches one channel of a reply for endless repetition, which real models fall into and which is billed (W64). The
 * result depends on the deltas only, never on how they arrived.
 */
export function createRepetitionGuard(): { push(delta: string): boolean } {
  let last = '';
  let equal = 0;
  let tail = '';
  let unchecked = 0;
  return {
    /** True as soon as the channel repeats itself; stays cheap because it looks closely only now and then. */
    push: (delta) => {
      if (delta === last) equal += 1;
      else {
        last = delta;
        equal = 1;
      }
      if (equal >= mostEqualDeltas && !trivial.test(delta)) return true;
      tail += delta;
      unchecked += delta.length;
      if (unchecked < checkEveryChars || tail.length < repeatedChars) return false;
      unchecked = 0;
      tail = tail.slice(-repeatedChars);
      return hasShortPeriod(tail);
    },
  };
}

function hasShortPeriod(text: string): boolean {
  for (let period = 1; period <= longestPeriod; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}
