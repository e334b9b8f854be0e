import { spawn } from 'node:child_process';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** Builds `dist/` as `npm run build` does, so that no test runs what was built before. Rejects when it does not build. */
export async function buildExtension(): Promise<void> {
  const child = spawn(process.execPath, ['esbuild.mjs'], { cwd: projectRoot, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`the extension does not build (code ${code})`);
}
