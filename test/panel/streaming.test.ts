import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatEvent } from '../../src/shared/events.ts';
import { ask, end, failure, fold, kimi, richReply, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';

/** From now on time passes only where the test says so, however long a busy machine takes. Returns what the clock shows. */
async function stopTime(page: Page): Promise<number> {
  const later = (await page.evaluate(() => Date.now())) + 600_000;
  await page.clock.pauseAt(later);
  return later;
}

describe('streaming', () => {
  let panel: PanelPage;
  const open = async (options?: PanelOptions) => {
    panel = await openPanel(options);
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const bodyOf = () => panel.page.locator('.answer .markdown').last().innerHTML();

  it('P6 ends with the same document as one piece would give', async () => {
    await open();
    await panel.send(snapshot());
    await panel.events(...ask('Hi'));
    for (let at = 0; at < richReply.length; at += 7) await panel.events(say(richReply.slice(at, at + 7)));
    await panel.events(end());
    const streamed = await bodyOf();
    await panel.send(snapshot(turn('Hi', richReply)));
    await panel.page.reload();
    await panel.send(snapshot(turn('Hi', richReply)));
    assert.equal(streamed, await bodyOf());
  });

  for (const [where, height] of [
    ['in a panel that holds it all', 2400],
    ['in one that follows its end', 500],
  ] as const) {
    it(`ux 2.20 nothing that is read moves while an answer streams ${where}, by the browser's own count`, async () => {
      await open({ height, width: 420 });
      await panel.send(snapshot(turn('Before', 'An earlier answer.')));
      await panel.page.evaluate(() => {
        const shifts: string[] = [];
        Object.assign(window, { shifts });
        // What is being written moves as it becomes what it is: the caret goes on, a column widens, half a link becomes one. The
        // browser tells a frame later, when the next block may have begun. All that stands above is being read.
        const isWritten = (node: Node) =>
          [...document.querySelectorAll('.answer .markdown:last-of-type')]
            .flatMap((markdown) => [...markdown.children].slice(-2))
            .some((block) => block.contains(node));
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { sources } = entry as PerformanceEntry & { sources: { node?: Node }[] };
            // Without a node it is the caret.
            const moved = sources.flatMap(({ node }) => (node && !isWritten(node) ? [node.textContent ?? ''] : []));
            shifts.push(...moved.map((text) => text.slice(0, 60)));
          }
        }).observe({ type: 'layout-shift' });
      });
      const shifts = () => panel.page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
      const inFrames = (events: readonly ChatEvent[]) =>
        panel.page.evaluate(async (all) => {
          for (const event of all) {
            window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
        }, events);
      // To send scrolls to the question, on purpose.
      await inFrames([...ask('Read it', 'turn-9'), say('I look at both files.\n\n', 'turn-9')]);
      const before = (await shifts()).length;
      const call = (id: string, step: number) =>
        toolStep('', [{ id, name: 'read_file', title: `Read ${id}.ts`, arguments: '{}', output: 'x' }], 'turn-9', step);
      const text = Array.from({ length: richReply.length / 9 }, (_, at) =>
        say(richReply.slice(9 * at, 9 * at + 9), 'turn-9', 3),
      );
      await inFrames([...call('a', 1), ...call('b', 2), ...text]);
      await panel.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
      assert.deepEqual((await shifts()).slice(before), []);
    });
  }

  it('ux 2.20 an answer with two calls has one row above it', async () => {
    await open();
    const calls = ['a', 'b'].map((id) => ({
      id,
      name: 'read_file',
      title: `Read ${id}.ts`,
      arguments: '{}',
      output: 'x',
    }));
    await panel.send(snapshot([...ask('Hi'), ...toolStep('', calls), say('Both are fine.', 'turn-1', 1), end()]));
    const rows = panel.page.locator('.answer .parts > *, .answer > details');
    assert.deepEqual(await rows.allInnerTexts(), ['Read 2 files', 'Both are fine.']);
  });

  it('P6 leaves settled blocks and the reader’s focus in place over 1,000 deltas', async () => {
    await open();
    await panel.send(snapshot([...ask('Hi'), say('First\n\n```js\nlet a;\n```\n\nSecond\n\n')]));
    const copy = panel.page.locator('.code-block').getByRole('button', { name: 'Copy' });
    await copy.focus();
    const block = await panel.page.locator('.code-block').elementHandle();
    await panel.page.evaluate(
      async (events: ChatEvent[][]) => {
        for (const batch of events) {
          window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: batch } }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      },
      Array.from({ length: 100 }, (_, batch) =>
        Array.from({ length: 10 }, (_, index) => say(`w${batch * 10 + index}${index === 9 ? '\n\n' : ' '}`)),
      ),
    );
    await panel.page.getByText('w999').waitFor();
    assert.equal(await copy.evaluate((element) => element === document.activeElement), true);
    assert.equal(await block?.evaluate((element) => element.isConnected), true);
  });

  it('P6 follows long code to its end, and lets it be scrolled where the pointer or the focus is', async () => {
    await open();
    const { page } = panel;
    await panel.send(snapshot(ask('Hi')));
    const lines = (from: number) =>
      Array.from({ length: 60 }, (_, index) => `const value${from + index} = '${'wide '.repeat(30)}';\n`).join('');
    await panel.events(say(`\`\`\`ts\n${lines(0)}`));
    await panel.events(say(lines(60)));
    const box = page.locator('pre.capped');
    const look = () =>
      box.evaluate((element) => {
        const { scrollTop: top, scrollHeight, clientHeight } = element;
        const { width, height } = element.getBoundingClientRect();
        return { size: [width, height], top, fromEnd: scrollHeight - clientHeight - top };
      });
    const following = await look();
    assert.ok(following.top > 0 && following.fromEnd < 48, JSON.stringify(following));
    await box.hover();
    const hovered = await look();
    assert.deepEqual(hovered.size, following.size);
    await page.mouse.wheel(0, -400);
    await page.waitForFunction((top) => (document.querySelector('pre.capped')?.scrollTop ?? top) < top, hovered.top);
    await page.mouse.move(0, 0);
    const left = await look();
    await panel.events(say(lines(120)));
    assert.equal((await look()).top, left.top);
    await box.focus();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('pre.capped')?.scrollTop === 0);
  });

  it('draws one frame for many messages', async () => {
    await open();
    await panel.send(snapshot(ask('Hi')));
    const mutations = await panel.page.evaluate(async (event: ChatEvent) => {
      let frames = 0;
      const watcher = new MutationObserver(() => frames++);
      watcher.observe(document.querySelector('[role=log]') ?? document, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      for (let message = 0; message < 50; message++) {
        window.dispatchEvent(new MessageEvent('message', { data: { type: 'events', events: [event] } }));
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return frames;
    }, say('word '));
    assert.equal(mutations, 1);
  });

  it('S25 tells how long it has waited, and why after twenty seconds', async () => {
    await open({ fakeClock: true });
    const { page } = panel;
    const state = fold(ask('Hi'));
    const now = await stopTime(page);
    await page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), {
      ...snapshot(),
      state: { ...state, running: { turnId: 'turn-1', phase: 'sending', sent: true, model: kimi, since: now } },
    });
    await page.clock.runFor(100);
    await page.getByText('Sending…').waitFor();
    await page.clock.runFor(12_000);
    assert.equal(await page.locator('.live-line').innerText(), 'Waiting for Kimi K3\n12 s');
    assert.equal(await page.getByText('Under load, the service can queue requests.').count(), 0);
    await page.clock.runFor(9000);
    await page.locator('.live-line').getByText('21 s', { exact: true }).waitFor();
    await page.getByText('Under load, the service can queue requests.').waitFor();
    await page.getByRole('button', { name: 'Switch Model' }).click();
    assert.equal((await panel.posted()).at(-1)?.type, 'selectModel');
  });

  it('S8 ux 2.2 counts down to the next try, which need not be waited for', async () => {
    await open({ fakeClock: true });
    const { page } = panel;
    const now = await stopTime(page);
    const about = {
      failure: failure('origin-down', { status: 522 }),
      delayMs: 8000,
      attempt: 2,
      of: 5,
      other: 'svc/glm-5.3',
    };
    const asked = { id: 'wait', kind: 'wait', about };
    await page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), {
      ...snapshot(),
      state: { ...fold(ask('Hi')), running: { turnId: 'turn-1', phase: 'wait', model: kimi, since: now, asked } },
    });
    await page.clock.runFor(100);
    await page.getByText('Retrying in 8 s (2 of 5)').waitFor();
    await page.getByText("The service can't be reached").waitFor();
    await page.clock.runFor(4000);
    await page.getByText('Retrying in 4 s (2 of 5)').waitFor();
    await page.getByRole('button', { name: 'Retry Now' }).click();
    assert.deepEqual((await panel.posted()).at(-1), {
      type: 'answer',
      answer: { id: 'wait', kind: 'wait', value: 'now' },
    });
    await page.getByRole('button', { name: 'Switch Model' }).click();
    assert.deepEqual((await panel.posted()).at(-1), {
      type: 'answer',
      answer: { id: 'wait', kind: 'wait', value: 'other-model' },
    });
  });

  it('shows a call while it is written, as it waits, runs and ends, in one card', async () => {
    await open();
    await panel.send(snapshot(ask('Hi')));
    const card = panel.page.locator('details.tool');
    await panel.events({
      type: 'toolForming',
      turnId: 'turn-1',
      step: 0,
      key: 'k0',
      name: 'read_file',
      argumentsDelta: '{"pa',
    });
    const line = panel.page.locator('.quiet-line > summary');
    assert.equal(await line.innerText(), 'Read file');
    await panel.showSteps();
    await card.getByText('Read file').waitFor();
    await card.locator('summary').focus();
    await panel.events({
      type: 'stepFinished',
      turnId: 'turn-1',
      step: 0,
      requestedModel: kimi,
      model: kimi,
      text: '',
      reasoning: '',
      toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' }],
      finish: 'stop',
      complete: true,
      attempts: [],
    });
    await card.getByText('Waiting').waitFor();
    await panel.events({
      type: 'toolStarted',
      turnId: 'turn-1',
      step: 0,
      callId: 'c1',
      name: 'read_file',
      title: 'Read a.ts',
      at: 0,
    });
    await card.getByText('Running').waitFor({ state: 'attached' });
    assert.match(await line.innerText(), /^Reading a\.ts/);
    await panel.events({
      type: 'toolFinished',
      turnId: 'turn-1',
      step: 0,
      callId: 'c1',
      name: 'read_file',
      title: 'Read a.ts 1–9',
      state: 'done',
      forModel: 'text',
      durationMs: 1200,
    });
    await card.getByText('Read a.ts 1–9').waitFor();
    await card.getByText('1.2 s').waitFor();
    assert.equal(await card.count(), 1);
    assert.equal(await card.locator('summary').evaluate((element) => element === document.activeElement), true);
  });

  it('announces beginning and end, and never the text itself', async () => {
    await open();
    await panel.send(snapshot());
    const status = panel.page.getByRole('status');
    await panel.events(...ask('Hi'));
    assert.equal(await status.textContent(), 'Message sent');
    await panel.events(say('Hello\n\n```js\n1\n```\n'));
    assert.equal(await status.textContent(), 'Answer started');
    await panel.events(end());
    assert.equal(await status.textContent(), 'Answer finished, 1 code block');
    assert.equal(await panel.log.getAttribute('aria-live'), 'off');
  });
});
