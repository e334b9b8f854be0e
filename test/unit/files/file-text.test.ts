import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeFile, encodeFile, findMisfits, formatForNew } from '../../../src/files/file-text.ts';
import { createNodeCodec, labelOf, tableOf } from '../../support/node-codec.ts';

const place = { root: { name: 'w', uri: 'file:///w' }, path: 'a.txt' };
const legacy = ['windows1251', 'windows1252', 'koi8r', 'cp866', 'shiftjis', 'eucjp', 'euckr', 'gbk', 'cp950'];

/** Text of the characters that the encoding has. */
function textIn(encoding: string) {
  const signs = [...tableOf(labelOf(encoding)).keys()].filter((sign) => sign >= ' ' || sign === '\n' || sign === '\r');
  return fc.array(fc.constantFrom('a', '\\', '\n', '\r\n', ...signs), { maxLength: 60 }).map((all) => all.join(''));
}

describe('files/file-text', () => {
  it('E12 gives back every text in every format of Unicode byte for byte, and asks no codec', async () => {
    const formats = [
      { encoding: 'utf8', mark: false },
      { encoding: 'utf8', mark: true },
      { encoding: 'utf16le', mark: true },
      { encoding: 'utf16be', mark: true },
    ] as const;
    const codec = createNodeCodec();
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.startsWith('\ufeff') && !one.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...formats), async (content, format) => {
        const bytes = await encodeFile(codec, content, format);
        const decoded = await decodeFile(codec, place, bytes);
        if (!decoded.ok) return;
        assert.equal(decoded.file.text, content);
        assert.deepEqual(Buffer.from(await encodeFile(codec, decoded.file.text, decoded.file)), Buffer.from(bytes));
      }),
    );
    assert.equal(codec.calls, 0);
  });

  it('E12 takes UTF-16 without a mark for what it is, and gives it back without one', async () => {
    const latin = fc.array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 2000 });
    await fc.assert(
      fc.asyncProperty(latin, fc.boolean(), async (codes, isBig) => {
        const bytes = Buffer.from(String.fromCharCode(...codes), 'utf16le');
        if (isBig) bytes.swap16();
        const decoded = await decodeFile(createNodeCodec(), place, bytes);
        assert.ok(decoded.ok);
        assert.equal(decoded.file.encoding, isBig ? 'utf16be' : 'utf16le');
        assert.equal(decoded.file.text, String.fromCharCode(...codes));
        assert.deepEqual(Buffer.from(await encodeFile(createNodeCodec(), decoded.file.text, decoded.file)), bytes);
      }),
    );
  });

  for (const encoding of ['utf8', 'utf8bom', ...legacy]) {
    it(`F37 never takes bytes in ${encoding} that it would not give back`, async () => {
      const codec = createNodeCodec(() => encoding);
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
          const decoded = await decodeFile(codec, place, bytes);
          if (!decoded.ok) return;
          assert.deepEqual(Buffer.from(await encodeFile(codec, decoded.file.text, decoded.file)), Buffer.from(bytes));
        }),
      );
    });
  }

  for (const encoding of legacy) {
    it(`F37 changes in ${encoding} nothing but what was edited`, async () => {
      const codec = createNodeCodec(() => encoding);
      const table = tableOf(labelOf(encoding));
      const bytesOf = (text: string) => Buffer.concat(Array.from(text, (sign) => table.get(sign) ?? Buffer.alloc(0)));
      const parts = fc.tuple(textIn(encoding), textIn(encoding), textIn(encoding), textIn(encoding));
      await fc.assert(
        fc.asyncProperty(parts, async ([head, old, fresh, tail]) => {
          const bytes = bytesOf(`${head}\n${old}\n${tail}`);
          const decoded = await decodeFile(codec, place, bytes);
          assert.ok(decoded.ok);
          const { file } = decoded;
          const after = file.text.slice(0, head.length + 1) + fresh + file.text.slice(head.length + 1 + old.length);
          assert.equal(await findMisfits(codec, after, file), undefined);
          const written = Buffer.from(await encodeFile(codec, after, file));
          assert.deepEqual(written, Buffer.concat([bytesOf(`${head}\n`), bytesOf(fresh), bytesOf(`\n${tail}`)]));
        }),
        { numRuns: 30 },
      );
    });

    it(`F37 names the first character that ${encoding} does not have, with its line`, async () => {
      const codec = createNodeCodec(() => encoding);
      const foreign = fc.constantFrom('😀', '\u{10fffd}', 'ٱ', '\u2028');
      await fc.assert(
        fc.asyncProperty(textIn(encoding), foreign, textIn(encoding), async (head, sign, tail) => {
          fc.pre(!tableOf(labelOf(encoding)).has(sign));
          const said = await findMisfits(codec, head + sign + tail, { encoding, mark: false });
          const line = head.split(/\r\n|\r|\n/).length;
          const shown = sign === '\u2028' ? '⟦U+2028⟧' : sign;
          assert.equal(said, `line ${line}: '${shown}' does not fit ${encoding}`);
        }),
        { numRuns: 30 },
      );
    });
  }

  it('F37 names the others that do not fit, up to five', async () => {
    const said = (text: string) => findMisfits(createNodeCodec(), text, { encoding: 'windows1251', mark: false });
    assert.equal(await said('ж\n→ a ✓ →'), "line 2: '→' does not fit windows1251, nor do '✓'");
    assert.equal(await said('日本語のテ'), "line 1: '日' does not fit windows1251, nor do '本', '語', 'の', 'テ'");
    assert.equal(await said('日本語のテキ'), "line 1: '日' does not fit windows1251, nor do '本', '語', 'の', 'テ', …");
  });

  it('F37 believes the marks of a file more than the settings, and a document more than both', async () => {
    const marked = Buffer.from('\ufeffgrüß', 'utf8');
    const decoded = await decodeFile(
      createNodeCodec(() => 'windows1252'),
      place,
      marked,
    );
    assert.deepEqual(decoded, { ok: true, file: { text: 'grüß', encoding: 'utf8', mark: true } });
    const open = createNodeCodec(
      () => 'windows1252',
      () => true,
    );
    const shown = await decodeFile(open, place, marked);
    assert.deepEqual(shown, { ok: true, file: { text: 'ï»¿grÃ¼ÃŸ', encoding: 'windows1252', mark: false } });
  });

  it('F37 says of bytes that are no valid text what the user can do', async () => {
    const decoded = await decodeFile(createNodeCodec(), place, Buffer.from([0xcf, 0xf0, 0xe8]));
    assert.ok(!decoded.ok);
    assert.match(decoded.reason, /^not valid UTF-8, so an edit would damage it\. .*files\.encoding$/);
  });

  it('F37 gives a new file the mark that its encoding has', async () => {
    const format = (name: string) =>
      formatForNew(
        createNodeCodec(() => name),
        place,
        'x',
      );
    assert.deepEqual(await format('utf8'), { encoding: 'utf8', mark: false });
    assert.deepEqual(await format('utf8bom'), { encoding: 'utf8', mark: true });
    assert.deepEqual(await format('utf16le'), { encoding: 'utf16le', mark: true });
    assert.deepEqual(await format('koi8r'), { encoding: 'koi8r', mark: false });
  });
});
