import { isAscii } from 'node:buffer';
import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { messageOf } from '../../base/message-of.ts';
import type { Codec } from '../../files/codec.ts';
import { unicodeEncoding } from '../../files/decode-text.ts';
import type { Place } from '../../files/workspace.ts';
import { openDocument, uriOfPlace } from './place-uri.ts';

/**
 * Converts the editor's encodings. Where the settings name nothing but UTF-8, it asks the editor nothing and opens no
 * file.
 */
export function createCodec(): Codec {
  const decode = remembering(sameBytes, async (bytes: Uint8Array, encoding) => asText(bytes, { encoding }));
  const encode = remembering(sameText, async (text: string, encoding) => vscode.workspace.encode(text, { encoding }));
  return {
    encodingOf,
    settledEncoding(root) {
      const { encoding, isCertain } = encodingInSettings(vscode.Uri.parse(root.uri));
      return isCertain ? encoding : undefined;
    },
    async encodingForNew(place, text) {
      const uri = uriOfPlace(place);
      const settled = encodingInSettings(uri);
      if (settled.byLanguage.length === 0) return settled.encoding;
      // A new file has no language that could be asked for: whose bytes are the same, its encoding it is.
      const bytes = await vscode.workspace.encode(text, { uri });
      for (const encoding of new Set([settled.encoding, ...settled.byLanguage])) {
        if (sameBytes(await vscode.workspace.encode(text, { encoding }), bytes)) return encoding;
      }
      return settled.encoding;
    },
    decode,
    async decodeAt(bytes, place) {
      const uri = uriOfPlace(place);
      const { encoding, isCertain } = encodingInSettings(uri);
      const known = openDocument(uri)?.encoding ?? (isCertain ? encoding : undefined);
      if (known !== undefined && unicodeEncoding(known) === 'utf8') return new TextDecoder().decode(bytes);
      if (!known?.startsWith('utf16') && isAscii(bytes)) return Buffer.from(bytes).toString('latin1');
      return known === undefined ? asText(bytes, { uri }) : decode(bytes, known);
    },
    encode,
  };
}

async function encodingOf(place: Place): Promise<{ encoding: string; open: boolean }> {
  const uri = uriOfPlace(place);
  const open = openDocument(uri);
  if (open !== undefined) return { encoding: open.encoding, open: true };
  const { encoding, isCertain } = encodingInSettings(uri);
  if (isCertain) return { encoding, open: false };
  try {
    // Only the editor knows the language of a file, and what it guesses.
    return { encoding: (await vscode.workspace.openTextDocument(uri)).encoding, open: true };
  } catch {
    // It is gone, no text or too large for the editor.
    return { encoding, open: false };
  }
}

interface EncodingInSettings {
  encoding: string;
  byLanguage: readonly string[];
  /** True when the encoding holds for every file there: no language overrides it and none is guessed. */
  isCertain: boolean;
}

function encodingInSettings(uri: vscode.Uri): EncodingInSettings {
  const files = vscode.workspace.getConfiguration('files', uri);
  const languages = (key: string) => files.inspect(key)?.languageIds ?? [];
  const byLanguage = languages('encoding').map((languageId) =>
    vscode.workspace.getConfiguration('files', { uri, languageId }).get('encoding', 'utf8'),
  );
  const guesses = files.get('autoGuessEncoding') === true || languages('autoGuessEncoding').length > 0;
  return { encoding: files.get('encoding', 'utf8'), byLanguage, isCertain: !guesses && byLanguage.length === 0 };
}

async function asText(bytes: Uint8Array, how: { encoding: string } | { uri: vscode.Uri }): Promise<string> {
  try {
    return await ('encoding' in how ? vscode.workspace.decode(bytes, how) : vscode.workspace.decode(bytes, how));
  } catch (error) {
    throw new ToolError(`It cannot be read as text (${messageOf(error)}).`);
  }
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function sameText(one: string, other: string): boolean {
  return one === other;
}

/** One edit needs the same text before and after several times, and the editor takes a second for a long one. */
function remembering<Given, Made>(
  isSame: (one: Given, other: Given) => boolean,
  make: (given: Given, encoding: string) => Promise<Made>,
): (given: Given, encoding: string) => Promise<Made> {
  let known: { given: Given; encoding: string; made: Promise<Made> }[] = [];
  return (given, encoding) => {
    const found = known.find((one) => one.encoding === encoding && isSame(one.given, given));
    const used = found ?? { given, encoding, made: make(given, encoding) };
    known = [used, ...known.filter((one) => one !== used)].slice(0, 2);
    return used.made;
  };
}
