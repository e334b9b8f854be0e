import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };
const inShipping = {
  name: 'report_finding',
  arguments: {
    path: 'src/shipping.ts',
    quote: 'const freeFromCents = 5900;',
    line: 3,
    severity: 'warning',
    title: 'The limit is not what the tests say',
    why: 'Customers were promised free shipping from 49 euros.\nSee [the shop](https://shop.example/?k) ![](https://x.example/?k)',
    replacement: 'const freeFromCents = 4900;',
  },
};
const inNotes = {
  name: 'report_finding',
  arguments: {
    path: 'src/notes.ts',
    quote: 'export const last = notes[notes.length];',
    line: 2,
    severity: 'error',
    title: 'Reads behind the end',
    why: 'The last index is `notes.length - 1`, so this is always undefined.',
    last: true,
  },
};

describe('a review as comments', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off' },
    fillWorkspace: async (folder) => {
      await fillShop(folder);
      await appendFile(
        path.join(folder, 'src/notes.ts'),
        "export const notes = ['one'];\nexport const last = notes[notes.length];\n",
      );
    },
  });

  it('F33 U12 tells its price, puts the worst first at its lines, fixes for nothing, and reviews only what is new', async function () {
    this.timeout(400_000);
    const { service, window, folder } = session();
    const { page } = window;
    await openChat(session());
    await enterKey(session());
    service.reset();
    service.script({ replies: [{ toolCalls: [inShipping, inNotes] }] });
    const before = service.balanceMicroUsd();
    await window.runCommand('svc: Review Uncommitted Changes');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'All Uncommitted Changes' }).waitFor(generous);
    const told = await textOf(rows.filter({ hasText: 'All Uncommitted Changes' }));
    assert.match(told, /2 files.*≈ \$0\.00\d\d for one request, at most \$0\.0300/);
    await window.screenshot('review-pick');
    await page.keyboard.press('Enter');
    await window.notification(/2 findings in 2 files/);
    const billed = before - service.balanceMicroUsd();
    const bill = `$${(billed / 1e6).toFixed(4)}`;
    const message = (await window.notifications()).find((text) => text.includes('2 findings')) ?? '';
    assert.ok(message.endsWith(bill), `${message} beside ${bill}`);
    assert.equal(chatRequests(session()).length, 1);
    await window.screenshot('review-told');
    await window.pressNotificationButton('Show First', /2 findings/);
    const thread = page.locator('.review-widget');
    await thread.getByText('Reads behind the end').waitFor(generous);
    await thread.getByText('Error · 1 of 2').waitFor(generous);
    await window.screenshot('review-first');
    await window.runCommand('svc: Go to Next Finding');
    await thread.getByText('The limit is not what the tests say').waitFor(generous);
    assert.equal(await thread.locator('a[href], a[data-href], img').count(), 0, 'no link and no picture of the model');
    await window.screenshot('review-second');
    for (const theme of ['Dark Modern', 'Dark High Contrast']) {
      await window.setTheme(theme);
      await window.screenshot(`review-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await window.setTheme('Light Modern');
    // Without a mouse.
    await window.runCommand('svc: Fix Finding');
    const editor = page.locator('.editor-group-container.active .monaco-editor').first();
    await waitFor(
      'the fix in the file',
      async () => (await textOf(editor.locator('.view-lines'))).includes('freeFromCents = 4900;'),
      generous,
    );
    await thread.getByText('Warning · 2 of 2 · Fix pending').waitFor({ ...generous, state: 'attached' });
    await window.screenshot('review-fixed');
    assert.match(await readFile(path.join(folder, 'src/shipping.ts'), 'utf8'), /= 5900;/, 'nothing is saved by it');
    assert.equal(before - service.balanceMicroUsd(), billed, 'the fix cost nothing');
    await window.runCommand('svc: Undo Edit');
    await window.runCommand('svc: Dismiss Finding');
    await waitFor('one thread less', async () => (await thread.getByText('The limit is not').count()) === 0, generous);
    await window.runCommand('svc: Review Uncommitted Changes');
    const again = rows.filter({ hasText: 'All Uncommitted Changes' });
    await again.getByText('reviewed before').waitFor(generous);
    await page.keyboard.press('Escape');
    await window.reload();
    await window.openFile('src/notes.ts');
    await window.runCommand('svc: Go to Next Finding');
    await thread.getByText('Reads behind the end').waitFor(generous);
    await thread.getByText('Error · 1 of 1').waitFor(generous);
    await window.screenshot('review-reloaded');
  });
});
