import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

interface Locked {
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

describe('a lockfile', () => {
  for (const folder of ['', 'test/bench/clients/', 'test/bench/peers/', 'test/vscode/chromium/', 'scripts/publish/']) {
    it(`names the hash of every package, those of other platforms too, in ${folder || 'the project'}`, () => {
      const file = new URL(`../../../${folder}package-lock.json`, import.meta.url);
      const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
        packages: Record<string, Locked>;
      };
      const without = Object.entries(packages).filter(
        ([name, { integrity, link, inBundle }]) => name !== '' && !integrity && !link && !inBundle,
      );
      assert.deepEqual(
        without.map(([name]) => name),
        [],
      );
    });
  }
});
