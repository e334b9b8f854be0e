import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleSuite } from '../host/bundle-suite.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { buildExtension } from './build-extension.ts';
import { homeVariables } from './launch.ts';
import { copySampleWorkspace } from './sample-workspace.ts';

/**
 * The host suite in desktop releases, downloaded from VS Code's own server: for machines that reach it and have a display.
 * Ends with the first release in which a test failed.
 */
const versions = ['1.106.3', 'stable'];

await buildExtension();
const extensionTestsPath = await bundleSuite();
for (const version of versions) {
  const temp = await makeTempDir('svc-desktop-');
  try {
    const folder = await copySampleWorkspace(path.join(temp.path, 'workspace'));
    const home = path.join(temp.path, 'home');
    await mkdir(home);
    await runTests({
      version,
      extensionDevelopmentPath: path.resolve(import.meta.dirname, '../..'),
      extensionTestsPath,
      extensionTestsEnv: homeVariables(home),
      launchArgs: [folder, '--disable-workspace-trust', '--user-data-dir', path.join(temp.path, 'data')],
    });
  } finally {
    await temp.remove();
  }
}
