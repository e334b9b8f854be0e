import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context, Runnable } from 'mocha';

/** What a machine with Git, Node.js and npm need not have, after `npm ci`. */
const programs = {
  bubblewrap: { file: '/usr/bin/bwrap', install: 'apt-get install bubblewrap' },
  Python: { file: '/usr/bin/python3', install: 'apt-get install python3' },
  LangChain: {
    file: fileURLToPath(new URL('../bench/clients/node_modules', import.meta.url)),
    install: 'npm ci --prefix test/bench/clients',
  },
} as const;

/**
 * Skips the test, or all tests of the suite whose hook this is, where the program is missing; the end of the run says how many
 * were skipped and what installs it. In CI nothing may be missing that its system has.
 */
export function skipWithout(context: Context, program: keyof typeof programs): void {
  const { file, install } = programs[program];
  // wine shows the files of the system below.
  const isOfOtherSystem = process.platform !== 'linux' && install.startsWith('apt-get');
  if (existsSync(file) && !isOfOtherSystem) return;
  if (process.env.CI && !isOfOtherSystem) throw new Error(`CI lacks ${program}: ${install}`);
  const test = context.test as (Runnable & { type?: string }) | undefined;
  const skipped = test?.type === 'hook' ? test.parent : test;
  if (skipped) Object.assign(skipped, { needs: install });
  context.skip();
}
