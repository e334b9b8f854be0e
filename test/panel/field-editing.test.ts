import assert from 'node:assert/strict';
import { approvals, request, subjects } from './agent-fixtures.ts';
import { snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

/** What users of other chats reported of messages and cards, with the value held right beforehand. */
describe('public reports on messages and cards', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  it('F18 a click elsewhere keeps what was typed into an earlier message (microsoft/vscode#330747)', async () => {
    await panel.send(snapshot([...turn('First', 'One.'), ...turn('Second', 'Two.', 'turn-2')]));
    await panel.page.locator('.user').first().hover();
    await panel.page.getByRole('button', { name: /^Edit/ }).first().click();
    await panel.input.fill('First, said better');
    await panel.page.locator('.answer').last().click();
    assert.equal(await panel.input.inputValue(), 'First, said better');
    await panel.page.getByRole('group', { name: 'Editing an earlier message' }).waitFor();
  });

  it('U8 from the message back into the conversation leads to its newest message (anthropics/claude-code#86697)', async () => {
    await panel.send(
      snapshot([...turn('First', 'One.'), ...turn('Second', 'Two.', 'turn-2'), ...turn('Third', 'Three.', 'turn-3')]),
    );
    await panel.input.focus();
    for (let times = 0; times < 6; times++) {
      await panel.page.keyboard.press('Shift+Tab');
      if (await panel.page.evaluate(() => document.activeElement?.closest('article') !== null)) break;
    }
    const reached = await panel.page.evaluate(() => document.activeElement?.closest('article')?.textContent);
    assert.match(reached ?? '', /Three\./);
  });

  it('F14 of two cards the answered one has no buttons any more, the other keeps its own (dirac-run/dirac#68)', async () => {
    const second = request(subjects.command, { callId: 'c2' });
    await panel.send(snapshot(approvals(request(subjects.command), second)));
    const allow = panel.page.getByRole('button', { name: /^Allow Once/ });
    await allow.nth(1).waitFor();
    await panel.send({
      type: 'events',
      events: [
        { type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } },
      ],
    });
    await allow.nth(1).waitFor({ state: 'detached' });
    assert.equal(await allow.count(), 1);
  });
});
