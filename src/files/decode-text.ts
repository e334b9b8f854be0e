import { ignoreToolError } from '../agent/tool.ts';
import type { Codec } from './codec.ts';
import type { Place } from './workspace.ts';

export type UnicodeEncoding = 'utf8' | 'utf16le' | 'utf16be';

const sampleBytes = 512;

/**
 * Judges by the first bytes of a file; `binary` names the probable kind of file. When neither field is set, the
 * settings decide how the file is read.
 */
export function detectEncoding(head: Uint8Array): { encoding?: UnicodeEncoding; binary?: string } {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf16le' };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf16be' };
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf8' };
  const known = signatures.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) return { binary: known.kind };
  if (!head.includes(0)) return {};
  const sample = head.subarray(0, sampleBytes);
  if (sample.every((byte, index) => (byte === 0) === (index % 2 === 1))) return { encoding: 'utf16le' };
  if (sample.every((byte, index) => (byte === 0) === (index % 2 === 0))) return { encoding: 'utf16be' };
  return { binary: 'binary' };
}

const signatures: readonly { kind: string; bytes: readonly number[] }[] = [
  { kind: 'PNG image', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { kind: 'JPEG image', bytes: [0xff, 0xd8, 0xff] },
  { kind: 'GIF image', bytes: [0x47, 0x49, 0x46, 0x38] },
  { kind: 'PDF', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { kind: 'ZIP archive', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { kind: 'gzip archive', bytes: [0x1f, 0x8b] },
  { kind: 'ELF program', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { kind: 'WebAssembly', bytes: [0x00, 0x61, 0x73, 0x6d] },
];

export function unicodeEncoding(name: string): UnicodeEncoding | undefined {
  if (name === 'utf8bom') return 'utf8';
  return name === 'utf8' || name === 'utf16le' || name === 'utf16be' ? name : undefined;
}

export function decoderLabel(encoding: UnicodeEncoding): string {
  return encoding.replace(/(8|16)/, '-$1');
}

export function encodingName(encoding: string): string {
  return unicodeEncoding(encoding) === undefined ? encoding : encoding.replace(/(8|16)/, '-$1').toUpperCase();
}

/**
 * Decodes a whole file as UTF-8 or UTF-16, whatever the settings say; undefined when it is binary. Used for files
 * that programs read the same way.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const { binary, encoding = 'utf8' } = detectEncoding(bytes);
  return binary === undefined ? new TextDecoder(decoderLabel(encoding)).decode(bytes) : undefined;
}

/**
 * Decodes a whole file as the editor would; undefined when it is binary. The text must not be written back, because
 * invalid bytes are not reported.
 */
export async function readableText(codec: Codec, place: Place, bytes: Uint8Array): Promise<string | undefined> {
  const detected = detectEncoding(bytes);
  if (detected.binary !== undefined) return undefined;
  return detected.encoding === undefined ? codec.decodeAt(bytes, place).catch(ignoreToolError) : decodeText(bytes);
}
