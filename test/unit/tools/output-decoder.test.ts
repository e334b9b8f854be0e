import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createOutputDecoder, systemEncoding } from '../../../src/tools/command/output-decoder.ts';

describe('tools/output-decoder', () => {
  it('F15 gives UTF-8 back whole, wherever it is cut', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (written, cuts) => {
        const bytes = Buffer.from(written.toWellFormed());
        const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const decode = createOutputDecoder('windows-1252');
        const pieces = ends.map((end, at) => decode(bytes.subarray(ends[at - 1] ?? 0, end)));
        assert.equal(pieces.join(''), written.toWellFormed());
      }),
    );
  });

  it('F15 reads on in the encoding of the system from where it is no UTF-8', () => {
    const german = createOutputDecoder(systemEncoding('de-DE'));
    assert.equal(
      german(Buffer.from('gr')) + german(Buffer.from([0xfc])) + german(Buffer.from('n é', 'latin1')),
      'grün é',
    );
    const japanese = createOutputDecoder(systemEncoding('ja'));
    assert.equal(japanese(Buffer.from([0x93])) + japanese(Buffer.from([0xfa, 0x96, 0x7b])), '日本');
    const russian = createOutputDecoder(systemEncoding('ru-RU'));
    assert.equal(russian(Buffer.from([0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])), 'привет');
  });

  it('F15 knows an encoding for every language of the editor', () => {
    for (const locale of 'cs de en es fr hu it ja ko pl pt-BR ru tr zh-cn zh-tw bg uk el he sr-Latn'.split(' '))
      assert.ok(new TextDecoder(systemEncoding(locale)).encoding, locale);
    assert.equal(systemEncoding('zh-TW'), 'big5');
    assert.equal(systemEncoding('zh-CN'), 'gbk');
  });
});
