import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeTempDir } from '../support/temp-dir.ts';
import { buildExtension } from '../vscode/build-extension.ts';
import { addCounts, type Counts, formatCounts, noCounts } from '../vscode/counts.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { parseVsCodeVersion, type VsCodeVersion, vsCodeVersions } from '../vscode/get-vscode.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { bundleSuite } from './bundle-suite.ts';
import { runInHost } from './run-in-host.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const { values } = parseArgs({
  options: { version: { type: 'string' }, grep: { type: 'string' }, extension: { type: 'string' } },
});

/** Runs the suite in one release; what the window logs beside it goes to `out/host-<version>.log`. A run that died is one failed test: it must not look like an empty success. */
async function runIn(version: VsCodeVersion, extensionTestsPath: string): Promise<Counts> {
  console.log(`\nExtension host of VS Code ${version}`);
  const temp = await makeTempDir('svc-host-');
  const log: string[] = [];
  try {
    const folder = await copySampleWorkspace(path.join(temp.path, 'workspace'));
    const { exitCode, counts } = await runInHost({
      launch: { version, folder, cleanHome: true, env: { SVC_TEST_GREP: values.grep } },
      extensionDevelopmentPath: path.resolve(values.extension ?? projectRoot),
      extensionTestsPath,
      onLine: (line, printed) => (printed ? console.log(line) : log.push(line)),
    });
    if (counts === undefined) throw new Error(`the suite ended with code ${exitCode} and without a result`);
    return counts;
  } catch (error) {
    console.log(`  ✗ VS Code ${version}: ${error instanceof Error ? error.message : String(error)}`);
    return { ...noCounts, failed: 1 };
  } finally {
    await temp.remove();
    await mkdir(path.join(projectRoot, 'out'), { recursive: true });
    await writeFile(path.join(projectRoot, `out/host-${version}.log`), log.join('\n'));
  }
}

async function main(): Promise<void> {
  const wanted = parseVsCodeVersion(values.version);
  if (values.extension === undefined) await buildExtension();
  const extensionTestsPath = await bundleSuite();
  let total = noCounts;
  for (const version of wanted === undefined ? vsCodeVersions : [wanted]) {
    total = addCounts(total, await runIn(version, extensionTestsPath));
  }
  console.log(`\n${formatCounts(total)}`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

exitOnSignal();
await main();
