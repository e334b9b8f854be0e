import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, chatOf, numbered, openChat } from './chat.ts';
import { enterKey, type Session } from './session.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

/** Chats that show now, by a text that only one of them holds. */
async function chatWith(session: Session, text: string): Promise<Chat> {
  return chatOf(await session.window.webviewFrame(`article:has-text("${text}")`, { timeoutMs: 120_000 }));
}

/** The chat that shows this text, beside that of the side bar, which may show it for a moment more. */
async function otherChat(session: Session, than: Frame, text: string): Promise<Chat> {
  const holds = async (frame: Frame) => {
    if (frame === than || !frame.url().includes('/webview/browser/pre/fake.html')) return false;
    // A frame that is being replaced throws.
    return frame
      .getByText(text)
      .first()
      .isVisible()
      .catch(() => false);
  };
  const find = async () => {
    for (const each of session.window.page.frames()) if (await holds(each)) return each;
    return undefined;
  };
  return chatOf(await waitFor(`the other chat with ${text}`, find, { timeoutMs: 60_000 }));
}

async function typeAndWait(chat: Chat, text: string): Promise<void> {
  await chat.message.fill(text);
  const tokens = chat.frame.locator('.price .tokens').first();
  await waitFor('the price of it', async () => /^[2-9]\.\dk/.test((await tokens.textContent()) ?? ''));
}

const tab = (session: Session, title: string) =>
  session.window.page.locator('.editor-group-container .tab').filter({ hasText: title });

