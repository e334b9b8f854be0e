import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { axeProblems } from '../panel/axe.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, chatIn } from './chat.ts';
import { sessionKey } from './session.ts';
import { useSession } from './use-session.ts';

const patient = { timeoutMs: 90_000 };

/** A whole session without a mouse: every key goes to the window, wherever the focus is at that moment. */
describe('the keyboard alone', () => {
  const session = useSession({ withoutBaseUrl: true });
  let chat: Chat;

  const keys = () => session().window.page.keyboard;
  const press = (key: string) => keys().press(key);
  /** By its name in the palette. */
  const command = async (title: string) => {
    const { quickInput } = session().window;
    await waitFor(
      `${title} in the palette`,
      async () => {
        await quickInput.open('F1', `>${title}`);
        const at = (await quickInput.labels()).indexOf(title);
        if (at < 0) {
          // The list is made when it opens: what has just been installed is in the next one.
          await press('Escape');
          return false;
        }
        for (let step = 0; step < at; step++) await press('ArrowDown');
        await press('Enter');
        return true;
      },
      patient,
    );
    await waitFor(
      'the palette to close',
      async () => !(await quickInput.widget.isVisible()) || !(await quickInput.input.inputValue()).startsWith('>'),
      patient,
    );
  };
  /** What a screen reader would name now; undefined while the focus is not in the chat. */
  const focused = () =>
    chat.frame.evaluate(() => {
      if (!document.hasFocus()) return undefined;
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim();
    });
  const focusOn = (name: string) => waitFor(`the focus on ${name}`, async () => (await focused()) === name, patient);
  const tabTo = async (name: string) => {
    for (let step = 0; step < 40; step++) {
      if ((await focused()) === name) return;
      await press('Shift+Tab');
    }
    assert.fail(`${name} was not reached; the focus is on ${await focused()}`);
  };
  const answerBox = async (shows: RegExp, text: string) => {
    const { quickInput } = session().window;
    await waitFor(
      `a box that says ${shows}`,
      async () => shows.test(await quickInput.widget.innerText().catch(() => '')),
      patient,
    );
    await keys().type(text);
    await press('Enter');
  };

  /** What axe finds in the chat as the walk has left it, under the name of that state. */
  const found: Record<string, string[]> = {};
  const look = async (state: string) => {
    found[state] = await axeProblems(chat.frame);
  };

  before(async function () {
    this.timeout(240_000);
    await command('svc: Open Chat');
    chat = await chatIn(session());
  });

  it('S1 S17 enters address and key, and is then in the message', async function () {
    this.timeout(300_000);
    const { service } = session();
    await focusOn('Message');
    // The first frame is a text box alone; what it is for comes with the script.
    await chat.button('Set Service Address').waitFor({ timeout: 180_000 });
    await look('setup');
    await tabTo('Set Service Address');
    await press('Enter');
    await answerBox(/address/i, service.baseUrl);
    await chat.frame.getByText('Done').first().waitFor({ timeout: 180_000 });
    await focusOn('Message');
    await look('address known');
    await tabTo('Enter API Key');
    await press('Enter');
    await answerBox(/key/i, sessionKey);
    await chat.frame.getByText('What are you working on?').waitFor({ timeout: 180_000 });
    await focusOn('Message');
    await look('empty chat');
  });

  it('F14 F16 asks, and keeps the edit that is allowed', async function () {
    this.timeout(300_000);
    const { service } = session();
    service.reset();
    const edit = {
      name: 'edit_file',
      arguments: {
        path: 'src/shipping.ts',
        edits: [{ search: 'freeFromCents = 4900', replace: 'freeFromCents = 5900' }],
      },
    };
    service.script({
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }] },
        { text: 'I change it.', toolCalls: [edit] },
        { text: 'Changed.' },
      ],
    });
    await keys().type('Free from 59 euros, please.');
    await press('Enter');
    await chat.frame.getByRole('group', { name: 'Approval needed: edit_file' }).waitFor({ timeout: 180_000 });
    assert.equal(await focused(), 'Message', 'the focus stays where it is');
    await look('approval');
    await press('Control+Enter');
    await chat.frame.getByText('Changed.').waitFor({ timeout: 180_000 });
    await chat.finishedAnswer();
    const onDisk = () => readFile(path.join(session().folder, 'src/shipping.ts'), 'utf8');
    assert.match(await onDisk(), /5900/);
    // What was allowed on its card is decided.
    await chat.frame.getByText('Kept', { exact: true }).first().waitFor({ timeout: 180_000 });
    await look('edit kept');
  });

  it('F6 starts another conversation, goes back, and exports it', async function () {
    this.timeout(300_000);
    const { service, window } = session();
    service.script({ replies: [{ text: 'Fine.' }] });
    // VS Code hears of the focus a moment after the page has it; until then the key is the editor's.
    await waitFor(
      'an empty chat',
      async () => {
        await command('svc: Open Chat');
        await focusOn('Message');
        await press('Control+n');
        const empty = chat.frame.getByText('What are you working on?');
        return empty.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      },
      patient,
    );
    await focusOn('Message');
    await keys().type('How are you?');
    await press('Enter');
    await chat.frame.getByText('Fine.').waitFor({ timeout: 180_000 });
    await chat.finishedAnswer();
    await press('Alt+PageDown');
    await waitFor('the first conversation', async () => (await chat.frame.getByText('Changed.').count()) > 0, patient);
    await focusOn('Message');
    await press('Control+ArrowUp');
    await press('Home');
    await waitFor('the focus on the first message', async () => /^You/.test((await focused()) ?? ''), patient);
    await look('focus in the conversation');
    await press('Escape');
    await focusOn('Message');
    await command('svc: Export Conversation…');
    await waitFor('the formats', async () => (await window.quickInput.labels()).includes('Markdown'), patient);
    await press('Enter');
    const editor = window.page.locator('.editor-group-container.active .view-lines');
    await waitFor('the export', async () => (await editor.innerText()).includes('Changed.'), patient);
  });

  it('F7 F23 the three default keys open the chat, edit with an instruction, and add the selection', async function () {
    this.timeout(300_000);
    const { window, service } = session();
    service.reset();
    await window.openFile('src/shipping.ts');
    await press('Control+Alt+KeyU');
    await focusOn('Message');
    const toEditor = () =>
      waitFor(
        'the focus in the editor',
        async () => {
          // The first group of editors.
          await press('Control+1');
          return window.page.evaluate(() => document.activeElement?.closest('.editor-instance') !== null);
        },
        patient,
      );
    await toEditor();
    await press('Control+Home');
    await press('Shift+ArrowDown');
    await press('Control+Shift+Alt+KeyU');
    await chat.frame
      .getByRole('button', { name: /shipping\.ts:1/ })
      .first()
      .waitFor({ timeout: 180_000 });
    await focusOn('Message');
    await look('selection attached');
    await toEditor();
    await press('Control+Alt+KeyJ');
    await window.quickInput.widget.getByText(/^Edit src\/shipping\.ts:1/).waitFor({ timeout: 180_000 });
    await press('Escape');
    assert.equal(service.requests.filter(({ path: asked }) => asked.endsWith('/chat/completions')).length, 0);
  });

  it('ux 2.19 axe finds nothing wrong in the chat at any step of the walk', () => {
    assert.ok(Object.keys(found).length >= 7, Object.keys(found).join(', '));
    assert.deepEqual(
      Object.entries(found).filter(([, problems]) => problems.length > 0),
      [],
    );
  });
});
