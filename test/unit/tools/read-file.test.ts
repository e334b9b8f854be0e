import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { maxResultBytes } from '../../../src/agent/run-tool.ts';
import type { ToolOutput } from '../../../src/agent/tool.ts';
import { maxLineLength, readLines } from '../../../src/files/read-lines.ts';
import { readFile } from '../../../src/tools/read-file.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from './workspace.ts';

describe('tools/read-file', () => {
  let temp: TempDir;
  const read = (args: object, unsaved?: Record<string, string>): Promise<ToolOutput> =>
    runTool(readFile.create(openFolders({ ws: temp.path }, { unsaved })), args);

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, {
      'short.txt': 'one\ntwo\r\nthree\rfour',
      'one.txt': 'one\n',
      'empty.txt': '',
      'long.txt': Array.from({ length: 2310 }, (_, index) => `line ${index + 1}`).join('\n'),
      'wide.txt': `${'😀'.repeat(3000)}\nsecond`,
      'large.txt': `${'0123456789'.repeat(10)}\n`.repeat(100_000),
      'blank.txt': '\n'.repeat(20_000),
      'bom.txt': '\ufeffbom',
      'utf16le.txt': Buffer.from('\ufeffgrüß\nGott', 'utf16le'),
      'utf16be.txt': Buffer.from('\ufeffgrüß', 'utf16le').swap16(),
      'latin1.txt': Buffer.from('gr\xfc\xdf', 'latin1'),
      'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      'data.bin': Buffer.from([1, 2, 0, 3]),
      'dir/a.txt': 'a',
    });
  });
  after(() => temp.remove());

  it('numbers the lines of a short file, whatever ends them', async () => {
    assert.equal((await read({ path: 'short.txt' })).forModel, 'short.txt: 4 lines\n1\tone\n2\ttwo\n3\tthree\n4\tfour');
    assert.equal((await read({ path: 'one.txt' })).forModel, 'one.txt: 1 line\n1\tone');
    assert.equal((await read({ path: 'empty.txt' })).forModel, 'empty.txt is empty.');
  });

  it('H15 gives 400 lines of a long file and says how to go on', async () => {
    const lines = (await read({ path: 'long.txt' })).forModel.split('\n');
    assert.equal(lines[0], 'long.txt: lines 1–400 of 2310; read on with startLine 401');
    assert.equal(lines.length, 401);
    assert.equal(lines[400], '400\tline 400');
    const end = (await read({ path: 'long.txt', startLine: 2309 })).forModel;
    assert.equal(end, 'long.txt: lines 2309–2310 of 2310\n2309\tline 2309\n2310\tline 2310');
    const range = (await read({ path: 'long.txt', startLine: 5, endLine: 6 })).forModel;
    assert.equal(range, 'long.txt: lines 5–6 of 2310; read on with startLine 7\n5\tline 5\n6\tline 6');
  });

  for (const path of ['large.txt', 'blank.txt', 'long.txt']) {
    it(`H15 what is given of ${path} fits and its header is true`, async () => {
      const { forModel } = await read({ path, endLine: 1_000_000 });
      assert.ok(Buffer.byteLength(forModel) <= maxResultBytes);
      const [header = '', ...lines] = forModel.split('\n');
      const last = Number(/lines 1–(\d+) of/.exec(header)?.[1] ?? lines.length);
      assert.equal(lines.length, last);
      assert.match(lines.at(-1) ?? '', new RegExp(`^${last}\t`));
    });
  }

  it('H09 H15 cuts a very long line between two characters and says so', async () => {
    const { forModel } = await read({ path: 'wide.txt' });
    assert.ok(forModel.isWellFormed());
    assert.match(forModel, new RegExp(`… \\[${6000 - maxLineLength} more characters in this line\\]\n2\tsecond$`));
  });

  it('E12 reads UTF-8 and UTF-16 with their marks, and says what is not valid text', async () => {
    assert.equal((await read({ path: 'bom.txt' })).forModel, 'bom.txt: 1 line\n1\tbom');
    assert.equal((await read({ path: 'utf16le.txt' })).forModel, 'utf16le.txt: 2 lines (UTF-16LE)\n1\tgrüß\n2\tGott');
    assert.equal((await read({ path: 'utf16be.txt' })).forModel, 'utf16be.txt: 1 line (UTF-16BE)\n1\tgrüß');
    assert.match((await read({ path: 'latin1.txt' })).forModel, /no valid text/);
  });

  it('H15 refuses binary files with their kind and size', async () => {
    await assert.rejects(read({ path: 'image.png' }), /image\.png is not text \(PNG image, 7 bytes\)/);
    await assert.rejects(read({ path: 'data.bin' }), /\(binary, 4 bytes\)/);
  });

  it('reads what is open with unsaved changes, also when it is not on disk yet', async () => {
    const unsaved = { 'short.txt': 'new text', 'new.txt': 'x' };
    assert.equal(
      (await read({ path: 'short.txt' }, unsaved)).forModel,
      'short.txt: 1 line (unsaved text of the open editor)\n1\tnew text',
    );
    assert.match((await read({ path: 'new.txt' }, unsaved)).forModel, /1\tx$/);
  });

  it('F30 tells the user in sentences of its own what was read', async () => {
    const told = async (...given: Parameters<typeof read>) => (await read(...given)).forUser;
    assert.equal(await told({ path: 'one.txt' }), 'one.txt: 1 line');
    assert.equal(await told({ path: 'short.txt' }), 'short.txt: 4 lines');
    assert.equal(await told({ path: 'long.txt' }), 'long.txt: lines 1–400 of 2310');
    assert.equal(await told({ path: 'long.txt', startLine: 2309 }), 'long.txt: lines 2309–2310 of 2310');
    assert.equal(await told({ path: 'utf16be.txt' }), 'utf16be.txt: 1 line\nThe encoding is UTF-16BE.');
    assert.match((await told({ path: 'latin1.txt' })) ?? '', /\nBytes that aren't valid text are shown as \ufffd\.$/);
    const unsaved = { 'short.txt': 'new text' };
    assert.match(
      (await told({ path: 'short.txt' }, unsaved)) ?? '',
      /\nThis is the unsaved text of the open editor\.$/,
    );
  });

  it('F13 a folder is listed, as the tools of other agents for files do', async () => {
    assert.match((await read({ path: 'dir' })).forModel ?? '', /^dir:\na\.txt/);
  });

  it('answers what cannot be read with what to do instead', async () => {
    await assert.rejects(read({ path: 'nope.txt' }), /no file nope\.txt.*find_files/);
    await assert.rejects(read({ path: 'dir/a.txt/b' }), /There is no file/);
    await assert.rejects(read({ path: 'short.txt', startLine: 5 }), /has only 4 lines/);
    await assert.rejects(read({ path: 'short.txt', startLine: 3, endLine: 2 }), /endLine/);
  });

  it('F37 shows an encoding that only the editor knows as what it is, and says which', async () => {
    const codec = createNodeCodec(() => 'windows1251');
    const folder = path.join(temp.path, 'legacy');
    await writeFiles(folder, {
      'a.txt': Buffer.from([0xcf, 0xf0, 0xe8, 0x0d, 0x0a, 0x61]),
      'marked.txt': Buffer.from('\ufeffgrüß'),
      'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]),
    });
    const readLegacy = (name: string, unsaved = {}) =>
      runTool(readFile.create(openFolders({ ws: folder }, { codec, unsaved })), { path: name });
    const { forModel, forUser } = await readLegacy('a.txt');
    assert.equal(forModel, 'a.txt: 2 lines (windows1251)\n1\tПри\n2\ta');
    assert.equal(forUser, 'a.txt: 2 lines\nThe encoding is windows1251.');
    assert.equal((await readLegacy('marked.txt')).forModel, 'marked.txt: 1 line\n1\tgrüß');
    const unsaved = await readLegacy('a.txt', { 'a.txt': 'Прі' });
    assert.equal(unsaved.forModel, 'a.txt: 1 line (unsaved text of the open editor; windows1251)\n1\tПрі');
    await assert.rejects(readLegacy('image.png'), /PNG image/);
  });

  it('F37 cuts no character of two bytes in a long file, and asks for no more of it than it shows', async () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `${at} 表能ソ\\`);
    const codec = createNodeCodec(() => 'shiftjis');
    const bytes = await codec.encode(lines.join('\r\n'), 'shiftjis');
    for (const size of [7919, 65_536, bytes.length]) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      for (const first of [1, 30_000, 59_990]) {
        codec.calls = 0;
        const range = { first, last: first + 20, maxBytes: 10_000, lineOverheadBytes: 0 };
        const found = await readLines(chunks(), range, codec, { encoding: 'shiftjis', open: false });
        assert.ok(found.kind === 'text');
        assert.deepEqual(found.lines, lines.slice(first - 1, first + 20));
        assert.equal(found.total, lines.length);
        assert.equal(found.damaged, false);
        if (first === 1) assert.equal(codec.calls, 1);
      }
    }
  });

  it('gives the same lines however the file is cut into chunks', async () => {
    const unit = fc.constantFrom('a', '\r', '\n', 'é', '😀');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 40 }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const bytes = Buffer.from(text);
        const range = { first: 1, last: 100, maxBytes: 10_000, lineOverheadBytes: 0 };
        const chunks = async function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        };
        const cut = await readLines(chunks(), range, createNodeCodec(), { encoding: 'utf8', open: false });
        const expected = text.split(/\r\n|\r|\n/);
        if (expected.at(-1) === '') expected.pop();
        assert.equal(cut.kind, 'text');
        assert.deepEqual(cut.kind === 'text' && cut.lines, expected);
      }),
    );
  });
});
