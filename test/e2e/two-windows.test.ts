import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { openWindow } from '../vscode/window.ts';
import { type Chat, chatIn, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { hostsOf, killHost } from './kill-host.ts';
import { enterKey, type Session } from './session.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000, timeoutMs: 60_000 };
const story = 'The first words of a long answer that never comes to its end.';

describe('windows that share or lose a conversation', () => {
  const session = useSession();
  let chat: Chat;

  beforeEach(async function () {
    this.timeout(240_000);
    if (chat === undefined) {
      chat = await openChat(session());
      await enterKey(session());
    } else {
      await newChat(session(), chat);
    }
    session().service.reset();
  });

  const said = (of: Chat) => of.frame.getByRole('log').innerText();
  const answerThatStalls = { rules: [{ times: 1, effect: { stallAfterChunks: 8 } }], replies: [{ text: story }] };

  it('E07 ux 2.2 a second window reads what the first one writes, takes over and goes on', async function () {
    this.timeout(300_000);
    const { service, server, browser } = session();
    service.script({ ...answerThatStalls, replies: [...answerThatStalls.replies, { text: 'Here I am.' }] });
    await chat.ask('Tell me a story.');
    await chat.frame.getByText('The first words').waitFor(generous);
    const window = await openWindow(server, browser);
    try {
      const second: Session = { ...session(), window };
      await window.runCommand('svc.openChat');
      const other = await chatIn(second);
      const line = await openThere(second, other, 'Tell me a story.');
      await waitFor('the words of the first window', async () => /The first words/.test(await said(other)), generous);
      assert.equal(await other.frame.locator('.composer').getAttribute('inert'), '');
      await window.screenshot('open-in-another-window');
      await line.getByRole('button', { name: 'Take Over' }).click();
      await line.waitFor({ state: 'hidden', ...generous });
      await waitFor('the stop in the first window', async () => /Stopped/.test(await said(chat)), generous);
      await window.screenshot('taken-over');
      await other.ask('Go on here.');
      await other.frame.getByText('Here I am.').waitFor(generous);
      await waitFor('the answer in the first window', async () => /Here I am\./.test(await said(chat)), generous);
      assert.equal(chatRequests(second).length, 2);
    } finally {
      await window.close();
    }
  });

  it('E21 F5 a host that dies in the middle of an answer: nothing that was said or typed is lost', async function () {
    this.timeout(300_000);
    const { service, server, window } = session();
    service.script({ ...answerThatStalls, replies: [...answerThatStalls.replies, { text: 'Here I am.' }] });
    await chat.ask('Tell me a story.');
    await chat.frame.getByText('The first words').waitFor(generous);
    // What streamed is stored once a second.
    await waitFor('the words on the disk', () => stored(server.userDataDir).includes('The first words'), generous);
    const draft = 'These are fifty characters that nobody has kept ye';
    await chat.message.pressSequentially(draft);
    await waitFor('the draft on the disk', () => stored(server.userDataDir).includes(draft), generous);
    await killAndWait();
    await window.screenshot('host-died');
    chat = await openChat(session());
    await waitFor('what the chat says of the turn', async () => /[Ii]nterrupted/.test(await said(chat)), generous);
    assert.match(await said(chat), /Tell me a story\.[\s\S]*The first words/);
    await waitFor('the draft', async () => (await chat.message.inputValue()) === draft, generous);
    await window.screenshot('host-came-back');
    await chat.ask('Go on.');
    await chat.frame.getByText('Here I am.').waitFor(generous);
    assert.equal(chatRequests(session()).length, 2);
  });

  const busy = { effect: { capacity: { named: true } } };
  const waitsIn = (of: Chat) => of.frame.getByText(/^Asking again in \d+ s$/);
  const waitAndRun = async (text: string) => {
    session().service.script({ rules: [busy] });
    await chat.ask(text);
    const button = chat.alert.getByRole('button', { name: 'Wait and Run' });
    await button.click({ timeout: 120_000 });
    await waitsIn(chat).waitFor({ timeout: 120_000 });
  };

  it('U23 a message that waits is sent once, whatever a second window does that opens, reads and reloads', async function () {
    this.timeout(420_000);
    const { service, server, browser } = session();
    await waitAndRun('Wait beside another window');
    const window = await openWindow(server, browser);
    try {
      const second: Session = { ...session(), window };
      await window.runCommand('svc.openChat');
      let other = await chatIn(second);
      await openThere(second, other, 'Wait beside another window');
      await window.screenshot('waits-in-another-window');
      await window.reload();
      await window.runCommand('svc.openChat');
      other = await chatIn(second);
      service.script({ replies: [{ text: 'There was room.' }, { text: 'Sent twice.' }] });
      await chat.button('Retry Now').click();
      await chat.frame.getByText('There was room.').waitFor({ timeout: 180_000 });
      await chat.finishedAnswer();
      await window.reload();
      await window.runCommand('svc.openChat');
      other = await chatIn(second);
      assert.doesNotMatch(await said(other), /Sent twice/);
      assert.equal(service.charges.length, 1);
    } finally {
      await window.close();
    }
  });

  it('U23 a host that dies while a message waits: the next one waits on and sends it once', async function () {
    this.timeout(420_000);
    const { service, window } = session();
    await waitAndRun('Wait over a crash');
    service.script({ replies: [{ text: 'There was room.' }, { text: 'Sent twice.' }] });
    await killAndWait();
    chat = await openChat(session());
    await chat.frame.getByText('There was room.').waitFor({ timeout: 180_000 });
    await chat.finishedAnswer();
    await window.screenshot('waited-over-a-crash');
    assert.doesNotMatch(await said(chat), /Sent twice/);
    assert.equal(service.charges.length, 1);
  });

  it('U23 a host that dies in the middle of what a wait has sent: it is not sent again, and that is said', async function () {
    this.timeout(420_000);
    const { service, server, window } = session();
    await waitAndRun('Wait and die');
    service.script({ ...answerThatStalls, replies: [...answerThatStalls.replies, { text: 'Sent twice.' }] });
    await chat.button('Retry Now').click();
    await chat.frame.getByText('The first words').waitFor({ timeout: 180_000 });
    await waitFor('the words on the disk', () => stored(server.userDataDir).includes('The first words'), generous);
    const sent = chatRequests(session()).length;
    await killAndWait();
    chat = await openChat(session());
    await waitFor('what the chat says of the turn', async () => /[Ii]nterrupted/.test(await said(chat)), generous);
    await window.page
      .getByText(/"Wait and die" was perhaps sent/)
      .last()
      .waitFor(generous);
    await window.screenshot('perhaps-sent');
    assert.equal(chatRequests(session()).length, sent);
  });

  /** Shows a conversation of the first window in the second one, and its line that says so. */
  async function openThere({ window }: Session, other: Chat, title: string) {
    const line = other.frame.getByRole('region', { name: 'Open in another window' });
    const welcome = other.frame.getByText('What are you working on?');
    // A second window on the same folder opens what the first one had open, if that was kept already.
    await waitFor('the chat', async () => (await line.isVisible()) || (await welcome.isVisible()), generous);
    if (await welcome.isVisible()) {
      await window.runCommand('svc.openConversation');
      await window.quickInput.pick(title);
    }
    await line.waitFor(generous);
    return line;
  }

  /** Waits for the next host. The third that dies within five minutes is begun anew only when its user says so. */
  async function killAndWait(): Promise<void> {
    const { server, window } = session();
    const killed = await killHost(server.userDataDir);
    const restart = window.page.getByRole('button', { name: /^Restart (?:Remote )?Extension Host$/ }).first();
    const isThere = async () => {
      if (hostsOf(server.userDataDir).some((pid) => pid !== killed)) return true;
      if (await restart.isVisible()) await restart.click();
      return false;
    };
    await waitFor('a new extension host', isThere, generous);
  }
});

/** Every conversation in the profile, as it is on the disk. */
function stored(userDataDir: string): string {
  return readdirSync(userDataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(conversations[\\/][^\\/]+\.jsonl|unsent[\\/].*)$/.test(name))
    .map((name) => textOf(`${userDataDir}/${name}`) ?? '')
    .join('\n');
}

function textOf(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // Gone, or not ours to look at.
    return undefined;
  }
}
