import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { attackRows, withTable } from '../../mutants/attacks.ts';

describe('the lines of attacks', () => {
  it('each have a test, and a fault that it was seen to notice', () => {
    const rows = attackRows();
    assert.ok(rows.length >= 52, `${rows.length}`);
    for (const { code, tests, seen } of rows) {
      assert.ok(tests.length > 0, `${code} has no test`);
      assert.ok(seen.length > 0, `nothing shows that the tests of ${code} would notice: add a fault to test/mutants`);
    }
  });

  it('stand in docs/attacks.md as they are', () => {
    const text = readFileSync(new URL('../../../docs/attacks.md', import.meta.url), 'utf8');
    assert.equal(text, withTable(text), 'npm run attacks writes it');
  });
});
