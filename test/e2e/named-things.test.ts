import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { projectRoot } from '../run/pool.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat, showSteps } from './chat.ts';
import { answerFileDialog } from './file-dialog.ts';
import { enterKey } from './session.ts';
import { shippingAnswer } from './shop.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

describe('ux 2.19 what is named can be opened, and what there is can be attached', () => {
  const session = useSession();
  let chat: Chat;
  const heading = () => chat.frame.getByRole('heading', { level: 1 });
  const option = (name: string | RegExp) => chat.frame.getByRole('option', { name });
  const chips = () => chat.frame.getByRole('list', { name: 'Attached to the next message' });

  before(async () => {
    chat = await openChat(session());
    await enterKey(session());
  });

  it('files, lines and symbols of an answer open, by pointer and by key; what does not exist stays text', async () => {
    const { service, window } = session();
    service.script({
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }] },
        { text: `${shippingAnswer}\nNot in \`gone.ts:3\`, but cart.ts has it.\n` },
      ],
    });
    await chat.ask('How is the shipping cost decided?');
    const answer = await chat.finishedAnswer();
    const link = (name: string) => answer.getByRole('link', { name, exact: true });
    await link('src/shipping.ts:5').click();
    const position = (text: string) => waitFor(text, async () => (await window.statusBarText()).includes(text));
    await position('Ln 5, Col 1');
    // Who knows the language starts with the first file of it.
    await waitFor('the symbol', async () => {
      await chat.message.hover();
      await answer.hover();
      return (await link('standardCents').count()) === 1;
    });
    await link('standardCents').focus();
    await link('standardCents').press('Enter');
    await position('Ln 2, Col');
    await link('src/cart.ts').click();
    await window.page.locator('.tab.active', { hasText: 'cart.ts' }).waitFor();
    assert.equal(await link('gone.ts:3').count(), 0);
    assert.equal(await link('cart.ts').count(), 1, 'the one whose folder stands above');
    await showSteps(answer);
    await answer.locator('summary').getByText('src/shipping.ts').click();
    await window.page.locator('.tab.active', { hasText: 'shipping.ts' }).waitFor();
    await window.screenshot('named-things');
  });

  it('the head of the view names the conversation and begins another', async () => {
    assert.equal(await heading().innerText(), 'How is the shipping cost decided?');
    assert.equal(await session().window.page.locator('.part.auxiliarybar .pane-header:visible').count(), 0);
    await session()
      .window.page.locator('.part.auxiliarybar > .title')
      .getByRole('button', { name: 'New Chat' })
      .click();
    await chat.frame.getByText('What are you working on?').waitFor();
    assert.equal(await heading().innerText(), 'svc Assistant');
  });

  it('Add Context offers everything in one order, and says what there is none of', async () => {
    const { window } = session();
    await chat.button('Add Context').click();
    await option('File…').waitFor();
    const labels = await chat.frame.locator('.completion-label').allInnerTexts();
    assert.deepEqual(labels.slice(0, 8), [
      'File…',
      'Folder…',
      'Selection',
      'Symbol…',
      'Problems',
      'Changes',
      'Terminal',
      'Image…',
    ]);
    assert.equal(await option(/Changes/).getAttribute('aria-disabled'), 'true');
    await window.screenshot('add-context');
    await option('File…').click();
    await option(/discounts\.ts/).click();
    await chips().getByText('discounts.ts').first().waitFor();
  });

  it('an image is chosen in a dialog, by keyboard alone', async () => {
    const file = path.join(session().folder, 'src/logo.png');
    await copyFile(path.join(projectRoot, 'media/icon.png'), file);
    await chat.message.focus();
    await chat.message.press('Control+/');
    await option('Image…').waitFor();
    for (let step = 0; step < 7; step++) await chat.message.press('ArrowDown');
    await chat.message.press('Enter');
    await answerFileDialog(session(), file);
    await chips().getByText('src/logo.png').first().waitFor();
    await newChat(session(), chat);
  });

  it('what will be sent is wrapped where it has no room', async () => {
    const { window } = session();
    await window.runCommand('svc.showNextRequest');
    const editor = window.page.locator('.editor-instance').filter({ hasText: 'This is what Send would send' });
    await editor.waitFor();
    await waitFor('wrapped lines', () =>
      editor.evaluate((element) => {
        const bar = element.querySelector('.scrollbar.horizontal .slider');
        return (
          bar instanceof HTMLElement &&
          (bar.offsetWidth === 0 || bar.offsetWidth >= (bar.parentElement?.offsetWidth ?? 0))
        );
      }),
    );
    await window.screenshot('next-request-wrapped');
  });
});
