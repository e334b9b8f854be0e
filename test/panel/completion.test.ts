import assert from 'node:assert/strict';
import type { CompletionItem } from '../../src/shared/panel/panel-info.ts';
import { someOf } from '../support/effort.ts';
import { axeProblems } from './axe.ts';
import { ask, panelInfo, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

const file = { kind: 'file', uri: 'file:///w/src/parse.ts' } as const;
const rows: CompletionItem[] = [
  { id: '1', icon: 'file', label: 'parse.ts', detail: 'src', action: { type: 'attach', pick: file } },
  { id: '2', icon: 'symbol', label: 'Symbol…', action: { type: 'refine', text: 'symbol:' } },
  {
    id: '3',
    icon: 'codebase',
    label: 'Codebase',
    detail: 'Not available: no embeddings endpoint. Text search is used.',
  },
];
const commands: CompletionItem[] = [
  { id: 'e', icon: 'command', label: '/explain', detail: 'Explain', action: { type: 'command', name: 'explain' } },
];

describe('suggestions in the composer', () => {
  let panel: PanelPage;
  const open = async (options: Parameters<typeof openPanel>[0] = {}) => {
    panel = await openPanel(options);
    await panel.send(snapshot());
    await panel.input.focus();
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const list = () => panel.page.getByRole('listbox');
  const asked = async () => (await panel.posted()).filter(({ type }) => type === 'complete');
  /** Answers what was asked last, once it was asked. */
  const answer = async (query: string, items = rows, state: { done: boolean; settled?: boolean } = { done: true }) => {
    await panel.page.waitForFunction(
      (wanted) =>
        (globalThis as unknown as { posted: { type: string; query?: string }[] }).posted.some(
          (message) => message.type === 'complete' && message.query === wanted,
        ),
      query,
    );
    const last = (await asked()).at(-1);
    assert.ok(last?.type === 'complete');
    await panel.send({ type: 'completions', id: last.id, items, ...state });
  };
  const active = () =>
    panel.input.evaluate((box) => {
      const id = box.getAttribute('aria-activedescendant');
      return id === null ? undefined : document.getElementById(id)?.textContent;
    });

  it('F7 attaches what is chosen by keyboard alone and takes the sign out of the text', async () => {
    await open();
    await panel.input.pressSequentially('Why @par');
    await answer('par');
    assert.equal(await list().getAttribute('aria-label'), 'Context to attach');
    assert.equal(await active(), 'parse.tssrc');
    await panel.input.press('Enter');
    assert.equal(await panel.input.inputValue(), 'Why ');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'attach', pick: file });
    assert.equal(await list().count(), 0);
    assert.equal(await panel.input.getAttribute('aria-activedescendant'), null);
  });

  it('F7 goes on with a kind of context, and round the list with the arrow keys', async () => {
    await open();
    await panel.input.pressSequentially('#');
    await answer('');
    await panel.input.press('ArrowUp');
    assert.match((await active()) ?? '', /Codebase/);
    await panel.input.press('ArrowUp');
    await panel.input.press('Tab');
    assert.equal(await panel.input.inputValue(), '#symbol:');
    await answer('symbol:');
    assert.equal(await list().count(), 1);
  });

  it('S21 shows what cannot be chosen with its reason and leaves the text alone', async () => {
    await open();
    await panel.input.pressSequentially('@');
    await answer('');
    const row = panel.page.getByRole('option', { name: /Codebase/ });
    assert.equal(await row.getAttribute('aria-disabled'), 'true');
    await panel.page.getByText('Text search is used.').waitFor();
    await row.click({ force: true });
    assert.equal(await panel.input.inputValue(), '@');
    assert.ok(!(await panel.posted()).some(({ type }) => type === 'attach'));
  });

  it('closes with Escape before anything is stopped, and stays closed for that word', async () => {
    await open();
    await panel.events(...ask('Hi'));
    await panel.input.pressSequentially('@');
    await answer('');
    await panel.input.press('Escape');
    assert.equal(await list().count(), 0);
    assert.ok(!(await panel.posted()).some(({ type }) => type === 'stop'));
    await panel.input.pressSequentially('pa');
    assert.equal(await list().count(), 0);
    await panel.input.press('Escape');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'stop' });
  });

  it('F21 writes a command out, has its context attached, and sends it with the next Enter', async () => {
    await open();
    await panel.input.pressSequentially('/ex');
    await answer('ex', commands);
    await panel.input.press('Enter');
    assert.equal(await panel.input.inputValue(), '/explain ');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'prepareCommand', name: 'explain' });
    await panel.input.press('Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'send', text: '/explain ' });
  });

  it('opens again when the focus comes back', async () => {
    await open();
    await panel.input.pressSequentially('@');
    await answer('');
    await panel.input.blur();
    assert.equal(await list().count(), 0);
    await panel.input.focus();
    await panel.page.waitForFunction(
      () =>
        (globalThis as unknown as { posted: { type: string }[] }).posted.filter(({ type }) => type === 'complete')
          .length === 2,
    );
    await answer('');
    assert.equal(await list().count(), 1);
  });

  const waiting: CompletionItem = {
    id: 't',
    icon: 'terminal',
    label: 'Terminal',
    action: { type: 'attach', pick: { kind: 'terminal' } },
  };
  /** What changes something; asking for suggestions does not. */
  const done = async () => (await panel.posted()).filter(({ type }) => type !== 'complete' && type !== 'ready');

  for (const key of ['Enter', 'Tab']) {
    it(`F7 holds ${key} until the list for what is typed has come, and takes its best row`, async () => {
      await open();
      await panel.input.pressSequentially('See @');
      await answer('');
      await panel.input.press('ArrowDown');
      await panel.input.pressSequentially('ter');
      await panel.input.press(key);
      await panel.input.press(key);
      assert.deepEqual(await done(), []);
      assert.equal(await panel.input.inputValue(), 'See @ter');
      await answer('ter', [waiting, ...rows]);
      assert.deepEqual(await done(), [{ type: 'attach', pick: { kind: 'terminal' } }]);
      assert.equal(await panel.input.inputValue(), 'See ');
      assert.equal(await list().count(), 0);
    });
  }

  it('F7 holds the choice while a better row may still come, and not for what comes below it', async () => {
    await open();
    await panel.input.pressSequentially('@ter');
    await panel.input.press('Enter');
    await answer('ter', rows, { done: false });
    assert.deepEqual(await done(), []);
    await answer('ter', [waiting, ...rows], { done: false, settled: true });
    assert.deepEqual(await done(), [{ type: 'attach', pick: { kind: 'terminal' } }]);
  });

  it('F7 takes the row that is marked when Enter is pressed again on the list', async () => {
    await open();
    await panel.input.pressSequentially('@par');
    await panel.input.press('Enter');
    await answer('par', rows, { done: false });
    assert.deepEqual(await done(), []);
    await panel.input.press('Enter');
    assert.deepEqual(await done(), [{ type: 'attach', pick: file }]);
    assert.equal(await panel.input.inputValue(), '');
  });

  const cancelling: [what: string, act: () => Promise<void>, text: string][] = [
    ['Escape', () => panel.input.press('Escape'), '@ter'],
    ['more text', () => panel.input.pressSequentially('m'), '@term'],
    ['a space', () => panel.input.pressSequentially(' '), '@ter '],
    ['leaving the composer', () => panel.input.blur(), '@ter'],
  ];
  for (const [what, act, text] of cancelling) {
    it(`F7 takes a held choice back with ${what}; the text stays and nothing is stopped`, async () => {
      await open();
      await panel.events(...ask('Hi'));
      await panel.input.pressSequentially('@ter');
      await panel.input.press('Enter');
      await act();
      // Whatever number the newest question has.
      for (let id = 1; id < 12; id++) await panel.send({ type: 'completions', id, items: rows, done: true });
      assert.deepEqual(await done(), []);
      assert.equal(await panel.input.inputValue(), text);
    });
  }

  it('F7 leaves a held choice alone when other text has come into the composer', async () => {
    await open();
    await panel.input.pressSequentially('@ter');
    await panel.input.press('Enter');
    await panel.send({ type: 'addToDraft', text: 'added' });
    await answer('ter', rows);
    assert.deepEqual(await done(), []);
    assert.match(await panel.input.inputValue(), /@ter\s+added/);
  });

  it('F7 lets a held Enter send what has no suggestions, or start a line where Ctrl+Enter sends', async () => {
    await open();
    await panel.input.pressSequentially('Thank @you');
    await panel.input.press('Enter');
    await answer('you', []);
    assert.deepEqual(await done(), [{ type: 'send', text: 'Thank @you' }]);
    await panel.send(snapshot([], { sendKey: 'ctrlEnter' }));
    await panel.input.pressSequentially('Thank @us');
    await panel.input.press('Enter');
    await answer('us', []);
    assert.equal(await panel.input.inputValue(), 'Thank @us\n');
    assert.equal((await done()).length, 1);
  });

  it('F21 sends a command that was written out faster than it was suggested', async () => {
    await open();
    await panel.input.pressSequentially('/explain');
    await panel.input.press('Enter');
    assert.deepEqual(await done(), []);
    await answer('explain', commands);
    assert.deepEqual(await done(), [{ type: 'send', text: '/explain' }]);
  });

  it('closes the list when Ctrl+Enter sends', async () => {
    await open();
    await panel.input.pressSequentially('Look @');
    await answer('');
    await panel.input.press('Control+Enter');
    assert.deepEqual((await done()).at(-1), { type: 'send', text: 'Look @' });
    assert.equal(await list().count(), 0);
  });

  it('shows nothing of an earlier list under another sign', async () => {
    await open();
    await panel.input.pressSequentially('@');
    await answer('');
    await panel.input.fill('');
    await panel.input.pressSequentially('/');
    assert.equal(await list().count(), 0);
    await answer('', commands);
    assert.equal(await list().getAttribute('aria-label'), 'Commands');
  });

  it('leaves addresses, paths and headings alone', async () => {
    await open();
    await panel.input.fill('me@example.com and/or # heading');
    assert.deepEqual(await asked(), []);
  });

  it('F30 U1 the command opens the list, once for each time it is run, in a page that has just begun too', async () => {
    panel = await openPanel();
    await panel.send(snapshot(), { type: 'addContext', late: true });
    await list().or(panel.page.locator('textarea:focus')).first().waitFor();
    await answer('');
    assert.equal(await list().count(), 1);
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.input.inputValue(), '');
    await panel.send({ type: 'info', info: panelInfo() });
    assert.equal(await list().count(), 0);
    await panel.send({ type: 'addContext' });
    assert.equal(await panel.input.inputValue(), '@');
  });

  it('Add Context and Ctrl+/ open the list; Escape takes their sign away again', async () => {
    await open();
    await panel.input.pressSequentially('Look');
    await panel.input.press('Control+/');
    await answer('');
    assert.equal(await panel.input.inputValue(), 'Look @');
    await panel.input.press('Escape');
    assert.equal(await panel.input.inputValue(), 'Look ');
    await panel.page.getByRole('button', { name: 'Add Context' }).click();
    assert.equal(await panel.input.inputValue(), 'Look @');
  });

  it('F4 sends at once with Ctrl+Shift+Enter whichever key sends', async () => {
    await open();
    for (const sendKey of ['enter', 'ctrlEnter'] as const) {
      await panel.send(snapshot(ask('Hi'), { sendKey }));
      await panel.input.fill('rather this');
      await panel.input.press('Control+Shift+Enter');
      assert.deepEqual((await panel.posted()).at(-1), { type: 'queue', text: 'rather this', when: 'now' });
    }
    await panel.input.fill('and then this');
    await panel.input.press('Control+Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'queue', text: 'and then this' });
  });

  it('F4 sends at once with Ctrl+Enter while an answer is running', async () => {
    await open();
    await panel.events(...ask('Hi'));
    await panel.input.fill('rather this');
    await panel.input.press('Control+Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'queue', text: 'rather this', when: 'now' });
  });

  const paste = (piece: string) =>
    panel.input.evaluate((box: HTMLTextAreaElement, text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      document.execCommand('insertText', false, text);
    }, piece);

  it('F7 lets a pasted piece of an open file become an attachment, and text again', async () => {
    await open();
    const code = 'const a = 1;\nconst b = 2;\n';
    await panel.input.pressSequentially('See ');
    await paste(code);
    assert.deepEqual((await panel.posted()).at(-1), { type: 'pasted', id: 1, text: code });
    const attachments = [{ id: 'a1', label: 'src/a.ts:1-2', kind: 'file', tokens: 12, microUsd: 4 }] as const;
    await panel.send(
      { type: 'info', info: snapshot([], { attachments: [...attachments] }).info },
      { type: 'pasteAttached', id: 1, attachmentId: 'a1' },
    );
    assert.equal(await panel.input.inputValue(), 'See ');
    await panel.page.getByRole('button', { name: 'Paste src/a.ts:1-2 as text' }).click();
    assert.equal(await panel.input.inputValue(), `See ${code}`);
    assert.deepEqual((await panel.posted()).at(-1), { type: 'removeAttachment', id: 'a1' });
  });

  it('F7 takes out each of two pasted pieces, however late the first is known', async () => {
    await open();
    const pieces = ['const a = 1;\nconst b = 2;\n', 'let one = 3;\nlet two = 4;\n'];
    await panel.input.pressSequentially('See ');
    for (const piece of pieces) await paste(piece);
    for (const id of [1, 2]) {
      await panel.send({ type: 'pasteAttached', id, attachmentId: `a${id}` });
      assert.equal(await panel.input.inputValue(), id === 1 ? `See ${pieces[1]}` : 'See ');
    }
  });

  it('F7 takes files that are dropped anywhere', async () => {
    await open();
    await panel.log.evaluate((log) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', 'file:///w/a.ts\r\nhttps://example.com\r\nfile:///w/src');
      for (const type of ['dragover', 'drop']) {
        log.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    });
    assert.deepEqual((await panel.posted()).at(-1), {
      type: 'attachDropped',
      uris: ['file:///w/a.ts', 'file:///w/src'],
    });
  });

  it('U1 shows size and price of what is attached, and opens its source', async () => {
    await open();
    const attachments = [{ id: 'a1', label: 'src/a.ts', kind: 'file', tokens: 1234, microUsd: 407 }] as const;
    await panel.send({ type: 'info', info: snapshot([], { attachments: [...attachments] }).info });
    const chip = panel.page.getByRole('button', { name: /^Open src\/a\.ts, tokens: about 1,2\d\d, ≈/ });
    await chip.click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'openAttachment', id: 'a1' });
  });

  it('ux 2.4 marks a sent attachment whose source has changed', async () => {
    await open();
    const attachment = { id: 'a1', label: 'src/a.ts', text: 'x' };
    await panel.send(snapshot([{ type: 'userMessage', id: 'u1', at: 0, text: 'Hi', attachments: [attachment] }]), {
      type: 'sources',
      states: { a1: 'gone' },
    });
    await panel.log.getByRole('button', { name: 'Open src/a.ts, no longer there' }).waitFor();
  });

  it('X16 tells what was not attached, until it is read or the next message goes', async () => {
    await open();
    await panel.send({ type: 'note', text: 'a.png cannot be attached.' });
    await panel.page.getByText('a.png cannot be attached.').first().waitFor();
    await panel.page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await panel.page.locator('.composer-note').count(), 0);
  });

  it('F5 brings back prompts of other conversations of this workspace', async () => {
    await open();
    await panel.send({ type: 'prompts', prompts: ['older', 'newer'] });
    await panel.input.press('ArrowUp');
    assert.equal(await panel.input.inputValue(), 'newer');
    await panel.input.press('ArrowUp');
    assert.equal(await panel.input.inputValue(), 'older');
  });

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`has no accessibility fault while it is open, in ${theme}`, async () => {
      await open({ theme, width: 220 });
      await panel.input.pressSequentially('@');
      await answer('');
      assert.deepEqual(await axeProblems(panel.page), []);
    });
  }
});

describe('the model in a narrow panel', () => {
  for (const width of [220, 260]) {
    it(`F10 keeps the beginning of its name beside the word of the mode at ${width} px`, async () => {
      const panel = await openPanel({ width });
      await panel.send(snapshot([], { model: { id: 'svc/deepseek-v4-flash', name: 'DeepSeek V4 Flash' } }));
      const name = panel.page.getByRole('button', { name: 'Model: DeepSeek V4 Flash' }).locator('span');
      assert.ok((await name.evaluate((one) => one.clientWidth)) >= 50);
      await panel.close();
    });
  }

  for (const width of [300, 380]) {
    it(`F10 keeps its name whole at ${width} px`, async () => {
      const panel = await openPanel({ width });
      await panel.send(snapshot([], { model: { id: 'svc/deepseek-v4-flash', name: 'DeepSeek V4 Flash' } }));
      const whole = await panel.page
        .getByRole('button', { name: 'Model: DeepSeek V4 Flash' })
        .locator('span')
        .evaluate((name) => name.scrollWidth <= name.clientWidth);
      assert.equal(whole, true);
      await panel.close();
    });
  }
});
