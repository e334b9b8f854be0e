import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, beforeEach, describe, it } from 'mocha';
import { gitIn } from '../support/git-in.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

/** A repository with a change, an ignored folder and a file of secrets. */
async function fillWorkspace(folder: string): Promise<void> {
  await copySampleWorkspace(folder);
  await mkdir(path.join(folder, 'ignored'));
  await writeFile(path.join(folder, '.gitignore'), 'ignored/\n');
  await writeFile(path.join(folder, 'ignored', 'discounts-copy.ts'), 'export {};\n');
  await writeFile(path.join(folder, '.env'), 'TOKEN=hunter2\n');
  const git = gitIn(folder);
  await git('init', '-q');
  await git('add', '.gitignore', 'src');
  await git('commit', '-qm', 'first');
  await appendFile(path.join(folder, 'src', 'discounts.ts'), '\n// a change that git sees\n');
}

describe('the composer in a real window', () => {
  const session = useSession({ fillWorkspace });
  let chat: Chat;
  const options = () => chat.frame.getByRole('option');
  const chips = () => chat.frame.getByRole('list', { name: 'Attached to the next message' });
  /** Types a sign and a query and waits for a row of that name. */
  const pick = async (typed: string, name: RegExp) => {
    await chat.message.focus();
    await chat.message.pressSequentially(typed);
    await options().filter({ hasText: name }).first().waitFor();
  };
  /** One after the other: those that are left move while one goes. */
  const clearChips = () =>
    waitFor('no chips', async () => {
      const remove = chips().getByRole('button', { name: /^Remove / });
      if ((await remove.count()) === 0) return true;
      await remove.first().click({ timeout: 3000 });
      return false;
    });
  const lastBody = () => session().service.requests.at(-1)?.rawBody ?? '';
  const lastQuestion = () => JSON.stringify(chatRequests(session()).at(-1)?.messages);
  const pastePicture = () =>
    chat.message.evaluate(async (box) => {
      const canvas = document.createElement('canvas');
      canvas.width = 40;
      canvas.height = 30;
      canvas.getContext('2d')?.fillRect(5, 5, 20, 10);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      if (!blob) throw new Error('no picture');
      const data = new DataTransfer();
      data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });
  // What a failed test left must not fail the next one.
  beforeEach(async () => {
    await chat.message.fill('');
    await clearChips();
  });

  it('ux 2.12 offers starters from what has changed; one fills the composer and sends nothing', async () => {
    const before = session().service.charges.length;
    await chat.frame
      .getByRole('button', { name: 'Review 1 changed file' })
      .or(chat.frame.getByRole('button', { name: /^Review \d+ changed files$/ }))
      .click();
    await waitFor('the command', async () => (await chat.message.inputValue()) === '/review ');
    await chips()
      .getByText(/changed file/)
      .first()
      .waitFor();
    await session().window.screenshot('composer-starter');
    assert.equal(session().service.charges.length, before);
    await chat.message.fill('');
    await clearChips();
  });

  it('F7 attaches lines of a file by keyboard alone and sends them', async () => {
    await pick('Why @discounts.ts:1-3', /discounts\.ts:1-3/);
    assert.equal(await options().filter({ hasText: 'discounts-copy' }).count(), 0);
    await session().window.screenshot('composer-picker');
    await chat.message.press('Enter');
    await chips().getByText('src/discounts.ts:1-3').first().waitFor();
    await waitFor('the text without it', async () => (await chat.message.inputValue()) === 'Why ');
    session().service.script({ replies: [{ text: 'Because.' }] });
    await chat.ask('Why this?');
    await chat.finishedAnswer();
    assert.match(lastBody(), /Attached: src\/discounts\.ts:1-3/);
    await chat.frame
      .getByRole('article', { name: 'You' })
      .last()
      .getByRole('button', { name: /^Open src\/discounts/ })
      .waitFor();
  });

  it('F7 attaches a folder and what git says has changed', async () => {
    await pick('@folder:src', /^src\//);
    await chat.message.press('Enter');
    await chips()
      .getByText(/^src\/ \(\d+ files\)$/)
      .first()
      .waitFor();
    await pick('@changes', /Changes/);
    await chat.message.press('Enter');
    await chips()
      .getByText(/changed file/)
      .first()
      .waitFor();
    await chat.message.fill('');
    session().service.script({ replies: [{ text: 'Seen.' }] });
    await chat.ask('What is new?');
    await chat.finishedAnswer();
    assert.match(lastBody(), /a change that git sees/);
    assert.match(lastBody(), /==> src\/discounts\.ts <==/);
    await chips().waitFor({ state: 'hidden' });
  });

  it('X16 asks before a file that might contain secrets is attached', async () => {
    await pick('@.env', /^\.env/);
    await chat.message.press('Enter');
    const dialog = session().window.page.locator('.monaco-dialog-box');
    await dialog.getByText('.env might contain secrets. Attach it?').waitFor();
    await session().window.pressDialogButton('Cancel');
    await chips().waitFor({ state: 'hidden' });
    await chat.message.fill('');
  });

  it('X16 asks before svc.explain takes what is selected in a file that might contain secrets', async () => {
    const { service, window } = session();
    const sent = service.requests.length;
    await window.openFile('.env');
    await window.page.locator('.editor-group-container.active .view-line').getByText('hunter2').click();
    await window.page.keyboard.press('Control+A');
    await window.runCommand('svc.explain');
    await window.page.locator('.monaco-dialog-box').getByText('.env might contain secrets. Attach it?').waitFor();
    await window.pressDialogButton('Cancel');
    assert.equal(service.requests.length, sent);
    assert.equal(await chips().count(), 0);
  });

  it('S21 answers /image here: nothing is sent, nothing is lost', async () => {
    const before = session().service.requests.length;
    await chat.message.fill('/image a cat');
    await chat.button('Send').click();
    await chat.frame.locator('.composer-note').getByText('Nothing was sent or charged.').waitFor();
    assert.equal(await chat.message.inputValue(), '/image a cat');
    assert.equal(session().service.requests.length, before);
    await chat.message.fill('');
  });

  it('F21 /commit takes the changes along and asks for a message', async () => {
    session().service.script({ replies: [{ text: 'Done.' }] });
    await chat.message.fill('/commit');
    await chat.button('Send').click();
    await waitFor('the request', async () => /Write a commit message/.test(lastBody()));
    assert.match(lastBody(), /a change that git sees/);
    await chat.finishedAnswer();
  });

  it('S24 F7 a pasted picture is shown on a chip, sent in the common format and shown with the message', async () => {
    await chat.message.fill('What is this?');
    await pastePicture();
    await chips().locator('img.thumbnail').waitFor();
    await session().window.screenshot('image-attached');
    await chat.message.press('Enter');
    await chat.frame.locator('.message.user img.thumbnail').waitFor();
    const body = await waitFor(
      'the request',
      () => session().service.requests.find(({ rawBody }) => rawBody?.includes('What is this?'))?.rawBody,
    );
    assert.match(body, /\[image: Pasted image, 40×30\]/);
    assert.match(body, /"image_url":\{"url":"data:image\/png;base64,/);
    await session().window.screenshot('image-sent');
    await chat.finishedAnswer();
  });

  it('S24 one without a word is sent too; a refusal is remembered, and it goes on without the image at a press', async () => {
    const { service, window } = session();
    service.reset();
    // Of a model that has taken images, one refusal says nothing.
    await window.runCommand('svc.resetLearnedFacts');
    await window.quickPick('All Models');
    service.script({ rules: [{ effect: { images: 'refused' } }], replies: [{ text: 'I see only its name.' }] });
    await pastePicture();
    await chat.message.press('Enter');
    const card = chat.frame.locator('.failure');
    await card.getByText('refused the image').waitFor({ timeout: 180_000 });
    await window.screenshot('image-refused');
    assert.match(lastQuestion(), /image_url/);
    await pastePicture();
    await chips().getByText('name only').first().waitFor();
    await clearChips();
    await card.getByRole('button', { name: /^Send Without Image/ }).click();
    await chat.frame.getByText('I see only its name.').waitFor({ timeout: 180_000 });
    assert.doesNotMatch(lastQuestion(), /image_url/);
  });
});
