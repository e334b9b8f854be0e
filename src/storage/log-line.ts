import { crc32 } from 'node:zlib';

/**
 * One record is one line: `{"v":1,"crc":"<8 hex>","d":<payload>}`. The checksum covers the bytes of the payload and
 * distinguishes a torn line from a whole one. `b` in place of `d` means that the payload is the hash of a blob.
 */
const beginning = '{"v":1,"crc":"';
const prefix = Buffer.from(beginning);
const afterCrc = beginning.length + 8;
const payloadAt = afterCrc + '","d":'.length;

/**
 * Limits the starts of a record that are tried from the end of a damaged line, because each costs a checksum over the
 * rest of the line. Inside a JSON text the quotes of the prefix are escaped, so only the last start counts.
 */
const maxStarts = 8;

export type LogLine = { kind: 'record'; record: unknown } | { kind: 'blob'; hash: string } | { kind: 'damaged' };

export function encodeLine(json: string, key: 'd' | 'b'): Buffer {
  const crc = crc32(json).toString(16).padStart(8, '0');
  return Buffer.from(`${beginning}${crc}","${key}":${json}}\n`, 'utf8');
}

/**
 * Reads a line without its newline. When two writers share a file and one of them died in the middle of a line, the
 * next record is glued to the torn one: the whole record at the end is still found, and `damagedBefore` is where it
 * starts.
 */
export function decodeLine(line: Buffer): { line: LogLine; damagedBefore: number } {
  const whole = decodeAt(line, 0);
  if (whole.kind !== 'damaged') return { line: whole, damagedBefore: 0 };
  let tried = 0;
  for (let at = line.lastIndexOf(prefix); at > 0 && tried < maxStarts; at = line.lastIndexOf(prefix, at - 1)) {
    tried++;
    const glued = decodeAt(line, at);
    if (glued.kind !== 'damaged') return { line: glued, damagedBefore: at };
  }
  return { line: whole, damagedBefore: line.length };
}

function decodeAt(line: Buffer, start: number): LogLine {
  const damaged: LogLine = { kind: 'damaged' };
  const from = start + payloadAt;
  const to = line.length - 1;
  if (from >= to || line[to] !== 0x7d) return damaged;
  const head = line.toString('latin1', start, from);
  const separator = head.slice(afterCrc);
  if (!head.startsWith(beginning) || (separator !== '","d":' && separator !== '","b":')) return damaged;
  if (Number.parseInt(head.slice(beginning.length, afterCrc), 16) !== crc32(line.subarray(from, to))) return damaged;
  try {
    const value: unknown = JSON.parse(line.toString('utf8', from, to));
    if (separator === '","d":') return { kind: 'record', record: value };
    return typeof value === 'string' ? { kind: 'blob', hash: value } : damaged;
  } catch {
    // A checksum that fits a payload that is no JSON: written by something else, so it is not ours to read.
    return damaged;
  }
}
