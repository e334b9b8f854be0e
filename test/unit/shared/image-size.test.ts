import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { imageSize } from '../../../src/shared/image-size.ts';
import { smallPng } from '../../support/pictures.ts';

const gif = [...Buffer.from('GIF89a'), 7, 0, 5, 1];
/** A comment, a table, which is no frame, and a progressive frame of 300 × 5. */
const jpeg = [
  ...[0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xc0, 0xff, 0xc4, 0, 3, 9],
  ...[0xff, 0xc2, 0, 11, 8, 0, 5, 1, 44, 1, 1, 17, 0],
];

describe('the size of an image', () => {
  it('F20 stands in the headers of a PNG, a GIF and a JPEG', () => {
    assert.deepEqual(imageSize(smallPng), { width: 3, height: 2 });
    assert.deepEqual(imageSize(Uint8Array.from(gif)), { width: 7, height: 261 });
    assert.deepEqual(imageSize(Uint8Array.from(jpeg)), { width: 300, height: 5 });
  });

  it('X33 F20 is not known of anything else, and whatever is read, reading ends', () => {
    for (const whole of [[...smallPng].slice(0, 20), gif.slice(0, 8), jpeg.slice(0, 16)]) {
      assert.equal(imageSize(Uint8Array.from(whole)), undefined);
    }
    fc.assert(
      fc.property(fc.constantFrom([0xff, 0xd8], [...smallPng].slice(0, 8), []), fc.uint8Array(), (start, rest) => {
        imageSize(Uint8Array.from([...start, ...rest]));
      }),
    );
    const loop = Uint8Array.from([0xff, 0xd8, ...Array.from({ length: 4e5 }, () => [0xff, 0xe0, 0, 0]).flat()]);
    assert.equal(imageSize(loop), undefined);
  });
});
