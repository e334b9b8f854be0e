import { ToolError } from '../agent/tool.ts';
import { writeOutInvisible } from '../shared/invisible-signs.ts';
import type { Codec } from './codec.ts';
import { decoderLabel, detectEncoding, encodingName, type UnicodeEncoding, unicodeEncoding } from './decode-text.ts';
import type { Place } from './workspace.ts';

/**
 * Describes how the text of a file is stored, so that writing changes nothing but what was edited. `encoding` has VS
 * Code's name and is `utf8` with and without a byte-order mark.
 */
export interface TextFormat {
  encoding: string;
  mark: boolean;
}

export interface FileText extends TextFormat {
  text: string;
}

/** `reason` says why the file cannot be edited as text; it is put after the file's name and "is". */
export type DecodedFile = { ok: true; file: FileText } | { ok: false; reason: string };

/** Accepts only what `encodeFile` gives back byte for byte. */
export async function decodeFile(codec: Codec, place: Place, bytes: Uint8Array): Promise<DecodedFile> {
  const { encoding: said, open } = await codec.encodingOf(place);
  const detected = detectEncoding(bytes.subarray(0, 8192));
  const isOpenUtf16 = open && said.startsWith('utf16');
  if (detected.binary !== undefined && !isOpenUtf16) return { ok: false, reason: `not text (${detected.binary})` };
  // What a document was opened with counts more than what the bytes seem to be, and that more than the settings.
  const encoding = (!open && detected.encoding) || (unicodeEncoding(said) ?? said);
  const text = await decodeStrictly(codec, bytes, encoding);
  if (text === undefined) return { ok: false, reason: invalidReason(encoding) };
  if (text.includes('\0')) return { ok: false, reason: 'not text (binary)' };
  const mark = unicodeEncoding(encoding) !== undefined && text.startsWith('\ufeff');
  const file = { text: mark ? text.slice(1) : text, encoding, mark };
  const same = Buffer.compare(await encodeFile(codec, file.text, file), bytes) === 0;
  return same ? { ok: true, file } : { ok: false, reason: invalidReason(encoding) };
}

function invalidReason(encoding: string): string {
  const way = 'The user can reopen it with the encoding that it is in, or name that in the setting files.encoding';
  return `not valid ${encodingName(encoding)}, so an edit would damage it. ${way}`;
}

async function decodeStrictly(codec: Codec, bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  const unicode = unicodeEncoding(encoding);
  try {
    if (unicode === undefined) return await codec.decode(bytes, encoding);
    return new TextDecoder(decoderLabel(unicode), { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Silently replaces characters that `findMisfits` would name. */
export async function encodeFile(codec: Codec, text: string, { encoding, mark }: TextFormat): Promise<Uint8Array> {
  const unicode = unicodeEncoding(encoding);
  return unicode === undefined ? codec.encode(text, encoding) : encodeUnicode(mark ? `\ufeff${text}` : text, unicode);
}

function encodeUnicode(text: string, encoding: UnicodeEncoding): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf16be' ? bytes.swap16() : bytes;
}

export async function formatForNew(codec: Codec, place: Place, text: string): Promise<TextFormat> {
  const name = await codec.encodingForNew(place, text);
  const encoding = unicodeEncoding(name) ?? name;
  return { encoding, mark: name !== encoding || encoding.startsWith('utf16') };
}

const maxNamed = 5;

/**
 * Names the characters that the encoding cannot hold, as `line 12: '→' does not fit windows1251`; undefined when the
 * text survives whole. Without this check the editor would silently save other characters.
 */
export async function findMisfits(codec: Codec, text: string, { encoding }: TextFormat): Promise<string | undefined> {
  if (unicodeEncoding(encoding) !== undefined) return undefined;
  const kept = await comesBackAs(codec, text, encoding);
  if (kept === text) return undefined;
  const signs = [...new Set(text)].filter((sign) => sign > '\x7f');
  const alone = (await comesBackAs(codec, signs.join('\n'), encoding)).split('\n');
  const unfit = signs.filter((sign, index) => alone[index] !== sign);
  const [first = signAt(text, firstDifference(text, kept)), ...others] = unfit;
  const line = text.slice(0, Math.max(0, text.indexOf(first))).split(/\r\n|\r|\n/).length;
  const more = others.slice(0, maxNamed - 1).map((sign) => `'${writeOutInvisible(sign)}'`);
  const rest = others.length >= maxNamed ? ', …' : '';
  const nor = more.length === 0 ? '' : `, nor do ${more.join(', ')}${rest}`;
  return `line ${line}: '${writeOutInvisible(first)}' does not fit ${encoding}${nor}`;
}

async function comesBackAs(codec: Codec, text: string, encoding: string): Promise<string> {
  return codec.decode(await codec.encode(text, encoding), encoding);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function signAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(Math.min(at, text.length - 1)) ?? 0xfffd);
}

export function lineEndsOf(text: string): '\n' | '\r\n' | 'mixed' | 'none' {
  const [crlf, lf] = [text.includes('\r\n'), /(?<!\r)\n/.test(text)];
  if ((crlf && lf) || (text.includes('\r') && /\r(?!\n)/.test(text))) return 'mixed';
  if (crlf) return '\r\n';
  return lf ? '\n' : 'none';
}
