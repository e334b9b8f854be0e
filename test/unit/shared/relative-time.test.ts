import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { relativeTime } from '../../../src/shared/relative-time.ts';

describe('relative time', () => {
  it('ux 2.13 is short, in the largest unit that fits, and never of the future', () => {
    const minute = 60_000;
    const day = 24 * 60 * minute;
    const ages = [-day, 0, 59_000, minute, 59 * minute, 60 * minute, day, 3 * day, 8 * day, 40 * day, 400 * day];
    assert.deepEqual(
      ages.map((age) => relativeTime(1e12 - age, 1e12, 'en')),
      [
        'now',
        'now',
        'now',
        '1 min. ago',
        '59 min. ago',
        '1 hr. ago',
        'yesterday',
        '3 days ago',
        'last wk.',
        'last mo.',
        'last yr.',
      ],
    );
    assert.equal(relativeTime(1e12 - 3 * day, 1e12, 'de'), 'vor 3 Tagen');
  });
});
