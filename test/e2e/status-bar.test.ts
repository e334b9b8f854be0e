import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey } from './session.ts';
import { newChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const themes = { dark: 'Dark Modern', light: 'Light Modern', 'high-contrast': 'Dark High Contrast' };

/** Every row of ux 2.16 as it is drawn. */
describe('the status bar', () => {
  const session = useSession();
  const item = () => session().window.page.locator('.statusbar-item[id="svc.svc-assistant.svc.status"]');
  let chat: Chat;

  /** Waits for the state and takes its pictures, in each theme. */
  const looksLike = async (
    name: string,
    state: { text: RegExp; kind: 'plain' | 'warning' | 'error'; icon?: string },
  ) => {
    const { window } = session();
    await waitFor(`the state "${name}"`, async () => {
      const [text, classes] = [await item().innerText(), (await item().getAttribute('class')) ?? ''];
      const kind = classes.includes('error-kind') ? 'error' : classes.includes('warning-kind') ? 'warning' : 'plain';
      const icons = state.icon === undefined ? 0 : await item().locator(`.codicon-${state.icon}`).count();
      return state.text.test(text) && kind === state.kind && icons === (state.icon === undefined ? 0 : 1);
    });
    for (const [theme, label] of Object.entries(themes)) {
      await window.setTheme(label);
      await window.screenshot(`status-${name}-${theme}`, window.page.locator('.part.statusbar'));
    }
    // Read aloud instead of the glyphs.
    assert.match((await item().locator('a').getAttribute('aria-label')) ?? '', /^svc: /);
  };
  const limitTo = async (usd: string) => {
    const { window } = session();
    await window.runCommand('svc.setSpendLimit');
    await window.quickPick('Daily Limit');
    await window.answerInputBox(usd);
  };

  it('ux 2.16 without a key, with one, while it works, and while a command waits for consent', async function () {
    this.timeout(400_000);
    const { service, window } = session();
    chat = await openChat(session());
    await looksLike('no-key', { text: /svc: Set Key/, kind: 'plain', icon: 'key' });
    await enterKey(session());
    service.script({
      replies: [
        { text: 'A first answer. '.repeat(40) },
        { text: '', toolCalls: [{ name: 'run_command', arguments: { command: 'echo hello' } }] },
        { text: 'Not run.' },
      ],
      rules: [{ match: { nth: 2 }, effect: { delayHeadersMs: 200_000 } }],
    });
    await chat.ask('First.');
    await chat.finishedAnswer();
    await looksLike('ready', { text: /^DeepSeek V4\.1 Flash · (?:≈ )?\$0\.\d+$/, kind: 'plain' });
    await chat.ask('Second.');
    await looksLike('busy', { text: /^\s*DeepSeek V4\.1 Flash · (?:≈ )?\$0\.\d+$/, kind: 'plain', icon: 'loading' });
    await chat.button('Stop').click();
    await newChat(session(), chat);
    await chat.ask('Third.');
    await looksLike('approval', { text: /svc: 1 approval$/, kind: 'warning', icon: 'bell' });
    await item().locator('a').click();
    await chat.button('Skip').click();
    await chat.finishedAnswer();
    assert.deepEqual(await window.notifications(), []);
  });

  it('ux 2.16 U4 near the limit and at it, when the service is not reached, and when the key is refused', async function () {
    this.timeout(400_000);
    const { service } = session();
    const shownUsd = Number((await item().innerText()).match(/\d+\.\d+$/)?.[0]);
    await limitTo((shownUsd * 1.1).toFixed(6));
    await looksLike('near-limit', {
      text: /DeepSeek V4\.1 Flash · (?:≈ )?\$0\.\d+$/,
      kind: 'warning',
      icon: 'warning',
    });
    await limitTo('0.000001');
    await looksLike('limit', { text: /DeepSeek V4\.1 Flash · (?:≈ )?\$0\.\d+$/, kind: 'error', icon: 'error' });
    await limitTo('');
    service.script({ rules: [{ effect: { dropConnection: true } }] });
    await newChat(session(), chat);
    await chat.ask('Is anybody there?');
    await looksLike('unreachable', { text: /DeepSeek V4\.1 Flash · /, kind: 'warning', icon: 'warning' });
    service.script({ rules: [{ effect: { respond: { status: 401, body: { error: { message: 'unauthorized' } } } } }] });
    await newChat(session(), chat);
    await chat.ask('And now?');
    await looksLike('key-rejected', { text: /svc: Key rejected$/, kind: 'error', icon: 'error' });
  });
});
