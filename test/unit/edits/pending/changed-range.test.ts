import assert from 'node:assert/strict';
import fc from 'fast-check';
import { diffLineHunks } from '../../../../src/edits/apply/line-diff.ts';
import { changedRange } from '../../../../src/edits/pending/changed-range.ts';
import { times } from '../../../support/effort.ts';

describe('the part in which two texts differ', () => {
  const part = (old: string, now: string) => changedRange(old.split('\n'), old, now);

  it('is made of whole lines, also where one is the start or the end of another', () => {
    assert.deepEqual(part('a\nb\nc', 'a\nbb\nc'), { from: 1, to: 2, fresh: ['bb'] });
    assert.deepEqual(part('a\nb', 'a\nb\nc'), { from: 2, to: 2, fresh: ['c'] });
    assert.deepEqual(part('a\nb\n', 'a\nb'), { from: 2, to: 3, fresh: [] });
    assert.deepEqual(part('xa\nb', 'a\nb'), { from: 0, to: 1, fresh: ['a'] });
    assert.deepEqual(part('a\nb', 'a\nb'), { from: 2, to: 2, fresh: [] });
    assert.deepEqual(part('\n', '\n\n'), { from: 2, to: 2, fresh: [''] });
  });

  it('holds all hunks of the texts, where a look at every line finds them', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'b', 'aa', 'ab'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const { from, to, fresh } = changedRange(old, old.join('\n'), now.join('\n'));
        assert.deepEqual([...old.slice(0, from), ...fresh, ...old.slice(to)], now);
        const inPart = diffLineHunks(old.slice(from, to), fresh).map(({ before, after }) => ({
          before: { ...before, start: before.start + from },
          after: { ...after, start: after.start + from },
        }));
        assert.deepEqual(inPart, diffLineHunks(old, now));
        // No line is left in it that both begin with.
        assert.ok(from === to || fresh.length === 0 || old[from] !== fresh[0]);
      }),
      { numRuns: times(300, 3000) },
    );
  });
});
