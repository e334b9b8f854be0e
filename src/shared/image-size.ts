export function imageSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (at: number, length: number) => at + length <= bytes.length;
  if (has(16, 8) && view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (has(6, 4) && view.getUint32(0) === 0x47494638) {
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (!has(0, 4) || view.getUint16(0) !== 0xffd8) return undefined;
  // Segments of a marker and a length. A frame begins with one of C0 to CF that is no table.
  for (let at = 2; has(at, 9); at += 2 + Math.max(2, view.getUint16(at + 2))) {
    const marker = view.getUint16(at);
    if (marker < 0xff00) return undefined;
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
  return undefined;
}
