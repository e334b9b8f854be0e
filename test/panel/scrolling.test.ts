import assert from 'node:assert/strict';
import fc from 'fast-check';
import { times } from '../support/effort.ts';
import { ask, end, richReply, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const paragraphs = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n\n');

describe('scrolling', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel({ height: 500 });
    await panel.send(snapshot(turn('Hi', paragraphs(60, 'Old'), 't0')));
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const distance = () => panel.log.evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight));
  const pill = () => panel.page.getByRole('button', { name: 'Latest' });
  const settle = () =>
    panel.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });

  it('opens at the end and follows text that streams', async () => {
    assert.equal(await distance(), 0);
    await panel.events(...ask('More', 't1'));
    for (let part = 0; part < 10; part++) {
      await panel.events(say(paragraphs(6, `New ${part}`), 't1'));
      assert.ok((await distance()) <= 1);
    }
    assert.equal(await pill().count(), 0);
  });

  it('lets go when the reader scrolls up, stays put, and comes back by the pill', async () => {
    await panel.events(...ask('More', 't1'), say(paragraphs(20, 'New'), 't1'));
    await panel.log.hover();
    await panel.page.mouse.wheel(0, -20);
    await pill().waitFor();
    const top = await panel.log.evaluate((log) => log.scrollTop);
    await panel.events(say(paragraphs(20, 'Newer'), 't1'));
    assert.equal(await panel.log.evaluate((log) => log.scrollTop), top);
    await pill().click();
    assert.ok((await distance()) <= 1);
    await panel.events(say(paragraphs(20, 'Newest'), 't1'), end('t1'));
    assert.ok((await distance()) <= 1);
    assert.equal(await pill().count(), 0);
  });

  it('ux 2.18 keeps the focus on the pill when the end comes into view under it', async () => {
    await panel.log.hover();
    await panel.page.mouse.wheel(0, -400);
    await pill().focus();
    await panel.page.mouse.wheel(0, 4000);
    await panel.page.waitForFunction(() => {
      const log = document.querySelector('[role=log]');
      return log && log.scrollHeight - log.scrollTop - log.clientHeight < 1;
    });
    await settle();
    assert.equal(await pill().evaluate((button) => button === document.activeElement), true);
    await panel.page.keyboard.press('Tab');
    await panel.page.waitForFunction(() => document.querySelector('.jump') === null);
    assert.equal(await panel.input.evaluate((input) => input === document.activeElement), true);
  });

  it('P6 F5 what is read above stays in its place while a long answer grows, wherever its reader has scrolled to', async () => {
    const part = (number: number) => `# Part ${number}\n\n${richReply}\n\n`;
    await panel.events(...ask('More', 't1'));
    for (let number = 0; number < 20; number++) {
      await panel.events(say(part(number), 't1'));
      assert.ok((await distance()) <= 1);
    }
    await panel.log.hover();
    for (let number = 20; number < 32; number++) {
      const top = await panel.log.evaluate((log) => log.scrollTop);
      await panel.page.mouse.wheel(0, -400);
      await panel.page.waitForFunction(
        (before) => Math.abs((document.querySelector('[role=log]')?.scrollTop ?? 0) - before + 400) <= 1,
        top,
      );
      await settle();
      const moved = await panel.page.evaluate(
        async (data) => {
          const log = document.querySelector('[role=log]')?.getBoundingClientRect();
          const read = log && document.elementFromPoint(log.left + 60, log.top + 250);
          if (!read || read.matches('[role=log], .section')) throw new Error('nothing is drawn there');
          const before = read.getBoundingClientRect().top;
          window.dispatchEvent(new MessageEvent('message', { data }));
          for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
          return read.getBoundingClientRect().top - before;
        },
        { type: 'events', events: [say(part(number), 't1')] },
      );
      assert.ok(Math.abs(moved) <= 1, `moved by ${moved} px at part ${number}`);
    }
  });

  it('follows again when the reader returns to the end', async () => {
    await panel.log.evaluate((log) => {
      log.scrollTop -= 300;
    });
    await pill().waitFor();
    await panel.log.evaluate((log) => {
      log.scrollTop += 290;
    });
    await pill().waitFor({ state: 'detached' });
    await panel.events(...ask('More', 't1'), say(paragraphs(20, 'New'), 't1'));
    assert.ok((await distance()) <= 1);
  });

  it('shows the new prompt near the top with room for its answer', async () => {
    await panel.log.evaluate((log) => {
      log.scrollTop = 0;
    });
    await settle();
    await panel.input.fill('A new question');
    await panel.input.press('Enter');
    await panel.events(...ask('A new question', 't1'));
    const box = await panel.page.getByText('A new question').boundingBox();
    assert.ok(box && box.y < 200, `prompt at ${box?.y}`);
  });

  it('ux 2.14 F4 takes nobody away from what they read when a message comes out of the queue, and counts what is new', async () => {
    await panel.events(...ask('First', 't1'), say(paragraphs(30, 'New'), 't1'));
    await panel.input.fill('Second');
    await panel.input.press('Enter');
    await panel.log.evaluate((log) => {
      log.scrollTop = 200;
    });
    await pill().waitFor();
    assert.equal(await pill().textContent(), 'Latest');
    await settle();
    const top = await panel.log.evaluate((log) => log.scrollTop);
    await panel.events(end('t1'), ...ask('Second', 't2'), say(paragraphs(30, 'Newer'), 't2'));
    await panel.page.getByRole('button', { name: 'Latest · 2 new' }).waitFor();
    assert.equal(await panel.log.evaluate((log) => log.scrollTop), top);
    await panel.input.fill('Now');
    await panel.input.press('Control+Enter');
    await panel.events(end('t2', { outcome: 'stopped' }), ...ask('Now', 't3'));
    assert.ok((await distance()) <= 1);
    assert.equal(await pill().count(), 0);
  });

  it('lets go of the end while text is selected', async () => {
    await panel.page.getByText('Old 59', { exact: true }).selectText();
    await panel.events(...turn('x', 'y', 't8').slice(0, 1));
    await pill().waitFor();
  });

  it('F5 comes back to where the reader was', async () => {
    await panel.log.evaluate((log) => {
      log.scrollTop = 400;
    });
    await pill().waitFor();
    const line = panel.page.getByText('Old 20', { exact: true });
    const before = (await line.boundingBox())?.y ?? 0;
    await panel.page.waitForFunction(() => sessionStorage.getItem('state')?.includes('offsetPx'));
    await panel.page.reload();
    await panel.send(snapshot(turn('Hi', paragraphs(60, 'Old'), 't0')));
    await settle();
    const after = (await line.boundingBox())?.y ?? 0;
    assert.ok(Math.abs(after - before) < 5, `${before} → ${after}`);
  });
});

