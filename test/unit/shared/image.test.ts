import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { assumedImageTokens, readDataUrl, sniffImage } from '../../../src/shared/image.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const text = (value: string) => new TextEncoder().encode(value);
const png = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

describe('images', () => {
  it('S24 are known by their first bytes, whatever they are called', () => {
    assert.equal(sniffImage(png), 'image/png');
    assert.equal(sniffImage(bytes(0xff, 0xd8, 0xff, 0xe0)), 'image/jpeg');
    assert.equal(sniffImage(text('GIF89a')), 'image/gif');
    assert.equal(sniffImage(text('RIFF\0\0\0\0WEBPVP8 ')), 'image/webp');
    assert.equal(sniffImage(text('RIFF\0\0\0\0WAVEfmt ')), undefined);
    for (const other of ['\0\0\0 ftypavif', '\0\0\0 ftypheic', 'II*\0', 'BM\0\0\0\0\0\0']) {
      assert.equal(sniffImage(text(other)), 'other', JSON.stringify(other));
    }
    assert.equal(sniffImage(text('BMW builds cars')), undefined);
    assert.equal(sniffImage(text('')), undefined);
  });

  it('S24 an SVG is told from other markup', () => {
    for (const svg of [
      '<svg>',
      '\uFEFF <?xml version="1.0"?>\n<!-- a -->\n<svg xmlns="x">',
      '<!DOCTYPE svg PUBLIC ""><SVG >',
    ]) {
      assert.equal(sniffImage(text(svg)), 'svg', svg);
    }
    for (const no of ['<html><svg>', 'a <svg>', '<svgx>']) assert.equal(sniffImage(text(no)), undefined, no);
  });

  it('X19 a data URL is taken only when its bytes are what it says', () => {
    const encoded = Buffer.from(png).toString('base64');
    assert.deepEqual(readDataUrl(`data:image/png;base64,${encoded}`), { mediaType: 'image/png', bytes: 8 });
    for (const url of [
      `data:image/jpeg;base64,${encoded}`,
      `data:image/png,${encoded}`,
      `data:image/png;base64,${encoded.slice(0, -1)}`,
      `data:image/svg+xml;base64,${Buffer.from('<svg>').toString('base64')}`,
      `data:image/png;base64,"><script>`,
      'https://example.com/a.png',
      '',
    ]) {
      assert.equal(readDataUrl(url), undefined, url);
    }
  });

  it('X19 any text is answered, never with an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.base64String(), (any, base64) => {
        readDataUrl(any);
        readDataUrl(`data:image/png;base64,${base64}`);
        readDataUrl(`data:${any};base64,${base64}`);
      }),
    );
    fc.assert(fc.property(fc.uint8Array(), (any) => void sniffImage(any)));
  });

  it('S24 a picture of a screen counts about a thousand tokens until the service has counted one', () => {
    assert.equal(assumedImageTokens({ width: 1200, height: 750 }), 1200);
    assert.equal(assumedImageTokens({ width: 1, height: 1 }), 1);
  });
});
