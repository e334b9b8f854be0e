import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { costMicroUsd, formatMicroUsd } from '../../src/shared/money.ts';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { ledgerLines } from './entered-costs.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { textOf } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 180_000 };

describe('a completion on a key', () => {
  const session = useSession({
    settings: { 'files.autoSave': 'off' },
    fillWorkspace: async (folder) => {
      await fillShop(folder);
      const text =
        "import { readFile } from 'node:fs/promises';\n\nexport async function readLines(file: string) {\n  \n}\n";
      await writeFile(path.join(folder, 'src/read-lines.ts'), text);
    },
  });

  it('F40 shows VS Code ghost text and its price, Tab takes it, and it is entered as a completion', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    await openChat(session());
    await enterKey(session());
    service.reset();
    service.script({
      replies: [
        {
          text: "Here it is:\n```ts\n  const text = await readFile(file, 'utf8');\n  return text.split('\\n');\n}\n```",
        },
      ],
    });
    await window.openFile('read-lines.ts');
    const { page } = window;
    const editor = page.locator('.editor-group-container.active .monaco-editor').first();
    const code = () => textOf(editor.locator('.view-lines'));
    await waitFor(
      'the caret in the function',
      async () => {
        await editor.locator('.view-line').nth(3).click({ timeout: 3000 });
        await page.keyboard.press('End');
        await page.locator('.statusbar-item').getByText('Ln 4, Col 3').waitFor({ timeout: 3000 });
        return true;
      },
      generous,
    );
    const status = page.locator('[id$=".svc.completion"]');
    const before = service.totalTokens();
    const told = status
      .getByText(/Completion · [≈<] \$0\.000\d/)
      .first()
      .waitFor(generous);
    const counted = waitFor('the price after', async () => {
      const text = await status.textContent({ timeout: 3000 });
      return /Completion · ((?:< )?\$0\.\d+)\s*$/.exec(text ?? '')?.[1] ?? false;
    });
    await page.keyboard.press('Alt+\\');
    await told;
    const price = await counted;
    await editor.locator('[class*="ghost-text"]').first().waitFor(generous);
    await window.screenshot('completion-shown');
    await window.setTheme('Dark High Contrast');
    await window.screenshot('completion-high-contrast');
    await window.setTheme('Dark Modern');
    await editor.locator('.view-line').nth(3).click();
    await page.keyboard.press('End');
    // The same place again is free.
    await page.keyboard.press('Alt+\\');
    await editor.locator('[class*="ghost-text"]').first().waitFor(generous);
    await window.screenshot('completion-dark');
    await page.keyboard.press('Tab');
    await waitFor('the text', async () => (await code()).includes("return text.split('\\n');"), generous);
    const entry = await waitFor('the completion in the ledger', async () => {
      const entries = await ledgerLines(session());
      return entries.find(({ surface }) => surface === 'completion') ?? false;
    });
    const billed = service.totalTokens() - before;
    assert.deepEqual([entry.totalTokens, entry.microUsd], [billed, costMicroUsd(billed)]);
    assert.equal(price, formatMicroUsd(entry.microUsd, false));
    const requests = chatRequests(session());
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.max_tokens, 200);
    assert.equal(requests[0]?.tools, undefined);
    assert.match(
      messageText(requests[0].messages.at(-1) ?? assert.fail()),
      /readLines\(file: string\) \{\n {2}⟦here⟧\n\}/,
    );
  });
});
