/** Chunks that differ in more than their text this many times in a row will go on doing so. */
const mostMisses = 16;
const contentKey = /"content": ?"/;
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
  /** `data` was read in full and holds nothing new but `text`. */
  learn(data: string, text: string): void;
} {
  let before = '';
  let after = '';
  let misses = 0;
  return {
    read: (data) => {
      if (before === '' || !data.startsWith(before) || !data.endsWith(after)) return undefined;
      const end = data.length - after.length;
      if (end < before.length) return undefined;
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
    },
  };
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