describe('F11 the chat in editor tabs', () => {
  const session = useSession();
  let sideBar: Chat;
  /** Its frame is known: others have the same text box. */
  const showSideBar = async () => {
    await session().window.runCommand('svc.openChat');
    // The focus goes back to where it was when the palette closes, and only then to the side bar.
    await waitFor('the focus in the side bar', () =>
      sideBar.message.evaluate((box) => document.hasFocus() && box === document.activeElement),
    );
    await sideBar.message.fill('');
    return sideBar;
  };

  before(async function () {
    this.timeout(120_000);
    sideBar = await openChat(session());
    await enterKey(session());
  });

  it('moves the conversation with what is being typed into a tab, and begins a new chat in the side bar', async () => {
    const { service, window } = session();
    service.script({ replies: [{ text: 'From the side bar.' }] });
    await sideBar.ask('Where am I?');
    await sideBar.finishedAnswer();
    await sideBar.message.fill('Half a thought');
    await window.runCommand('svc.openChatInEditor');
    const inTab = await otherChat(session(), sideBar.frame, 'From the side bar.');
    await waitFor('the draft', async () => (await inTab.message.inputValue()) === 'Half a thought');
    await tab(session(), 'Where am I?').waitFor();
    await waitFor('the new chat', async () => (await sideBar.frame.getByRole('article').count()) === 0);
    assert.equal(await sideBar.message.inputValue(), '');
    await window.screenshot('chat-tab');
  });

  it('finds words of the conversation with Ctrl+F in a tab (microsoft/vscode#330953)', async () => {
    const { window } = session();
    const inTab = await chatWith(session(), 'From the side bar.');
    await inTab.message.click();
    await window.page.keyboard.press('Control+F');
    const find = window.page.locator('.simple-find-part.visible').first();
    await find.waitFor();
    await window.screenshot('chat-tab-find');
    await window.page.keyboard.press('Escape');
    await find.waitFor({ state: 'hidden' });
  });

  it('runs two conversations at once, each in its own view, and stops one of them only', async () => {
    const { service } = session();
    const inTab = await chatWith(session(), 'From the side bar.');
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [{ text: numbered('one') }, { text: numbered('two') }],
    });
    await inTab.ask('Long in the tab');
    await inTab.button('Stop').waitFor();
    await sideBar.ask('Long in the side bar');
    await inTab.frame.getByText('one 3 one 4').waitFor();
    await sideBar.frame.getByText('two 3 two 4').waitFor();
    await session().window.screenshot('two-conversations');
    await sideBar.button('Stop').click();
    await sideBar.button('Send').waitFor();
    assert.ok(await inTab.button('Stop').isVisible(), 'the other one goes on');
    await inTab.button('Stop').click();
    await inTab.button('Send').waitFor();
  });

  it('goes to the next and the previous conversation by keyboard, in the view that has the focus', async () => {
    const { service, window } = session();
    const inTab = await chatWith(session(), 'From the side bar.');
    // Now it is the newest.
    service.script({ replies: [{ text: 'Newest.' }] });
    await inTab.ask('Once more');
    await inTab.finishedAnswer();
    await inTab.message.click();
    await window.page.keyboard.press('Alt+PageDown');
    await inTab.frame.getByText('Long in the side bar').waitFor();
    await window.page.keyboard.press('Alt+PageUp');
    await inTab.frame.getByText('Newest.').waitFor();
  });

  it("acts on the side bar's chat from its title bar, although a tab had the focus last", async () => {
    const { service, window } = session();
    const bar = await showSideBar();
    await newChat(session(), bar);
    service.script({ replies: [{ text: 'It stays.' }, { text: 'To be moved.' }] });
    await bar.ask('Stay here');
    await bar.finishedAnswer();
    await newChat(session(), bar);
    await bar.ask('Move me');
    await bar.finishedAnswer();
    await window.runCommand('svc.openChatInEditor');
    const inTab = await otherChat(session(), bar.frame, 'To be moved.');
    await inTab.message.fill('Typed in the tab');
    const titleBar = window.page.locator('.part.auxiliarybar > .title');
    await inTab.message.click();
    await titleBar.getByRole('button', { name: 'Continue Conversation' }).click();
    await window.quickPick('Stay here');
    await bar.frame.getByText('It stays.').waitFor();
    await inTab.message.click();
    await titleBar.getByRole('button', { name: 'New Chat' }).click();
    await waitFor('the new chat', async () => (await bar.frame.getByRole('article').count()) === 0);
    assert.ok(await inTab.frame.getByText('To be moved.').isVisible());
    assert.equal(await inTab.message.inputValue(), 'Typed in the tab');
    await inTab.message.fill('');
  });

  it("acts on the side bar's chat from the palette, also after a box, although a tab is the active editor", async () => {
    const { service, window } = session();
    const bar = await showSideBar();
    const inTab = await chatWith(session(), 'To be moved.');
    service.script({ replies: [{ text: 'In the side bar.' }] });
    await window.runCommand('svc.ask');
    await window.answerInputBox('Asked in a box');
    await bar.frame.getByText('In the side bar.').waitFor();
    await bar.finishedAnswer();
    assert.equal(await inTab.frame.getByText('Asked in a box').count(), 0);
  });

  it('goes on when its tab is closed; the list shows that it runs, and opening it again shows it live', async () => {
    const { service, window } = session();
    const bar = await showSideBar();
    await newChat(session(), bar);
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [{ text: numbered('unseen') }],
    });
    await bar.ask('Go on without me');
    await bar.frame.getByText('unseen 3 unseen 4').waitFor();
    await window.runCommand('svc.openChatInEditor');
    const inTab = await otherChat(session(), bar.frame, 'unseen 3 unseen 4');
    await inTab.button('Stop').waitFor();
    const forLater = 'For later. '.repeat(300).trim();
    await typeAndWait(inTab, forLater);
    const own = tab(session(), 'Go on without me');
    await own.getByRole('button', { name: /^Close/ }).click();
    await own.waitFor({ state: 'detached' });
    await window.runCommand('svc: Focus on Conversations View');
    const row = window.page
      .locator('.pane:has(.pane-header[aria-label^="Conversations"]) .monaco-list-row')
      .filter({ hasText: 'Go on without me' });
    await row.locator('.codicon-loading').waitFor();
    await window.screenshot('closed-tab-runs');
    await row.click();
    await bar.frame.getByText('unseen 3 unseen 4').waitFor();
    await waitFor('the draft', async () => (await bar.message.inputValue()) === forLater);
    await bar.button('Stop').click();
    await bar.button('Send').waitFor();
    await row.locator('.codicon-loading').waitFor({ state: 'detached' });
    await bar.message.fill('');
  });

  it('asks for approval that waits in a hidden tab by a message that leads to it', async () => {
    const { service, window } = session();
    const bar = await showSideBar();
    await newChat(session(), bar);
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [
        {
          text: numbered('before').slice(0, 900),
          toolCalls: [{ name: 'run_command', arguments: { command: 'echo out of sight' } }],
        },
        { text: 'Then it went on.' },
      ],
    });
    await window.runCommand('svc.openChatInEditor');
    const inTab = await otherChat(session(), bar.frame, 'What are you working on?');
    await inTab.ask('Run what you like');
    await window.openFile('README.md');
    await waitFor('the message', async () =>
      (await window.notifications()).some((text) => text.includes('needs your approval')),
    );
    await window.screenshot('approval-in-hidden-tab');
    await window.pressNotificationButton('Show Chat');
    const shown = await otherChat(session(), bar.frame, 'Run what you like');
    const card = shown.frame.getByRole('group', { name: 'Approval needed: run_command', exact: true });
    await card.getByRole('button', { name: /^Allow Once/ }).click();
    await shown.frame.getByText('Then it went on.').waitFor();
  });

  it('F5 E21 shows after an abrupt reload what it showed, in a tab of a moment ago too, with what was being typed', async function () {
    this.timeout(300_000);
    const { service, window } = session();
    const bar = await showSideBar();
    await newChat(session(), bar);
    service.script({ replies: [{ text: 'To be kept.' }, { text: 'Of a moment ago.' }] });
    await bar.ask('Keep me');
    await bar.finishedAnswer();
    await window.runCommand('svc.openChatInEditor');
    const halfAThought = 'Half a thought. '.repeat(300).trim();
    await typeAndWait(await otherChat(session(), bar.frame, 'To be kept.'), halfAThought);
    await showSideBar();
    await bar.ask('Just opened');
    await bar.finishedAnswer();
    await window.runCommand('svc.openChatInEditor');
    await otherChat(session(), bar.frame, 'Of a moment ago.');
    // Before VS Code has stored which tabs there are, or what their pages know.
    await window.reload();
    await chatWith(session(), 'Of a moment ago.');
    await tab(session(), 'Just opened').waitFor({ timeout: 180_000 });
    await window.screenshot('chat-tab-after-reload');
    const own = tab(session(), 'Keep me');
    assert.equal(await own.count(), 1);
    await own.click();
    // The page that VS Code restored may be replaced once more.
    await waitFor(
      'the draft',
      async () => (await (await chatWith(session(), 'To be kept.')).message.inputValue()) === halfAThought,
      { timeoutMs: 120_000 },
    );
  });
});
