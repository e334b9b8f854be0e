import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { costMicroUsd } from '../../src/shared/money.ts';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { ledgerLines } from './entered-costs.ts';
import { edit } from './scripted-calls.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

describe('the next places of a change', () => {
  const session = useSession({ settings: { 'files.autoSave': 'off' }, fillWorkspace: fillShop });

  it('F41 are told with their price, stopped, changed under review and walked, and the bill is what was told', async function () {
    this.timeout(600_000);
    const { service, window, folder } = session();
    const { page } = window;
    await openChat(session());
    await enterKey(session());
    service.reset();
    const calls = [
      edit(
        'src/cart.ts',
        "import { shippingCents } from './shipping.ts';",
        "import { deliveryCents } from './shipping.ts';",
      ),
      edit(
        'src/cart.ts',
        '  const shipping = shippingCents(itemsCents);',
        '  const shipping = deliveryCents(itemsCents);',
      ),
    ];
    service.script({
      replies: [{ toolCalls: calls }, { toolCalls: calls }],
      rules: [{ match: { nth: 1 }, effect: { delayHeadersMs: 600_000 } }],
    });
    await window.openFile('src/shipping.ts');
    const editor = page.locator('.editor-group-container.active .monaco-editor').first();
    const code = () => textOf(editor.locator('.view-lines'));
    const line = editor.locator('.view-line').filter({ hasText: 'export function' });
    await line.getByText('shippingCents', { exact: true }).dblclick(generous);
    await page.locator('.statusbar-item').getByText('(13 selected)').waitFor(generous);
    await page.keyboard.type('deliveryCents');
    await page.keyboard.press('Escape');
    await waitFor('the other name', async () => (await code()).includes('export function deliveryCents('), generous);
    const before = service.balanceMicroUsd();
    await window.runCommand('svc: Update Related Code');
    await window.notification(/Update related code: \d+ places · ≈ \$0\.000\d/);
    await waitFor('the request', () => chatRequests(session()).length === 1, generous);
    await window.screenshot('next-places-asked');
    await window.pressNotificationButton('Cancel', /Update related code/);
    await waitFor('the end of it', async () => !(await window.notifications()).join().includes('Update related code'));
    const inline = async () => (await ledgerLines(session())).filter(({ surface }) => surface === 'inline');
    await waitFor('what was stopped in the ledger', async () => (await inline()).length === 1, generous);
    const stopped = before - service.balanceMicroUsd();
    await window.runCommand('svc: Update Related Code');
    await window.notification(/2 places changed · \$0\.000\d/);
    const billed = before - service.balanceMicroUsd() - stopped;
    const message = (await window.notifications()).find((text) => text.includes('2 places changed')) ?? '';
    assert.ok(message.endsWith(`$${(billed / 1e6).toFixed(4)}`), `${message} beside ${billed}`);
    await window.screenshot('next-places-told');
    await window.pressNotificationButton('Next (Alt+F5)', /2 places changed/);
    await waitFor('the first of them', async () => (await code()).includes('deliveryCents(itemsCents)'), generous);
    await window.screenshot('next-places-light');
    for (const theme of ['Dark Modern', 'Dark High Contrast']) {
      await window.setTheme(theme);
      await window.screenshot(`next-places-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    assert.match(
      await readFile(path.join(folder, 'src/cart.ts'), 'utf8'),
      /= shippingCents\(/,
      'nothing is saved by it',
    );
    const entry = await waitFor('the request in the ledger', async () => (await inline())[1] ?? false);
    assert.deepEqual([entry.microUsd, costMicroUsd(entry.totalTokens ?? 0)], [billed, billed]);
    const requests = chatRequests(session());
    assert.equal(requests.length, 2);
    const sent = messageText(requests[1]?.messages.at(-1) ?? assert.fail());
    assert.match(sent, /- export function shippingCents\(.*\n\+ export function deliveryCents\(/);
    assert.doesNotMatch(sent, /freeFromCents = 5900/, 'what Git has as changed is not what was just changed');
    assert.deepEqual(
      requests[1]?.tools?.map((one) => one.function.name),
      ['edit_file'],
    );
    await window.runCommand('svc: Undo All Edits');
    await waitFor('the text of before', async () => (await code()).includes('= shippingCents(itemsCents)'), generous);
  });
});
