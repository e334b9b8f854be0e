import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  formOf,
  isTelling,
  namingLines,
  type TextForm,
  toLines,
  usedLines,
  wordsOf,
} from '../../../src/agent/economy/lines.ts';

describe('lines worth keeping', () => {
  const telling: [TextForm, string][] = [
    ['code', 'const maxBatch = 37;'],
    ['code', "export const queue = 'amber-otter';"],
    ['code', '    if (size > 4096) return;'],
    ['code', '  // The caller must hold the lock.'],
    ['code', 'fetch("https://mirror.example/list");'],
    ['code', "          label: 'amber-otter',"],
    ['code', "    case 'svc.model':"],
    ['code', '   * The host behind this is called kestrel-drop.'],
    ['prose', 'Set the profile to `quiet` first.'],
    ['output', 'WARNING fixture is out of date'],
    ['data', '          "bucket": "kestrel",'],
    ['data', 'version = 1.2.3'],
    ['data', '    "hosts": ["kestrel", "localhost"],'],
    ['data', '      "kestrel",'],
    ['data', 'export RELAY=kestrel'],
    ['data', '  region: kestrel # for now'],
    ['prose', 'Releases must be tagged.'],
    ['output', 'TypeError: x is not a function'],
    ['output', 'listening on 127.0.0.1:8123'],
    ['output', 'Exit code 1 after 2 s.'],
  ];
  const dull: [TextForm, string][] = [
    ['code', '    return next(value);'],
    ['code', '      type: "object",'],
    ['code', 'for (let i = 0; i < n; i++) {'],
    ['code', '// then the next one'],
    ['code', "import { open } from 'node:fs/promises';"],
    ['code', ' * @see https://example.org/docs/Array'],
    ['code', '    setTimeout(next, 1000);'],
    ['code', '   * The function is called when the value changes.'],
    ['data', '    "enabled": true,'],
    ['data', '  strict: false'],
    ['data', '  "paths": {'],
    ['prose', 'It is a small library.'],
    ['output', '  ✓ parses a date (124ms)'],
  ];
  for (const [form, text] of telling) {
    it(`U13 keeps ${form}: ${text.trim()}`, () => {
      const [line] = toLines(text);
      assert.ok(line && isTelling(line, form));
    });
  }
  for (const [form, text] of dull) {
    it(`U13 lets go of ${form}: ${text.trim()}`, () => {
      const [line] = toLines(text);
      assert.ok(line && !isTelling(line, form));
    });
  }

  it('U13 does not take the number of a line for a value in it', () => {
    const [line] = toLines('4821\t    return next(value);');
    assert.deepEqual(line, { number: 4821, text: 'return next(value);', indent: 4 });
    assert.ok(line && !isTelling(line, 'code'));
  });

  it('U13 counts a line as used only when few lines hold the word', () => {
    const lines = toLines(['renderTree(a)', 'renderTree(b)', 'renderTree(c)', 'reconcileChildren(d)'].join('\n'));
    assert.deepEqual([...usedLines(lines, wordsOf('see renderTree and reconcileChildren'))], [3]);
  });

  it('U13 keeps a name in kebab case that few lines hold, also where nothing else speaks for its line', () => {
    const texts = [
      '// amber-otter is the only caller of this.',
      'throw new Error("dusky-lynx is gone");',
      'The staging host is hollow-newt.',
      '  margin-top: 4px;',
      '  margin-top: 8px;',
      '  margin-top: 0;',
      "import { open } from 'left-pad';",
      'const next = total-used;',
      'see docs/style-guide.md and --dry-run',
    ];
    assert.deepEqual([...namingLines(toLines(texts.join('\n')))], [0, 1, 2, 7]);
    const many = Array.from({ length: 40 }, (_, index) => `name-${'abcdefghij'[index % 10]}${index}`);
    assert.equal(namingLines(toLines(many.join('\n'))).size, 12, 'no result becomes a list of its names');
  });

  it('U13 takes no time over a line made to be slow', () => {
    for (const text of [
      `'${'@'.repeat(100_000)}`,
      'a.'.repeat(100_000),
      `'${'a-'.repeat(100_000)}`,
      'export '.repeat(50_000),
      'a-'.repeat(100_000),
      `a: ${'b'.repeat(10)}${'-'.repeat(100_000)}`.slice(3),
    ]) {
      const [line] = toLines(text);
      for (const form of ['code', 'data', 'prose', 'output'] as const)
        assert.equal(line && isTelling(line, form), false);
    }
  });

  it('knows the form of a text by its path', () => {
    const forms = ['a/b.ts', 'x.json', '.env', 'config/.env.local', 'README.md', 'LICENSE', undefined].map(formOf);
    assert.deepEqual(forms, ['code', 'data', 'data', 'data', 'prose', 'prose', 'output']);
  });
});