/** Until nothing more would be drawn: so many times nothing else was to do. */
const idle = (panel: PanelPage) =>
  panel.page.evaluate(async () => {
    for (let time = 0; time < 10; time++) {
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });

const short = (count: number) =>
  Array.from({ length: count / 2 }, (_, index) => turn(`Question ${index}`, `Answer ${index}`, `t${index}`)).flat();

describe('a conversation of 1,000 messages', () => {
  const drawnIn = (panel: PanelPage) => panel.page.locator('article').count();

  it('P7 F5 comes back to a place far above the end', async () => {
    const panel = await openPanel();
    const many = short(1000);
    await panel.send(snapshot(many));
    await panel.page.locator('article').last().focus();
    await panel.page.keyboard.press('Home');
    await panel.page.waitForFunction(() => document.activeElement?.getAttribute('aria-posinset') === '1');
    const line = panel.page.getByText('Question 200', { exact: true });
    await line.scrollIntoViewIfNeeded();
    await panel.page.waitForFunction(() => {
      const { place } = JSON.parse(sessionStorage.getItem('state') ?? '{}').v1;
      return place?.message > 390 && place.message <= 400;
    });
    const before = (await line.boundingBox())?.y ?? 0;
    await panel.page.reload();
    await panel.send(snapshot(many));
    await idle(panel);
    const after = (await line.boundingBox())?.y ?? 0;
    assert.ok(Math.abs(after - before) < 40, `${before} → ${after}`);
    await panel.close();
  });

  it('P7 what is read stays in its place while earlier messages are drawn, also at the very top', async () => {
    const panel = await openPanel();
    const top = await panel.page.evaluate(
      async (data) => {
        window.dispatchEvent(new MessageEvent('message', { data }));
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        await frame();
        const log = document.querySelector<HTMLElement>('[role=log]');
        if (!log) throw new Error('there is no conversation');
        log.scrollTop = 0;
        await frame();
        await frame();
        const first = [...document.querySelectorAll('article')].find(
          (article) => article.getBoundingClientRect().bottom > log.getBoundingClientRect().top,
        );
        const before = first?.getBoundingClientRect().top ?? Number.NaN;
        while (log.scrollTop <= 3 * log.clientHeight) await frame();
        await frame();
        return { before, after: first?.getBoundingClientRect().top ?? Number.NaN };
      },
      snapshot(short(400)),
    );
    assert.ok(Math.abs(top.after - top.before) <= 1, `${top.before} → ${top.after}`);
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('P7 the arrow keys go from one message to the next through all of it', async () => {
    const panel = await openPanel();
    const many = short(120);
    await panel.send(snapshot(many));
    await panel.page.locator('article').last().focus();
    const at = () => panel.page.evaluate(() => Number(document.activeElement?.getAttribute('aria-posinset')));
    const walked = [await at()];
    while (walked.at(-1) !== 1) {
      await panel.page.keyboard.press('ArrowUp');
      await panel.page.waitForFunction(
        (last) => document.activeElement?.getAttribute('aria-posinset') !== String(last),
        walked.at(-1),
      );
      walked.push(await at());
    }
    assert.deepEqual(
      walked,
      Array.from({ length: 120 }, (_, index) => 120 - index),
    );
    assert.equal(await panel.page.locator('article[tabindex="0"]').count(), 1);
    await panel.close();
  });

  it('the keys for the message of the user before go on above what is drawn', async () => {
    const panel = await openPanel();
    await panel.send(snapshot(short(120)));
    await idle(panel);
    await panel.page.locator('article.user').first().focus();
    // It comes into view with the focus, and then others may be drawn above it: it is no longer the first.
    const focused = Number(await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-posinset')));
    assert.ok(focused > 1, 'all is drawn');
    await panel.page.keyboard.press('Control+Alt+ArrowUp');
    await panel.page.waitForFunction(
      (last) => document.activeElement?.getAttribute('aria-posinset') === String(last - 2),
      focused,
    );
    await panel.close();
  });

  it('a view that the last messages do not fill is filled', async () => {
    const panel = await openPanel({ height: 4000 });
    await panel.send(snapshot(short(1000)));
    await panel.page.waitForFunction(() => {
      const log = document.querySelector('[role=log]');
      return log && log.scrollHeight > log.clientHeight;
    });
    await panel.close();
  });

  it('what is left after most of it was deleted is drawn', async () => {
    const panel = await openPanel();
    await panel.send(snapshot(short(1000)));
    await idle(panel);
    await panel.send(snapshot(short(100)));
    await idle(panel);
    assert.equal(await panel.page.locator('article').last().getAttribute('aria-posinset'), '100');
    await panel.close();
  });

  it('P7 opens with the last of 1,000 messages, and streaming touches none but the last', async () => {
    const panel = await openPanel();
    const many = Array.from({ length: 500 }, (_, index) =>
      turn(
        `Question ${index}`,
        `Answer **${index}**\n\n- a\n- b\n\n\`\`\`ts\nlet x = ${index};\n\`\`\`\n`,
        `t${index}`,
      ),
    ).flat();
    await panel.send(snapshot(many));
    await idle(panel);
    const drawn = await drawnIn(panel);
    assert.ok(drawn > 0 && drawn < 200, `${drawn} are drawn`);
    const order = await panel.page.locator('article.user .prompt').allTextContents();
    assert.deepEqual(order, Array.from({ length: 500 }, (_, index) => `Question ${index}`).slice(-drawn / 2));
    assert.equal(await panel.log.evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight)), 0);
    await panel.events(...ask('More', 'last'), say('The ', 'last'));
    const touched = await panel.page.evaluate(
      async (event) => {
        const articles = [...document.querySelectorAll('article')];
        const found = new Set<number>();
        const observer = new MutationObserver((records) => {
          for (const { target } of records) {
            const element = target instanceof Element ? target : target.parentElement;
            const article = element?.closest('article');
            if (article) found.add(articles.indexOf(article));
          }
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
        for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
        observer.disconnect();
        return [...found].map((index) => index - articles.length);
      },
      say('word ', 'last'),
    );
    assert.deepEqual(touched, [-1]);
    await panel.close();
  });
});

describe('a reader of a long conversation', () => {
  const action = fc.oneof(
    fc.record({ what: fc.constant('scroll' as const), px: fc.integer({ min: -3000, max: 1500 }) }),
    fc.record({ what: fc.constant('top' as const) }),
    fc.record({ what: fc.constant('key' as const), key: fc.constantFrom('ArrowUp', 'ArrowDown', 'PageUp') }),
    fc.record({ what: fc.constant('width' as const), px: fc.integer({ min: 220, max: 600 }) }),
    fc.record({ what: fc.constant('delta' as const), words: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ what: fc.constant('fold' as const) }),
  );

  it('P23 sees what a conversation that is drawn whole shows, in its order, and it stays where it is read', async () => {
    const texts = Array.from({ length: 150 }, (_, index) => `Answer ${index}\n\n${'word '.repeat((index * 37) % 90)}`);
    const many = texts.flatMap((text, index) => turn(`Question ${index}`, text, `t${index}`));
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        const panel = await openPanel({ height: 600 });
        await panel.send(snapshot(many));
        await panel.events(...ask('More', 'last'));
        for (const one of actions) {
          if (one.what === 'delta') await panel.events(say('more '.repeat(one.words), 'last'));
          else if (one.what === 'key') {
            await panel.page.locator('article[tabindex="0"]').focus();
            await panel.page.keyboard.press(one.key);
          } else await panel.page.evaluate(act, one);
          const moved = await panel.page.evaluate(whatMovesWhileDrawing);
          assert.ok(moved <= 1, `${JSON.stringify(one)}: what is read moved by ${moved} px`);
        }
        const drawn = await panel.page.evaluate(() =>
          [...document.querySelectorAll('article')].map((article) => ({
            position: Number(article.ariaPosInSet),
            text: article.querySelector('.prompt, .markdown')?.textContent?.split('\n')[0] ?? '',
          })),
        );
        const first = drawn[0]?.position ?? 0;
        assert.deepEqual(
          drawn.map(({ position }) => position),
          Array.from({ length: 302 - first + 1 }, (_, index) => first + index),
        );
        for (const { position, text } of drawn.slice(0, -2)) {
          const index = Math.floor((position - 1) / 2);
          const begins = position % 2 === 1 ? `Question ${index}` : `Answer ${index}`;
          assert.ok(text === begins || text.startsWith(`${begins}word`) || text.startsWith(`${begins} `), text);
        }
        assert.deepEqual(panel.problems(), []);
        await panel.close();
      }),
      {
        numRuns: times(2, 25),
        // What comes into view was laid out for another width.
        examples: [
          [
            [
              { what: 'width', px: 220 },
              { what: 'scroll', px: -1631 },
            ],
          ],
        ],
      },
    );
  });
});

/** Runs in the page. */
function act(one: { what: string; px?: number }): void {
  const log = document.querySelector<HTMLElement>('[role=log]');
  if (!log) throw new Error('there is no conversation');
  if (one.what === 'scroll') log.scrollTop += one.px ?? 0;
  if (one.what === 'top') log.scrollTop = 0;
  if (one.what === 'width') document.body.style.width = `${one.px}px`;
  if (one.what === 'fold') document.querySelector<HTMLElement>('.log summary')?.click();
}

/** Runs in the page: how far the message at the top of the view goes while earlier ones are drawn, until no more are. */
async function whatMovesWhileDrawing(): Promise<number> {
  const log = document.querySelector<HTMLElement>('[role=log]');
  if (!log) throw new Error('there is no conversation');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const top = log.getBoundingClientRect().top;
  const articles = () => [...log.querySelectorAll('article')];
  /** Below its last line, a message has a padding that nobody reads. */
  const textEnds = (article: Element) =>
    article.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(article).paddingBlockEnd);
  const inView = () => articles().find((article) => textEnds(article) > top);
  const placeOf = (article?: Element) => article?.getBoundingClientRect().top ?? Number.NaN;
  // What comes into view is laid out for the first time, and may be of another height than was thought.
  let read = inView();
  for (let before = Number.NaN; before !== placeOf(read); read = inView()) {
    before = placeOf(read);
    for (let count = 0; count < 4; count++) await frame();
  }
  const before = placeOf(read);
  for (let count = -1; count !== articles().length; ) {
    count = articles().length;
    for (let time = 0; time < 5; time++) {
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
      await frame();
    }
  }
  return Math.abs(placeOf(read) - before);
}
