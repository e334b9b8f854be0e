import { spawn } from 'node:child_process';
import path from 'node:path';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** Builds `dist/` as `npm run build` does, so that no test runs what was built before. Rejects when it does not build. */
export function buildExtension(): Promise<void> {
  return runScript('esbuild.mjs');
}

/** Makes `dist/svc-assistant.vsix` as `npm run package` does; `dist/` is then the build that is shipped. */
export function packageExtension(): Promise<void> {
  return runScript('scripts/package.mts');
}

async function runScript(script: string): Promise<void> {
  const child = spawn(process.execPath, [script], { cwd: projectRoot, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${script} ended with code ${code}`);
}
