import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openChat } from './chat.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

describe("with VS Code's own AI entries hidden", () => {
  const session = useSession({ settings: { 'chat.disableAIFeatures': true } });

  it('F30 the chat of VS Code is gone, and ours answers', async function () {
    this.timeout(240_000);
    const { window } = session();
    const chat = await openChat(session());
    await enterKey(session());
    await chat.ask('What does src/shipping.ts do?');
    assert.match(await (await chat.finishedAnswer()).innerText(), /shippingCents/);
    const tabs = await window.page.locator('.part.auxiliarybar').getByRole('tab').allInnerTexts();
    assert.ok(!tabs.some((name) => /^chat$/i.test(name.trim())), tabs.join(', '));
    assert.equal(await window.page.locator('[id="chat.statusBarEntry"]').count(), 0);
    await window.screenshot('hidden-ai');
  });
});
