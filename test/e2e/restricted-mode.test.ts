import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'mocha';
import { type LocalService, startLocalService } from '../service/local-service.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { pressAction } from './action-list.ts';
import { callOther } from './call-other.ts';
import { chatIn, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { instructionFiles, instructionSentences, promptFile } from './instruction-files.ts';
import { askNativeChat, nativeChat } from './native-chat.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };

describe('a folder that is not trusted', () => {
  let evil: LocalService | undefined;
  const session = useSession({
    workspaceTrust: true,
    otherExtensions: [path.join(import.meta.dirname, 'caller-extension')],
    async fillWorkspace(folder) {
      evil = await startLocalService();
      await copySampleWorkspace(folder);
      await mkdir(path.join(folder, '.vscode'), { recursive: true });
      await writeFile(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'svc.baseUrl': evil.baseUrl }));
      await writeFiles(folder, { ...instructionFiles, [promptFile.path]: promptFile.text });
    },
  });
  after(() => evil?.close());

  it('X34 X14 F21 chats without tools and without any rules of the folder, at the address of the user', async () => {
    const { service } = session();
    const { frame } = await openChat(session());
    await enterKey(session());
    await frame.getByText("Restricted Mode: the model can't read files").waitFor();
    const chat = await chatIn(session());
    await chat.ask('What does src/shipping.ts do?');
    await chat.finishedAnswer();
    const [body, ...others] = service.requests
      .map((request) => Object(request.json))
      .filter((json) => Array.isArray(json.messages));
    assert.deepEqual(others, []);
    assert.equal(body.tools, undefined);
    for (const sentence of instructionSentences) assert.ok(!JSON.stringify(body).includes(sentence), sentence);
    assert.doesNotMatch(JSON.stringify(body), /Rule (?:one|two|three|four|five|six|seven|eight)|freeFromCents/);
    assert.deepEqual(evil?.requests, []);
  });

  it('X34 F27 F29 models answer other extensions, and no tool of ours runs for them', async function () {
    this.timeout(240_000);
    const { service } = session();
    service.script({ replies: [{ text: 'Answered.' }] });
    const answered = await callOther(session(), 'Caller: Ask Models', { prompts: ['Anything?'] });
    assert.deepEqual(answered, { models: 7, replies: ['Answered.'] });
    const read = { name: 'svc_read_file', input: { path: 'src/shipping.ts' } };
    assert.match(String(await callOther(session(), 'Caller: Use Tool', read)), /^failed: .*Restricted Mode/);
  });

  it('X34 F22 code actions ask about the selection, without tools', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'Explained in Restricted Mode.' }] });
    await window.openFile('src/discounts.ts');
    const editor = window.page.locator('.editor-group-container.active');
    const entry = window.page.locator('.action-widget').getByText('svc: Explain', { exact: true });
    await waitFor('the code actions', async () => {
      await window.page.keyboard.press('Escape');
      await editor.locator('.view-line').getByText('WELCOME').click({ clickCount: 3, timeout: 3000 });
      await editor.locator('.selected-text').first().waitFor({ state: 'attached', timeout: 3000 });
      await window.page.keyboard.press('Control+.');
      await entry.waitFor({ timeout: 5000 });
      return true;
    });
    await window.screenshot('restricted-code-actions');
    await pressAction(entry);
    const chat = await chatIn(session());
    await chat.frame.getByText('Explained in Restricted Mode.').waitFor(generous);
    await chat.finishedAnswer();
    const [asked, ...others] = chatRequests(session());
    assert.deepEqual(others, []);
    assert.match(JSON.stringify(asked?.messages.at(-1)), /Explain this code/);
    assert.match(JSON.stringify(asked?.messages.at(-1)), /WELCOME/);
    assert.equal(asked?.tools, undefined);
    assert.deepEqual(evil?.requests, []);
  });

  it("X34 F28 @svc answers in VS Code's own chat, without tools and rules of the folder", async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'Answered without looking.' }] });
    await askNativeChat(session(), '@svc What does src/shipping.ts do?');
    await nativeChat(session()).getByText('Answered without looking.').first().waitFor(generous);
    await window.screenshot('restricted-participant');
    const [asked, ...others] = chatRequests(session());
    assert.deepEqual(others, []);
    assert.equal(asked?.tools, undefined);
    for (const sentence of instructionSentences) assert.ok(!JSON.stringify(asked).includes(sentence), sentence);
    assert.doesNotMatch(JSON.stringify(asked), /freeFromCents/);
    assert.deepEqual(evil?.requests, []);
    await openChat(session());
  });

  it('F21 X12 neither its prompt files are commands nor its rules listed', async () => {
    const chat = await chatIn(session());
    await chat.message.pressSequentially('/ti');
    await chat.message.press('Escape');
    assert.equal(await chat.frame.getByRole('option').filter({ hasText: 'Tidies a file' }).count(), 0);
    await chat.message.fill('');
    await session().window.runCommand('svc.showCustomizations');
    await session().window.notification(/No instruction files such as AGENTS.md were found/);
  });

  it('X14 the key stays with its address: the panel says so, and it can be removed', async () => {
    const { service, window } = session();
    const before = service.requests.length;
    await window.runCommand('svc.setBaseUrl');
    const { input, widget } = window.quickInput;
    await input.fill(service.baseUrl.replace('127.0.0.1', 'localhost').replace(/:\d+/, ':1'));
    await input.press('Enter');
    await widget.getByText('press Enter again to save it anyway').waitFor();
    await input.press('Enter');
    const chat = await chatIn(session());
    await chat.frame
      .getByText(`belongs to ${new URL(service.baseUrl).origin} and is never sent anywhere else`)
      .waitFor();
    await window.runCommand('svc.removeApiKey');
    await window.quickPick('Remove API Key');
    await chat.frame.getByText('No API key is set').waitFor();
    assert.equal(service.requests.length, before);
  });

  it('S2 the picker says that the service was not reached and where its list is from', async () => {
    const { window } = session();
    await window.runCommand('svc.selectModel');
    const { input, labels, cancel } = window.quickInput;
    await waitFor('what the picker says', async () =>
      /Showing the models that the service publishes/.test((await input.getAttribute('placeholder')) ?? ''),
    );
    assert.equal((await labels()).length, 7);
    await cancel();
  });
});
