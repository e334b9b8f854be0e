import assert from 'node:assert/strict';
import { ask, end, richTurn, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

/** What users of other chats reported of answers while they come, and of keys, with the value held right beforehand. */
describe('public reports on answers that grow', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  /** What is seen of the answer after each of its letters. */
  const seenWhileItComes = async (text: string): Promise<string[]> => {
    await panel.send(snapshot(ask('Say it')));
    const seen: string[] = [];
    for (const letter of text) {
      await panel.events(say(letter));
      seen.push(await panel.page.locator('.answer .markdown').innerText());
    }
    return seen;
  };
  const rows: readonly [what: string, text: string, unseen: RegExp][] = [
    ['bold text (microsoft/vscode#217946)', 'It is **very safe** now', /\*/],
    ['bold text with code in it (get-bb/bb#3317)', 'Then **run `npm test` once** more', /[*`]/],
    ['code (microsoft/vscode#318498)', 'Made the branch `fix-it` for it', /`/],
    ['a link (ansible/ansible-ai-connect-service#1994)', 'See [the file](src/a.ts) first', /[[\]()]|src/],
    ['a block of code (raullenchai/Rapid-MLX#2106)', 'Here:\n\n```ts\nlet a = 1;\n```\n\nDone', /`/],
  ];
  for (const [what, text, unseen] of rows) {
    it(`F1 nothing of the signs is seen while ${what} comes`, async () => {
      const seen = await seenWhileItComes(text);
      assert.deepEqual(
        seen.filter((one) => unseen.test(one)),
        [],
      );
    });
  }

  it('F1 a list whose inner items stand far in after a blank line is a list (oobabooga/textgen#7401)', async () => {
    await panel.send(snapshot(turn('List it', '- First item\n\n      - Second item\n      - Third item')));
    assert.equal(await panel.page.locator('.answer li li').count(), 2);
    assert.equal(await panel.page.locator('.answer pre').count(), 0);
  });

  it('F18 the blanks at the beginning of lines go along and are seen (github/copilot-cli#4136)', async () => {
    await panel.send(snapshot());
    const text = '- top\n  - inner\n    - innermost';
    await panel.input.fill(text);
    await panel.page.keyboard.press('Enter');
    const sent = (await panel.posted()).find(({ type }) => type === 'send');
    assert.equal(sent?.type === 'send' && sent.text, text);
    await panel.events(...ask(text), end());
    assert.equal(await panel.page.locator('.user .prompt').innerText(), text);
  });

  it('U8 each button of an answer has a name (continuedev/continue#12326)', async () => {
    await panel.send(snapshot(richTurn));
    await panel.showSteps();
    const nameless = await panel.page
      .locator('button')
      .evaluateAll((all) =>
        all.filter((one) => !(one.ariaLabel || one.textContent?.trim())).map((one) => one.outerHTML),
      );
    assert.deepEqual(nameless, []);
  });

  it('U8 Space on the button of the model opens a list that Enter chooses from (microsoft/vscode#246985)', async () => {
    await panel.send(snapshot());
    await panel.page.getByRole('button', { name: /^Model: / }).focus();
    await panel.page.keyboard.press('Space');
    await panel.send({
      type: 'picks',
      picker: 'model',
      rows: ['a', 'b', 'c'].map((id) => ({ id: `svc/${id}`, label: id })),
    });
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual((await panel.posted()).at(-1), { type: 'selectModel', id: 'svc/b' });
  });

  it('U8 Home and End lead to the first and the last message (QwenLM/qwen-code#10642, danny-avila/LibreChat#2727)', async () => {
    const long = 'A sentence that fills a line. '.repeat(60);
    await panel.send(
      snapshot([...turn('First', long), ...turn('Second', long, 'turn-2'), ...turn('Third', long, 'turn-3')]),
    );
    await panel.page.locator('article').nth(2).focus();
    for (const [key, words] of [
      ['Home', 'First'],
      ['End', 'A sentence'],
      ['Control+Home', 'First'],
      ['Control+End', 'A sentence'],
    ] as const) {
      await panel.page.keyboard.press(key);
      await panel.page.waitForFunction(
        ([sign, end]) => {
          const log = document.querySelector('[role=log]');
          const top = log?.scrollTop ?? -1;
          return sign === 'First' ? top === 0 : log && top + log.clientHeight >= log.scrollHeight - 2 && end;
        },
        [words, true] as const,
        { timeout: 5000 },
      );
    }
  });
});
