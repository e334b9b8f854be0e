import assert from 'node:assert/strict';
import fc from 'fast-check';
import { folderText } from '../../../src/files/folder-text.ts';
import type { Files, Search, Workspace } from '../../../src/files/workspace.ts';
import { createNodeCodec } from '../../support/node-codec.ts';

const root = { name: 'w', uri: 'file:///w' };

function folder(contents: Record<string, string>) {
  const workspace: Workspace = {
    isTrusted: () => true,
    roots: () => [root],
    excludes: () => [],
    unsavedText: () => undefined,
    unsavedIn: () => [],
    codec: createNodeCodec(),
  };
  const files: Files = {
    stat: async ({ path }) => ({ kind: 'file', sizeBytes: Buffer.byteLength(contents[path] ?? '') }),
    list: async () => [],
    async *read({ path }) {
      yield Buffer.from(contents[path] ?? '');
    },
  };
  const search: Search = {
    text: async () => [],
    async files(_under, onFile) {
      for (const path of Object.keys(contents)) if (!onFile({ root, path })) return;
    },
  };
  return folderText({ workspace, files, search }, { root, path: '' }, new AbortController().signal);
}

describe('a folder as an attachment', () => {
  it('F7 X16 holds its files while they are short, and only the names of those that may hold secrets', async () => {
    const { text, whole, files } = await folder({ 'b.ts': 'let b;', 'a.ts': 'let a;', '.env': 'TOKEN=1' });
    assert.equal(text, '==> .env <==\n[not shown]\n\n==> a.ts <==\nlet a;\n\n==> b.ts <==\nlet b;');
    assert.deepEqual([whole, files], [true, 3]);
  });

  it('F7 is a list of names when it is large', async () => {
    const { text, whole } = await folder({ 'a.ts': 'x'.repeat(30_000), 'b.ts': 'y'.repeat(30_000) });
    assert.deepEqual([text, whole], ['a.ts\nb.ts', false]);
  });

  it('F7 takes a text for what it is, whatever it says', async () => {
    const { text, whole } = await folder({ 'a.txt': 'too large' });
    assert.deepEqual([text, whole], ['==> a.txt <==\ntoo large', true]);
  });

  it('F7 X22 names every file in one line and shows every text, whatever they are called and hold', async () => {
    const units = [
      'a',
      '.',
      ' ',
      '=',
      '>',
      '\n',
      '\r',
      '\0',
      '\u2028',
      '\ud800',
      '\udc00',
      '\u202e',
      '\ufeff',
      '😀',
      '__proto__',
    ];
    const odd = fc.string({ unit: fc.constantFrom(...units), minLength: 1 });
    const contents = fc.dictionary(odd, fc.oneof(odd, fc.string({ unit: 'binary' })), {
      maxKeys: 6,
      noNullPrototype: false,
    });
    await fc.assert(
      fc.asyncProperty(contents, async (files) => {
        const { text, whole, files: count } = await folder(files);
        assert.deepEqual([whole, count], [true, Object.keys(files).length]);
        const heads = text.match(/^==> .* <==$/gm) ?? [];
        assert.ok(heads.length >= count, `${heads.length} of ${count}`);
        for (const head of heads) assert.doesNotMatch(head, /[\p{Cc}\u2028\u202e]/u);
      }),
      { numRuns: 50 },
    );
  });

  it('F7 says that there are more files than are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`f${index}`, '']));
    const { text, files, more } = await folder(many);
    assert.deepEqual([files, more], [2000, true]);
    assert.match(text, /\[more than 2000 files\]$/);
  });
});
