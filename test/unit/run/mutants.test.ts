import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { mutants, testFile } from '../../mutants/mutants.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the list of mutants', () => {
  it('fits the source: each fault stands in one place, and its tests are there', () => {
    for (const { fault, file, from, to, seenBy } of mutants) {
      const places = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
      assert.equal(
        places,
        1,
        `${fault}: ${places} places in ${file}. When the code has moved, move the mutant with it`,
      );
      assert.notEqual(from, to);
      for (const name of seenBy) assert.ok(existsSync(path.join(root, testFile(name))), name);
    }
  });
});
