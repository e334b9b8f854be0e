import assert from 'node:assert/strict';
import { calls, edits } from './agent-fixtures.ts';
import { axeProblems } from './axe.ts';
import { clippedParts } from './clipping.ts';
import { ask, end, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';
import { themeNames } from './themes.ts';

/** What users of other assistants reported of their chat panels, with the value that was held to be right beforehand. */
describe('public reports on chat panels', () => {
  let panel: PanelPage;
  const open = async (options: PanelOptions = {}) => {
    panel = await openPanel(options);
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const button = (name: string | RegExp) => panel.page.getByRole('button', { name });
  /** Selects what is in the element, copies it with the keyboard, and pastes it into the message. */
  const copied = async (selector: string, select: 'all' | 'tripleClick' = 'all') => {
    const element = panel.page.locator(selector).first();
    if (select === 'tripleClick') await element.click({ clickCount: 3 });
    else await element.evaluate((node) => getSelection()?.selectAllChildren(node));
    await panel.page.keyboard.press('Control+C');
    await panel.input.fill('');
    await panel.input.focus();
    await panel.page.keyboard.press('Control+V');
    return panel.input.inputValue();
  };

  it('U1 copies the spaces around code, bold text and links (anthropics/claude-code#79960)', async () => {
    await open();
    await panel.send(snapshot(turn('Why?', 'Call `parse` with **one** [file](src/a.ts) and *no* `--flag` at all.')));
    assert.equal(await copied('.answer .markdown p'), 'Call parse with one file and no --flag at all.');
  });

  it('U1 copies a code block of one line without a line end (anthropics/claude-code#60823)', async () => {
    await open();
    await panel.send(snapshot(turn('Which branch?', '```\nfix/cart-total\n```')));
    await panel.page.locator('.code-block').hover();
    await panel.page.locator('.code-actions .copy').click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'copy', text: 'fix/cart-total' });
  });

  it('U1 copies a paragraph without the blank lines behind it (get-bb/bb#2523)', async () => {
    await open();
    await panel.send(snapshot([...turn('Why?', 'It rounds twice.\n\nSee below.'), ...turn('And?', 'No.', 'turn-2')]));
    assert.equal(await copied('.answer .markdown p', 'tripleClick'), 'It rounds twice.');
    assert.equal(await copied('.answer:last-child .markdown p', 'tripleClick'), 'No.');
  });

  it('U1 copies a message of the user without what stands around it (posit-dev/shinychat#209)', async () => {
    await open();
    await panel.send(snapshot(turn('Why does it round twice?', 'It does.')));
    assert.equal(await copied('.user .prompt', 'tripleClick'), 'Why does it round twice?');
  });

  it('F1 shows the numbers of a list in a message as they were typed (microsoft/vscode#289346)', async () => {
    await open();
    const typed = '2. do this differently\n4. yes, but change one thing';
    await panel.send(snapshot(turn(typed, 'Right.')));
    assert.equal(await panel.page.locator('.user .prompt').innerText(), typed);
  });

  it('F1 goes on with the numbers of a list behind its bullets (sourcegraph/cody#93)', async () => {
    await open();
    const list = '1. First\n   - a\n   - b\n2. Second\n   * c\n\n3. Third\n\n```js\nx\n```\n\n4. Fourth';
    await panel.send(snapshot(turn('List.', list)));
    const numbers = await panel.page.locator('.answer ol').evaluateAll((lists) =>
      lists.flatMap((one) => {
        const { start, children } = one as HTMLOListElement;
        return [...children].map((_, at) => start + at);
      }),
    );
    assert.deepEqual(numbers, [1, 2, 3, 4]);
  });

  it('F1 keeps the words of a table whole and the panel as wide as it is (microsoft/vscode#265062)', async () => {
    for (const width of [220, 480]) {
      await open({ width });
      const table = `| Configuration | Description |\n|---|---|\n| \`svc.tools.sandbox.mode\` | ${'Whether commands run in it. '.repeat(4)} |`;
      await panel.send(snapshot(turn('Which?', table)));
      const lines = await panel.page.locator('.answer th').evaluateAll((cells) =>
        cells.map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        }),
      );
      assert.deepEqual(lines, [1, 1], `${width}px`);
      assert.equal(await panel.log.evaluate((log) => log.scrollWidth <= log.clientWidth), true, `${width}px`);
      if (width === 220) await panel.close();
    }
  });

  it('F11 gives back a draft that Up replaced by an earlier message (openai/codex#8263)', async () => {
    await open();
    await panel.send(snapshot(), { type: 'prompts', prompts: ['the first', 'the second'] });
    await panel.input.fill('A very precise prompt');
    for (const key of ['Home', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await panel.input.press(key);
    }
    assert.equal(await panel.input.inputValue(), 'A very precise prompt');
  });

  it('F11 keeps a draft of several lines when Up is pressed at its top (anthropics/claude-code#37401)', async () => {
    await open();
    await panel.send(snapshot(), { type: 'prompts', prompts: ['the first', 'the second'] });
    await panel.input.fill('One\nTwo\nThree');
    for (let press = 0; press < 6; press++) await panel.input.press('ArrowUp');
    for (let press = 0; press < 6; press++) await panel.input.press('ArrowDown');
    assert.equal(await panel.input.inputValue(), 'One\nTwo\nThree');
  });

  it('U1 shows the model in the narrowest panel, cut by nothing (microsoft/vscode#327101)', async () => {
    await open({ width: 220 });
    const model = { id: 'svc/deepseek-v4', name: 'DeepSeek V4 Reasoner' };
    await panel.send(snapshot([], { model, modelNames: { [model.id]: model.name } }));
    assert.deepEqual(await clippedParts(panel.page), []);
    const box = await button('Model: DeepSeek V4 Reasoner').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 220 && box.width >= 40, JSON.stringify(box));
  });

  it('U1 asks for the model in the narrowest panel at the first press (get-bb/bb#2394)', async () => {
    await open({ width: 220 });
    await panel.send(snapshot());
    await panel.input.focus();
    const height = async () => (await panel.page.locator('.composer').boundingBox())?.height;
    const before = await height();
    await button(/^Model: /).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'openPicker', picker: 'model' });
    assert.equal(await height(), before);
  });

  it('ux 2.18 inline code can be read in every theme (cline/cline#3884)', async () => {
    for (const theme of themeNames) {
      await open({ theme });
      await panel.send(snapshot(turn('Which key?', 'Press `Ctrl+Shift+P`, then **run `svc`**.\n\n> or `this`')));
      assert.deepEqual(await axeProblems(panel.page, 'colors'), [], theme);
      if (theme !== themeNames.at(-1)) await panel.close();
    }
  });

  it('names each message and its place, and says in words that an answer is there (anthropics/claude-code#86874)', async () => {
    await open();
    await panel.send(snapshot(turn('Why?', 'Because.')));
    await panel.events(...ask('And now?', 'turn-2'), say('Now not.', 'turn-2'));
    await panel.events(end('turn-2'));
    const articles = await panel.page.getByRole('article').evaluateAll((all) =>
      all.map((article) => {
        const name = document.getElementById(article.getAttribute('aria-labelledby') ?? '')?.textContent;
        return `${name} ${article.ariaPosInSet}`;
      }),
    );
    assert.deepEqual(articles, ['You 1', 'Kimi K3 2', 'You 3', 'Kimi K3 4']);
    assert.match((await panel.page.getByRole('status').allInnerTexts()).join(' '), /Answer finished/);
  });

  it('P23 changes no live region over and over while an answer runs (microsoft/vscode#317102)', async () => {
    await open({ fakeClock: true });
    await panel.send(snapshot());
    await panel.page.evaluate(() => {
      const changes: string[] = [];
      Object.assign(globalThis, { changes });
      for (const region of document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')) {
        new MutationObserver(() => changes.push(region.textContent ?? '')).observe(region, {
          ...{ characterData: true, childList: true, subtree: true },
        });
      }
    });
    await panel.events(...ask('Go'), ...calls([{ id: 'c1', name: 'run_command', arguments: '{"command":"make"}' }]));
    await panel.events({
      ...{
        type: 'toolStarted',
        turnId: 'turn-1',
        step: 0,
        callId: 'c1',
        name: 'run_command',
        title: 'Run make',
        at: 0,
      },
    });
    for (let second = 0; second < 30; second++) {
      await panel.page.clock.runFor(1000);
      await panel.events({ type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c1', text: `line ${second}\n` });
    }
    const changes = await panel.page.evaluate(() => (globalThis as unknown as { changes: string[] }).changes);
    assert.ok(changes.length <= 3, JSON.stringify(changes));
  });

  it('F18 no box sends with an Enter that ends a composition (odysseus-dev/odysseus#1091)', async () => {
    await open();
    const question = { callId: 'c1', text: 'Which?', options: ['a', 'b'] };
    await panel.send(
      snapshot([
        ...ask('Go'),
        ...calls([{ id: 'c1', name: 'ask_user' }]),
        { ...{ type: 'toolStarted', turnId: 'turn-1', step: 0, callId: 'c1', name: 'ask_user', title: 'Ask', at: 0 } },
        { ...{ type: 'asked', turnId: 'turn-1', step: 0, id: 'c1' }, kind: 'question', about: question },
      ]),
    );
    const boxes = panel.page.getByRole('textbox');
    assert.ok((await boxes.count()) > 1);
    for (const box of await boxes.all()) {
      await box.fill('にほん');
      for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
        await box.evaluate(
          (element, init) =>
            element.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
            ),
          composing,
        );
      }
    }
    const sent = (await panel.posted()).filter(({ type }) => ['send', 'answer', 'queue'].includes(type));
    assert.deepEqual(sent, []);
  });

  it('F11 a long message leaves room for the answer, before and after it was sent (anthropics/claude-code#54458)', async () => {
    await open({ height: 700 });
    const long = Array.from({ length: 400 }, (_, line) => `line ${line}`).join('\n');
    await panel.send(snapshot());
    await panel.input.fill(long.slice(0, 3000));
    const composer = await panel.page.locator('.composer').boundingBox();
    assert.ok(composer && composer.height <= 350, `composer ${composer?.height}`);
    await panel.input.fill('');
    await panel.events(...ask(long), say('Here is the answer.'), end());
    const bubble = await panel.page.locator('.user .prompt').boundingBox();
    assert.ok(bubble && bubble.height <= 420, `bubble ${bubble?.height}`);
    assert.equal(await panel.page.getByText('Here is the answer.').isVisible(), true);
  });

  it('U8 Escape closes what is open and does not stop the answer (Agenta-AI/agenta#6373)', async () => {
    await open();
    const price = { tokens: 100, microUsd: 50, parts: { draft: 0, attachments: 0, history: 0, rules: 50, tools: 50 } };
    await panel.send(snapshot([...ask('Go'), say('Working')]), {
      type: 'price',
      price: { ...price, historyMicroUsd: 0, error: 0.1 },
    });
    const stops = async () => (await panel.posted()).filter(({ type }) => type === 'stop').length;
    await panel.page.locator('button.price').click();
    await panel.page.keyboard.press('Escape');
    assert.equal(await stops(), 0, 'the price');
    await panel.input.pressSequentially('/');
    const asked = (await panel.allPosted()).findLast(({ type }) => type === 'complete');
    assert.ok(asked?.type === 'complete');
    const items = [{ id: 'review', icon: 'command' as const, label: '/review' }];
    await panel.send({ type: 'completions', id: asked.id, items, done: true });
    await panel.page.keyboard.press('Escape');
    assert.equal(await stops(), 0, 'the commands');
    await panel.input.fill('');
    await button('Add Context').click();
    await panel.page.keyboard.press('Escape');
    assert.equal(await stops(), 0, 'the menu');
  });

  it('F19 edits are kept and undone by keyboard, each by a name of its own (microsoft/vscode#251748)', async () => {
    await open();
    await panel.send(snapshot(turn('Go', 'Done.'), { edits }));
    const toggle = panel.page.locator('.changes [aria-expanded]');
    await toggle.focus();
    await panel.page.keyboard.press('Enter');
    const names: string[] = [];
    for (let press = 0; press < 14; press++) {
      await panel.page.keyboard.press('Tab');
      names.push(
        await panel.page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
        }),
      );
    }
    for (const { path } of edits.slice(0, 2)) {
      assert.ok(names.includes(`Keep ${path}`) && names.includes(`Undo ${path}`), names.join(', '));
    }
  });

  it('says that code was copied (microsoft/autogen#6059)', async () => {
    await open();
    await panel.send(snapshot(turn('Code?', '```js\nx = 1\n```')));
    await panel.page.locator('.code-actions .copy').focus();
    await panel.page.keyboard.press('Enter');
    assert.match((await panel.page.getByRole('status').allInnerTexts()).join(' '), /Copied/);
  });

  it('German stays in its boxes in a narrow panel (JuliaPluto/Pluto.jl#3325)', async () => {
    await open({ width: 220, language: 'de' });
    const notice = { kind: 'ending' as const, commands: 0, changed: 2, untested: true as const };
    await panel.send(
      snapshot([...ask('Los'), say('Fertig.'), { type: 'notice', turnId: 'turn-1', step: 0, notice }, end()], {
        ...{ hasRepository: true, edits },
      }),
    );
    assert.deepEqual(await clippedParts(panel.page), []);
    const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, String(overflow));
  });
});
