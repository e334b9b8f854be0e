import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';

interface Locked {
  integrity?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Where a package finds another one, as Node.js looks for it. */
function isFound(packages: Readonly<Record<string, Locked>>, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    if (packages[path.posix.join(at, 'node_modules', name)] !== undefined) return true;
    if (at === '') return false;
  }
}

/** npm leaves out what the system on which it wrote the file does not use, where `node_modules` was there before (npm/cli#4828). */
describe('lockfiles', () => {
  const exclude = ['**/node_modules', '**/.*', 'out', 'dist'];
  const files = globSync('{,*/,*/*/,*/*/*/}package-lock.json', { cwd: root, exclude });
  for (const file of files) {
    it(`${file} has what every platform needs, each with its hash, and what package.json asks for`, () => {
      const { packages } = read(file) as { packages: Record<string, Locked> };
      const missing = Object.entries(packages).flatMap(
        ([at, { dependencies, devDependencies, optionalDependencies }]) =>
          Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
            .filter((name) => !isFound(packages, at, name))
            .map((name) => `${at || '(root)'} needs ${name}`),
      );
      assert.deepEqual(missing, []);
      const loose = Object.entries(packages).filter(([at, { integrity, link }]) => at !== '' && !link && !integrity);
      assert.deepEqual(
        loose.map(([at]) => at),
        [],
      );
      const wanted: Locked = read(path.join(path.dirname(file), 'package.json'));
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
        assert.deepEqual(packages['']?.[kind] ?? {}, wanted[kind] ?? {});
      }
    });
  }
});
