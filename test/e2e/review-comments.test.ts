import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { edit } from './scripted-calls.ts';
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

describe('comments on lines', () => {
  const session = useSession({ fillWorkspace: fillShop });

  it('F33 U12 are told with their price, sent together, answered where they stand, and resolved by Keep', async function () {
    this.timeout(600_000);
    const { service, window } = session();
    const { page } = window;
    const chat = await openChat(session());
    await enterKey(session());
    service.reset();
    const answer = (id: string, text: string) => ({ name: 'answer_comment', arguments: { id, text, done: true } });
    const change = edit('src/shipping.ts', 'const standardCents = 490;', 'const standardCents = 590;');
    service.script({
      replies: [
        { toolCalls: [change] },
        { toolCalls: [answer('c1', 'It is `590` now.'), answer('c2', 'From 59 euros on.')] },
        { text: 'Both are answered.' },
      ],
    });
    await window.openFile('src/shipping.ts');
    const editor = page.locator('.editor-group-container.active .monaco-editor').first();
    const comment = async (line: string, text: string) => {
      await editor.locator('.view-line').filter({ hasText: line }).first().click(generous);
      await window.runCommand('svc: Add Comment…');
      await window.answerInputBox(text);
    };
    await comment('standardCents = 490', 'Make it 590.');
    await comment('itemsCents >= freeFromCents', 'From which sum on?');
    const threads = page.locator('.review-widget');
    await threads.getByText('c2 · Not sent').waitFor(generous);
    const bar = chat.frame.getByRole('region', { name: 'Comments' });
    await bar.getByText(/^2 comments · shipping\.ts · ≈ \$0\.00\d\d$/).waitFor(generous);
    await window.screenshot('comments-waiting');
    await bar.getByRole('button', { name: 'Send' }).click();
    const allow = chat.frame.getByRole('button', { name: /^(?:Edit with Undo|Allow Once)/ }).first();
    await allow.click(generous);
    await chat.frame.getByText('Both are answered.').waitFor(generous);
    await threads.getByText('From 59 euros on.').waitFor(generous);
    await threads.getByText('c2 · Answered').waitFor(generous);
    await threads.getByText('c1 · Changed').waitFor(generous);
    await window.setTheme('Dark Modern');
    await window.screenshot('comments-answered');
    const requests = chatRequests(session());
    const sent = messageText(requests[0]?.messages.at(-1) ?? assert.fail());
    assert.match(sent, /c1 src\/shipping\.ts:2\n```\nconst standardCents = 490;\n```\nMake it 590\./);
    assert.equal(await bar.count(), 0);
    await window.runCommand('svc: Keep All Edits');
    await threads.getByText('It is 590 now.').waitFor({ ...generous, state: 'hidden' });
    await threads.getByText('c2 · Answered').waitFor(generous);
  });
});

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
    this.timeout(600_000);
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
    // Decided, it needs no more room.
    await thread.getByText('The limit is not what the tests say').waitFor({ ...generous, state: 'hidden' });
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
