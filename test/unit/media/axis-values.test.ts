import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { axisValues } from '../../../media/spend/axis-values.ts';

describe('the values of the spend axis', () => {
  it('ux 2.16 are round amounts that hold the highest bar', () => {
    assert.deepEqual(axisValues(0), [0, 100]);
    assert.deepEqual(axisValues(1_234_567), [0, 500_000, 1_000_000, 1_500_000]);
    assert.deepEqual(axisValues(400), [0, 100, 200, 300, 400]);
  });

  it('ux 2.16 are few, evenly spaced, and leave less than one step above the highest bar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (highest) => {
        const values = axisValues(highest);
        const [, step = 0] = values;
        const last = values.at(-1) ?? 0;
        assert.ok(values.length >= 2 && values.length <= 6, String(values));
        assert.ok(last >= highest && (last - highest < step || highest === 0));
        assert.match(String(step), /^[125]0*$/);
      }),
    );
  });
});
