import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { claimedChange } from '../../../../src/chat/turn-facts/claimed-change.ts';
import { claims } from './claims.ts';

const packages = path.resolve(import.meta.dirname, '../../../../node_modules');

function* readmes(): Generator<string> {
  const names = readdirSync(packages).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(packages, name)).map((one) => `${name}/${one}`) : [name],
  );
  for (const name of names) {
    for (const file of ['README.md', 'readme.md', 'CHANGELOG.md']) {
      try {
        yield* readFileSync(path.join(packages, name, file), 'utf8').split(/\n\s*\n/);
      } catch {
        // Not every package has one.
      }
    }
  }
}

describe('an answer that claims a change', () => {
  for (const text of claims.claimed) {
    it(`F45 ${JSON.stringify(text)} does`, () => assert.ok(claimedChange(text)));
  }

  for (const text of claims.notClaimed) {
    it(`F45 ${JSON.stringify(text)} does not`, () => assert.equal(claimedChange(text), undefined));
  }

  it('F45 nothing that people wrote about their packages counts as one', () => {
    const all = [...readmes()];
    assert.ok(all.length > 3000, `${all.length} paragraphs`);
    assert.deepEqual(all.filter(claimedChange), []);
  });

  it('F45 names what was claimed, without what stands around it', () => {
    assert.deepEqual(claimedChange("I've moved `helpers.ts` to src/shared/helpers.ts."), [
      'helpers.ts',
      'src/shared/helpers.ts',
    ]);
  });
});
