import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { wineFaults } from '../../platforms/wine-faults.ts';
import { testsByFile } from '../../run/import-graph.ts';
import { projectRoot } from '../../run/pool.ts';

const run = promisify(execFile);

/** Full titles of the tests in these files, of which none is run. */
async function titlesIn(files: readonly string[]): Promise<readonly string[]> {
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const options = ['--no-config', '--dry-run', '--reporter', 'json'];
  const { stdout } = await run(process.execPath, [mocha, ...options, ...files], {
    cwd: projectRoot,
    maxBuffer: 2 ** 26,
  });
  const { tests } = JSON.parse(stdout) as { tests: readonly { fullTitle: string }[] };
  return tests.map(({ fullTitle }) => fullTitle);
}

describe('what is left out under wine', () => {
  it('begins with titles that tests have', async () => {
    const byFile = Object.assign({}, ...wineFaults.map(({ titles }) => titles)) as Record<string, readonly string[]>;
    const titles = await titlesIn(Object.keys(byFile).map((file) => `test/unit/${file}`));
    const stale = wineFaults
      .flatMap(({ titles: named = {} }) => Object.values(named).flat())
      .filter((begin) => !titles.some((title) => title.startsWith(begin)));
    assert.deepEqual(stale, []);
  });

  it('needs what tests load', () => {
    const tests = testsByFile();
    const unused = wineFaults.flatMap(({ needing = [] }) => needing).filter((name) => !tests.has(name));
    assert.deepEqual(unused, []);
  });
});
