import assert from 'node:assert/strict';
import type { MenuAction } from '../../src/shared/panel/protocol.ts';
import { snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

const answer = 'First:\n\n```ts\nconst one = 1;\n```\n\nThen:\n\n```sh\nls\n```';

describe('the context menu', () => {
  let panel: PanelPage;
  before(async () => {
    panel = await openPanel();
    await panel.send(snapshot([...turn('Earlier', 'Nothing.', 't0'), ...turn('What is *one*?', answer, 't1')]));
  });
  after(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  /** What VS Code hands to the conditions of the entries, and what choosing one then posts. */
  async function choose(selector: string, action: MenuAction) {
    const on = panel.page.locator(selector).last();
    await on.dispatchEvent('contextmenu');
    const context = await on.evaluate((element) => {
      const found: object[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (at instanceof HTMLElement && at.dataset.vscodeContext) found.push(JSON.parse(at.dataset.vscodeContext));
      }
      return Object.assign({}, ...found.reverse());
    });
    await panel.forgetPosted();
    await panel.send({ type: 'menuAction', action });
    return { context, posted: await panel.posted() };
  }

  it('ux 1.2 copies the message that it was opened on as it was typed', async () => {
    assert.deepEqual(await choose('.user .prompt', 'copyMessage'), {
      context: { svcItem: 'question' },
      posted: [{ type: 'copy', text: 'What is *one*?' }],
    });
  });

  it('ux 1.2 copies an answer as markdown', async () => {
    assert.deepEqual(await choose('.answer h2', 'copyMessage'), {
      context: { svcItem: 'answer' },
      posted: [{ type: 'copy', text: answer }],
    });
  });

  it('ux 1.2 copies the block of code that it was opened on', async () => {
    assert.deepEqual(await choose('.code-block pre', 'copyCode'), {
      context: { svcItem: 'answer', svcCode: true },
      posted: [{ type: 'copy', text: 'ls' }],
    });
  });

  it('ux 1.2 does nothing when it was opened beside the messages', async () => {
    const { context, posted } = await choose('[role=log]', 'copyMessage');
    assert.deepEqual([context, posted], [{}, []]);
  });
});
