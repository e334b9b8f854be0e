import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey, sessionKey } from './session.ts';
import { useSession } from './use-session.ts';

const otherKey = 'sk-svc-other-e2e-0123456789abcdef';
const oneLine = (text: string) => text.replace(/[\s\u00a0]+/g, ' ');

describe('the truth about the service', () => {
  const session = useSession({ service: { keys: [sessionKey, otherKey] } });
  let chat: Chat;

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  const openWalkthrough = async () => {
    const { window } = session();
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.quickInput.type('svc Assistant');
    const title = 'Get Started with svc Assistant';
    await waitFor('the walkthrough in the list', async () => (await window.quickInput.labels())[0] === title);
    await window.quickInput.input.press('Enter');
    await window.page.getByText('Review an edit and set a spend limit').first().waitFor();
  };

  it('S17 asks before a key in a message goes out; what is removed does not, and nothing is lost on Cancel', async () => {
    const { window, service } = session();
    const sent = service.requests.length;
    await chat.message.fill(`Is ${otherKey} all right?`);
    await chat.button('Send').click();
    await window.page.getByText('This message contains an API key.').waitFor();
    await window.screenshot('key-in-message');
    await window.pressDialogButton('Cancel');
    await waitFor('the draft', async () => (await chat.message.inputValue()).includes(otherKey));
    assert.equal(service.requests.length, sent);
    service.script({ replies: [{ text: 'It is not here.' }] });
    await chat.button('Send').click();
    await window.pressDialogButton('Remove Key');
    await chat.frame.getByText('It is not here.').waitFor();
    assert.ok(service.requests.slice(sent).every(({ rawBody }) => !rawBody.includes(otherKey)));
    assert.ok(service.requests.at(-1)?.rawBody.includes('sk-svc-othe…'));
  });

  it('S17 a key in a file that the model reads is cut before it is sent, and that is said', async () => {
    const { service, folder } = session();
    await writeFile(path.join(folder, 'notes.md'), `The key is ${otherKey}.\n`);
    service.script({
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.md' } }] },
        { text: 'There is a key in it.' },
      ],
    });
    const sent = service.requests.length;
    await chat.ask('What is in notes.md?');
    await chat.frame.getByText('There is a key in it.').waitFor();
    await chat.frame.getByText('An API key stood in what was about to be sent.').waitFor();
    assert.ok(service.requests.slice(sent).every(({ rawBody }) => !rawBody.includes(otherKey)));
  });

  it('S17 tells of a key in the settings, and takes it out of them', async () => {
    const { window, folder } = session();
    const file = path.join(folder, '.vscode', 'settings.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ 'svc.model': otherKey }));
    const told = 'The setting svc.model contains an API key';
    await window.notification(told);
    await window.screenshot('key-in-settings');
    await window.pressNotificationButton('Remove Key', told);
    await window.notification('The setting was removed');
    assert.ok(!(await readFile(file, 'utf8')).includes(otherKey));
  });

  it('U8 U11 the picker and a page say what each model did here; the facts can be forgotten', async () => {
    const { window } = session();
    await window.runCommand('svc.selectModel');
    await waitFor('what was seen', async () =>
      /Last answer \d/.test(oneLine(await window.quickInput.widget.innerText())),
    );
    const groups = window.quickInput.widget.locator('.quick-input-list-separator');
    await waitFor('the groups', async () => {
      const names = await groups.allInnerTexts();
      return names.includes('Recent') && names.includes('Other Models');
    });
    await window.screenshot('model-picker');
    const current = window.quickInput.widget.locator('.monaco-list-row', { hasText: 'current' });
    await current.hover();
    await current.getByRole('button', { name: 'Set as Default for This Workspace' }).click();
    await waitFor('the default', async () =>
      oneLine(await window.quickInput.widget.innerText()).includes('default for this workspace'),
    );
    await window.quickInput.cancel();
    await window.runCommand('svc.showModels');
    const page = await window.webviewFrame('text=Fallback order');
    const text = oneLine(await page.locator('body').innerText());
    assert.match(text, /answered/);
    assert.match(text, /tool calling yes/);
    await window.screenshot('models-page');
    await window.runCommand('svc.resetLearnedFacts');
    await window.quickPick('All Models');
    await window.pressNotificationButton('Undo', 'Forgot what was learned');
  });

  it('ux 2.17 says why there are no inline suggestions, and sends nothing', async () => {
    const { window, service } = session();
    const sent = service.requests.length;
    await window.runCommand('svc.toggleInlineSuggestions');
    await window.notification("Completions as you type aren't available");
    assert.equal(service.requests.length, sent);
  });

  it('S18 the check says in plain words how things stand', async () => {
    const { window } = session();
    await window.runCommand('svc.checkService');
    const page = await window.webviewFrame('text=Service check');
    await page.getByText('Everything works as specified').waitFor();
    await window.notification('Everything works as specified');
    await window.screenshot('service-check');
    await window.pressNotificationButton('Copy Report', 'Everything works as specified');
    const editor = window.page.locator('.editor-group-container.active .view-lines');
    await waitFor('the report', async () => oneLine(await editor.innerText()).includes('service check'));
    assert.ok(!(await editor.innerText()).includes(sessionKey));
  });

  it('S19 walks through a leak, is left and gone on with, and switches to the new key', async () => {
    const { window, service } = session();
    await window.runCommand('svc.replaceLeakedKey');
    const opened = window.page.context().waitForEvent('page');
    await window.quickInput.pick('1. Create a New Key');
    await (await opened).close();
    await window.pressDialogButton('I Copied It');
    await waitFor('the list', async () => oneLine(await window.quickInput.widget.innerText()).includes('done'));
    await window.screenshot('leaked-key');
    await window.quickInput.cancel();
    await window.runCommand('svc.replaceLeakedKey');
    await waitFor('what was done', async () => oneLine(await window.quickInput.widget.innerText()).includes('done'));
    await window.quickInput.pick('2. Enter the New Key Here');
    await window.quickInput.widget.locator('input[type="password"]').waitFor();
    await window.answerInputBox(otherKey);
    await waitFor('the list again', async () =>
      oneLine(await window.quickInput.widget.innerText()).includes('4. Notify Support'),
    );
    await window.quickInput.pick('4. Notify Support');
    const editor = window.page.locator('.editor-group-container.active .view-lines');
    await waitFor('the report', async () => oneLine(await editor.innerText()).includes('sk-svc-demo…'));
    assert.ok(!(await editor.innerText()).includes(sessionKey));
    await window.quickInput.cancel();
    service.script({ replies: [{ text: 'With the new key.' }] });
    await chat.ask('Which key?');
    await chat.frame.getByText('With the new key.').waitFor();
    assert.equal(service.requests.at(-1)?.headers.authorization, `Bearer ${otherKey}`);
  });

  it('ux 1.1 S14 the walkthrough is there, and ticks what was done before it was opened', async () => {
    const { window } = session();
    // Wide enough for the drawings.
    await window.runCommand('View: Close Primary Side Bar');
    await window.runCommand('View: Hide Secondary Side Bar');
    await openWalkthrough();
    const ticked = () => window.page.locator('.getting-started-step .codicon-getting-started-step-checked').count();
    await waitFor('ticks for the key and the question', async () => (await ticked()) === 3);
    await window.page.locator('.getting-started-step', { hasText: 'Pick a model' }).click();
    await window.screenshot('walkthrough');
    await window.page.locator('.getting-started-step.expanded .monaco-button').first().click();
    await window.quickInput.widget.waitFor();
    await window.quickInput.cancel();
    await waitFor('a tick for the model', async () => (await ticked()) === 4);
  });

  // Last: the settings are a page of VS Code's own, and the first of those that is seen stands for the walkthrough.
  it('F30 the help opens, and a setting leads to its section', async () => {
    const { window } = session();
    await window.runCommand('svc: Help');
    const help = await window.webviewFrame('text=every failure: what to do, and whether it was charged');
    await help.getByRole('link', { name: 'Costs' }).click();
    await (await window.webviewFrame('text=What Stop costs')).getByRole('heading', { name: 'Limits' }).waitFor();
    await window.screenshot('help');
    await window.runCommand('svc: Open Settings');
    const row = window.page.locator('.settings-editor [data-key="svc.tools.sandbox.mode"]');
    await window.page.locator('.settings-editor .suggest-input-container').click();
    await window.page.keyboard.type(' sandbox.mode');
    await row.getByRole('link', { name: 'More' }).click();
    const commands = await window.webviewFrame('text=apt install bubblewrap');
    const heading = commands.getByRole('heading', { name: 'The sandbox' });
    await waitFor('the section at the top', async () => ((await heading.boundingBox())?.y ?? 1e6) < 300);
    await window.screenshot('help-from-setting');
  });
});
