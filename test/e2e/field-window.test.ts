import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests } from './chat-requests.ts';
import { askFor, edit } from './scripted-calls.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 60_000 };

/** What users of other assistants reported of windows, with the value that was held to be right beforehand. */
describe('public reports, tried in a window', () => {
  const session = useSession({
    viewport: { width: 1400, height: 900 },
    settings: { 'svc.edits.mode': 'apply', 'files.autoSave': 'off', 'editor.occurrencesHighlight': 'off' },
  });
  const chat = useChat(session);
  const page = () => session().window.page;
  const tabs = () => page().locator('.editor-group-container .tab .monaco-icon-label').allInnerTexts();
  const groups = () => page().locator('.editor-group-container').count();
  const inFocus = () =>
    chat().frame.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.tagName ?? '';
    });
  const sent = () => chatRequests(session()).length;
  const editTwoFiles = () =>
    askFor(session(), chat(), [
      [
        edit('src/discounts.ts', '  STAFF: 25,', '  STAFF: 30,'),
        edit('src/shipping.ts', 'const freeFromCents = 4900;', 'const freeFromCents = 5900;'),
      ],
    ]);

  it('F14 files that the model edits open no tab and take no focus (anthropics/claude-code#25018)', async function () {
    this.timeout(240_000);
    await session().window.openFile('README.md');
    const before = await tabs();
    await chat().message.focus();
    await editTwoFiles();
    assert.deepEqual([await tabs(), await groups()], [before, 1]);
    assert.equal(await inFocus(), 'Message');
  });

  it('F11 a draft outlives a look at an earlier conversation (microsoft/vscode#322890, microsoft/vscode#324916)', async function () {
    this.timeout(240_000);
    session().service.script({ replies: [{ text: 'Earlier answer.' }] });
    await chat().ask('An earlier question');
    await chat().finishedAnswer();
    await session().window.runCommand('svc.newChat');
    await chat().frame.getByText('What are you working on?').waitFor();
    await chat().message.fill('Half a thought');
    await session().window.runCommand('svc.openConversation');
    await session().window.quickPick('An earlier question');
    await chat().frame.getByText('Earlier answer.').waitFor(generous);
    const carried = await chat().message.inputValue();
    await session().window.runCommand('svc.newChat');
    await chat().frame.getByText('What are you working on?').waitFor();
    await waitFor('the draft', async () => (await chat().message.inputValue()) === 'Half a thought', generous);
    assert.equal(carried, '');
    await chat().message.fill('');
  });

  it('F7 a slash within words opens no list, and a path at the beginning is text (intellibar/main#72, apache/maka#1100)', async function () {
    this.timeout(240_000);
    await chat().message.focus();
    await page().keyboard.type('duck and/or goose, b/w');
    assert.equal(await chat().frame.getByRole('listbox').count(), 0);
    await chat().message.fill('');
    session().service.script({ replies: [{ text: 'It is.' }] });
    await page().keyboard.type('/usr/bin/env is missing');
    await page().keyboard.press('Enter');
    await chat()
      .frame.getByRole('article', { name: 'You' })
      .filter({ hasText: '/usr/bin/env is missing' })
      .waitFor(generous);
    await chat().finishedAnswer();
    assert.match(JSON.stringify(chatRequests(session()).at(-1)), /\/usr\/bin\/env is missing/);
  });

  it('F7 Tab writes a command out and runs nothing (anomalyco/opencode#33058)', async function () {
    this.timeout(240_000);
    const before = sent();
    await chat().message.focus();
    await page().keyboard.type('/rev');
    await chat()
      .frame.getByRole('option', { name: /\/review/ })
      .waitFor(generous);
    await page().keyboard.press('Tab');
    await waitFor('the command', async () => (await chat().message.inputValue()) === '/review ', generous);
    assert.deepEqual([sent(), await inFocus()], [before, 'Message']);
    await chat().message.fill('');
  });

  it('U1 a picker gives the focus back: Escape to its button, Enter to the chat (microsoft/vscode#247409, intent-hq/intent#5141)', async function () {
    this.timeout(240_000);
    const button = chat().frame.getByRole('button', { name: /^Model: / });
    await button.focus();
    await page().keyboard.press('Enter');
    await chat().frame.getByRole('option').first().waitFor(generous);
    await page().keyboard.press('Escape');
    await waitFor('the focus on the button', async () => /^Model: /.test(await inFocus()), generous);
    await page().keyboard.press('Enter');
    await chat().frame.getByRole('option').first().waitFor(generous);
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await waitFor('the focus in the chat', async () => /^(?:Model: |Message)/.test(await inFocus()), generous);
    assert.equal(await chat().frame.evaluate(() => document.hasFocus()), true);
  });
});
