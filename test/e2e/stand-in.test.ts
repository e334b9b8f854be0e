import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { editorOf, selectFunction } from './select-function.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { openSourceControl, textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

/** Each way to ask that README and help name, answered by the model that `npm start` gives, with no word of a script. */
describe('the stand-in of npm start', () => {
  const session = useSession({ fillWorkspace: fillShop });
  let chat: Chat;
  const editor = () => editorOf(session());

  beforeEach(async function () {
    this.timeout(240_000);
    if (chat !== undefined) return;
    chat = await openChat(session());
    await enterKey(session());
  });

  it('F22 explains what is selected, and what is attached with @', async function () {
    this.timeout(240_000);
    await selectFunction(session());
    await session().window.runCommand('svc.explain');
    assert.match(await (await chat.finishedAnswer()).innerText(), /discountCents/);
    await chat.message.fill('What does @shipp');
    await chat.frame
      .getByRole('option', { name: /shipping\.ts/ })
      .first()
      .click(generous);
    await chat.message.pressSequentially(' do?');
    await chat.button('Send').click();
    await chat.frame.getByRole('article', { name: 'You' }).nth(1).waitFor(generous);
    assert.match(await (await chat.finishedAnswer()).innerText(), /shippingCents/);
    assert.equal(await chat.frame.locator('.failure').count(), 0);
    await session().window.screenshot('stand-in-chat');
  });

  it('F23 edits in the editor what is marked there, and Keep takes it', async function () {
    this.timeout(240_000);
    await selectFunction(session());
    await session().window.runCommand('svc.inlineEdit');
    await session()
      .window.quickInput.widget.getByText(/^Edit src\/discounts\.ts:/)
      .waitFor(generous);
    await session().window.answerInputBox('Say what it rounds');
    const keep = editor().locator('.codelens-decoration').getByText('Keep', { exact: true });
    await keep.waitFor(generous);
    assert.match(await textOf(editor().locator('.view-lines')), /Say what it rounds/);
    await session().window.screenshot('stand-in-inline');
    await keep.click();
    await keep.waitFor({ state: 'detached', ...generous });
  });

  it('F24 writes a commit message about the files that are staged', async function () {
    this.timeout(240_000);
    const { generate, message } = await openSourceControl(session());
    await generate.click(generous);
    await waitFor('the message', async () => /shipping/.test(await message()), generous);
    assert.ok((await message()).length <= 72, await message());
    await session().window.screenshot('stand-in-commit');
    assert.deepEqual(await session().window.notifications(), []);
  });

  let actions = 0;
  const press = async (button: Locator) => {
    await button.click(generous);
    actions += 1;
  };
  const askInNewChat = async (text: string) => {
    actions = 0;
    await session().window.runCommand('View: Close All Editors');
    await session().window.runCommand('svc.newChat');
    await chat.frame.getByText('What are you working on?').waitFor();
    await chat.message.fill(text);
    await press(chat.button('Send'));
  };

  it('F14 an edit that is allowed on its card is kept: two actions, and nothing is left to decide on', async function () {
    this.timeout(240_000);
    const { window, folder } = session();
    await askInNewChat('Make shipping free from 79 euros.');
    await press(chat.button('Allow Once'));
    const answer = await chat.finishedAnswer();
    await answer.getByText('Kept', { exact: true }).first().waitFor(generous);
    await window.screenshot('allowed-is-kept');
    assert.equal(actions, 2);
    assert.equal(await chat.frame.getByRole('region', { name: 'Changes' }).count(), 0);
    assert.match(await readFile(path.join(folder, 'src/shipping.ts'), 'utf8'), /freeFromCents = 7900;/);
  });

  it('ux 2.20 the first part of an edit is kept in three actions, and no file opens', async function () {
    this.timeout(240_000);
    const { window, folder } = session();
    await askInNewChat('Make shipping free from 69 euros.');
    await press(chat.button('Allow in This Chat'));
    const parts = chat.frame.getByRole('list', { name: 'Parts to decide on' });
    await parts.waitFor(generous);
    await window.screenshot('first-part');
    await press(parts.getByRole('button', { name: /^Keep/ }).first());
    await waitFor('the part to be decided', async () => (await parts.getByRole('listitem').count()) === 1, generous);
    assert.equal(actions, 3);
    assert.equal(await window.page.locator('.editor-group-container .tab').count(), 0);
    assert.match(await readFile(path.join(folder, 'src/shipping.ts'), 'utf8'), /freeFromCents = 6900;/);
    await window.screenshot('first-part-kept');
  });
});
