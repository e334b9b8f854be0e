import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findRipgrep } from '../../src/files/search/find-ripgrep.ts';

/** The copy of an editor that was downloaded for the host tests, or one that is installed; often there is none. */
export async function anyRipgrep(): Promise<string | undefined> {
  const downloads = path.resolve('.vscode-test');
  const editors = await readdir(downloads).catch(() => []);
  for (const appRoot of [...editors.map((name) => path.join(downloads, name)), '/nowhere']) {
    const { platform, arch, env } = process;
    const found = await findRipgrep({ configured: '', appRoot, searchPath: env.PATH ?? '', platform, arch });
    if (found !== undefined) return found;
  }
  return undefined;
}
