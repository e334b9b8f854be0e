import assert from 'node:assert/strict';
import { approvals, edits, queue, request, subjects } from './agent-fixtures.ts';
import { clippedParts } from './clipping.ts';
import { ask, cost, end, failedTurn, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';

/** What users of other assistants reported of pickers, of reading and of writing, with the value held right beforehand. */
describe('public reports on pickers, reading and writing', () => {
  let panel: PanelPage;
  const open = async (options: PanelOptions = {}) => {
    panel = await openPanel(options);
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const button = (name: string | RegExp) => panel.page.getByRole('button', { name });
  const press = (key: string) => panel.page.keyboard.press(key);
  const answerText = () => panel.page.locator('.answer .markdown').innerText();
  const focusName = () =>
    panel.page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });
  const answerCompletions = async (labels: readonly string[], kind: 'attach' | 'command' = 'attach') => {
    const last = (await panel.allPosted()).findLast(({ type }) => type === 'complete');
    assert.ok(last?.type === 'complete');
    const items = labels.map((label, at) => ({
      ...{ id: String(at), icon: 'file' as const, label },
      action:
        kind === 'command'
          ? { type: 'command' as const, name: label.slice(1) }
          : { type: 'attach' as const, pick: { kind: 'file' as const, uri: `file:///w/${label}` } },
    }));
    await panel.send({ type: 'completions', id: last.id, items, done: true });
  };

  it('F1 two single tildes strike nothing through (github/copilot-cli#1936)', async () => {
    await open();
    const said = 'Make a fix (~2000 lines) and delete the old file (~5000 lines), ~10% of ~100.';
    await panel.send(snapshot(turn('How much?', said)));
    assert.equal(await answerText(), said);
    assert.equal(await panel.page.locator('.answer :is(del, s)').count(), 0);
  });

  it('F1 amounts in dollars are text (ChatGPTNextWeb/NextChat#2841)', async () => {
    await open();
    const said = 'The price is $100, the discount $20, so $123 - $234 or US$60.';
    await panel.send(snapshot(turn('How much?', said)));
    assert.equal(await answerText(), said);
  });

  it('F1 a fence in a nested list stays code, hyphens too, without the indent of the list (jonathanyeung/mark-sharp#66)', async () => {
    await open();
    const said = [
      ...['- **Strapi**', '  - Compose:', '    ```yaml', '    services:', '      db:', '        depends_on:'],
      ...['          - postgres', '    ```', '  - After'],
    ].join('\n');
    await panel.send(snapshot(turn('How?', said)));
    const code = await panel.page.locator('.answer pre code').innerText();
    assert.equal(code.trimEnd(), 'services:\n  db:\n    depends_on:\n      - postgres');
    assert.equal(await panel.page.locator('.answer li', { hasText: 'After' }).last().innerText(), 'After');
  });

  it('F1 a less-than sign in a checklist takes no text away (mojombo/github-flavored-markdown#60)', async () => {
    await open();
    await panel.send(snapshot(turn('List', '- [ ] fine\n- [x] less than: < can you see me? a<b and b>c')));
    const rows = await panel.page.locator('.answer li').allInnerTexts();
    assert.match(rows.join('|'), /fine\|.*less than: < can you see me\? a<b and b>c/s);
  });

  it('U8 Send says that it is disabled and can still be reached (microsoft/vscode#235203)', async () => {
    await open();
    await panel.send(snapshot());
    const send = button('Send');
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await send.focus();
    assert.equal(await focusName(), 'Send');
    await panel.input.fill('Hi');
    assert.equal(await send.getAttribute('aria-disabled'), null);
  });

  it('U8 each code block and its buttons have a name that tells it from the others (microsoft/vscode#237794)', async () => {
    await open();
    await panel.send(snapshot(turn('Both', '```ts\nlet a = 1;\n```\n\n```ts\nlet b = 2;\n```')));
    const names = await panel.page
      .locator('.code-block [role="group"]')
      .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label') ?? ''));
    assert.equal(new Set(names).size, 2, names.join(' | '));
    for (const name of names) assert.notEqual(name, '');
  });

  it('U8 the mode and the model are reached from the message by Tab (microsoft/vscode#239995)', async () => {
    await open();
    await panel.send(snapshot());
    await panel.input.focus();
    const names: string[] = [];
    for (let tab = 0; tab < 4; tab++) {
      await press('Tab');
      names.push(await focusName());
    }
    assert.ok(names.includes('Mode: Agent') && names.includes('Model: Kimi K3'), names.join(', '));
  });

  it('F7 Enter takes the row that is marked, wherever the mouse lies (aipoch/open-science#2318)', async () => {
    await open();
    await panel.send(snapshot());
    await panel.input.pressSequentially('@');
    await answerCompletions(['a.ts', 'b.ts', 'c.ts']);
    await panel.page.getByRole('option', { name: 'c.ts' }).hover();
    const marked = await panel.page.locator('.completions [aria-selected="true"] .completion-label').innerText();
    await press('Enter');
    const last = (await panel.posted()).findLast(({ type }) => type === 'attach');
    assert.deepEqual(last, { type: 'attach', pick: { kind: 'file', uri: `file:///w/${marked}` } });
  });

  it('F7 the marked row of a long list stays in view (liliu-z/stashbase#6)', async () => {
    await open({ height: 500 });
    await panel.send(snapshot());
    await panel.input.pressSequentially('@');
    await answerCompletions(Array.from({ length: 40 }, (_, at) => `file-${at}.ts`));
    for (const keys of [['ArrowUp'], ['ArrowDown', 'PageDown', 'PageDown']]) {
      for (const key of keys) await press(key);
      const isSeen = await panel.page.locator('.completions').evaluate((list) => {
        const row = list.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
        const box = list.getBoundingClientRect();
        return row !== undefined && row.top >= box.top - 1 && row.bottom <= box.bottom + 1;
      });
      assert.ok(isSeen, keys.join());
    }
  });

  it('X27 a question that appears while one types takes no key (zai-org/feedback#242)', async () => {
    await open();
    await panel.send(snapshot([...ask('Go'), say('Working')]));
    await panel.input.pressSequentially('and then ');
    const [, , ...asked] = approvals(request(subjects.command));
    await panel.events(...asked);
    await panel.page.keyboard.type('run it again y n 1');
    await press('Space');
    assert.equal(await panel.input.inputValue(), 'and then run it again y n 1 ');
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => type === 'answer'),
      [],
    );
  });

  it('X27 what is allowed for ever is never the button that stands out (agentscope-ai/QwenPaw#6354)', async () => {
    await open();
    const scopes = ['once', 'conversation', 'always'] as const;
    await panel.send(snapshot(approvals(request(subjects.command, { scopes: [...scopes] }))));
    const card = panel.page.locator('.approval.waiting');
    const primary = await card.locator('button.primary').allInnerTexts();
    assert.doesNotMatch(primary.join(), /always|chat|conversation/i);
    await card.locator('.allow').click();
    const last = (await panel.posted()).findLast(({ type }) => type === 'answer');
    assert.deepEqual(last?.type === 'answer' && last.answer.value, { decision: 'allow', scope: 'once' });
  });

  it('F11 another mode leaves the written text, and sends nothing (microsoft/vscode#323870)', async () => {
    await open();
    await panel.send(snapshot(turn('Plan it', 'Done.')));
    await panel.input.fill('Now the second part');
    await button(/^Mode: /).click();
    await panel.send({
      ...{ type: 'picks', picker: 'mode' },
      rows: [
        { id: 'agent', label: 'Agent', current: true },
        { id: 'plan', label: 'Plan' },
      ],
    });
    await press('ArrowDown');
    await press('Enter');
    assert.equal(await panel.input.inputValue(), 'Now the second part');
    const types = (await panel.posted()).map(({ type }) => type);
    assert.deepEqual(types.slice(-2), ['openPicker', 'selectMode']);
    assert.ok(!types.includes('send') && !types.includes('stop'));
  });

  it('F11 Ctrl+Z takes back what a list wrote into the message (microsoft/vscode#89960)', async () => {
    await open();
    await panel.send(snapshot());
    await panel.input.pressSequentially('/rev', { delay: 100 });
    await panel.page.waitForFunction(() =>
      (globalThis as unknown as { posted: { query?: string }[] }).posted.some(({ query }) => query === 'rev'),
    );
    await answerCompletions(['/review'], 'command');
    await press('Enter');
    assert.equal(await panel.input.inputValue(), '/review ');
    await press('Control+Z');
    assert.equal(await panel.input.inputValue(), '/rev');
    await press('Control+Shift+Z');
    assert.equal(await panel.input.inputValue(), '/review ');
  });

  it('F7 cells of a spreadsheet are pasted as text, not as a picture of them (RocketChat/Rocket.Chat#3551)', async () => {
    await open();
    await panel.send(snapshot());
    await panel.input.focus();
    await panel.input.evaluate((box) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'a\tb\n1\t2');
      clipboardData.items.add(new File([new Uint8Array(8)], 'image.png', { type: 'image/png' }));
      const taken = !box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      if (!taken) document.execCommand('insertText', false, 'a\tb\n1\t2');
    });
    assert.equal(await panel.input.inputValue(), 'a\tb\n1\t2');
    const types = (await panel.posted()).map(({ type }) => type);
    assert.ok(!types.includes('attachImage') && !types.includes('incoming'), types.join());
  });

  it('ux 2.18 nothing without a blank widens the panel (vm0-ai/vm0#9821, nibor1896/Crow#232)', async () => {
    await open({ width: 220 });
    const address = `https://example.org/?${'gad_source=1&gclid=CjwKCAjwtIfPBhAz'.repeat(6)}`;
    const path = `/work/${'deeply-nested-folder/'.repeat(8)}file.ts`;
    const word = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
    const said = `${address}\n\n- ${word}\n- \`${path}\`\n\n# ${word}\n\n> ${path}`;
    await panel.send(
      snapshot(
        [
          ...turn(`${address} ${path} ${word}`, said),
          ...failedTurn('server-error', { message: `${word}${path}` }, 'turn-2'),
          ...ask('Go', 'turn-3'),
        ],
        { queue: { items: [{ id: 'q', text: address }], paused: false }, edits: [{ ...edits[0], path } as never] },
      ),
    );
    assert.deepEqual(await clippedParts(panel.page), []);
    const wide = await panel.page.evaluate(() => {
      const parts = [...document.querySelectorAll('.log, .user .prompt, .answer .markdown, .failure')];
      return parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.className);
    });
    assert.deepEqual(wide, []);
  });

  it('ux 1.10 figures have the separators of the language (eigent-ai/eigent#1475)', async () => {
    await open({ language: 'de' });
    const parts = { draft: 1234, attachments: 0, history: 12_345, rules: 50, tools: 50 };
    await panel.send(snapshot([...ask('Los'), say('Fertig.'), end()], { locale: 'de' }), {
      type: 'price',
      price: { tokens: 13_679, microUsd: 4514, parts, historyMicroUsd: 4074, error: 0.1 },
    });
    await panel.page.locator('button.price').click();
    const details = await panel.page.locator('.price-details').innerText();
    assert.match(details, /12\.300/);
    assert.match(details, /0,004/);
    assert.doesNotMatch(details, /12,3|\$0\.00/);
    const line = await panel.page.locator('.answer').innerText();
    assert.match(line, /0,0044/);
    assert.doesNotMatch(line, /\d\.\d s/);
  });

  it('ux 1.10 one is one file, one line, one step, wherever it is counted (epam/ai-dial-chat#8026)', async () => {
    await open();
    const one = { uri: 'file:///w/a.ts', path: 'a.ts', added: 1, removed: 1 };
    const notice = { kind: 'ending' as const, commands: 1, changed: 1, untested: true as const };
    const read = { name: 'read_file', title: 'Read a.ts', arguments: '{"path":"a.ts"}', output: 'x' };
    await panel.send(
      snapshot(
        [
          ...ask('Go'),
          ...toolStep('', [{ id: 'c1', ...read }]),
          { type: 'textDelta', turnId: 'turn-1', step: 1, text: 'Done.' },
          { type: 'notice', turnId: 'turn-1', step: 1, notice },
          end('turn-1', { cost: cost({ requests: 1 }) }),
          ...ask('More', 'turn-2'),
        ],
        {
          edits: [one],
          queue: { items: queue.slice(0, 1), paused: false },
          attachments: [{ id: 'a', label: 'a.ts', tokens: 1 }],
        },
      ),
    );
    await panel.showSteps();
    const names = await panel.page
      .locator('[aria-label], [title]')
      .evaluateAll((all) => all.map((part) => `${part.getAttribute('aria-label')} ${part.getAttribute('title')}`));
    const all = [await panel.page.locator('body').innerText(), ...names].join('\n');
    assert.doesNotMatch(all, /\b1 (?:files|lines|steps|requests|messages|commands|tokens|attachments|edits|changes)\b/);
  });

  it('U1 a selected part of a change is copied without signs and numbers (vercel/chatbot#167)', async () => {
    await open();
    await panel.send(snapshot(approvals(request(subjects.edit))));
    const line = panel.page.locator('.diff', { hasText: 'const lines' }).first();
    await line.evaluate((card) => {
      const at = [...card.querySelectorAll('*')].filter((one) => one.children.length === 0);
      const from = at.find((one) => one.textContent?.includes('const lines'));
      const to = at.find((one) => one.textContent?.includes('export function join'));
      const range = document.createRange();
      range.setStartBefore(from ?? card);
      range.setEndBefore(to ?? card);
      const selection = getSelection();
      selection?.removeAllRanges();
      selection?.addRange(range);
    });
    const copied = (await panel.page.evaluate(() => String(getSelection()))).split('\n').map((text) => text.trimEnd());
    assert.deepEqual(
      copied.filter((text) => text !== ''),
      [
        `  const lines = text.replace(/^\\uFEFF/, '').split('\\n');`,
        `  return lines.filter((line) => line.trim() !== '');··`,
        '}',
      ],
    );
  });

  it('F17 after Keep there is a way back, file by file (microsoft/vscode#272618)', async () => {
    await open();
    const taken = { type: 'checkpointTaken' as const, turnId: 'turn-1', paths: ['src/parse.ts'] };
    const edit = {
      name: 'edit_file',
      title: 'Edit src/parse.ts',
      arguments: '{"path":"src/parse.ts"}',
      output: 'Done',
    };
    await panel.send(
      snapshot(
        [...ask('Go'), ...toolStep('', [{ id: 'c1', ...edit }]), taken as never, say('Done.', 'turn-1', 1), end()],
        {
          editOutcomes: { c1: 'kept' },
        },
      ),
    );
    await panel.page.locator('.user').first().hover();
    const restore = panel.page.getByRole('button', { name: /Restore/ });
    await restore.first().click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'restoreCheckpoint', turnId: 'turn-1' });
  });

  it('F1 Hebrew reads from the right in each part, and code from the left (anthropics/claude-code#29815)', async () => {
    await open();
    const said =
      '# כותרת\n\nשלום `parse()` עולם.\n\n- פריט `a`\n\n> ציטוט\n\n| עמודה | b |\n|---|---|\n| תא | c |\n\n```ts\nlet a = 1; // שלום\n```';
    await panel.send(snapshot(turn('שלום `a` עולם', said)));
    const directionOf = (selector: string) =>
      panel.page
        .locator(selector)
        .first()
        .evaluate((part) => getComputedStyle(part).direction);
    for (const part of ['h3', 'p', 'li', 'blockquote']) {
      assert.equal(await directionOf(`.answer .markdown ${part}`), 'rtl', part);
    }
    // Each line of a message has the direction of its first letter.
    const prompt = panel.page.locator('.user .prompt');
    assert.equal(await prompt.evaluate((part) => getComputedStyle(part).unicodeBidi), 'plaintext');
    assert.equal(await directionOf('.answer th'), 'rtl', 'the head of a table');
    assert.equal(await directionOf('.answer td'), 'rtl', 'a cell of a table');
    assert.equal(await directionOf('.answer pre'), 'ltr');
  });

  it('U1 three hundred models stay in the window, with a filter, and the current one in view (OpenWhispr/openwhispr#999)', async () => {
    await open({ height: 400, width: 300 });
    await panel.send(snapshot());
    await button(/^Model: /).click();
    const rows = Array.from({ length: 300 }, (_, at) => ({
      ...{ id: `svc/m${at}`, label: `Model ${at}` },
      ...(at === 250 && { current: true as const }),
    }));
    await panel.send({ type: 'picks', picker: 'model', rows });
    const box = await panel.page.locator('.picker').boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 400, JSON.stringify(box));
    await panel.page.getByRole('combobox', { name: 'Filter' }).waitFor();
    const current = panel.page.getByRole('option', { name: 'Model 250' });
    const at = await current.boundingBox();
    assert.ok(at && at.y >= box.y && at.y + at.height <= box.y + box.height, JSON.stringify(at));
  });

  it('U1 Tab leaves a picker, which closes (elastic/eui#619)', async () => {
    await open();
    await panel.send(snapshot());
    await button(/^Mode: /).click();
    await panel.send({ type: 'picks', picker: 'mode', rows: [{ id: 'ask', label: 'Ask' }] });
    await press('Tab');
    assert.equal(await panel.page.getByRole('listbox').count(), 0);
    assert.match(await focusName(), /Model: /);
  });
});
