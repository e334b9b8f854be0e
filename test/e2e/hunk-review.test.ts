import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { gitIn } from '../support/git-in.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { fillShop, setShippingPrice } from './shop.ts';
import { openSourceControl } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

/** What another tool wrote: two places of a file, one line of another, a new file. */
async function fillChanges(folder: string): Promise<void> {
  await fillShop(folder);
  await setShippingPrice(folder, 'return standardCents', 'return Math.round(standardCents)');
  const cart = path.join(folder, 'src/cart.ts');
  await writeFile(cart, `${await readFile(cart, 'utf8')}// written by a script\n`);
  await writeFile(path.join(folder, 'src/notes.ts'), "export const notes = ['one'];\n");
}

describe('a review by hunk of what is uncommitted', () => {
  const session = useSession({ fillWorkspace: fillChanges });

  it('F48 needs no key, asks no model, shows hunks in place, and Undo All leads back to the last commit (anthropics/claude-code#61794)', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    const git = gitIn(folder);
    const changed = async () => {
      const [tracked, others] = [await git('diff', 'HEAD'), await git('ls-files', '--others', '--exclude-standard')];
      return tracked.stdout + others.stdout;
    };
    assert.notEqual(await changed(), '');
    await openSourceControl(session());
    await window.runCommand('svc: Review Changes by Hunk');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'All Uncommitted Changes' }).waitFor(generous);
    await window.screenshot('hunk-review-range');
    await page.keyboard.press('Enter');
    await page.locator('.multiDiffEntry').first().waitFor(generous);
    await window.screenshot('hunk-review-all');
    await window.openFile('src/shipping.ts');
    const keep = page.locator('.codelens-decoration a', { hasText: 'Keep' }).first();
    await keep.waitFor(generous);
    await window.screenshot('hunk-review-file');
    await window.runCommand('svc: Undo All Edits');
    await waitFor('the tree of the last commit', async () => (await changed()) === '', generous);
    assert.deepEqual(service.requests, []);
  });
});
