import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { someOf, times } from '../../support/effort.ts';
import { entryNames } from './entries.ts';

/**
 * Of the processor, not of the clock. Several megabytes go through each way in, which takes up to 15 seconds, or a quarter of
 * both in `npm test`; what grows with the square of the text would take hours, or a sixteenth of that.
 */
const maxCpuSeconds = times(30, 90);

describe('text that others wrote', () => {
  for (const name of someOf(entryNames, 5)) {
    it(`X41 X49 X50 does not keep the host busy: ${name}`, function () {
      if (process.platform === 'win32') this.skip();
      this.timeout(10 * 60_000);
      const program = fileURLToPath(new URL('entries.ts', import.meta.url));
      const run = spawnSync(
        '/bin/sh',
        ['-c', `ulimit -t ${maxCpuSeconds}; exec "$@"`, 'sh', process.execPath, program, name],
        {
          encoding: 'utf8',
        },
      );
      assert.deepEqual([run.status, run.signal], [0, null], run.stderr);
    });
  }
});
