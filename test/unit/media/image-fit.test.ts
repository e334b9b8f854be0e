import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { bytesOfUrl, encodingsOf, fitImage, scaledSize } from '../../../media/chat/composer/image-fit.ts';
import { maxImageBytes, maxSidePx } from '../../../src/shared/image.ts';

const urlOf = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`;

describe('fitting images', () => {
  it('S24 keeps the shape, never enlarges, and never loses a side', () => {
    assert.deepEqual(scaledSize({ width: 3136, height: 1568 }), { width: 1568, height: 784 });
    assert.deepEqual(scaledSize({ width: 100, height: 50 }), { width: 100, height: 50 });
    assert.deepEqual(scaledSize({ width: 20_000, height: 3 }), { width: 1568, height: 1 });
    const side = fc.integer({ min: 1, max: 30_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const scaled = scaledSize({ width, height });
        assert.ok(Math.max(scaled.width, scaled.height) <= maxSidePx);
        assert.ok(scaled.width >= 1 && scaled.height >= 1 && scaled.width <= width && scaled.height <= height);
      }),
    );
  });

  it('S24 counts the bytes that a data URL stands for', () => {
    for (const bytes of [1, 2, 3, 1000]) assert.equal(bytesOfUrl(urlOf(bytes)), bytes);
  });

  it('S24 a picture of a screen stays without loss while it is small enough; a photograph is a JPEG', () => {
    assert.deepEqual(encodingsOf('image/png')[0], { type: 'image/png' });
    assert.ok(encodingsOf('image/jpeg').every(({ type }) => type === 'image/jpeg'));
    const small = fitImage({ width: 10, height: 10, type: 'image/png' }, () => urlOf(100));
    assert.deepEqual([small.width, small.height], [10, 10]);
  });

  it('S24 writes it worse, then smaller, until it is small enough', () => {
    const tried: string[] = [];
    const fitted = fitImage({ width: 4000, height: 2000, type: 'image/png' }, (size, type, quality) => {
      tried.push(`${size.width} ${type} ${quality ?? ''}`.trim());
      return urlOf(tried.length < 6 ? maxImageBytes + 1 : maxImageBytes);
    });
    assert.deepEqual(tried, [
      '1568 image/png',
      '1568 image/jpeg 0.9',
      '1568 image/jpeg 0.75',
      '1568 image/jpeg 0.6',
      '1176 image/png',
      '1176 image/jpeg 0.9',
    ]);
    assert.deepEqual([fitted.width, fitted.height], [1176, 588]);
  });
});
