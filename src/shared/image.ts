import type { ImageRef, ImageType } from './messages.ts';

export const maxSidePx = 1568;
export const maxImageBytes = 1_000_000;
export const maxSourceBytes = 20 * 1024 * 1024;
/** The limit is in pixels, because a small file can decode to an image that no memory holds. */
export const maxSourcePixels = 60_000_000;
export const maxImages = 8;

const pixelsPerToken = 750;

/** The service publishes no count for images, so this is an assumption and is shown as one. */
export function assumedImageTokens({ width, height }: Pick<ImageRef, 'width' | 'height'>): number {
  return Math.max(1, Math.ceil((width * height) / pixelsPerToken));
}

export type SniffedImage = ImageType | 'svg' | 'other';

const signatures: readonly { type: SniffedImage; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  // WEBP after RIFF and a length.
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  // TIFF, icons, Photoshop.
  { type: 'other', at: 0, bytes: [0x49, 0x49, 0x2a, 0x00] },
  { type: 'other', at: 0, bytes: [0x4d, 0x4d, 0x00, 0x2a] },
  { type: 'other', at: 0, bytes: [0x00, 0x00, 0x01, 0x00] },
  { type: 'other', at: 0, bytes: [0x38, 0x42, 0x50, 0x53] },
  // AVIF and HEIC: `ftyp` and a brand.
  { type: 'other', at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69] },
  { type: 'other', at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x68, 0x65] },
  { type: 'other', at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66, 0x31] },
];

/**
 * Judges by the first bytes, because a name or a declared type cannot be trusted. Returns undefined when it is no
 * image.
 */
export function sniffImage(bytes: Uint8Array): SniffedImage | undefined {
  const found = signatures.find(({ at, bytes: wanted }) => wanted.every((byte, index) => bytes[at + index] === byte));
  if (found !== undefined) return found.type;
  // BMP: a text may begin with its two letters, but not with the zeros after the size.
  if (bytes[0] === 0x42 && bytes[1] === 0x4d && bytes[6] === 0 && bytes[7] === 0) return 'other';
  const start = new TextDecoder().decode(bytes.subarray(0, 1024));
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/i.test(start)
    ? 'svg'
    : undefined;
}

export function isSendable(type: SniffedImage | undefined): type is ImageType {
  return type !== undefined && type !== 'svg' && type !== 'other';
}

export function readDataUrl(url: string): { mediaType: ImageType; bytes: number } | undefined {
  const comma = url.indexOf(',');
  const mediaType = /^data:([a-z]{1,10}\/[a-z]{1,10});base64$/.exec(
    url.slice(0, Math.max(0, Math.min(comma, 40))),
  )?.[1];
  const encoded = url.slice(comma + 1);
  if (mediaType === undefined || encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const start = Uint8Array.from(atob(encoded.slice(0, 64)), (letter) => letter.charCodeAt(0));
  const type = sniffImage(start);
  if (!isSendable(type) || type !== mediaType) return undefined;
  return { mediaType: type, bytes: (encoded.length / 4) * 3 - (/=*$/.exec(encoded)?.[0].length ?? 0) };
}
