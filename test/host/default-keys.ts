import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BoundKey, systems } from '../support/key-lists.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { buildExtension } from '../vscode/build-extension.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { bundleSuite } from './bundle-suite.ts';
import { runInHost } from './run-in-host.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const fixture = path.join(projectRoot, 'test/fixtures/default-keys.json');
/** All systems, unless some are named. */
const wanted: readonly string[] = process.argv.slice(2);

/** What VS Code takes for each system. */
const userAgents = {
  linux: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  win: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
} as const;

/**
 * Writes `test/fixtures/default-keys.json` anew: what VS Code binds to the keys that ours are, on three systems.
 */
async function main(): Promise<void> {
  await buildExtension();
  const extensionTestsPath = await bundleSuite();
  const temp = await makeTempDir('svc-keys-');
  const lists: Record<string, BoundKey[]> = JSON.parse(await readFile(fixture, 'utf8'));
  try {
    const folder = await copySampleWorkspace(path.join(temp.path, 'workspace'));
    for (const system of systems.filter((one) => wanted.length === 0 || wanted.includes(one))) {
      const out = path.join(temp.path, `${system}.json`);
      await runInHost({
        launch: {
          folder,
          cleanHome: true,
          env: { SVC_TEST_GREP: 'the keys of VS Code', SVC_KEYS_OUT: out, SVC_KEYS_SYSTEM: system },
        },
        extensionDevelopmentPath: projectRoot,
        extensionTestsPath,
        userAgent: userAgents[system],
        onEvent: (event) => event.type === 'fail' && console.log(event.detail),
      });
      lists[system] = JSON.parse(await readFile(out, 'utf8'));
    }
  } finally {
    await temp.remove();
  }
  await writeFile(fixture, `${JSON.stringify(lists, undefined, 2)}\n`);
}

exitOnSignal();
await main();
