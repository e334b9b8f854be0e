import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../vscode/build-extension.ts';
import { formatCounts, noCounts, parseCounts } from '../vscode/counts.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({ options: { grep: { type: 'string' } }, allowPositionals: true });

/** Runs mocha in plain Node, apart from this process, so that a test file that does not load is a result too. */
async function runMocha(): Promise<string> {
  const files = positionals.length > 0 ? positionals : ['test/e2e/**/*.test.ts'];
  const grep = values.grep === undefined ? [] : ['--grep', values.grep];
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--no-config', '--reporter', 'spec', '--timeout', '120000', '--exit', ...grep, ...files];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  process.once('exit', () => child.kill());
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return output;
}

exitOnSignal();
await buildExtension();
const counts = parseCounts(await runMocha()) ?? { ...noCounts, failed: 1 };
console.log(formatCounts(counts));
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
