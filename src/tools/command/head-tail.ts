const nearShare = 0.25;

/** Keeps the beginning and the end of a text of any length in bounded memory. Sizes are UTF-16 units. */
export interface HeadTail {
  push(text: string): void;
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
      const kept = head + tail;
      if (dropped === 0 && kept.length <= headLength + tailLength) return kept.toWellFormed();
      const ends = withoutMiddle(kept, headLength, tailLength);
      return around(ends, `[… ${dropped + ends.middle.length} characters left out …]`);
    },
  };
}

export interface Ends {
  head: string;
  middle: string;
  tail: string;
}

export function withoutMiddle(text: string, headLength: number, tailLength: number): Ends {
  const lineEnd = text.lastIndexOf('\n', headLength - 1) + 1;
  const headEnd = headLength - lineEnd <= nearShare * headLength ? lineEnd : headLength;
  const start = text.length - tailLength;
  const lineStart = text.indexOf('\n', start) + 1;
  const tailStart = lineStart > 0 && lineStart - start <= nearShare * tailLength ? lineStart : start;
  return { head: text.slice(0, headEnd), middle: text.slice(headEnd, tailStart), tail: text.slice(tailStart) };
}

export function around({ head, tail }: Ends, gap: string): string {
  return `${head.replace(/\n$/, '')}\n${gap}\n${tail}`.toWellFormed();
}
