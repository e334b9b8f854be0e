import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { conformanceTable, serviceRows, titledTests, titlesIn } from '../support/row-titles.ts';

const tests = titledTests(join(import.meta.dirname, '..'));

describe('conformance with the interface of the service', () => {
  for (const [row, says] of Object.entries(serviceRows)) {
    it(`${row} is proved by a test: ${says}`, () => {
      assert.ok(tests.some(({ rows }) => rows.includes(row)));
    });
  }

  it('the table names every row once, and a row without a test', () => {
    const table = conformanceTable(tests);
    for (const row of Object.keys(serviceRows)) {
      assert.equal(table.match(new RegExp(`^${row} `, 'gm'))?.length, 1, row);
    }
    assert.match(conformanceTable([]), /^S1 .* 0 tests .*\(no test\)$/m);
  });

  it('reads the rows off a title', () => {
    const source = [
      "it('S8 T02 a 522 is tried again', async () => {});",
      'it(`ux 2.2 S9: names it`, run);',
      "it('says nothing of S5', run);",
    ].join('\n');
    assert.deepEqual(
      titlesIn(source).map(({ rows }) => rows),
      [
        ['S8', 'T02'],
        ['ux 2.2', 'S9'],
      ],
    );
  });
});
