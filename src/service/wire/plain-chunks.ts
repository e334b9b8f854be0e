import { parseJson } from '../../base/parse-json.ts';
import { type Chunk, readChunk } from './chunk-schema.ts';

interface Frame {
  head: string;
  tail: string;
  model: string | undefined;
}

const maxWaitLength = 1024;

/**
 * Avoids parsing the many chunks of a reply that differ only in a few plain words: once one was parsed, another with
 * the same text around its words can differ in nothing else.
 */
export interface PlainChunks {
  read(data: string): Chunk | undefined;
  learn(data: string, chunk: Chunk): void;
}

export function createPlainChunks(): PlainChunks {
  let frame: Frame | undefined;
  // Where each chunk has another number in it, a search for what they share would be in vain each time.
  let [waiting, wait] = [0, 1];
  return {
    read(data) {
      if (frame === undefined) return undefined;
      const { head, tail, model } = frame;
      const end = data.length - tail.length;
      // A quarter of the time of `startsWith` and `endsWith`, which compare sign by sign.
      if (end < head.length || data.slice(0, head.length) !== head || data.slice(end) !== tail) return undefined;
      const text = data.slice(head.length, end);
      if (!isPlain(text)) return undefined;
      [waiting, wait] = [0, 1];
      return chunkOf(text, model);
    },
    learn(data, chunk) {
      if (waiting-- > 0 || !saysOnlyText(chunk)) return;
      frame = frameOf(data, chunk);
      waiting = wait;
      wait = Math.min(wait * 2, maxWaitLength);
    },
  };
}

function chunkOf(text: string, model: string | undefined): Chunk {
  const chunk: Chunk = { finish: '', text, reasoning: '', calls: noCalls, whole: false, last: false };
  if (model !== undefined) chunk.model = model;
  return chunk;
}

const noCalls: Chunk['calls'] = [];

function saysOnlyText({ text, finish, reasoning, calls, whole, last, usage, error }: Chunk): boolean {
  if (finish !== '' || reasoning !== '' || calls.length > 0 || whole || last) return false;
  return isPlain(text) && text !== '' && usage === undefined && error === undefined;
}

function isPlain(text: string): boolean {
  return !/["\\\p{Cc}]/u.test(text);
}

/** Proves where the words are by replacing them, because `content` may be the name of many members. */
function frameOf(data: string, chunk: Chunk): Frame | undefined {
  const at = data.indexOf(`"${chunk.text}"`);
  if (at < 0) return undefined;
  const head = data.slice(0, at + 1);
  const tail = data.slice(at + 1 + chunk.text.length);
  const other = readChunk(parseJson(`${head}${chunk.text} ?${tail}`));
  const isFrame =
    other !== undefined && saysOnlyText(other) && other.text === `${chunk.text} ?` && other.model === chunk.model;
  return isFrame ? { head, tail, model: chunk.model } : undefined;
}
