import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formOf, isTelling, type TextForm, toLines, usedLines, wordsOf } from '../../../src/agent/economy-lines.ts';

describe('lines worth keeping', () => {
  const telling: [TextForm, string][] = [
    ['code', 'const maxBatch = 37;'],
    ['code', "export const queue = 'amber-otter';"],
    ['code', '    if (size > 4096) return;'],
    ['code', '  // The caller must hold the lock.'],
    ['code', 'fetch("https://mirror.example/list");'],
    ['data', '          "bucket": "kestrel",'],
    ['data', 'version = 1.2.3'],
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
    ['data', '    "enabled": true,'],
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

  it('knows the form of a text by its path', () => {
    const forms = ['a/b.ts', 'x.json', '.env', 'config/.env.local', 'README.md', 'LICENSE', undefined].map(formOf);
    assert.deepEqual(forms, ['code', 'data', 'data', 'data', 'prose', 'prose', 'output']);
  });
});
