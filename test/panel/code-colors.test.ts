import assert from 'node:assert/strict';
import type { CodeColors, PanelMessage } from '../../src/shared/panel/protocol.ts';
import { ask, end, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

type Request = Extract<PanelMessage, { type: 'colorCode' }>;

/** Every word its own run; every second one coloured, some bold or italic. */
function colorsFor({ from, text }: Request): CodeColors {
  const lines = text.split('\n').map((line) => {
    const runs = line.match(/\s+|\S+/g) ?? [];
    return runs.flatMap((run, index) => [run.length, index % 4 === 0 ? 2 * 16 + (index % 16) : 0]);
  });
  return { from, lines, colors: ['', '', '#ff0000'] };
}

describe('colours of code in the panel', () => {
  let panel: PanelPage;
  let answered: number;
  beforeEach(async () => {
    panel = await openPanel();
    answered = 0;
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const requests = async () => {
    const all = await panel.allPosted();
    return all.filter((message): message is Request => message.type === 'colorCode');
  };
  /** Plays the host until nothing is asked for any more. */
  const answerAll = async (colors: (request: Request) => CodeColors | undefined = colorsFor) => {
    for (let asked = await requests(); answered < asked.length; asked = await requests()) {
      for (const request of asked.slice(answered)) {
        await panel.send({ type: 'codeColors', block: request.block, colored: colors(request) });
      }
      answered = asked.length;
    }
  };
  const waitForRequests = (count: number) =>
    panel.page.waitForFunction((wanted) => {
      const { posted } = globalThis as unknown as { posted: { type: string }[] };
      return posted.filter(({ type }) => type === 'colorCode').length >= wanted;
    }, count);
  const code = () => panel.page.locator('.code-block code').first();
  const reply = (text: string) => `Before\n\n\`\`\`ts\n${text}\n\`\`\`\n\nAfter`;
  const colored = () => code().locator('.color-2').count();

  it('arrive without moving anything, in any of the ways to show code', async () => {
    const text = Array.from(
      { length: 60 },
      (_, index) => `${'\t'.repeat(index % 3)}let value${index} = /* ${'wide '.repeat(index)}*/ 'é 中文 👍';`,
    ).join('\n');
    await panel.send(snapshot(turn('Hi', reply(text))));
    await panel.page.getByRole('button', { name: 'Show All' }).click();
    await waitForRequests(1);
    const boxes = () =>
      panel.log.evaluate((log) =>
        [log, ...log.querySelectorAll('article, p, pre, code, .lines')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          // What scrolls sideways may get a pixel longer: a run of letters begins on a whole part of a pixel.
          const inside = element.matches('code, .lines');
          return [element.tagName, x, y, inside ? '' : width, height, element.scrollHeight, element.scrollTop].join(
            ' ',
          );
        }),
      );
    for (const wrapped of [false, true]) {
      if (wrapped) {
        await panel.page.getByRole('button', { name: 'Wrap Lines' }).click();
        await panel.send({ type: 'colorsChanged' });
        assert.equal(await colored(), 0);
      }
      const before = await boxes();
      await answerAll();
      assert.ok((await colored()) > 100);
      assert.deepEqual(await boxes(), before);
      assert.equal(await code().textContent(), text);
    }
  });

  it('P6 give the same document however the code arrived', async () => {
    const text = 'let a = 1;\n\n  if (a) {\n\treturn "\u202e";\n\n\n}\nx';
    await panel.send(snapshot(ask('Hi')));
    const whole = reply(text);
    for (let at = 0; at < whole.length; at += 3) {
      await panel.events(say(whole.slice(at, at + 3)));
      if (at % 4 === 0) await answerAll();
    }
    await panel.events(end());
    await answerAll();
    const streamed = await code().innerHTML();
    await panel.send(snapshot(turn('Hi', whole, 'other')));
    await panel.page.reload();
    answered = 0;
    await panel.send(snapshot(turn('Hi', whole, 'other')));
    await waitForRequests(1);
    await answerAll();
    assert.equal(await code().innerHTML(), streamed);
    assert.ok((await colored()) > 3);
    assert.match(await code().innerText(), /␣U\+202E/);
  });

  it('P6 a growing block is sent once, and only lines that are complete for sure', async () => {
    await panel.send(snapshot(ask('Hi')));
    await panel.events(say('```ts\n'));
    for (let line = 0; line < 30; line++) {
      await panel.events(say(`let a${line}`), say(' = 1;\n'));
      await answerAll();
    }
    const isLast = ({ text }: Request) => text.endsWith('let a28 = 1;');
    while (!(await requests()).some(isLast)) {
      await waitForRequests(answered + 1);
      await answerAll();
    }
    const sent = await requests();
    assert.equal(new Set(sent.map(({ block }) => block)).size, 1);
    assert.equal(
      sent.map(({ text }) => text).join('\n'),
      Array.from({ length: 29 }, (_, line) => `let a${line} = 1;`).join('\n'),
    );
  });

  it('come anew when the theme changes or its rules do, and what is late for the old one is dropped', async () => {
    await panel.send(snapshot(turn('Hi', reply('let a'))));
    await waitForRequests(1);
    const [late] = await requests();
    await panel.page.evaluate(() => {
      document.body.dataset.vscodeThemeId = 'Solarized Light';
    });
    await waitForRequests(2);
    assert.equal((await requests())[1]?.theme, 'Solarized Light');
    assert.ok(late);
    await panel.send({ type: 'codeColors', block: late.block, colored: colorsFor(late) });
    assert.equal(await colored(), 0);
    answered = 1;
    await answerAll();
    assert.equal(
      await code()
        .locator('.color-2')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
      'rgb(255, 0, 0)',
    );
    await panel.send({ type: 'colorsChanged' });
    assert.equal(await colored(), 0);
    await answerAll((request) => ({ ...colorsFor(request), colors: ['', '', '#0000ff'] }));
    assert.equal(
      await code()
        .locator('.color-2')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
      'rgb(0, 0, 255)',
    );
  });

  it('starts a block again when the host has forgotten it, and asks no more where there are no colours', async () => {
    await panel.send(snapshot(ask('Hi')));
    await panel.events(say('```ts\nlet a\nlet b\n//'));
    await answerAll();
    await panel.events(say('\n//'));
    const forgotten = (request: Request) =>
      request.from > 0 ? { from: 0, lines: [], colors: [] } : colorsFor(request);
    await waitForRequests(2);
    await answerAll(forgotten);
    await waitForRequests(3);
    await answerAll(forgotten);
    const texts = (await requests()).map(({ from, text }) => [from, text]);
    assert.deepEqual(texts.slice(-2), [
      [2, '//'],
      [0, 'let a\nlet b\n//'],
    ]);
    await panel.events(say('```\n\n```nothing\nx\n'));
    await waitForRequests(4);
    await answerAll(() => undefined);
    const before = (await requests()).length;
    await panel.events(say('y\nz\n'));
    assert.equal((await requests()).length, before);
  });

  it('P7 are asked for where the reader looks, not for a thousand answers', async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      turn('Hi', reply(`let a${index} = 1;\n`.repeat(20)), `t${index}`),
    ).flat();
    await panel.send(snapshot(many));
    await waitForRequests(1);
    await answerAll();
    assert.ok((await requests()).length < 20, `${(await requests()).length} requests`);
    await panel.page.waitForFunction(() => {
      // More is above each time, until all of it is there.
      document.querySelector('[role=log]')?.scrollTo(0, 0);
      const { posted } = globalThis as unknown as { posted: { type: string; text?: string }[] };
      return posted.some(({ type, text }) => type === 'colorCode' && text?.startsWith('let a0 '));
    });
  });

  it('P6 a line of a megabyte is drawn, and is sent as a short one', async () => {
    await panel.send(snapshot(turn('Hi', reply(`let a;\n${'x'.repeat(1_000_000)}\nlet b;`))));
    await waitForRequests(1);
    await answerAll();
    assert.ok((await requests()).every(({ text }) => text.length <= 20_000));
    assert.equal((await code().textContent())?.length, 1_000_014);
  });

  it('give way to the colours that the system forces', async () => {
    await panel.page.emulateMedia({ forcedColors: 'active' });
    await panel.send(snapshot(turn('Hi', reply('let a'))));
    await waitForRequests(1);
    await answerAll();
    const color = await code()
      .locator('.color-2')
      .first()
      .evaluate((element) => getComputedStyle(element).color);
    assert.notEqual(color, 'rgb(255, 0, 0)');
  });
});
