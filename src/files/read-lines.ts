import type { Codec } from './codec.ts';
import { decoderLabel, detectEncoding, unicodeEncoding } from './decode-text.ts';

export const maxLineLength = 2000;
const maxScanBytes = 64 * 1024 * 1024;
const maxCountBytes = 16 * 1024 * 1024;

export interface LineRange {
  first: number;
  last: number;
  /** Counts UTF-8 bytes of the kept lines together, each with `lineOverheadBytes` more; at least one line is kept. */
  maxBytes: number;
  lineOverheadBytes: number;
}

export type LinesRead =
  | {
      kind: 'text';
      encoding: string;
      lines: string[];
      total: number;
      totalIsLess: boolean;
      damaged: boolean;
    }
  | { kind: 'binary'; what: string };

/**
 * Reads a file of any size in bounded memory: only the wanted lines are kept, the others are counted. `said` is the
 * encoding unless the first bytes show another.
 */
export async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  range: LineRange,
  codec: Codec,
  said: { encoding: string; open: boolean },
): Promise<LinesRead> {
  const collector = createCollector(range);
  let decoder: PieceDecoder | undefined;
  let encoding = unicodeEncoding(said.encoding) ?? said.encoding;
  let scanned = 0;
  let totalIsLess = false;
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      const detected = detectEncoding(chunk.subarray(0, 8192));
      if (detected.binary !== undefined) return { kind: 'binary', what: detected.binary };
      encoding = (!said.open && detected.encoding) || encoding;
      decoder = createDecoder(encoding, codec, collector.isPast);
    }
    collector.feed(await decoder.next(chunk));
    scanned += chunk.length;
    totalIsLess = scanned >= (collector.isPast() ? maxCountBytes : maxScanBytes);
    if (totalIsLess) break;
  }
  collector.feed((await decoder?.end()) ?? '');
  return { kind: 'text', encoding, totalIsLess, ...collector.end() };
}

interface PieceDecoder {
  next(chunk: Uint8Array): Promise<string> | string;
  end(): Promise<string> | string;
}

const pieceBytes = 256 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function createDecoder(encoding: string, codec: Codec, isPast: () => boolean): PieceDecoder {
  const unicode = unicodeEncoding(encoding);
  if (unicode !== undefined) {
    const decoder = new TextDecoder(decoderLabel(unicode));
    return { next: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
  }
  let waiting: Uint8Array[] = [];
  let size = 0;
  const decode = (bytes: Buffer) => (isPast() ? bytes.toString('latin1') : codec.decode(bytes, encoding));
  return {
    next(chunk) {
      waiting.push(chunk);
      size += chunk.length;
      // The byte of a line feed is no part of another character in any of these encodings.
      const cut = size < pieceBytes ? -1 : chunk.lastIndexOf(lineFeed);
      if (cut < 0) return '';
      const bytes = Buffer.concat(waiting);
      const whole = size - chunk.length + cut + 1;
      waiting = [bytes.subarray(whole)];
      size -= whole;
      return decode(bytes.subarray(0, whole));
    },
    end: () => decode(Buffer.concat(waiting)),
  };
}

function createCollector({ first, last, maxBytes, lineOverheadBytes }: LineRange) {
  const lines: string[] = [];
  let total = 0;
  let bytes = 0;
  let full = false;
  let damaged = false;
  let current = '';
  let currentLength = 0;
  // A CR at the end of a chunk may be half of a CRLF.
  let heldCr = false;

  const extend = (text: string, from: number, to: number) => {
    const isWanted = total + 1 >= first && total < last && !full;
    if (isWanted) current += text.slice(from, Math.min(to, from + maxLineLength - current.length));
    currentLength += to - from;
  };
  const keep = () => {
    const cut = currentLength - current.length;
    const line = cut === 0 ? current : `${current.toWellFormed()}… [${cut} more characters in this line]`;
    bytes += Buffer.byteLength(line) + lineOverheadBytes;
    full = bytes > maxBytes && lines.length > 0;
    if (!full) lines.push(line);
  };
  const endLine = () => {
    total++;
    if (total >= first && total <= last && !full) keep();
    current = '';
    currentLength = 0;
  };
  const feed = (chunk: string) => {
    if (chunk === '') return;
    const text = heldCr ? `\r${chunk}` : chunk;
    heldCr = text.endsWith('\r');
    const end = heldCr ? text.length - 1 : text.length;
    damaged ||= text.includes('\ufffd');
    let start = 0;
    // By hand: a match for each of millions of lines takes twenty times as long.
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code !== lineFeed && code !== carriageReturn) continue;
      extend(text, start, at);
      endLine();
      if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at++;
      start = at + 1;
    }
    extend(text, start, end);
  };
  const end = () => {
    if (heldCr || currentLength > 0) endLine();
    return { lines, total, damaged };
  };
  return { feed, end, isPast: () => full || total >= last };
}
