// `npm run test:all`: every test here, then the unit tests under the Node of Windows and under that of VS Code 1.106.
// `npm run test:daily`: what `npm test` runs, then a sample of those on Windows. Ends with the sum.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setDay } from '../support/effort.ts';

const root = path.resolve(import.meta.dirname, '../..');
const [kind, ...options] = process.argv.slice(2);
const runs =
  kind === 'daily'
    ? [
        ['test/run/run.ts', 'quick'],
        ['test/platforms/run.ts', 'windows-sample'],
      ]
    : [
        ['test/run/run.ts', 'all', ...options],
        ['test/platforms/run.ts', 'windows'],
        ['test/platforms/run.ts', 'node22'],
      ];
if (kind === 'daily') setDay();
const summary = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

/** A run that ends without its summary has failed. */
async function run(args: readonly string[]): Promise<readonly number[]> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    process.stdout.write(piece);
    text = (text + piece).slice(-4000);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) process.exitCode = 1;
  const counts = [...text.matchAll(summary)].at(-1)?.slice(1).map(Number) ?? [0, 0, 0];
  const [passed = 0, failed = 0, skipped = 0] = counts;
  return [passed, code !== 0 && failed === 0 ? 1 : failed, skipped];
}

const sum = [0, 0, 0];
for (const args of runs) {
  const counts = await run(args);
  for (const [at, count] of counts.entries()) sum[at] = (sum[at] ?? 0) + count;
}
console.log(`\n${sum[0]} passed, ${sum[1]} failed, ${sum[2]} skipped`);
