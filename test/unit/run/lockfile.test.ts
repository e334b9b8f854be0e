import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

interface Locked {
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
}

describe('the lockfile', () => {
  it('names the hash of every package, those of other platforms too', () => {
    const { packages } = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as {
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
});
