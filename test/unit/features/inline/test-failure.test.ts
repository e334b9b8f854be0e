import assert from 'node:assert/strict';
import { describeTestFailure } from '../../../../src/features/inline/core/test-failure.ts';

describe('a test failure', () => {
  it('F25 is told with everything that the run says', () => {
    const text = describeTestFailure({
      label: 'adds shipping',
      path: 'test/cart.test.ts',
      line: 12,
      message: 'Expected values to be equal\n',
      expected: '490',
      actual: '590',
      stack: ['cartCents (src/cart.ts:9)'],
    });
    assert.equal(
      text,
      'Test: adds shipping\nReported at: test/cart.test.ts:12\n\nExpected values to be equal\n\nExpected:\n490\n\nActual:\n590\n\nStack:\ncartCents (src/cart.ts:9)',
    );
  });

  it('F25 says that it is to be run when its message is not known, as in the menu of a test', () => {
    assert.equal(
      describeTestFailure({ label: 'adds', message: '', stack: [] }),
      'Test: adds\n\nWhat it reported is not known here: run it first.',
    );
  });
});
