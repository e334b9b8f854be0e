import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatAgo } from '../../../../media/chat/controls/format.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('figures of the panel', () => {
  it('ux 2.20 says how long ago something was, in the largest unit and the words of the language', () => {
    const ago = (ms: number, locale = 'en') => formatAgo(1e12 - ms, 1e12, locale);
    assert.deepEqual(
      [0, 59_000, minute, 59 * minute, 60 * minute, day, 6 * day, 7 * day, 30 * day, 364 * day, 366 * day].map((ms) =>
        ago(ms),
      ),
      [
        ...['now', 'now', '1 min. ago', '59 min. ago', '1 hr. ago', 'yesterday', '6 days ago'],
        ...['last wk.', 'last mo.', '12 mo. ago', 'last yr.'],
      ],
    );
    assert.equal(ago(day, 'de'), 'gestern');
    assert.equal(ago(-5000), 'now', 'a clock that was put back');
  });
});
