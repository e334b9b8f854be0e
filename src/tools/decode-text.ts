export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** How to read a file, from its first bytes; `binary` names what it seems to be. */
export function detectEncoding(head: Uint8Array): { encoding: TextEncoding } | { binary: string } {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le' };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be' };
  const known = signatures.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) return { binary: known.kind };
  return head.includes(0) ? { binary: 'binary' } : { encoding: 'utf-8' };
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

/** A whole file as text, or `undefined` when it is binary. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const detected = detectEncoding(bytes);
  return 'binary' in detected ? undefined : new TextDecoder(detected.encoding).decode(bytes);
}
