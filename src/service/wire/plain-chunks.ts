import { parseJson } from '../../base/parse-json.ts';
import { type Chunk, readChunk } from './chunk-schema.ts';

interface Frame {
  head: string;
  tail: string;
  chunkOf(words: string): Chunk;
}

const maxWaitLength = 1024;

/**
 * Avoids parsing the many chunks of a reply that differ only in a few words, be they text, reasoning or arguments: once
 * one was parsed, another with the same text around its words can differ in nothing else.
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
      const { head, tail, chunkOf } = frame;
      const end = data.length - tail.length;
      // A quarter of the time of `startsWith` and `endsWith`, which compare sign by sign.
      if (end <= head.length || data.slice(0, head.length) !== head || data.slice(end) !== tail) return undefined;
      const written = data.slice(head.length, end);
      const words = isPlain(written) ? written : parseJson(`"${written}"`);
      if (typeof words !== 'string') return undefined;
      [waiting, wait] = [0, 1];
      return chunkOf(words);
    },
    learn(data, chunk) {
      if (waiting-- > 0) return;
      const place = placeIn(chunk);
      if (place === undefined) return;
      frame = frameOf(data, place);
      waiting = wait;
      wait = Math.min(wait * 2, maxWaitLength);
    },
  };
}

interface WordsPlace extends Pick<Frame, 'chunkOf'> {
  words: string;
}

/** Returns undefined where the words stand in several places, or the chunk has more to be looked at than its words. */
function placeIn(chunk: Chunk): WordsPlace | undefined {
  const { text, reasoning, calls, whole, last } = chunk;
  const [call] = calls;
  if (whole || last || calls.length > 1) return undefined;
  const places: WordsPlace[] = [
    { words: text, chunkOf: (words) => ({ ...chunk, text: words }) },
    { words: reasoning, chunkOf: (words) => ({ ...chunk, reasoning: words }) },
  ];
  if (call) {
    places.push({ words: call.arguments, chunkOf: (words) => ({ ...chunk, calls: [{ ...call, arguments: words }] }) });
  }
  const [place, ...others] = places.filter(({ words }) => words !== '');
  return others.length === 0 && place !== undefined && isPlain(place.words) ? place : undefined;
}

function isPlain(text: string): boolean {
  return !/["\\\p{Cc}]/u.test(text);
}

/** Proves where the words are by replacing them, because `content` may be the name of many members. */
function frameOf(data: string, { words, chunkOf }: WordsPlace): Frame | undefined {
  const at = data.indexOf(`"${words}"`);
  if (at < 0) return undefined;
  const head = data.slice(0, at + 1);
  const tail = data.slice(at + 1 + words.length);
  const other = readChunk(parseJson(`${head}${words} ?${tail}`));
  return JSON.stringify(other) === JSON.stringify(chunkOf(`${words} ?`)) ? { head, tail, chunkOf } : undefined;
}
