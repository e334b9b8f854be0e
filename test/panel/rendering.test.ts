import assert from 'node:assert/strict';
import { ask, cost, end, free, kimi, panelInfo, richTurn, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('what the panel shows', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    assert.deepEqual(panel.foreignRequests(), []);
    await panel.close();
  });

  it('says that it is ready, and draws a snapshot', async () => {
    assert.deepEqual(await panel.posted(), [{ type: 'ready' }]);
    await panel.send(snapshot(turn('Hello?', 'Hi *there*.')));
    await panel.log.getByRole('article', { name: 'You' }).getByText('Hello?').waitFor();
    const answer = panel.log.getByRole('article', { name: 'Kimi K3' });
    assert.equal(await answer.locator('em').textContent(), 'there');
  });

  it('F11 stands in one column, in the middle, where an editor tab is wider than lines can be read', async () => {
    await panel.send(snapshot(turn('Hello?', 'word '.repeat(400))));
    const sides = async (selector: string) => {
      const box = await panel.page.locator(selector).first().boundingBox();
      assert.ok(box);
      return [Math.round(box.x), Math.round(box.x + box.width)] as const;
    };
    for (const [width, max] of [
      [1600, 926],
      [700, 676],
    ] as const) {
      await panel.page.setViewportSize({ width, height: 720 });
      const [left, right] = await sides('.answer .markdown');
      assert.ok(right - left <= max && right - left > max - 40, `${left} to ${right} of ${width} px`);
      assert.ok(Math.abs(left - (width - right)) <= 20, `${left} to ${right} is in the middle of ${width} px`);
      assert.ok(Math.abs((await sides('.composer'))[0] - left) <= 10);
    }
  });

  it('F1 draws the markdown that models write', async () => {
    await panel.send(snapshot(richTurn));
    const answer = panel.log.getByRole('article', { name: 'GLM 5.3' });
    assert.equal(await answer.locator('ol > li').count(), 2);
    assert.equal(await answer.locator('ol ul > li').count(), 2);
    assert.equal(await answer.locator('table tbody tr').count(), 2);
    assert.equal(await answer.locator('td.center').count(), 2);
    assert.equal(await answer.locator('blockquote').count(), 1);
    assert.equal(await answer.locator('strong').first().textContent(), 'safer');
  });

  it('ux 2.19 the steps of an answer are one block, reasoning among tools, and a time of nothing is left out', async () => {
    const read = (id: string) => ({
      id,
      name: 'read_file',
      title: `Read ${id}`,
      arguments: '{"path":"a.ts"}',
      output: '',
    });
    const steps = [0, 1, 2].flatMap((step) =>
      toolStep('', [read(`c${step}`)], 'turn-1', step).map((event) => {
        if (event.type === 'stepFinished') return { ...event, reasoning: 'Hm.' };
        return event.type === 'toolFinished' ? { ...event, durationMs: step * 40 } : event;
      }),
    );
    await panel.send(snapshot([...ask('Look.'), ...steps, say('There.', 'turn-1', 3), end()]));
    await panel.showSteps();
    const rows = panel.page.locator('.quiet-line .parts > :is(.tool, .reasoning)');
    await panel.page.getByText('There.').waitFor();
    const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON()));
    assert.equal(boxes.length, 6);
    for (const [at, box] of boxes.entries()) {
      const before = boxes[at - 1];
      assert.ok(before === undefined || Math.abs(box.top - before.bottom) < 1, `row ${at}`);
    }
    assert.deepEqual(await panel.page.locator('.tool .duration').allTextContents(), ['0.1 s']);
  });

  it('F9 offers a command for the terminal, and nothing for a file, once it is whole', async () => {
    await panel.send(snapshot([...ask('How?'), say('```bash\nnpm te')]));
    const insert = panel.page.getByRole('button', { name: 'Insert into Terminal' });
    assert.equal(await insert.count(), 0);
    await panel.events(say('st\n```\n'), end());
    await insert.click();
    assert.equal(await panel.page.getByRole('button', { name: 'New File' }).count(), 0);
    assert.deepEqual((await panel.posted()).slice(1), [{ type: 'toTerminal', text: 'npm test' }]);
  });

  it('F9 copies a code block and inserts it at the cursor, exactly', async () => {
    const code = Array.from({ length: 100 }, (_, line) => `line ${line} \t<&>`).join('\n');
    await panel.send(snapshot(turn('Code?', `Here:\n\n\`\`\`rust\n${code}\n\`\`\`\n`)));
    const block = panel.page.locator('.code-block');
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Insert at Cursor' }).click();
    await block.getByRole('button', { name: 'Apply to File…' }).click();
    await block.getByRole('button', { name: 'New File' }).click();
    assert.equal(await block.getByRole('button', { name: 'Insert into Terminal' }).count(), 0);
    assert.deepEqual((await panel.posted()).slice(1), [
      { type: 'copy', text: code },
      { type: 'insertAtCursor', text: code },
      { type: 'applyCode', text: code },
      { type: 'newFile', text: code, language: 'rust' },
    ]);
    assert.equal(await block.locator('code').evaluate((element) => element.textContent), code);
    await panel.page.getByRole('group', { name: 'Code block 1, rust' }).waitFor();
    await panel.page.getByRole('button', { name: 'Show All 100 Lines' }).click();
    await panel.page.getByRole('button', { name: 'Show Less' }).waitFor();
  });

  it('F1 lets each list item and paragraph begin at its own side, whatever code is before (anthropics/claude-code#71269)', async () => {
    const text = 'Steps:\n\n- `npm install` يثبت الحزم\n- Run it\n- ثم `npm test`\n\n`src/a.ts` هو الملف\n';
    await panel.send(snapshot(turn('Hi', text)));
    const sides = await panel.page
      .locator('.markdown li, .markdown p')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    assert.deepEqual(sides, ['ltr', 'rtl', 'rtl', 'rtl', 'rtl']);
  });

  it('F1 lets languages that are written from right to left begin at the right, and code at the left', async () => {
    const text =
      'שלום `src/a.ts` עולם\n\n- אחת\n- two\n\nEnglish\n\n> ציטוט\n\n| שם | two |\n|---|---|\n| א | 1 |\n\n1. שתיים\n\n   ```ts\n   let a;\n   ```\n';
    await panel.send(snapshot(turn('مرحبا\nHello, how are you?', text)));
    const sides = await panel.page.evaluate(() =>
      Object.fromEntries(
        ['.prompt', '.markdown p', '.markdown p code', '.markdown ul', 'blockquote', 'table', '.markdown ol pre'].map(
          (selector) => {
            const element = document.querySelector(selector);
            return [selector, element ? getComputedStyle(element).direction : 'none'];
          },
        ),
      ),
    );
    assert.deepEqual(sides, {
      '.prompt': 'ltr',
      '.markdown p': 'rtl',
      '.markdown p code': 'ltr',
      '.markdown ul': 'rtl',
      blockquote: 'rtl',
      table: 'rtl',
      '.markdown ol pre': 'ltr',
    });
    assert.equal(await panel.page.getByText('English', { exact: true }).getAttribute('dir'), null);
    const begins = await panel.page.locator('.prompt').evaluate((element) => {
      const lines = document.createRange();
      lines.selectNodeContents(element);
      const box = element.getBoundingClientRect();
      const rects = [...lines.getClientRects()].filter(({ width }) => width > 0);
      return [rects.at(0), rects.at(-1)].map((rect) => rect && rect.left - box.left < 16);
    });
    assert.deepEqual(begins, [false, true], 'each line of what was typed begins on its own side');
    assert.equal(await panel.input.getAttribute('dir'), 'auto');
  });

  it('ux 2.4 counts the code blocks of an answer, over its texts and in lists, once it is whole', async () => {
    const first = 'One:\n\n```ts\nlet a;\n```\n\n1. In a list:\n\n   ```\n   b\n   ```\n';
    const read = { id: 'c1', name: 'read_file', title: 'Read a.ts', arguments: '{}', output: 'a' };
    await panel.send(snapshot([...ask('Code?'), ...toolStep(first, [read]), say('```rust\nc', 'turn-1', 1)]));
    const names = () =>
      panel.page
        .locator('.code-block > [role=group]')
        .evaluateAll((blocks) => blocks.map((block) => block.getAttribute('aria-label')));
    assert.equal((await names()).length, 3);
    await panel.events(say('\n```\n', 'turn-1', 1), end());
    const expected = ['Code block 1 of 3, ts', 'Code block 2 of 3', 'Code block 3 of 3, rust'];
    assert.deepEqual(await names(), expected);
    await panel.page.getByRole('button', { name: 'Wrap Lines' }).first().click();
    await panel.events(...turn('And now?', 'Nothing.', 'turn-2'));
    assert.deepEqual(await names(), expected);
  });

  it('ux 2.4 F9 names the file that code is of, opens it, and applies the code to it', async () => {
    const text = 'Change `src/deep/parse.ts`:\n\n```ts\nlet a;\n```\n\nThen:\n\n```sh scripts/run.sh\nls\n```\n';
    await panel.send(snapshot(turn('Code?', text)));
    await panel.page.getByRole('group', { name: 'Code block 1 of 2, ts, src/deep/parse.ts' }).waitFor();
    const [block, script] = [panel.page.locator('.code-block').nth(0), panel.page.locator('.code-block').nth(1)];
    await block.getByRole('button', { name: 'src/deep/parse.ts', exact: true }).click();
    await block.getByRole('button', { name: 'Apply to File…' }).click();
    await script.getByRole('button', { name: 'Apply to File…' }).click();
    assert.deepEqual((await panel.posted()).slice(1), [
      { type: 'openFile', path: 'src/deep/parse.ts' },
      { type: 'applyCode', text: 'let a;', path: 'src/deep/parse.ts' },
      { type: 'applyCode', text: 'ls', path: 'scripts/run.sh' },
    ]);
  });

  it('F12 keeps reasoning folded until it is asked for', async () => {
    await panel.send(snapshot(richTurn));
    assert.equal(await panel.page.locator('details.reasoning').count(), 0);
    await panel.showSteps();
    const reasoning = panel.page.locator('details.reasoning');
    assert.equal(await reasoning.getByText('two').count(), 0);
    await reasoning.locator('summary').click();
    assert.equal(await reasoning.locator('strong').textContent(), 'two');
  });

  it('shows a tool call as one line that unfolds to arguments and output', async () => {
    await panel.send(snapshot(richTurn));
    const failed = panel.page.locator('details.tool');
    assert.match((await failed.locator('summary').textContent()) ?? '', /Failed/);
    await panel.showSteps();
    const row = panel.page.locator('.quiet-line details.tool');
    assert.match((await row.locator('summary').textContent()) ?? '', /Read src\/parse\.ts 1–120Done0\.2 s/);
    await row.locator('summary').click();
    await row.getByText('start_line').waitFor();
    await row.getByText('export function parse() {}').waitFor();
  });

  it('caps the output of a tool at 200 lines and copies all of it', async () => {
    const output = Array.from({ length: 512 }, (_, line) => `row ${line}`).join('\n');
    const call = { id: 'c1', name: 'search_text', title: 'Searched', arguments: 'not json', output };
    await panel.send(snapshot([...ask('Find'), ...toolStep('', [call]), end()]));
    await panel.showSteps();
    await panel.page.locator('details.tool summary').click();
    await panel.page.getByText('The first 200 of 512 lines').waitFor();
    await panel.page.getByText('not json').waitFor();
    const shown = await panel.page.getByRole('group', { name: 'Output' }).textContent();
    assert.equal(shown?.split('\n').length, 200);
    await panel.page.getByRole('button', { name: 'Copy Output' }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'copy', text: output });
    await panel.page.getByRole('button', { name: 'Open Full Output' }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'showOutput', callId: 'c1' });
  });

  it('S9 says which model was at capacity, that it cost nothing, and who answered', async () => {
    await panel.send(snapshot(richTurn));
    assert.equal(await panel.page.locator('.quiet-line > summary').innerText(), 'Read 1 file, Kimi K3 at capacity');
    await panel.showSteps();
    await panel.page.getByText('Kimi K3 was at capacity (not charged), so GLM 5.3 answered').waitFor();
  });

  it('S22 S23 says what a model turned out not to do', async () => {
    const notices = (['streaming', 'tools', 'images'] as const).map((feature) => ({
      type: 'notice' as const,
      turnId: 'turn-1',
      step: 0,
      notice: { kind: 'degraded' as const, model: kimi, feature },
    }));
    await panel.send(snapshot([...ask('Hi'), ...notices, say('Hello'), end()]));
    await panel.page.getByText("Kimi K3 doesn't stream").waitFor();
    await panel.page.getByText("Kimi K3 doesn't accept tools").waitFor();
    await panel.page.getByText("Kimi K3 doesn't accept images").waitFor();
  });

  it('U2 shows what an answer cost', async () => {
    await panel.send(snapshot(turn('Hello?', 'Hi.')));
    assert.equal(await costFigure(), '$0.0044 · 8.2 s');
    // Whoever hears it gets all of it at once.
    const figure = panel.page.locator('.cost-figure');
    const description = await figure.evaluate(
      (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
    );
    assert.match(description ?? '', /^12,431 tokens in · 842 tokens out · Tokens reported by the service/);
    await figure.focus();
    await panel.page.keyboard.press('Enter');
    await panel.page.getByRole('group', { name: 'Cost Details' }).getByText('12,431 tokens in · 842').waitFor();
    assert.equal(await panel.log.getByText('Kimi K3').count(), 1, 'the model is named once');
  });

  const costFigure = async () => (await panel.page.locator('.cost-figure').innerText()).replaceAll('\u00a0', ' ');
  const costDetails = async () => {
    await panel.page.locator('.cost-figure').click();
    return panel.page.getByRole('group', { name: 'Cost Details' }).innerText();
  };

  const costs = [
    ['≈', cost({ estimated: true }), '≈ $0.0044 · 8.2 s', '≈ 12,431 tokens in · ≈ 842 tokens out'],
    ['Not charged', free, 'Not charged · 8.2 s', ''],
    [
      'Possibly charged',
      cost({ charge: 'maybe', estimated: true }),
      '≈ $0.0044 · Possibly charged · 8.2 s',
      '≈ 12,431 tokens in · ≈ 842 tokens out',
    ],
    ['5 requests', cost({ requests: 5 }), '$0.0044 · 8.2 s', '12,431 tokens in · 842 tokens out · 5 requests'],
    ['two decimals', cost({ microUsd: 1_230_000 }), '$1.23 · 8.2 s', '12,431 tokens in · 842 tokens out'],
  ] as const;
  for (const [name, spent, figure, details] of costs) {
    it(`U2 S10 writes the cost for "${name}": one figure, the rest behind it`, async () => {
      await panel.send(snapshot([...ask('Hello?'), say('Hi.'), end('turn-1', { cost: spent })]));
      assert.equal(await costFigure(), figure);
      assert.ok((await costDetails()).startsWith(details));
    });
  }

  it('U13 says how many tokens did not have to be sent again', async () => {
    const finished = toolStep('Done', [])[0];
    assert.ok(finished?.type === 'stepFinished');
    await panel.send(snapshot([...ask('Go on'), { ...finished, savedTokens: 12_300 }, end()]));
    assert.match(await costDetails(), /≈ 12,300 tokens saved/);
  });

  it('S29 offers to continue an answer that hit the reply limit', async () => {
    const finished = toolStep('Half', [])[0];
    assert.ok(finished?.type === 'stepFinished');
    await panel.send(snapshot([...ask('Long?'), { ...finished, finish: 'length' }, end()]));
    await panel.page.getByText('Cut off at the length limit').waitFor();
    await panel.page.getByRole('button', { name: 'Continue' }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'action', turnId: 'turn-1', action: 'continue' });
  });

  it('E21 says that an answer was interrupted', async () => {
    await panel.send(snapshot([...ask('Long?'), say('Half'), end('turn-1', { outcome: 'interrupted' })]));
    await panel.page.getByText('Interrupted: the window closed').waitFor();
  });

  it('opens links and files through the host only', async () => {
    await panel.send(snapshot(richTurn));
    await panel.page.getByRole('link', { name: 'the docs' }).click();
    await panel.page.getByRole('link', { name: 'the parser' }).press('Enter');
    assert.deepEqual((await panel.posted()).slice(1), [
      { type: 'openLink', href: 'https://example.com/docs?a=1' },
      { type: 'openFile', path: 'src/parse.ts', line: 12 },
    ]);
    assert.equal(await panel.page.locator('a[href]').count(), 0);
    assert.equal(
      await panel.page.getByRole('link', { name: 'the docs' }).getAttribute('title'),
      'https://example.com/docs?a=1',
    );
  });

  it('U1 quotes what is selected in an answer in the message', async () => {
    await panel.send(snapshot(turn('Why?', 'First line\nof the reason.\n\nAnd the second.')));
    await panel.page
      .locator('.answer p')
      .first()
      .dblclick({ position: { x: 5, y: 5 } });
    const quote = panel.page.getByRole('button', { name: 'Quote', exact: true });
    await quote.click();
    assert.equal(await panel.input.inputValue(), '> First\n\n');
    assert.equal(await panel.input.evaluate((input) => input === document.activeElement), true);
    assert.equal(await quote.count(), 0);
    await panel.page.locator('.user p').dblclick();
    assert.equal(await quote.count(), 0, 'the own words are there to be edited');
  });

  it('U1 quotes by key what has the focus: an answer, or one block of code in it', async () => {
    await panel.send(snapshot(turn('Why?', 'It rounds twice.\n\n```js\nlet a = 1;\n```')));
    await panel.page.locator('.message.answer').focus();
    await panel.page.keyboard.press('q');
    assert.match(await panel.input.inputValue(), /^> It rounds twice\.\n(?:>.*\n)*> let a = 1;\n/);
    await panel.input.fill('');
    await panel.page.locator('.code-block [role="group"]').focus();
    await panel.page.keyboard.press('q');
    assert.equal((await panel.input.inputValue()).trim(), '> let a = 1;');
    await panel.input.fill('');
    await panel.input.pressSequentially('q');
    assert.equal(await panel.input.inputValue(), 'q');
  });

  it('X18 says which invisible characters are in pasted text, and nothing of those that a script needs', async () => {
    await panel.send(snapshot());
    const paste = (text: string) =>
      panel.input.evaluate((box, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await paste(
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\n\ttab',
    );
    assert.equal(await panel.page.locator('.composer-note').count(), 0);
    await paste('Ignore\u200b all \u{e0041}\u{e0042}');
    const note = panel.page.locator('.composer-note');
    await note.getByText('invisible characters, which are sent too: U+200B, U+E0041, U+E0042').waitFor();
  });

  it('U1 follows the fonts of chats as they are set and unset (anthropics/claude-code#34196)', async () => {
    await panel.send(snapshot(richTurn));
    const fontsNow = () =>
      panel.page.evaluate(() =>
        ['.answer p', '.composer textarea', '.answer pre code'].map((selector) => {
          const { fontSize, fontFamily } = getComputedStyle(document.querySelector(selector) ?? document.body);
          return `${fontSize} ${fontFamily.split(',')[0]}`;
        }),
      );
    const before = await fontsNow();
    const fonts = {
      ...{ '--vscode-font-family': 'Georgia', '--vscode-font-size': '22px' },
      ...{ '--vscode-editor-font-family': 'Fira Code', '--vscode-editor-font-size': '18px' },
    };
    await panel.send({ type: 'info', info: panelInfo({ fonts }) });
    assert.deepEqual(await fontsNow(), ['22px Georgia', '22px Georgia', '18px "Fira Code"']);
    const none = Object.fromEntries(Object.keys(fonts).map((name) => [name, '']));
    await panel.send({ type: 'info', info: panelInfo({ fonts: none }) });
    assert.deepEqual(await fontsNow(), before);
  });

  it('offers the model, the mode, context, a new chat and removal of attachments', async () => {
    await panel.send(snapshot([], { attachments: [{ id: 'a1', label: 'src/a.ts:1-9' }] }));
    await panel.page.getByRole('button', { name: 'Model: Kimi K3' }).click();
    await panel.page.getByRole('button', { name: 'Mode: Agent' }).click();
    await panel.page.getByRole('button', { name: 'Add Context' }).click();
    assert.equal(await panel.page.getByRole('button', { name: 'New Chat' }).count(), 0, 'the head of the view has it');
    await panel.page.getByRole('button', { name: 'Remove src/a.ts:1-9' }).click();
    await panel.send({ type: 'info', info: panelInfo({ inTab: true }) });
    await panel.page.getByRole('button', { name: 'New Chat' }).click();
    // Which number it has is of no matter.
    const posted = (await panel.posted()).map((one) => (one.type === 'complete' ? { ...one, id: 1 } : one));
    assert.deepEqual(posted.slice(1), [
      { type: 'openPicker', picker: 'model' },
      { type: 'openPicker', picker: 'mode' },
      { type: 'complete', id: 1, kind: 'menu', query: '' },
      { type: 'removeAttachment', id: 'a1' },
      { type: 'newChat' },
    ]);
  });
});
