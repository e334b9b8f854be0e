import assert from 'node:assert/strict';
import { approvals, request, subjects } from './agent-fixtures.ts';
import { ask, end, say, snapshot, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';

/** What users of other chats reported of reading, pasting and themes, with the value held right beforehand. */
describe('public reports on reading, pasting and themes', () => {
  let panel: PanelPage;
  const open = async (options: PanelOptions = {}) => {
    panel = await openPanel(options);
  };
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const paste = (texts: Record<string, string>) =>
    panel.input.evaluate((box, given) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text);
      box.focus();
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      const taken = !box.dispatchEvent(event);
      // What the browser does with an event that nobody took.
      if (!taken) document.execCommand('insertText', false, clipboardData.getData('text/plain'));
      return taken;
    }, texts);
  const paragraphs = (count: number, word: string) =>
    Array.from({ length: count }, (_, at) => `${word} ${at}, with some words behind it that fill a line.`).join('\n\n');

  it('U1 every row of a picker can be reached in a short window (schmitech/orbit#227, get-bb/bb#1596)', async () => {
    await open({ height: 260, width: 300 });
    await panel.send(snapshot());
    await panel.page.getByRole('button', { name: /^Model: / }).click();
    const rows = Array.from({ length: 20 }, (_, at) => ({ id: `svc/m${at}`, label: `Model ${at}` }));
    await panel.send({ type: 'picks', picker: 'model', rows });
    const box = await panel.page.locator('.picker').boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 260, JSON.stringify(box));
    await panel.page.keyboard.press('ArrowUp');
    const last = await panel.page.getByRole('option', { name: 'Model 19' }).boundingBox();
    assert.ok(last && last.y >= box.y && last.y + last.height <= box.y + box.height + 1, JSON.stringify(last));
  });

  it('F1 links in the cells of a table open like any other (Blockether/vis#91)', async () => {
    await open();
    const table = '| Repository | Ticket |\n|---|---|\n| [web](https://example.com/web) | [A-1](src/a.ts) |';
    await panel.send(snapshot(turn('Status?', table)));
    for (const name of ['web', 'A-1']) await panel.page.locator('td').getByText(name).click();
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => type === 'openLink' || type === 'openFile'),
      [
        { type: 'openLink', href: 'https://example.com/web' },
        { type: 'openFile', path: 'src/a.ts' },
      ],
    );
  });

  it('F1 U8 the code of a block is text to a screen reader (nvaccess/nvda#20711)', async () => {
    await open();
    const code = ['Get-Process |', '  Sort-Object CPU -Descending |', '  Select-Object -First 10'];
    await panel.send(snapshot(turn('Show it', `\`\`\`powershell\n${code.join('\n')}\n\`\`\``)));
    const tree = await panel.page.locator('.answer').ariaSnapshot();
    for (const line of code) assert.ok(tree.includes(line.trim()), tree);
  });

  it('F18 an Enter that ends a composition chooses nothing in a picker (Untrivial-ai/agent-orchestrator#3863)', async () => {
    await open();
    await panel.send(snapshot());
    await panel.page.getByRole('button', { name: /^Model: / }).click();
    const rows = Array.from({ length: 20 }, (_, at) => ({ id: `svc/m${at}`, label: `Model ${at}` }));
    await panel.send({ type: 'picks', picker: 'model', rows });
    const filter = panel.page.getByRole('combobox', { name: 'Filter' });
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
      await filter.evaluate(
        (element, init) =>
          element.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
          ),
        composing,
      );
    }
    assert.ok(await filter.isVisible());
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => type === 'selectModel'),
      [],
    );
  });

  it('P6 what is read stays in its place while steps come above and when the answer ends (agegr/pi-web#361, nesquena/hermes-webui#4295)', async () => {
    await open({ height: 500 });
    await panel.send(snapshot([...turn('First', paragraphs(30, 'early'), 'turn-0'), ...ask('Go', 'turn-1')]));
    await panel.events(say(paragraphs(30, 'late'), 'turn-1'));
    const read = panel.page.getByText('late 4, with');
    await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await panel.log.evaluate((log) => log.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true })));
    const before = (await read.boundingBox())?.y ?? 0;
    await panel.events({ type: 'reasoningDelta', turnId: 'turn-1', step: 0, text: paragraphs(20, 'thought') });
    const tools = [{ id: 'c1', name: 'read_file', title: 'Read a.ts', arguments: '{}', output: 'text' }];
    await panel.events(...toolStep(paragraphs(30, 'late'), tools), say(paragraphs(10, 'last'), 'turn-1', 1));
    await panel.events(end('turn-1'));
    const after = (await read.boundingBox())?.y ?? 0;
    assert.ok(Math.abs(after - before) <= 1, `${before} → ${after}`);
  });

  it('F7 twenty thousand pasted lines are all there and leave the box free to type (open-webui/open-webui#26228)', async () => {
    await open();
    await panel.send(snapshot());
    const lines = 'const value = compute(input);\n'.repeat(20_000);
    assert.equal(await paste({ 'text/plain': lines }), true);
    await panel.page.keyboard.type('What is slow?');
    assert.equal(await panel.input.inputValue(), 'What is slow?');
    const posted = (await panel.posted()).find(({ type }) => type === 'attachText');
    assert.ok(posted?.type === 'attachText' && posted.text === lines);
  });

  it('F11 a thousand short lines stay in a box that leaves the conversation in view (OvidijusParsiunas/deep-chat#499)', async () => {
    await open({ height: 600 });
    await panel.send(snapshot(turn('Hi', 'Hello.')));
    const lines = '.\n'.repeat(1000);
    assert.equal(await paste({ 'text/plain': lines }), false);
    assert.equal(await panel.input.inputValue(), lines);
    const box = await panel.input.boundingBox();
    assert.ok(box && box.height <= 300, JSON.stringify(box));
    assert.ok(await panel.page.getByText('Hello.').isVisible());
  });

  it('F7 formatted text is pasted without its format, and typing goes on (open-webui/open-webui#9850)', async () => {
    await open();
    await panel.send(snapshot());
    await paste({ 'text/plain': 'Bold and plain', 'text/html': '<p><b>Bold</b> and <span>plain</span></p>' });
    await panel.page.keyboard.type(' more');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('next');
    assert.equal(await panel.input.inputValue(), 'Bold and plain more\nnext');
    assert.equal(await panel.page.locator('.composer :is(b, p > span)').count(), 0);
  });

  for (const theme of ['hc-dark', 'hc-light'] as const) {
    it(`ux 2.18 in ${theme} each button and box has an edge that can be seen (Kilo-Org/kilocode#7300)`, async () => {
      await open({ theme });
      await panel.send(snapshot(approvals(request(subjects.command, { scopes: ['once', 'conversation', 'always'] }))));
      const bare = await panel.page.locator('.button:visible, .composer textarea').evaluateAll((all) =>
        all.flatMap((element) => {
          let at: Element | null = element;
          // The edge of a box may be that of what holds it.
          for (let depth = 0; at && depth < 3; depth++, at = at.parentElement) {
            const { borderTopWidth, borderTopColor, outlineStyle } = getComputedStyle(at);
            const isClear = /rgba\(.*, 0\)$|^transparent$/.test(borderTopColor);
            if ((Number.parseFloat(borderTopWidth) > 0 && !isClear) || outlineStyle !== 'none') return [];
          }
          return [element.textContent || element.tagName];
        }),
      );
      assert.deepEqual(bare, []);
    });
  }

  it('P6 a message that joins the queue moves nothing for who reads above (gdpelican/babble#215)', async () => {
    await open({ height: 500 });
    await panel.send(snapshot([...turn('First', paragraphs(40, 'early'), 'turn-0'), ...ask('Go', 'turn-1')]));
    const read = panel.page.getByText('early 10, with');
    await read.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await panel.log.evaluate((log) => log.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, bubbles: true })));
    const before = (await read.boundingBox())?.y ?? 0;
    await panel.events(
      say('One. ', 'turn-1'),
      end('turn-1'),
      ...ask('From elsewhere', 'turn-2'),
      say('Two.', 'turn-2'),
    );
    const after = (await read.boundingBox())?.y ?? 0;
    assert.ok(Math.abs(after - before) <= 1, `${before} → ${after}`);
  });
});
