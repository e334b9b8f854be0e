import type { Context } from 'mocha';

/** For tests of what Windows does not have: `/bin/sh`, modes of files, signals that a program may answer. */
export function onlyPosix(this: Context): void {
  if (process.platform === 'win32') this.skip();
}
