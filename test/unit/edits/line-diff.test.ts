import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { formatDiff } from '../../../src/edits/apply/edit-diff.ts';
import { diffLineHunks, splitLines } from '../../../src/edits/apply/line-diff.ts';
import { writeOutInvisible } from '../../../src/shared/invisible-signs.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 30 }).map((lines) => lines.join('\n'));

describe('edits/line-diff', () => {
  it('F14 hunks turn one text into the other and never touch', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const before = splitLines(one);
        const after = splitLines(other);
        assert.equal(before.join(''), one);
        const result: string[] = [];
        let at = 0;
        for (const hunk of diffLineHunks(before, after)) {
          assert.ok(at === 0 || hunk.before.start > at);
          result.push(...before.slice(at, hunk.before.start));
          assert.equal(result.length, hunk.after.start);
          result.push(...after.slice(hunk.after.start, hunk.after.start + hunk.after.count));
          at = hunk.before.start + hunk.before.count;
        }
        assert.equal([...result, ...before.slice(at)].join(''), other);
      }),
    );
  });

  it('F14 ends soon for two large texts that have nothing in common', async () => {
    const lines = (prefix: string) => Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}\n`);
    const spent = await cpuMs(() => assert.equal(diffLineHunks(lines('a'), lines('b')).length, 1));
    assert.ok(spent < 10_000, `${spent} ms`);
  });
});

describe('tools/edit-diff', () => {
  it('F14 shows hunks with three lines around them', () => {
    const before = Array.from({ length: 20 }, (_, at) => `${at + 1}\n`).join('');
    const { diff, added, removed, lines } = formatDiff(before, before.replace('5\n', 'five\n').replace('15\n', ''));
    assert.equal(
      diff,
      ['@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'].join('\n') +
        `\n${['@@ -12,7 +12,6 @@', ' 12', ' 13', ' 14', '-15', ' 16', ' 17', ' 18'].join('\n')}`,
    );
    assert.deepEqual({ added, removed, lines }, { added: 1, removed: 2, lines: '5, 15' });
  });

  it('F14 tells lines apart that differ in their end alone, and says nothing of ends that both texts have', () => {
    const noEnd = '\\ No newline at end of file';
    const table: [before: string, after: string, diff: string[]][] = [
      ['a', 'a\n', ['-a', noEnd, '+a']],
      ['a\n', 'a', ['-a', '+a', noEnd]],
      ['a\r\n', 'a\n', ['-a\r', '+a']],
      ['a', 'b', ['-a', '+b']],
      ['', 'a', ['+a']],
      ['a\r\nb\r\n', 'a\r\nc\r\n', [' a', '-b', '+c']],
    ];
    for (const [before, after, diff] of table)
      assert.deepEqual(formatDiff(before, after).diff.split('\n').slice(1), diff, JSON.stringify([before, after]));
  });

  it('F14 names only lines that the new text has', () => {
    assert.equal(formatDiff('a\nb\nc\n', 'X\na\nb\n').lines, '1, 3');
  });

  it('X25 a diff that is too long says how long it is', () => {
    const { diff, added } = formatDiff('', Array.from({ length: 5000 }, (_, at) => `${at}\n`).join(''));
    assert.equal(added, 5000);
    assert.match(diff, /… cut here: the whole diff has 5001 lines$/);
  });

  it('X22 leaves alone what people write and writes out what they cannot see', () => {
    for (const plain of ['👩‍👩‍👧', '❤️', '#️⃣', 'नमस्ते', 'می‌خواهم', 'tab\there', 'é']) {
      assert.equal(writeOutInvisible(plain), plain);
    }
    assert.equal(writeOutInvisible('a\u200bb\u202e\u0007\ufeff'), 'a⟦U+200B⟧b⟦U+202E⟧⟦U+0007⟧⟦U+FEFF⟧');
    assert.equal(writeOutInvisible(`x${String.fromCodePoint(0xe0041)}`), 'x⟦U+E0041⟧');
  });
});
