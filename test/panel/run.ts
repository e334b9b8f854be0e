import { glob } from 'node:fs/promises';
import path from 'node:path';
import Mocha from 'mocha';
import { formatCounts } from '../vscode/counts.ts';
import { closeShared } from './panel-page.ts';

// `node test/panel/run.ts [--grep TEXT]`: the panel in a real browser. Ends with the counts.
const folder = import.meta.dirname;
const grepAt = process.argv.indexOf('--grep');
const grep = grepAt > 0 ? process.argv[grepAt + 1] : undefined;
const mocha = new Mocha({ timeout: 180_000, reporter: 'dot', ...(grep !== undefined && { grep }) });
mocha.rootHooks({ afterAll: closeShared });
for await (const file of glob('*.test.ts', { cwd: folder })) mocha.addFile(path.join(folder, file));
await mocha.loadFilesAsync();
const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
  const runner = mocha.run(() => resolve(runner.stats));
});
const { passes = 0, failures = 1, pending = 0 } = stats ?? {};
console.log(formatCounts({ passed: passes, failed: failures, skipped: pending }));
process.exitCode = failures > 0 ? 1 : 0;
