/** To cut at a line end, so large a share of the kept beginning or end may be given up. */
const nearShare = 0.25;

/** The beginning and the end of a text of any length, in bounded memory. Sizes are UTF-16 units. */
export interface HeadTail {
  push(text: string): void;
  /** Cut at line ends where there are any near; says how much is left out between. */
  text(): string;
}

export function createHeadTail(headLength: number, tailLength: number): HeadTail {
  let head = '';
  let tail = '';
  let dropped = 0;
  return {
    push(text) {
      const room = Math.max(0, headLength - head.length);
      // Once something was left out, the head is closed.
      const toHead = dropped === 0 && tail === '' ? text.slice(0, room) : '';
      head += toHead;
      tail += text.slice(toHead.length);
      if (tail.length > 2 * tailLength) {
        dropped += tail.length - tailLength;
        tail = tail.slice(-tailLength);
      }
    },
    text() {
      const surplus = Math.max(0, tail.length - tailLength);
      if (dropped + surplus === 0) return (head + tail).toWellFormed();
      const lastEnd = head.lastIndexOf('\n') + 1;
      const headEnd = head.length - lastEnd <= nearShare * head.length ? lastEnd : head.length;
      const kept = tail.slice(surplus);
      const firstEnd = kept.indexOf('\n') + 1;
      const tailStart = firstEnd <= nearShare * kept.length ? firstEnd : 0;
      const leftOut = dropped + surplus + (head.length - headEnd) + tailStart;
      const gap = `[… ${leftOut} characters left out …]`;
      return `${head.slice(0, headEnd).replace(/\n$/, '')}\n${gap}\n${kept.slice(tailStart)}`.toWellFormed();
    },
  };
}
