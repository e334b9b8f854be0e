/** Chunks that differ in more than their text this many times in a row will go on doing so. */
const mostMisses = 16;
const contentKey = /"content": ?"/;
const backslash = 0x5c;
/** A JSON string's inside that stands for itself. */
const plainBody = /^[^"\\\p{Cc}]*$/u;

/**
 * The short way for the chunks that make up nearly all of a stream: they equal the chunk before but for the text. When
 * a chunk was read in full and was nothing but text, what stands before and after that text is kept; a later chunk
 * with the same frame around any valid JSON string can then only mean the same with another text.
 */
export function createPlainChunkReader(): {
  /** The text of a chunk that has the known frame, else undefined: read it in full. */
  read(data: string): string | undefined;
  /**
   * The same for whole events in the undivided stream: reads those that follow one another from `from`, where an event
   * begins, until one is different or `onText` says false. Returns where it stopped, which is where an event begins.
   */
  scan(stream: string, from: number, onText: (text: string) => boolean): number;
  /** `data` was read in full and holds nothing new but `text`. */
  learn(data: string, text: string): void;
} {
  let before = '';
  let after = '';
  let head = '';
  let tail = '';
  let misses = 0;
  return {
    scan: (stream, from, onText) => {
      let at = from;
      while (head !== '' && holds(stream, head, at)) {
        const start = at + head.length;
        const end = stream.indexOf('"', start);
        // An escaped quote is not the end; that chunk goes the longer way.
        if (end < 0 || !holds(stream, tail, end)) break;
        const body = stream.slice(start, end);
        const text = isPlainBody(body) ? body : parseBody(body);
        if (text === undefined) break;
        misses = 0;
        at = end + tail.length;
        if (!onText(text)) break;
      }
      return at;
    },
    read: (data) => {
      const end = data.length - after.length;
      if (before === '' || end < before.length || !holds(data, before, 0) || !holds(data, after, end)) return undefined;
      const body = data.slice(before.length, end);
      const text = plainBody.test(body) ? body : parseBody(body);
      if (text !== undefined) misses = 0;
      return text;
    },
    learn: (data, text) => {
      if (misses >= mostMisses) return;
      misses += 1;
      const key = contentKey.exec(data);
      if (key === null || data.indexOf('"content"', key.index + 1) >= 0) return;
      const start = key.index + key[0].length;
      if (!plainBody.test(text) || !data.startsWith(`${text}"`, start)) return;
      before = data.slice(0, start);
      after = data.slice(start + text.length);
      head = `data: ${before}`;
      tail = `${after}\n\n`;
    },
  };
}

/** `startsWith`, which looks at one character after another, is many times slower for parts of this length. */
function holds(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part;
}

/** `plainBody` without the cost of a regular expression, which for a few characters is most of it. */
function isPlainBody(body: string): boolean {
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code < 0x20 || code === backslash) return false;
  }
  return true;
}

function parseBody(body: string): string | undefined {
  try {
    const text: unknown = JSON.parse(`"${body}"`);
    return typeof text === 'string' ? text : undefined;
  } catch {
    // The quotes do not pair up: this chunk is another shape, and the full reader has the last word on it.
    return undefined;
  }
}
