import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type BoundKey, ownKeys, readDefaultKeys, type System, systems } from '../../support/key-lists.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** Where `test/host/default-keys.ts` wants the list of this system; the suite compares it with the stored one. */
const { SVC_KEYS_OUT: out, SVC_KEYS_SYSTEM: system = 'linux' } = process.env;

/** The stored list is that of the newer release, on Linux unless told otherwise. */
const isStored = !vscode.version.startsWith('1.106.') && process.platform === 'linux';

if (isStored)
  describe('the keys of VS Code', () => {
    it('F30 ux 1.7 are all among those that ours were compared with', async function () {
      this.timeout(120_000);
      const extension = vscode.extensions.getExtension('svc.svc-assistant');
      const wanted: System = systems.find((one) => one === system) ?? 'linux';
      const keys = new Set(ownKeys(extension?.packageJSON, wanted).map(({ key }) => key));
      const read = async () => {
        await vscode.commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
        const document = vscode.window.activeTextEditor?.document;
        assert.equal(document?.uri.path.endsWith('keybindings.json'), true);
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        return readDefaultKeys(document?.getText() ?? '', keys);
      };
      if (out !== undefined) {
        await writeFile(out, JSON.stringify(await read()));
        return;
      }
      const file = path.join(extension?.extensionPath ?? '', 'test/fixtures/default-keys.json');
      const stored: BoundKey[] = JSON.parse(await readFile(file, 'utf8')).linux;
      const known = new Set(stored.map((one) => JSON.stringify(one)));
      const change = 'run `node test/host/default-keys.ts` and judge what changed';
      // A window that has just begun does not know all of its keys yet, and those of some rare editors for a long time.
      const found = await waitFor(`the stored keys: ${change}`, async () => {
        const keys = await read();
        return keys.length >= 0.9 * stored.length && keys;
      });
      assert.deepEqual(
        found.filter((one) => !known.has(JSON.stringify(one))),
        [],
        change,
      );
    });
  });
