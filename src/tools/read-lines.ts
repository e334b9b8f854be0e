import { detectEncoding, type TextEncoding } from './decode-text.ts';

/** Characters of one line that are kept; the rest of it is counted. */
export const maxLineLength = 2000;
/** Beyond this the lines of a file are no longer counted. */
const maxScanBytes = 64 * 1024 * 1024;

export interface LineRange {
  /** From 1. */
  first: number;
  /** Inclusive. */
  last: number;
  /** Bytes of UTF-8 of the kept lines together, `lineOverheadBytes` added to each; at least one line is kept. */
  maxBytes: number;
  lineOverheadBytes: number;
}

export type LinesRead =
  | {
      kind: 'text';
      encoding: TextEncoding;
      /** The lines from `first` on that fit. */
      lines: string[];
      /** Lines of the file; a last line without its end counts, an empty one after the last end does not. */
      total: number;
      /** The file is longer than what was counted. */
      totalIsLess: boolean;
      /** Some bytes were not valid in the encoding and show as U+FFFD. */
      damaged: boolean;
    }
  | { kind: 'binary'; what: string };

/** Reads a file of any size in bounded memory: only the wanted lines are kept, the others are counted. */
export async function readLines(chunks: AsyncIterable<Uint8Array>, range: LineRange): Promise<LinesRead> {
  const collector = createCollector(range);
  let decoder: TextDecoder | undefined;
  let encoding: TextEncoding = 'utf-8';
  let scanned = 0;
  let totalIsLess = false;
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      const detected = detectEncoding(chunk.subarray(0, 8192));
      if ('binary' in detected) return { kind: 'binary', what: detected.binary };
      encoding = detected.encoding;
      decoder = new TextDecoder(encoding);
    }
    collector.feed(decoder.decode(chunk, { stream: true }));
    scanned += chunk.length;
    totalIsLess = scanned >= maxScanBytes;
    if (totalIsLess) break;
  }
  collector.feed(decoder?.decode() ?? '');
  return { kind: 'text', encoding, totalIsLess, ...collector.end() };
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

  const extend = (text: string) => {
    if (current.length < maxLineLength) current += text.slice(0, maxLineLength - current.length);
    currentLength += text.length;
  };
  const endLine = () => {
    total++;
    if (total >= first && total <= last && !full) keep();
    current = '';
    currentLength = 0;
  };
  const keep = () => {
    const cut = currentLength - current.length;
    const line = cut === 0 ? current : `${current.toWellFormed()}… [${cut} more characters in this line]`;
    bytes += Buffer.byteLength(line) + lineOverheadBytes;
    full = bytes > maxBytes && lines.length > 0;
    if (!full) lines.push(line);
  };
  const feed = (chunk: string) => {
    if (chunk === '') return;
    const text = heldCr ? `\r${chunk}` : chunk;
    heldCr = text.endsWith('\r');
    const end = heldCr ? text.length - 1 : text.length;
    damaged ||= text.includes('\ufffd');
    let start = 0;
    for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\r|\n/g)) {
      if (index >= end) break;
      extend(text.slice(start, index));
      endLine();
      start = index + lineEnd.length;
    }
    extend(text.slice(start, end));
  };
  const end = () => {
    if (heldCr || currentLength > 0) endLine();
    return { lines, total, damaged };
  };
  return { feed, end };
}
