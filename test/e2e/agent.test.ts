import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { type ChatMessage, messageText } from '../service/chat-request.ts';
import { isAlive } from '../support/is-alive.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { pressAction } from './action-list.ts';
import { showSteps } from './chat.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { newChat, useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };
/** Refuses what real hosts refuse: calls without results, results without calls, arguments that are no JSON. */
const strictHistory = { rules: [{ effect: { checks: ['H01' as const, 'H02' as const, 'H04' as const] } }] };

/** A command that starts another one and says under which ids both run. */
const waitScript = 'sleep 60 &\necho $$ $! > wait.pids\necho now waiting\nwait\necho never said\n';

describe('the agent', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off' },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFile(path.join(folder, 'wait.sh'), waitScript);
      await writeFile(path.join(folder, 'broken.json'), '{ "red" 1 }\n');
      await writeFile(path.join(folder, 'colours.json'), '{\n  "red": 1,\n  "blue": 2\n}\n');
    },
  });
  const chat = useChat(session);

  const inFolder = (file: string) => path.join(session().folder, file);
  const onDisk = (file: string) => readFile(inFolder(file), 'utf8');
  const requests = () => chatRequests(session());
  const approval = (tool: string): Locator =>
    chat().frame.getByRole('group', { name: `Approval needed: ${tool}`, exact: true });

  it('F14 F16 F17 E10 edits three files; one hunk rewritten by the user, one undone, all restored', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const files = ['src/cart.ts', 'src/discounts.ts', 'src/shipping.ts'] as const;
    const before = await Promise.all(files.map(onDisk));
    service.script({
      ...strictHistory,
      replies: [
        { toolCalls: files.map((file) => ({ name: 'read_file', arguments: { path: file } })) },
        {
          text: 'I change three files.',
          toolCalls: [
            edit('src/cart.ts', [
              ['const shipping = shippingCents(itemsCents);', 'const shipping = shippingCents(itemsCents - discount);'],
            ]),
            edit('src/discounts.ts', [
              ['  STAFF: 25,', '  STAFF: 30,'],
              ['  return Math.round((amountCents * percent) / 100);', '  return (amountCents * percent) / 100;'],
            ]),
            edit('src/shipping.ts', [['const freeFromCents = 4900;', 'const freeFromCents = 5900;']]),
          ],
        },
        { text: 'All three are changed.' },
        { text: 'I see that they are not any more.' },
      ],
    });
    await chat().ask('Free shipping from 59 euros, counted after the voucher.');
    const card = approval('edit_file').first();
    await card.waitFor(generous);
    assert.deepEqual(await Promise.all(files.map(onDisk)), before, 'nothing is written before the answer');
    await card.getByRole('button', { name: 'Allow in This Chat' }).click();
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /All three are changed\./);

    const results = toolResults(requests().at(-1));
    assert.equal(results.length, 6);
    for (const result of results.slice(3)) assert.match(result, /^Edited /);
    const changes = chat().frame.getByRole('region', { name: 'Changes' });
    await changes.getByText('3 files').waitFor();
    assert.match(await onDisk('src/cart.ts'), /shippingCents\(itemsCents - discount\)/);
    assert.match(await onDisk('src/discounts.ts'), /STAFF: 30,/);
    assert.match(await onDisk('src/shipping.ts'), /freeFromCents = 5900/);

    const historyTokens = async () => {
      const title = await chat().frame.locator('button.price').getAttribute('title');
      return Number(/^History: ≈ ([\d,]+)$/m.exec(title ?? '')?.[1]?.replaceAll(',', ''));
    };
    const untouched = await historyTokens();

    // The user goes on writing inside a hunk, in the editor.
    await window.openFile('src/cart.ts');
    const editor = window.page.locator('.editor-group-container.active .monaco-editor');
    await editor.locator('.view-line').filter({ hasText: 'const shipping' }).click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type(' // agreed with sales');
    await window.page.keyboard.press('Control+S');
    await waitFor('the line of the user on the disk', async () =>
      /agreed with sales/.test(await onDisk('src/cart.ts')),
    );
    await editor.locator('.codelens-decoration').getByText('Keep', { exact: true }).waitFor();

    // One of two hunks is taken back, by the lens above it.
    await window.openFile('src/discounts.ts');
    const undone = editor.locator('.view-line').filter({ hasText: 'return (amountCents' });
    await undone.waitFor();
    await pressLensAbove(editor, undone, 'Undo');
    await waitFor('the undone hunk on the disk', async () => /Math\.round/.test(await onDisk('src/discounts.ts')));
    assert.match(await onDisk('src/discounts.ts'), /STAFF: 30,/, 'the other hunk stays');

    await changes.getByRole('button', { name: 'Keep All' }).click();
    await changes.waitFor({ state: 'hidden' });
    const kept = await Promise.all(files.map(onDisk));
    assert.match(kept[0] ?? '', /shippingCents\(itemsCents - discount\); \/\/ agreed with sales\n/);
    assert.equal(kept[1], before[1]?.replace('STAFF: 25', 'STAFF: 30'));
    assert.equal(kept[2], before[2]?.replace('4900;', '5900;'));

    // What the user changed since is named and only touched when they say so.
    const restore = chat().button('Restore Files to This Point').last();
    const dialog = window.page.locator('.monaco-dialog-box');
    await restore.click();
    await dialog.waitFor();
    const asked = await dialog.innerText();
    assert.match(asked, /src\/cart\.ts: changed since; restored only with Restore All/);
    assert.match(asked, /src\/shipping\.ts: will be restored/);
    await window.pressDialogButton('Restore Unchanged');
    await waitFor('the file that only the model changed', async () => (await onDisk('src/shipping.ts')) === before[2]);
    assert.equal(await onDisk('src/cart.ts'), kept[0]);
    const restored = chat().frame.getByRole('region', { name: 'Restored' });
    await restored.getByText('2 files restored.').waitFor();
    await window.screenshot('restored');
    await restored.getByRole('button', { name: 'Undo Restore' }).click();
    await window.pressDialogButton('Restore');
    await waitFor('the restore to be undone', async () => (await onDisk('src/shipping.ts')) === kept[2]);

    await window.runCommand('svc.restoreCheckpoint');
    await window.quickPick('Free shipping from 59 euros, counted after the voucher.');
    await window.pressDialogButton('Restore All');
    await waitFor('all files as they were', async () => {
      const now = await Promise.all(files.map(onDisk));
      return now.every((text, at) => text === before[at]);
    });
    // What was restored is not asked about again.
    await changes.waitFor({ state: 'hidden' });
    // The line of the restore before stands there until this one has ended.
    await restored.getByText('3 files restored.').waitFor();
    await restored.getByRole('button', { name: 'Dismiss' }).click();
    await restored.waitFor({ state: 'hidden' });

    // The model hears of it (H18), although another chat was looked at meanwhile, and the user sees that it does.
    await newChat(session(), chat());
    await window.runCommand('svc.nextConversation');
    await chat().frame.getByRole('article', { name: 'You' }).waitFor();
    // What that adds is in the price before it is sent (U1).
    await waitFor('the note in the price', async () => (await historyTokens()) > untouched);
    await chat().ask('Where are we?');
    await chat().frame.getByText('I see that they are not any more.').waitFor(generous);
    const told = messageText(requests().at(-1)?.messages.at(-1) ?? noMessage);
    assert.match(
      told,
      /^Where are we\?\n\n.*Your changes were taken back in src\/cart\.ts, src\/discounts\.ts, src\/shipping\.ts\./s,
    );
    await chat()
      .frame.getByText(/its changes to src\/cart\.ts/)
      .waitFor();
  });

  it('F15 X27 runs an approved command; one that is denied does not run, and the model is told why', async function () {
    this.timeout(240_000);
    const { service } = session();
    service.script({
      ...strictHistory,
      replies: [
        {
          toolCalls: [
            { name: 'run_command', arguments: { command: 'echo sum-$((40 + 2)) > first.txt; cat first.txt' } },
          ],
        },
        { toolCalls: [{ name: 'run_command', arguments: { command: 'echo no > second.txt' } }] },
        { text: 'Then I leave the second one.' },
      ],
    });
    await chat().ask('Run both.');
    const card = approval('run_command');
    await card.getByText('echo sum-').waitFor(generous);
    assert.ok(!existsSync(inFolder('first.txt')), 'nothing runs before the answer');
    await card.getByRole('button', { name: /^Allow Once/ }).click();

    await card.getByText('second.txt').waitFor(generous);
    assert.equal(await onDisk('first.txt'), 'sum-42\n');
    const [first] = toolResults(requests().at(-1));
    assert.match(first ?? '', /^Exit code 0 .*\nsum-42\nFiles changed: first\.txt \(new\)$/s);
    await card.getByRole('button', { name: 'More Choices' }).click();
    await card.getByRole('button', { name: /^Deny and Tell the Model/ }).click();
    await card.getByRole('textbox').fill('That folder belongs to another team.');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();

    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /Denied/);
    assert.match(await answer.innerText(), /Then I leave the second one\./);
    const second = toolResults(requests().at(-1)).at(-1);
    assert.match(second ?? '', /denied this call; nothing was done.*That folder belongs to another team\./);
    assert.equal(requests().length, 3);
    assert.ok(!existsSync(inFolder('second.txt')));

    const { window } = session();
    const offer = chat().frame.getByRole('region', { name: 'Instruction' });
    await offer
      .getByText(/^Keep “That folder belongs to another team\.” for every chat\? Adds (?:[89]|1\d) tokens/)
      .waitFor();
    await window.screenshot('correction');
    await offer.getByRole('button', { name: 'Add to AGENTS.md' }).click();
    await window.page.getByRole('tab', { name: /^AGENTS\.md/ }).waitFor();
    await window.page.locator('.monaco-editor').getByText('- That folder belongs to another team.').waitFor();
    assert.ok(!existsSync(inFolder('AGENTS.md')), 'the user decides whether it is stored');
    await offer.waitFor({ state: 'detached' });
  });

  it('F15 T09 Stop ends a running command with all it started, at once, and keeps the text', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({
      replies: [
        { text: 'This takes a while.', toolCalls: [{ name: 'run_command', arguments: { command: 'sh wait.sh' } }] },
        { text: 'never asked for' },
      ],
    });
    await chat().ask('Wait for it.');
    await approval('run_command')
      .getByRole('button', { name: /^Allow Once/ })
      .click(generous);
    const pids = await waitFor(
      'the command to run',
      async () => {
        const ids = (await onDisk('wait.pids')).trim().split(' ').map(Number);
        return ids.length === 2 && ids.every((id) => id > 0) && ids;
      },
      generous,
    );
    assert.ok(pids.every(isAlive));
    await chat().frame.getByText('now waiting').first().waitFor();
    await chat().button('Show Terminal').click();
    await window.page.locator('.terminal-wrapper.active .xterm').waitFor(generous);

    await chat().button('Stop').click();
    // Long before the command would end by itself.
    await chat().button('Send').waitFor({ timeout: 30_000 });
    await waitFor('the processes to be gone', () => !pids.some(isAlive));
    const text = await (await chat().finishedAnswer()).innerText();
    assert.match(text, /This takes a while\./);
    assert.match(text, /Stopped/);
    assert.equal(requests().length, 1, 'no step follows');

    // All that is known of the call, in an editor (ux 2.8).
    await showSteps(await chat().finishedAnswer());
    await chat().frame.locator('details.tool > summary').last().click();
    await chat().button('Open in Editor').click();
    const page = window.page.locator('.editor-group-container.active .monaco-editor .view-lines');
    await page.getByText('"command": "sh wait.sh"').waitFor(generous);
    await page.getByText('now waiting').waitFor();
    await window.runCommand('View: Close Editor');
  });

  it('F18 a question of the model is told of where the chat is not seen, and leads to its card', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const question = { question: 'Which of the two?', options: ['The first', 'The second'] };
    service.script({
      replies: [{ toolCalls: [{ name: 'ask_user', arguments: question }] }, { text: 'Then the second.' }],
    });
    await chat().ask('Choose one.');
    const card = chat().frame.getByRole('group', { name: 'A question for you' });
    await card.waitFor(generous);
    await waitFor('the status bar', async () => /svc: 1 question/.test(await window.statusBarText()), generous);
    await window.runCommand('svc.focusApproval');
    await waitFor(
      'the focus on the card',
      () => card.evaluate((element) => element === document.activeElement),
      generous,
    );
    await card.getByRole('button', { name: 'The second' }).click();
    assert.match(await (await chat().finishedAnswer()).innerText(), /Then the second\./);
    assert.doesNotMatch(await window.statusBarText(), /question/);
  });

  it('F36 an error that the changes of a turn left is said below it, shown and, when asked, mended', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    // What reports on a language is waited for once it has reported.
    await window.openFile('broken.json');
    const problems = window.page.locator('[id="status.problems"]');
    await waitFor(
      'the error of before',
      async () => /1/.test((await problems.getAttribute('aria-label')) ?? ''),
      generous,
    );
    // Its checker looks at what is shown only.
    await window.openFile('colours.json');
    const change = (search: string, replace: string) => ({
      toolCalls: [
        { name: 'read_file', arguments: { path: 'colours.json' } },
        edit('colours.json', [[search, replace]]),
      ],
    });
    service.script({
      ...strictHistory,
      replies: [
        change('"red": 1', '"red" 1'),
        { text: 'Red is changed.' },
        change('"red" 1', '"red": 1'),
        { text: 'Red is mended.' },
      ],
    });
    await chat().ask('Change red.');
    await chat().button('Allow in This Chat').click(generous);
    const row = chat().frame.locator('.running', { hasText: '1 new error' });
    await row.waitFor(generous);
    assert.match(toolResults(requests().at(-1)).at(-1) ?? '', /New problems:\ncolours\.json:2:/);
    await row.getByRole('button', { name: 'Show', exact: true }).click();
    await window.page.locator('.markers-panel').getByText('colours.json').waitFor(generous);
    await window.screenshot('errors-left');
    await row.getByRole('button', { name: /^Fix/ }).click();
    const asked = chat().frame.getByRole('article', { name: 'You' }).last();
    await asked.getByText(/colours\.json:2:/).waitFor(generous);
    await chat().frame.getByText('Red is mended.').waitFor(generous);
    await chat().finishedAnswer();
    assert.equal(requests().length, 4);
    assert.equal(await row.count(), 1, 'of the first turn, and of no other');
    assert.equal(await row.getByRole('button').count(), 0);
    await window.page.keyboard.press('Control+J');
  });

  it('explains what is selected, from the palette and from the code actions', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({ replies: [{ text: 'It rounds.' }, { text: 'It still rounds.' }] });
    await window.openFile('src/discounts.ts');
    const { keyboard } = window.page;
    const editor = window.page.locator('.editor-group-container.active .monaco-editor');
    const selectFunction = () =>
      waitFor(
        'the selection',
        async () => {
          // A menu or hover that came up late takes the click.
          await keyboard.press('Escape');
          await editor
            .locator('.view-line')
            .filter({ hasText: 'export function discountCents' })
            .click({ timeout: 3000 });
          await keyboard.press('Home');
          for (let line = 0; line < 4; line++) await keyboard.press('Shift+ArrowDown');
          await editor.locator('.selected-text').first().waitFor({ state: 'attached', timeout: 3000 });
          return true;
        },
        generous,
      );
    const code = (await onDisk('src/discounts.ts')).split('\n').slice(6, 10).join('\n');
    assert.match(code, /^export function discountCents.*^}$/ms);

    await selectFunction();
    await window.runCommand('svc.explain');
    await chat().frame.getByText('It rounds.').waitFor(generous);
    const asked = requests()[0]?.messages.findLast(({ role }) => role === 'user');
    assert.ok(asked && messageText(asked).includes(code), JSON.stringify(asked));
    assert.ok(messageText(asked).includes('src/discounts.ts'));
    assert.match(messageText(asked), /Explain this code/);
    await chat().finishedAnswer();

    await selectFunction();
    const entry = window.page.locator('.action-widget').getByText('svc: Explain', { exact: true });
    await waitFor(
      'the code action',
      async () => {
        if (await entry.isVisible()) return true;
        await selectFunction();
        await keyboard.press('Control+.');
        await entry.waitFor({ timeout: 5000 });
        return true;
      },
      generous,
    );
    await pressAction(entry);
    await chat().frame.getByText('It still rounds.').waitFor(generous);
    const again = requests()[1]?.messages.findLast(({ role }) => role === 'user');
    assert.ok(again && messageText(again).includes('Explain this code'));
  });

  // From here on: they load the window again.
  it('F14 ux 2.9 ux 2.10 "Review Each" writes nothing; a reload keeps the proposal, and Keep still writes it', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const before = await onDisk('src/format-price.ts');
    service.script({
      ...strictHistory,
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/format-price.ts' } }] },
        {
          text: 'I change it.',
          toolCalls: [edit('src/format-price.ts', [[before.split('\n')[0] ?? '', '// reviewed']])],
        },
      ],
    });
    await chat().ask('Change the price.');
    await approval('edit_file').waitFor(generous);
    await approval('edit_file').getByRole('button', { name: 'More Choices' }).click();
    await approval('edit_file').getByRole('button', { name: 'Review Each Edit in the Diff' }).click();
    const proposal = window.page.locator('.tab').filter({ hasText: 'svc proposal' });
    await proposal.waitFor(generous);
    await window.screenshot('review-each');
    assert.equal(await onDisk('src/format-price.ts'), before);

    await window.reload();
    await chat.reopen();
    const changes = chat().frame.getByRole('region', { name: 'Changes' });
    await changes.getByText('1 file').waitFor(generous);
    await changes.getByRole('button', { name: '1 file' }).click();
    await changes.getByText('Expired').waitFor();
    assert.equal(await chat().message.inputValue(), '', 'what was sent is not sent again by a press');
    await window.screenshot('review-each-after-reload');
    assert.equal(await onDisk('src/format-price.ts'), before, 'nothing is written by itself');
    await changes.getByRole('button', { name: 'Keep src/format-price.ts' }).click();
    await waitFor('the proposal on the disk', async () =>
      (await onDisk('src/format-price.ts')).startsWith('// reviewed\n'),
    );
    await changes.waitFor({ state: 'hidden' });
  });

  it('E21 X26 H02 a reload in the middle of an approval runs nothing, says so, and the next message works', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({
      ...strictHistory,
      replies: [
        {
          text: 'First a command.',
          toolCalls: [{ name: 'run_command', arguments: { command: 'echo hi > reload.txt' } }],
        },
        { text: 'I am here again.' },
      ],
    });
    await chat().ask('Do something.');
    await approval('run_command').waitFor(generous);
    await window.reload();
    await chat.reopen();
    const expired = chat().frame.getByRole('group', { name: 'Approval expired: run_command', exact: true });
    await expired.getByText('Nothing was done.').waitFor(generous);
    assert.equal(await expired.getByRole('button').count(), 0);
    assert.equal(await approval('run_command').count(), 0);
    assert.match(await chat().frame.getByRole('log').innerText(), /First a command\./);

    await chat().ask('Are you still there?');
    await chat().frame.getByText('I am here again.').waitFor(generous);
    const sent = requests();
    assert.equal(sent.length, 2, 'the turn did not go on by itself');
    const last = sent.at(-1)?.messages ?? [];
    assert.equal(messageText(last.findLast(({ role }) => role === 'user') ?? noMessage), 'Are you still there?');
    const called = last.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
    const answered = last.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    assert.deepEqual(called, answered);
    assert.match(toolResults(sent.at(-1)).join('\n'), /not carried out|Nothing was done: the window was closed/);
    assert.ok(!existsSync(inFolder('reload.txt')));
  });
});

const noMessage: ChatMessage = { role: 'user', content: '' };

function edit(file: string, blocks: readonly (readonly [string, string])[]) {
  const edits = blocks.map(([search, replace]) => ({ search, replace }));
  return { name: 'edit_file', arguments: { path: file, edits } };
}

/**
 * Presses the lens with this title right above a line. The element itself, not its number: an editor that is still drawing
 * its lenses counts and moves them.
 */
async function pressLensAbove(editor: Locator, line: Locator, title: string): Promise<void> {
  const lenses = editor.locator('.codelens-decoration a').filter({ hasText: title });
  await waitFor(`a lens "${title}" right above the line`, async () => {
    const top = (await line.boundingBox())?.y;
    if (top === undefined) return false;
    for (const candidate of await lenses.elementHandles()) {
      const box = await candidate.boundingBox();
      if (box === null || box.y >= top || top - box.y >= box.height * 2) continue;
      await candidate.click({ timeout: 5000 });
      return true;
    }
    return false;
  });
}
