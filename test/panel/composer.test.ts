import assert from 'node:assert/strict';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { ask, end, panelInfo, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('the composer', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const sent = async () => (await panel.posted()).filter(({ type }) => type === 'send');

  it('sends with Enter and starts a new line with Shift+Enter', async () => {
    await panel.send(snapshot());
    await panel.input.pressSequentially('one');
    await panel.input.press('Shift+Enter');
    await panel.input.pressSequentially('two');
    assert.deepEqual(await sent(), []);
    await panel.input.press('Enter');
    assert.deepEqual(await sent(), [{ type: 'send', text: 'one\ntwo' }]);
    assert.equal(await panel.input.inputValue(), '');
  });

  it('S17 is where one types on after a click on Send or Stop', async () => {
    await panel.send(snapshot());
    await panel.input.pressSequentially('one');
    await panel.page.getByRole('button', { name: 'Send' }).click();
    await panel.page.keyboard.type('two');
    assert.equal(await panel.input.inputValue(), 'two');
    await panel.events(...ask('one'));
    await panel.page.getByRole('button', { name: 'Stop' }).click();
    await panel.page.keyboard.type(' and three');
    assert.equal(await panel.input.inputValue(), 'two and three');
  });

  it('tells the host what was typed the moment the focus leaves: a command from the palette acts on it', async () => {
    await panel.send(snapshot());
    await panel.input.focus();
    const told = await panel.input.evaluate(async (box) => {
      if (!(box instanceof HTMLTextAreaElement)) return undefined;
      box.value = 'Typed';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      box.blur();
      await Promise.resolve();
      // No timer ran since.
      return (globalThis as unknown as { posted: PanelMessage[] }).posted;
    });
    assert.deepEqual(
      told?.flatMap((message) => (message.type === 'draftChanged' ? [message.draft.text] : [])),
      ['Typed'],
    );
  });

  it('sends with Ctrl+Enter when the setting says so', async () => {
    await panel.send(snapshot([], { sendKey: 'ctrlEnter' }));
    await panel.input.pressSequentially('one');
    await panel.input.press('Enter');
    assert.deepEqual(await sent(), []);
    await panel.input.press('Control+Enter');
    assert.deepEqual(await sent(), [{ type: 'send', text: 'one\n' }]);
  });

  it('never sends the Enter that ends a composition', async () => {
    await panel.send(snapshot());
    await panel.input.fill('にほん');
    await panel.input.evaluate((element) => {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }));
    });
    assert.deepEqual(await sent(), []);
    await panel.input.press('Enter');
    assert.equal((await sent()).length, 1);
  });

  it('F21 shows a command as it was typed, what was sent for it on demand, and edits what was typed', async () => {
    const [asked, ...others] = ask('Explain this code: what it does.');
    assert.ok(asked?.type === 'userMessage');
    await panel.send(snapshot([{ ...asked, typed: '/explain' }, ...others, say('It adds.'), end()]));
    const message = panel.page.getByRole('article', { name: 'You' });
    assert.equal(await message.locator('.prompt').innerText(), '/explain');
    await message.getByText('What was sent').click();
    await message.getByText('Explain this code: what it does.').waitFor();
    await message.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await panel.input.inputValue(), '/explain');
  });

  it('X19 keeps a text that is longer than a message can be, and says what to do; the host is told nothing it would drop', async () => {
    await panel.send(snapshot());
    const box = panel.page.locator('.composer textarea');
    const fill = (length: number) =>
      box.evaluate((area, letters) => {
        if (!(area instanceof HTMLTextAreaElement)) return;
        // The layout of so much text is slow and not looked at here.
        area.style.display = 'none';
        area.value = 'x'.repeat(letters);
        area.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }, length);
    const send = () => panel.page.getByRole('button', { name: 'Send' }).click();
    await fill(2_000_001);
    await send();
    await panel.page.getByText('A message can have up to 2,000,000 characters.').first().waitFor();
    assert.equal((await box.inputValue()).length, 2_000_001);
    assert.deepEqual(await sent(), []);
    const told = await panel.allPosted();
    assert.ok(told.every((message) => !('text' in message) || message.text === undefined || message.text.length < 10));
    await fill(2_000_000);
    await send();
    assert.deepEqual(
      (await sent()).map((message) => ('text' in message ? message.text?.length : undefined)),
      [2_000_000],
    );
    await panel.page.locator('.composer-note').waitFor({ state: 'detached' });
  });

  it('F7 attaches a long pasted text, and says when it is too long for that', async () => {
    await panel.send(snapshot());
    const paste = (text: string) =>
      panel.input.evaluate((box, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        box.dispatchEvent(event);
        return event.defaultPrevented;
      }, text);
    const line = 'A line of a log that somebody pastes.\n';
    assert.equal(await paste(line.repeat(100)), false, 'that is still text');
    const long = line.repeat(4000);
    assert.equal(await paste(long), true);
    const posted = (await panel.posted()).at(-1);
    assert.ok(posted?.type === 'attachText');
    assert.deepEqual([posted.name, posted.text, posted.pasted], ['Pasted text, 100 kB', long, true]);
    await panel.page.locator('.composer-note', { hasText: 'its first 100,000 characters were attached' }).waitFor();
    assert.equal(await paste('x'.repeat(2_000_001)), true);
    await panel.page.locator('.composer-note', { hasText: 'too long to paste' }).waitFor();
    assert.equal((await panel.posted()).filter(({ type }) => type === 'attachText').length, 1);
  });

  it('F7 leaves the text box and the conversation in sight however much is attached, and shows the newest', async () => {
    const attachments = Array.from({ length: 50 }, (_, at) => ({
      id: `a${at}`,
      label: `src/file-${at}.ts`,
      tokens: 6,
    }));
    await panel.send(snapshot(turn('Hello?', 'Hi.'), { attachments: attachments.slice(0, 49) }));
    await panel.send({ type: 'info', info: panelInfo({ attachments }) });
    await panel.input.click({ trial: true });
    await panel.page.getByRole('button', { name: 'Remove src/file-49.ts' }).click({ trial: true });
    const height = await panel.page.locator('.composer').evaluate((composer) => composer.clientHeight / innerHeight);
    assert.ok(height < 0.5, `the composer takes ${height} of the panel`);
    const seen = await panel.page.getByRole('button', { name: 'Remove src/file-49.ts' }).evaluate((button) => {
      const list = button.closest('ul')?.getBoundingClientRect();
      return list !== undefined && button.getBoundingClientRect().bottom <= list.bottom;
    });
    assert.ok(seen, 'the newest is in sight');
  });

  it('F7 tells the host why a dropped file is not attached', async () => {
    await panel.send(snapshot());
    const drop = (parts: string[], name: string) =>
      panel.page.evaluate(
        ([content, fileName]) => {
          const data = new DataTransfer();
          data.items.add(new File(content, fileName));
          document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [parts, name] as const,
      );
    for (const [content, name] of [
      ['a\0b', 'data.bin'],
      ['x'.repeat(2_000_001), 'long.txt'],
    ] as const) {
      await drop([content], name);
      await waitFor('the reason', async () =>
        (await panel.posted()).find(
          (each) => each.type === 'notArrived' && each.reason.startsWith(`Can't attach ${name}`),
        ),
      );
    }
    await drop(['text'], 'notes.txt');
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { type: string }[] }).posted.some(({ type }) => type === 'attachText'),
    );
    const texts = (await panel.posted()).flatMap((each) =>
      each.type === 'attachText' ? [[each.name, each.text]] : [],
    );
    assert.deepEqual(texts, [['notes.txt', 'text']]);
  });

  it('sends nothing when there is nothing', async () => {
    await panel.send(snapshot());
    await panel.input.fill('  \n ');
    await panel.input.press('Enter');
    assert.deepEqual(await sent(), []);
  });

  it('F2 turns Send into Stop at the same place, and Escape stops too', async () => {
    await panel.send(snapshot());
    const box = await panel.page.getByRole('button', { name: 'Send' }).boundingBox();
    await panel.input.focus();
    await panel.events(...ask('Hi'));
    const stop = panel.page.getByRole('button', { name: 'Stop' });
    assert.deepEqual(await stop.boundingBox(), box);
    await stop.click();
    await panel.input.press('Escape');
    assert.deepEqual((await panel.posted()).slice(1), [{ type: 'stop' }, { type: 'stop' }]);
    await panel.events({ type: 'stopping', turnId: 'turn-1' });
    await panel.page.getByText('Stopping…').waitFor();
    assert.equal(await stop.getAttribute('aria-disabled'), 'true');
    await panel.events(end('turn-1', { outcome: 'stopped' }));
    await panel.page.getByText('Stopped', { exact: true }).first().waitFor();
    await panel.page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('keeps what is typed while a turn runs', async () => {
    await panel.send(snapshot(ask('Hi')));
    await panel.input.fill('next question');
    await panel.events(say('Hello'), end());
    assert.equal(await panel.input.inputValue(), 'next question');
    assert.deepEqual(await sent(), []);
  });

  it('F5 keeps the draft over a reload', async () => {
    await panel.send(snapshot());
    await panel.input.fill('half a thought');
    await panel.page.reload();
    await panel.send(snapshot());
    assert.equal(await panel.input.inputValue(), 'half a thought');
  });

  it('takes a draft and the focus from the host', async () => {
    await panel.send(snapshot([], {}, 'Explain this'), { type: 'focusInput' });
    assert.equal(await panel.input.inputValue(), 'Explain this');
    assert.equal(await panel.input.evaluate((element) => element === document.activeElement), true);
  });

  it('takes the focus from another part of the window when it is asked to, and not when it was asked before it was there', async () => {
    const hasFocus = () => panel.input.evaluate((element) => element === document.activeElement);
    await panel.send(snapshot());
    await panel.page.evaluate(() => {
      document.hasFocus = () => false;
      (document.activeElement as HTMLElement).blur();
    });
    await panel.send({ type: 'focusInput', late: true });
    assert.equal(await hasFocus(), false);
    await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    assert.ok(await hasFocus(), 'the page has it now');
    await panel.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await panel.send({ type: 'focusInput' });
    assert.ok(await hasFocus());
  });

  it('grows to twelve lines and scrolls from there', async () => {
    await panel.send(snapshot());
    const height = async () => (await panel.input.boundingBox())?.height ?? 0;
    const one = await height();
    await panel.input.fill('a\n'.repeat(5));
    const six = await height();
    assert.ok(six > one + 4 * 15, `${one} → ${six}`);
    await panel.input.fill('a\n'.repeat(40));
    const many = await height();
    assert.ok(many > six && many < one * 12, `${six} → ${many}`);
    assert.ok(await panel.input.evaluate((element) => element.scrollHeight > element.clientHeight));
  });

  it('brings back earlier prompts with the arrow keys', async () => {
    await panel.send(snapshot([...turn('first', 'a', 't1'), ...turn('second', 'b', 't2')]));
    await panel.input.focus();
    await panel.input.press('ArrowUp');
    assert.equal(await panel.input.inputValue(), 'second');
    await panel.input.press('ArrowUp');
    assert.equal(await panel.input.inputValue(), 'first');
    await panel.input.press('ArrowDown');
    await panel.input.press('ArrowDown');
    assert.equal(await panel.input.inputValue(), '');
  });
});
