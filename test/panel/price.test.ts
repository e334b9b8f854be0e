import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { NextPrice } from '../../src/shared/panel/panel-info.ts';
import { approvals, edits, request, subjects } from './agent-fixtures.ts';
import { axeProblems } from './axe.ts';
import { ask, end, kimi, snapshot, toolStep } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const price: NextPrice = {
  tokens: 18_213,
  microUsd: 6010,
  historyMicroUsd: 4950,
  parts: { draft: 13, attachments: 1200, history: 15_000, rules: 0, tools: 2000 },
  error: 0.052,
};

describe('the price before sending', () => {
  let panel: PanelPage;
  const open = async (width: number, shown: NextPrice = price) => {
    panel = await openPanel({ width });
    await panel.send(snapshot([], { model: { id: 'svc/long', name: 'A model with quite a long display name' } }), {
      type: 'price',
      price: shown,
    });
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  it('ux 2.14 says on every button that asks again or goes on what that costs', async () => {
    panel = await openPanel();
    const names = async () => {
      const found = panel.page.getByRole('button', { name: /^(Ask A|Continue)/ });
      return found.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
    };
    await panel.send(snapshot([...ask('Why?', 'turn-1'), end('turn-1'), ...ask('And?', 'turn-2'), end('turn-2')]));
    assert.deepEqual(await names(), [
      'Ask Again from Here ≈ $0.0044',
      'Ask Again ≈ $0.0044',
      'Ask Another Model ≈ $0.0044',
      'Ask Again from Here ≈ $0.0044',
      'Ask Again ≈ $0.0044',
      'Ask Another Model ≈ $0.0044',
    ]);
    const interrupted = end('turn-1', { outcome: 'interrupted', cost: undefined });
    await panel.send(snapshot([...ask('Why?', 'turn-1'), interrupted]));
    assert.deepEqual(await names(), ['Ask Again from Here', 'Continue', 'Ask Again', 'Ask Another Model']);
    await panel.send({ type: 'price', price });
    assert.deepEqual(await names(), [
      'Ask Again from Here',
      'Continue ≈ $0.0056',
      'Ask Again ≈ $0.0056',
      'Ask Another Model ≈ $0.0056',
    ]);
  });

  it('F36 ux 2.14 offers to show the errors that a turn left, and to mend them for what that costs', async () => {
    panel = await openPanel();
    const step = toolStep('Done', [])[0];
    const notice = { kind: 'errors-left' as const, count: 2, report: 'a.ts:1:1 error: x' };
    const left = [...ask('Go', 'turn-1'), step, { type: 'notice', turnId: 'turn-1', step: 1, notice }, end('turn-1')];
    const row = panel.log.locator('.running', { hasText: '2 new errors' });
    await panel.send(snapshot(left as ChatEvent[]), { type: 'price', price });
    await row.getByRole('button', { name: 'Show', exact: true }).click();
    await row.getByRole('button', { name: 'Fix ≈ $0.0056', exact: true }).click();
    assert.deepEqual(
      (await panel.posted()).slice(-2).map((message) => message.type === 'action' && message.action),
      ['show-problems', 'fix-errors'],
    );
    await panel.send(snapshot([...(left as ChatEvent[]), ...ask('And?', 'turn-2')]));
    await row.waitFor();
    assert.equal(await row.getByRole('button').count(), 0, 'not once the conversation went on');
  });

  it('ux 2.14 offers what follows what was done, free and quietly, until the next message', async () => {
    panel = await openPanel();
    const ended = (notice: object, change = {}) =>
      [
        ...ask('Go'),
        ...toolStep('Done.', [{ id: 'e1', name: 'edit_file', arguments: '{}', title: 'Edit a.ts', output: 'Edited.' }]),
        { type: 'notice', turnId: 'turn-1', step: 1, notice: { kind: 'ending', commands: 0, changed: 1, ...notice } },
        end('turn-1', change),
      ] as ChatEvent[];
    const untested = { untested: true };
    const edit = { uri: 'file:///w/a.ts', path: 'a.ts', added: 1, removed: 0 };
    const all = ['Run the Tests ≈ $0.0056', 'Review', 'Commit'];
    const table: [name: string, chat: ChatEvent[], info: object, chips: string[]][] = [
      ['all is kept', ended(untested), { hasRepository: true }, all],
      ['tests were run', ended({}), { hasRepository: true }, ['Review', 'Commit']],
      ['all is undone', ended(untested), { hasRepository: true, editOutcomes: { e1: 'undone' } }, []],
      ['a part is kept', ended(untested), { hasRepository: true, editOutcomes: { e1: 'partly' } }, all],
      ['edits wait', ended(untested), { hasRepository: true, edits: [edit] }, ['Run the Tests ≈ $0.0056']],
      ['no repository', ended(untested), {}, ['Run the Tests ≈ $0.0056']],
      ['no commands in this mode', ended(untested), { hasRepository: true, mode: 'edit' }, ['Review', 'Commit']],
      ['nothing was done', ended({ changed: 0 }), { hasRepository: true }, []],
      ['it did not finish', ended(untested, { outcome: 'stopped' }), { hasRepository: true }, []],
      ['the chat went on', [...ended(untested), ...ask('And?', 'turn-2')], { hasRepository: true }, []],
    ];
    await panel.send({ type: 'price', price });
    for (const [name, chat, info, chips] of table) {
      await panel.send(snapshot(chat, info));
      assert.deepEqual(await panel.log.locator('footer > .actions .button').allInnerTexts(), chips, name);
    }
    await panel.send(snapshot(ended(untested), { hasRepository: true }));
    for (const name of all) await panel.log.getByRole('button', { name }).click();
    assert.deepEqual(
      (await panel.posted()).slice(-3).map((message) => message.type === 'action' && message.action),
      ['run-tests', 'review-by-hunk', 'open-source-control'],
    );
  });

  it('F45 says beside the price of an answer what was done, and above it what should be mended, priced', async () => {
    panel = await openPanel();
    const step = toolStep("I've updated `a.ts`.", [])[0];
    const ended = (notice: object, turn: string) =>
      [
        ...ask('Go', turn),
        { ...step, turnId: turn },
        { type: 'notice', turnId: turn, step: 1, notice: { kind: 'ending', ...notice } },
        end(turn),
      ] as ChatEvent[];
    const row = panel.log.locator('.ending');
    const test = { command: 'npm test -- --a-long-name-of-an-option=and-its-value', exitCode: 1, editsSince: 2 };
    const facts = panel.log.locator('.turn-facts');
    await panel.send(snapshot(ended({ commands: 1, changed: 0, test }, 'turn-1')), { type: 'price', price });
    assert.equal(
      await row.locator('p').innerText(),
      'Last run of npm test -- --a-long-name-of-an-option=a… failed (exit 1), before the last 2 edits',
    );
    assert.equal(await row.locator('p').getAttribute('title'), test.command);
    assert.equal(await facts.innerText(), 'No files changed');
    await row.getByRole('button', { name: 'Fix ≈ $0.0056', exact: true }).click();
    const last = (await panel.posted()).at(-1);
    assert.equal(last?.type === 'action' && last.action, 'fix-errors');
    await panel.send(
      snapshot(ended({ commands: 1, changed: 1, test: { ...test, exitCode: 0, editsSince: 1 } }, 'turn-1')),
    );
    assert.equal(await row.locator('p').innerText(), 'Tests passed before the last edit');
    assert.equal(await row.getByRole('button').innerText(), 'Test Again ≈ $0.0056');
    const quiet: [notice: object, words: string][] = [
      [
        { commands: 0, changed: 2, unnamed: ['src/b.ts'] },
        '2 files changed · not mentioned: src/b.ts · nothing was run',
      ],
      [
        { commands: 1, changed: 1, test: { ...test, exitCode: 0, editsSince: 0, command: 'npm test' } },
        '1 file changed · npm test passed',
      ],
      [
        { commands: 3, changed: 0, last: { command: 'npm run build', exitCode: 0 } },
        'No files changed · 3 commands run',
      ],
      [{ commands: 3, last: { command: 'npm run build', exitCode: 2 } }, 'npm run build ended with exit 2'],
      [{ commands: 0, changed: 0, failedEdit: 'src/a.ts' }, 'No files changed · an edit of src/a.ts failed'],
    ];
    for (const [notice, words] of quiet) {
      await panel.send(snapshot(ended(notice, 'turn-1')));
      assert.equal(await facts.innerText(), words);
      assert.equal(await row.count(), 0, 'there is nothing to mend');
    }
  });

  const line = () => panel.page.locator('button.price');
  const shown = () => line().locator('.figures');
  const boxOf = async (name: string) => {
    const box = await panel.page.getByRole('button', { name, exact: true }).boundingBox();
    assert.ok(box);
    return box;
  };

  it('U1 stands in the footer at 380 px, in words for screen readers, and leaves Send where it is', async () => {
    await open(380);
    assert.equal((await shown().innerText()).trim(), '≈ $0.0060', 'how many tokens is said behind it');
    const named = panel.page.getByRole('button', {
      name: 'Next message: about 18,200 tokens, about $0.0060',
      exact: true,
    });
    const [box, send] = [await named.boundingBox(), await boxOf('Send')];
    assert.ok(box && box.x + box.width <= send.x && send.x + send.width <= 380);
    assert.ok(Math.abs(box.y + box.height / 2 - (send.y + send.height / 2)) < 2);
    const model = await panel.page.locator('.model-button').boundingBox();
    assert.ok(model && model.width >= 100 && model.x + model.width <= box.x);
  });

  it('U1 says beside the first request what a message usually costs, where there is room', async () => {
    await open(500, { ...price, usualMicroUsd: 21_400 });
    assert.equal(await shown().innerText(), '≈ 18.2k · $0.0060 · usually $0.0214');
    await open(380, { ...price, usualMicroUsd: 21_400 });
    assert.equal((await shown().innerText()).trim(), '≈ $0.0060');
    assert.match((await line().getAttribute('title')) ?? '', /usually costs \$0\.0214/);
  });

  it('U1 adds the tokens where there is room', async () => {
    await open(500);
    assert.equal(await shown().innerText(), '≈ 18.2k · $0.0060');
  });

  for (const [width, rows] of [
    [700, 1],
    [380, 1],
    [300, 1],
    [290, 1],
    [260, 1],
    [250, 2],
    [231, 2],
    [220, 2],
  ] as const) {
    it(`ux 2.19 has ${rows} row(s) at ${width} px, with a name that can be read, and a placeholder that is whole`, async () => {
      await open(width);
      const found = await panel.page.evaluate(() => {
        const buttons = [...document.querySelectorAll('.composer-footer button')].map((one) =>
          one.getBoundingClientRect(),
        );
        const box = document.querySelector('textarea');
        const ruler = document.createElement('span');
        ruler.style.cssText = `font: ${box && getComputedStyle(box).font}; position: absolute; white-space: nowrap`;
        ruler.textContent = box?.placeholder ?? '';
        document.body.append(ruler);
        const own = box && getComputedStyle(box);
        return {
          middles: new Set(buttons.map(({ top, bottom }) => Math.round(top + bottom))).size,
          overlap: buttons.some(
            ({ left, top }, at) =>
              at > 0 && left < (buttons[at - 1]?.right ?? 0) && top < (buttons[at - 1]?.bottom ?? 0),
          ),
          model: document.querySelector('.model-button')?.getBoundingClientRect().width ?? 0,
          last: buttons.at(-1)?.right ?? 0,
          placeholder: ruler.offsetWidth,
          room:
            box && own ? box.clientWidth - Number.parseFloat(own.paddingLeft) - Number.parseFloat(own.paddingRight) : 0,
        };
      });
      assert.equal(found.middles, rows);
      assert.equal(found.overlap, false);
      assert.ok(found.model >= (rows === 1 && width <= 300 ? 50 : 90) && found.last <= width, JSON.stringify(found));
      assert.ok(found.placeholder <= found.room, JSON.stringify(found));
    });
  }

  it('U1 ux 2.20 is a figure at every width, beside the mode in words, and opens its list', async () => {
    for (const width of [300, 260, 250, 220]) {
      await open(width);
      assert.equal(await shown().innerText(), '≈ $0.0060', `${width} px`);
      assert.equal(await panel.page.locator('.mode-button').innerText(), 'Agent', `${width} px`);
      const send = await boxOf('Send');
      assert.ok(send.x + send.width <= width);
      await line().focus();
      await panel.page.keyboard.press('Enter');
      await panel.page.getByRole('group', { name: 'What the next message sends' }).waitFor();
      const wide = await panel.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} px wide`);
    }
  });

  it('ux 2.6 shows a ring with the share of a known limit, which warns at 80 and 95 %, and says whose limit it is', async () => {
    await open(380, { ...price, limit: { tokens: 32_000, by: 'set' } });
    const classes = () => line().getAttribute('class');
    assert.equal(await classes(), 'price limit-far');
    assert.equal(await line().locator('.ring-part').getAttribute('stroke-dasharray'), '57 100');
    assert.match((await line().innerText()).trim(), /57% of the limit you set$/);
    await panel.send({ type: 'price', price: { ...price, limit: { tokens: 22_000, by: 'learned' } } });
    assert.equal(await classes(), 'price limit-near');
    assert.match((await line().innerText()).trim(), /83% of the learned limit$/);
    await panel.send({ type: 'price', price: { ...price, limit: { tokens: 19_000, by: 'learned' } } });
    assert.equal(await classes(), 'price limit-reached');
  });

  it('U3 tells what the history costs per message and what Compact would save, and offers both ways to it', async () => {
    const compact = { priceMicroUsd: 5300, savedTokens: 14_000, savedMicroUsd: 4620, paysAfterRequests: 2 };
    await open(380, { ...price, compact });
    await line().click();
    const details = panel.page.locator('.price-details');
    await details.getByText('The history adds ≈ $0.0050 to every message of this conversation.').waitFor();
    await details
      .getByText(
        'Compacting saves ≈ $0.0046 on every later request. It costs ≈ $0.0053 once and pays for itself after 2',
      )
      .waitFor();
    assert.deepEqual(await axeProblems(panel.page), []);
    await details.getByRole('button', { name: 'Compact', exact: true }).click();
    await details.getByRole('button', { name: 'New Chat from Summary', exact: true }).click();
    assert.deepEqual(
      (await panel.posted())
        .map(({ type }) => type)
        .filter((type) => type === 'compact' || type === 'newChatFromSummary'),
      ['compact', 'newChatFromSummary'],
    );
  });

  it('U16 ux 2.20 reports the draft before it asks for the request; attachments go all at once; leads to what was spent', async () => {
    await open(380);
    const attachments = ['a', 'b'].map((id) => ({ id, label: `src/${id}.ts` }));
    await panel.send(snapshot([], { attachments }), { type: 'price', price });
    await panel.page.getByRole('textbox', { name: 'Message' }).fill('Why?');
    await line().click();
    await panel.page.getByRole('button', { name: 'Show What Will Be Sent' }).click();
    await panel.page.getByRole('button', { name: 'Remove Attachments' }).click();
    await panel.page.getByRole('button', { name: 'Show Spend' }).click();
    const wanted = ['showNextRequest', 'showSpend', 'removeAttachment'];
    const posted = (await panel.posted()).filter(({ type }) => wanted.includes(type));
    assert.deepEqual(posted, [
      { type: 'showNextRequest' },
      { type: 'removeAttachment', id: 'a' },
      { type: 'removeAttachment', id: 'b' },
      { type: 'showSpend' },
    ]);
  });

  it('U7 a text field keeps its keys: none undoes or keeps edits there, or allows what waits', async () => {
    await open(380);
    await panel.send(snapshot(approvals(request(subjects.command)), { edits }), { type: 'price', price });
    await panel.page.keyboard.press('Control+Shift+Digit4');
    const limit = panel.page.getByRole('textbox', { name: 'Limit this once (USD)' });
    await limit.fill('0.5 1');
    await limit.press('Control+Backspace');
    assert.equal(await limit.inputValue(), '0.5 ');
    await limit.press('Control+Enter');
    await panel.page.getByRole('button', { name: /^Model: / }).click();
    const rows = Array.from({ length: 12 }, (_, at) => ({ id: `m${at}`, label: `Model ${at}` }));
    await panel.send({ type: 'picks', picker: 'model', rows });
    const filter = panel.page.getByRole('combobox', { name: 'Filter' });
    await filter.fill('Model 1');
    await filter.press('Control+Backspace');
    assert.equal(await filter.inputValue(), 'Model ');
    await filter.press('Control+Enter');
    const posted = (await panel.posted()).filter(({ type }) => ['edits', 'answer', 'limitMessage'].includes(type));
    assert.deepEqual(posted, [{ type: 'limitMessage', microUsd: 500_000 }]);
  });

  it('ux 2.14 reads a limit only as people write amounts, and opens it only once there is a price', async () => {
    panel = await openPanel();
    await panel.send(snapshot());
    await panel.page.keyboard.press('Control+Shift+Digit4');
    await panel.send({ type: 'price', price });
    await line().waitFor();
    assert.equal(await line().getAttribute('aria-expanded'), 'false');
    await panel.page.keyboard.press('Control+Shift+Digit4');
    const limit = panel.page.getByRole('textbox', { name: 'Limit this once (USD)' });
    for (const text of ['0x10', '1e2', '1_0', 'x', '0.05', ' 2 ', '.5', '0,05']) {
      const isAmount = /[.,\s]/.test(text);
      await limit.fill(text);
      await panel.page.locator(isAmount ? 'input:not([aria-invalid])' : 'input[aria-invalid=true]').waitFor();
      if (!isAmount) await limit.press('Enter');
    }
    await limit.press('Enter');
    const posted = (await panel.posted()).filter(({ type }) => type === 'limitMessage');
    assert.deepEqual(posted, [{ type: 'limitMessage', microUsd: 50_000 }]);
  });

  it('U1 unfolds to what it is made of, by keyboard, and says that no limit is published', async () => {
    await open(290);
    await line().focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await line().getAttribute('aria-expanded'), 'true');
    const details = panel.page.getByRole('group', { name: 'What the next message sends' });
    assert.deepEqual(await details.locator('dt').allInnerTexts(), [
      'Draft',
      'Attachments',
      'History',
      'Instruction files',
      'Tools and instructions',
    ]);
    assert.deepEqual(await details.locator('dd').allInnerTexts(), ['≈ 13', '≈ 1,200', '≈ 15,000', '0', '≈ 2,000']);
    await details.getByText("This service doesn't publish context limits.").waitFor();
    await details.getByText('Usually right to ±6%.').waitFor();
    assert.match((await line().getAttribute('title')) ?? '', /History: ≈ 15,000\n/);
    await panel.page.keyboard.press('Enter');
    assert.equal(await details.count(), 0);
    assert.equal(await line().evaluate((element) => element === document.activeElement), true);
  });

  it('ux 2.20 closes as every popover does, and moves nothing around it', async () => {
    await open(380);
    const { page } = panel;
    const details = page.locator('.price-details');
    const top = () => panel.input.evaluate((box) => box.getBoundingClientRect().top);
    const before = await top();
    const reopen = async () => {
      await line().click();
      await details.waitFor();
    };
    await reopen();
    assert.equal(await top(), before);
    await page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
    assert.equal(await line().evaluate((element) => element === document.activeElement), true);
    await reopen();
    await details.getByText('Instruction files').click();
    assert.equal(await details.count(), 1);
    await page.locator('.log').click({ position: { x: 5, y: 5 } });
    assert.equal(await details.count(), 0);
    await reopen();
    await panel.input.focus();
    await details.waitFor({ state: 'detached' });
    await reopen();
    const { state, ...rest } = snapshot();
    await panel.send({ ...rest, state: { ...state, conversationId: 'another' } });
    await details.waitFor({ state: 'detached' });
    await panel.send(snapshot(ask('Why?')));
    await reopen();
    await page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
    assert.ok(!(await panel.posted()).some(({ type }) => type === 'stop'), 'the answer goes on');
  });

  it('H17 names the limit', async () => {
    await open(380, { ...price, limit: { tokens: 32_000, by: 'set' } });
    await line().click();
    await panel.page.getByText('You set a limit of 32,000 tokens: 57% used.').waitFor();
  });

  it('U1 changes with what the host counts, and is absent until then', async () => {
    panel = await openPanel({ width: 380 });
    await panel.send(snapshot());
    assert.equal(await line().count(), 0);
    await panel.send({ type: 'price', price });
    await panel.send({ type: 'price', price: { ...price, tokens: 850, microUsd: 281 } });
    assert.equal((await shown().innerText()).trim(), '≈ $0.0003');
  });

  it('U3 unfolds where the money of a long turn went: requests, purposes, prices and what was sent', async () => {
    panel = await openPanel({ width: 380 });
    const step = (n: number, calls: string[], tokens: number, charge: 'yes' | 'no' = 'yes'): ChatEvent => {
      const usage = { promptTokens: tokens, completionTokens: 100, totalTokens: tokens + 100, estimated: false };
      const outcome = charge === 'yes' ? 'complete' : 'failed';
      return {
        type: 'stepFinished',
        turnId: 'turn-1',
        step: n,
        requestedModel: kimi,
        model: kimi,
        text: calls.length > 0 ? '' : 'Done.',
        reasoning: '',
        toolCalls: calls.map((name, index) => ({ id: `c${n}${index}`, name, arguments: '{}' })),
        finish: 'stop',
        complete: true,
        usage,
        sent: { overhead: 1000, history: 500, steps: tokens - 1500 },
        attempts: [{ requestId: `r${n}`, model: kimi, startedAt: 1, durationMs: 1, outcome, charge, usage }],
      };
    };
    const steps = [step(1, ['read_file', 'search_text'], 10_000), step(2, [], 5000, 'no'), step(3, [], 20_000)];
    await panel.send(snapshot([...ask('Why?'), ...steps, end()]));
    const toggle = panel.page.getByRole('button', { name: /^\$/ });
    await toggle.focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    const rows = panel.page.getByRole('group', { name: 'Cost Details' }).locator('tbody tr');
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.deepEqual(texts, [
      '1. read_file, search_text 10,000 100 $0.0033',
      '2. Failed 0 0 Not charged',
      '3. Final answer 20,000 100 $0.0066',
      'Tools and instructions 2,000 ≈ $0.0007',
      'Your message, and history sent again 1,000 ≈ $0.0003',
      'Earlier steps sent again 27,000 ≈ $0.0089',
      'Answer and tool calls 200 < $0.0001',
    ]);
    await panel.page.setViewportSize({ width: 220, height: 700 });
    const wide = await panel.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 220, `the page is ${wide} px wide`);
    assert.deepEqual(await axeProblems(panel.page), []);
    await panel.page.screenshot({ path: 'out/screenshots/panel/cost-rows-220px.png' });
  });
});
