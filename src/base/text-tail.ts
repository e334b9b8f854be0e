export interface TextTail {
  push(text: string): void;
  text(): string;
  take(): string;
}

// Keeps the end of a text of any length. To cut it at each piece would copy all that is kept each time.
export function createTextTail(maxLength: number): TextTail {
  let kept = '';
  const text = () => kept.slice(-maxLength).toWellFormed();
  return {
    push(more) {
      kept += more;
      if (kept.length > 2 * maxLength) kept = kept.slice(-maxLength);
    },
    text,
    take() {
      const taken = text();
      kept = '';
      return taken;
    },
  };
}
