import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatFailures, parseFailures } from '../vscode/failures.ts';

const mocha = `
  the composer
    1) offers starters
    ✔ attaches (12ms)

  1 passing (1m)
  2 failing

  1) the composer
       ux 2.12 offers starters:
     locator.click: Timeout 30000ms exceeded.
Call log:
\u001b[2m  - waiting for getByRole('list')\u001b[22m
      at clearChips (test/e2e/composer.test.ts:42:61)

  2) the composer
       in a window
         "before each" hook for "S21 says: no":

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
+ actual - expected
`;

describe('the list of failed tests', () => {
  it('is read out of the summary of mocha, with titles in full', () => {
    assert.deepEqual(parseFailures(mocha), [
      { title: 'the composer ux 2.12 offers starters', error: 'locator.click: Timeout 30000ms exceeded.' },
      {
        title: 'the composer in a window "before each" hook for "S21 says: no"',
        error: 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
      },
    ]);
  });

  it('is read out of what the host suite prints', () => {
    const output = '  ✓ one (3 ms)\n  ✗ keys two\nError: waited 20 ms\n    at x\n1 passed, 1 failed, 0 skipped\n';
    assert.deepEqual(parseFailures(output), [{ title: 'keys two', error: 'Error: waited 20 ms' }]);
  });

  it('is the closing list alone when there is one: what passed when it was run again is not in it', () => {
    const failures = [{ title: 'a second test', error: 'Error: still' }];
    assert.deepEqual(parseFailures(`${mocha}${formatFailures(failures)}\n\n3 passed, 1 failed, 0 skipped\n`), failures);
    assert.deepEqual(parseFailures(`${mocha}${formatFailures([])}\n`), []);
  });
});
