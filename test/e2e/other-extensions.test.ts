import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { callOther } from './call-other.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey } from './session.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const flash = 'svc/deepseek-v4.1-flash';
const generous = { timeout: 180_000 };

describe('other extensions', () => {
  const session = useSession({ otherExtensions: [path.join(import.meta.dirname, 'caller-extension')] });
  let chat: Chat;

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  /** Calls `svc.ask` with this argument; the caller shows what it resolves to. */
  const call = async (argument: object) => {
    const { window } = session();
    await window.runCommand('Caller: Ask svc');
    await window.answerInputBox(JSON.stringify(argument));
  };
  /** What was opened last, once it matches. */
  const result = async (of: RegExp) => {
    const editor = session().window.page.locator('.editor-group-container.active .view-lines');
    const text = await waitFor('the result', async () => {
      const shown = (await editor.innerText()).replace(/\u00a0/g, ' ').replaceAll('\n', '');
      return of.test(shown) && shown;
    });
    const parsed: unknown = JSON.parse(text);
    return parsed;
  };

  it('F4 get the answer of svc.ask with its model, its end and its price as it was billed', async () => {
    const { service, window } = session();
    service.script({
      rules: [{ match: { model: flash }, effect: { capacity: { named: true, status: 503 } } }],
      replies: [{ text: 'Asked by another extension.' }],
    });
    const before = service.charges.length;
    await call({ prompt: 'Who are you?', newConversation: true });
    const { value } = Object(await result(/Asked by another/));
    const charge = service.charges[before];
    assert.ok(charge);
    assert.deepEqual(value, {
      conversationId: value.conversationId,
      text: 'Asked by another extension.',
      model: charge.model,
      requestedModel: flash,
      stopReason: 'finished',
      totalTokens: charge.promptTokens + charge.completionTokens,
      costUsd: charge.microUsd / 1e6,
      charged: true,
    });
    assert.equal(typeof value.conversationId, 'string');
    await chat.frame.getByText('Asked by another extension.').waitFor();
    await window.screenshot('other-extension-asked');
  });

  it('F4 get the answer to their own question when it had to wait for a running turn', async () => {
    const { service } = session();
    service.script({
      rules: [{ match: { nth: 1 }, effect: { delayFirstChunkMs: 600_000 } }],
      replies: [{ text: 'Never said.' }, { text: 'The second answer.' }],
    });
    await chat.ask('Something slow.');
    await chat.button('Stop').waitFor();
    await call({ prompt: 'Mine, please.' });
    await chat.frame.getByText('Mine, please.').first().waitFor();
    await chat.button('Stop').click();
    await chat.button('Resume Queue').click();
    const { value } = Object(await result(/The second answer/));
    assert.equal(value.text, 'The second answer.');
    assert.equal(value.requestedModel, flash);
  });

  it('X16 attach what might contain secrets only with consent; without it nothing is sent and the prompt is kept', async () => {
    const { service, window, folder } = session();
    await writeFile(path.join(folder, '.env'), 'TOKEN=hunter2\n');
    const dialog = window.page.locator('.monaco-dialog-box').getByText('.env might contain secrets. Attach it?');
    const sent = service.requests.length;
    await call({ prompt: 'What is in it?', attachments: ['.env'] });
    await dialog.waitFor();
    await window.pressDialogButton('Cancel');
    await waitFor('the draft', async () => (await chat.message.inputValue()) === 'What is in it?');
    assert.equal(service.requests.length, sent);
    await chat.message.fill('');
    service.script({ replies: [{ text: 'A token.' }] });
    await call({ prompt: 'And now?', attachments: ['.env'] });
    await dialog.waitFor();
    await window.pressDialogButton('Attach');
    await chat.frame.getByText('A token.').waitFor();
    assert.match(service.requests.at(-1)?.rawBody ?? '', /TOKEN=hunter2/);
  });

  it('X37 are told what is wrong with their argument', async () => {
    await call({ prompt: 5 });
    const { error } = Object(await result(/check: prompt/));
    assert.match(error, /svc\.ask takes \{ prompt/);
  });

  /** Follows a link to us as a browser does. VS Code does not ask when its own page hands the link on. */
  const follow = async (rest: string) => {
    const { browser } = session();
    const link = await callOther(session(), 'Caller: Make Link', { rest });
    const page = await browser.newPage();
    await page.goto(String(link));
    await page.close();
  };

  it('X29 write links: one shows a conversation, another the walkthrough, others are refused; nothing is sent', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'To be found by a link.' }] });
    await call({ prompt: 'Keep this.', newConversation: true });
    const { value } = Object(await result(/To be found by a link/));
    await newChat(session(), chat);
    const answer = chat.frame.getByText('To be found by a link.');
    await answer.waitFor({ state: 'detached', ...generous });
    await chat.message.fill('typed before');
    const sent = service.requests.length;

    await follow(`/open?conversation=${value.conversationId}`);
    await answer.waitFor(generous);
    await window.screenshot('link-followed');
    const walkthrough = window.page.locator('.gettingStartedContainer').getByText('Get Started with svc').first();
    await waitFor('the walkthrough', async () => {
      // 1.106 in a browser opens its own first, when no walkthrough of an extension is known to it yet.
      await follow('/walkthrough');
      await walkthrough.waitFor({ timeout: 10_000 });
      return true;
    });
    await follow(`/open?conversation=${value.conversationId}&prompt=Delete%20everything`);
    await window.notification("The link wasn't followed");
    assert.equal(service.requests.length, sent);
  });
});
