import { detectEncoding, type TextEncoding } from './decode-text.ts';

/** How the text of a file is kept on disk, so that writing changes nothing but what was edited (E12). */
export interface TextFormat {
  encoding: TextEncoding;
  /** A byte-order mark in front. UTF-16 always has one here: without it a file is not recognised as such. */
  mark: boolean;
}

export interface FileText extends TextFormat {
  /** With the line ends of the file, without its byte-order mark. */
  text: string;
}

/** `reason`: why the file cannot be edited as text, to be put after its name and "is". */
export type DecodedFile = { ok: true; file: FileText } | { ok: false; reason: string };

/** Takes only what `encodeFile` gives back byte for byte. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const detected = detectEncoding(bytes.subarray(0, 8192));
  if ('binary' in detected) return { ok: false, reason: `not text (${detected.binary})` };
  const { encoding } = detected;
  const text = decodeStrictly(bytes, encoding);
  if (text === undefined) {
    return { ok: false, reason: `not valid ${encoding.toUpperCase()}, so an edit would damage it` };
  }
  if (text.includes('\0')) return { ok: false, reason: 'not text (binary)' };
  const mark = text.startsWith('\ufeff');
  const file = { text: mark ? text.slice(1) : text, encoding, mark };
  const same = Buffer.compare(encodeFile(file.text, file), bytes) === 0;
  return same ? { ok: true, file } : { ok: false, reason: 'not text that can be written back unchanged' };
}

function decodeStrictly(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

export function encodeFile(text: string, { encoding, mark }: TextFormat): Uint8Array {
  const marked = mark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8');
  const bytes = Buffer.from(marked, 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

export const plainFormat: TextFormat = { encoding: 'utf-8', mark: false };

/** Which line ends a text has. */
export function lineEndsOf(text: string): '\n' | '\r\n' | 'mixed' | 'none' {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const lf = (text.match(/\n/g)?.length ?? 0) - crlf;
  if (/\r(?!\n)/.test(text) || (crlf > 0 && lf > 0)) return 'mixed';
  if (crlf > 0) return '\r\n';
  return lf > 0 ? '\n' : 'none';
}
