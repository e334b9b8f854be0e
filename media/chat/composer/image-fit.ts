import { maxImageBytes, maxSidePx } from '../../../src/shared/image.ts';
import type { ImageType } from '../../../src/shared/messages.ts';

interface Size {
  width: number;
  height: number;
}

/** Keeps the aspect ratio; never enlarges the image, nor makes a side less than one pixel. */
export function scaledSize({ width, height }: Size, sidePx = maxSidePx): Size {
  const scale = Math.min(1, sidePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Returns encodings, best first: screenshots without loss while they are small enough, photographs as JPEG, which
 * every server reads.
 */
export function encodingsOf(type: ImageType): { type: 'image/png' | 'image/jpeg'; quality?: number }[] {
  const jpegs = [0.9, 0.75, 0.6].map((quality) => ({ type: 'image/jpeg' as const, quality }));
  return type === 'image/jpeg' ? jpegs : [{ type: 'image/png' }, ...jpegs];
}

export function bytesOfUrl(url: string): number {
  const encoded = url.length - url.indexOf(',') - 1;
  return (encoded / 4) * 3 - (/=*$/.exec(url)?.[0].length ?? 0);
}

const smaller = 0.75;

/**
 * Shrinks the image until it is small enough. A browser that cannot encode a type returns another one, which is
 * accepted.
 */
export function fitImage(
  source: Size & { type: ImageType },
  encode: (size: Size, type: string, quality?: number) => string,
): Size & { url: string } {
  for (let sidePx = maxSidePx; ; sidePx *= smaller) {
    const size = scaledSize(source, sidePx);
    for (const { type, quality } of encodingsOf(source.type)) {
      const url = encode(size, type, quality);
      if (bytesOfUrl(url) <= maxImageBytes) return { ...size, url };
    }
  }
}
