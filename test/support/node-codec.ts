import { ToolError } from '../../src/agent/tool.ts';
import type { Codec } from '../../src/files/codec.ts';
import type { Place } from '../../src/files/workspace.ts';

/** What VS Code calls an encoding, and what the Encoding Standard does. */
const labels: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  windows1251: 'windows-1251',
  windows1252: 'windows-1252',
  koi8r: 'koi8-r',
  cp866: 'ibm866',
  shiftjis: 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  gbk: 'gbk',
  cp950: 'big5',
};

/**
 * `Codec` on Node's own decoders, as the settings of an editor would have it: encodings are tables read off `TextDecoder`, so
 * nothing of the product or of VS Code decides what is right. `calls` counts what was asked of it.
 */
export function createNodeCodec(
  encodingOf: (path: string) => string = () => 'utf8',
  isOpen: (path: string) => boolean = () => false,
): Codec & { calls: number } {
  const codec = {
    calls: 0,
    encodingOf: async ({ path }: Place) => ({ encoding: encodingOf(path), open: isOpen(path) }),
    settledEncoding: () => encodingOf(''),
    encodingForNew: async ({ path }: Place) => encodingOf(path),
    async decode(bytes: Uint8Array, encoding: string) {
      codec.calls++;
      if (bytes.includes(0)) throw new ToolError('It is binary.');
      return new TextDecoder(labelOf(encoding)).decode(bytes);
    },
    decodeAt: (bytes: Uint8Array, { path }: Place) => codec.decode(bytes, encodingOf(path)),
    async encode(text: string, encoding: string) {
      codec.calls++;
      const table = tableOf(labelOf(encoding));
      return Buffer.concat(Array.from(text, (sign) => table.get(sign) ?? Buffer.from('?')));
    },
  };
  return codec;
}

export function labelOf(encoding: string): string {
  const label = labels[encoding];
  if (label === undefined) throw new Error(`no label for ${encoding}`);
  return label;
}

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/** The bytes of every character that takes one or two of them. */
export function tableOf(label: string): ReadonlyMap<string, Buffer> {
  const known = tables.get(label);
  if (known !== undefined) return known;
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(label, { fatal: true });
  const add = (bytes: readonly number[]) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, Buffer.from(bytes));
    } catch {
      // These bytes mean nothing in it.
    }
  };
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  for (const byte of all) add([byte]);
  if (label === 'utf-8') throw new Error('UTF-8 needs no table');
  for (const lead of all.slice(0x80)) for (const trail of all.slice(0x30)) add([lead, trail]);
  tables.set(label, table);
  return table;
}
