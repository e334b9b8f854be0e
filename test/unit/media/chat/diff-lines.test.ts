import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDiff } from '../../../../media/chat/cards/diff-lines.ts';

describe('parseDiff', () => {
  it('tells added, removed and unchanged lines apart, and where a hunk begins', () => {
    assert.deepEqual(parseDiff('@@ -1,2 +7,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n'), [
      { kind: 'place', text: '7' },
      { kind: 'same', text: 'same' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'note', text: 'No newline at end of file' },
    ]);
  });

  it('X25 takes lines that look like headers inside a hunk for what they are', () => {
    const lines = parseDiff('--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/x\n+++ evil\n');
    assert.deepEqual(lines, [
      { kind: 'place', text: '1' },
      { kind: 'removed', text: '-- a/x' },
      { kind: 'added', text: '++ evil' },
    ]);
  });

  it('X25 leaves out no line after the first hunk began', () => {
    const line = fc.string().map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('+', '-', ' '), line)), (written) => {
        const lines = written.map(([sign, text]) => `${sign}${text}`);
        const parsed = parseDiff(['@@ -1 +1 @@', ...lines].join('\n'));
        assert.equal(parsed.length, lines.length + 1);
      }),
    );
  });

  it('says nothing of CRLF that every line has, and keeps one that stands alone', () => {
    assert.deepEqual(
      parseDiff('@@ -1 +1 @@\n-a\r\n+b\r').map(({ text }) => text),
      ['1', 'a', 'b'],
    );
    assert.deepEqual(
      parseDiff('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+b\n\\ No newline at end of file').map(({ text }) => text),
      ['1', 'a', 'b', 'b', 'No newline at end of file'],
    );
    assert.deepEqual(
      parseDiff('@@ -1 +1 @@\n-a\n+a\r').map(({ text }) => text),
      ['1', 'a', 'a\r'],
    );
  });

  it('shows a text that is no diff line by line', () => {
    assert.deepEqual(parseDiff('+a\n… cut here'), [
      { kind: 'added', text: 'a' },
      { kind: 'note', text: '… cut here' },
    ]);
  });
});
