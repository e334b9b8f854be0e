import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeoutMs: 60_000, timeout: 60_000 };

describe('commands of the editor', () => {
  const session = useSession({
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFile(path.join(folder, 'broken.json'), '{\n  "name": "corner-shop",\n  "colour" "blue"\n}\n');
    },
  });
  let chat: Chat;

  beforeEach(async function () {
    this.timeout(120_000);
    session().service.reset();
    if (chat !== undefined) return;
    chat = await openChat(session());
    await enterKey(session());
    session().service.reset();
  });

  const openInEditor = async (file: string) => {
    const { page, quickInput } = session().window;
    const tab = page.locator(`.tab.active[data-resource-name="${path.posix.basename(file)}"]`);
    await waitFor(
      `${file} in the editor`,
      async () => {
        if (await tab.isVisible()) return true;
        await quickInput.open('Control+P', file);
        await quickInput.pick(path.posix.basename(file));
        await tab.waitFor({ timeout: 5000 });
        return true;
      },
      { timeoutMs: 120_000 },
    );
  };

  it('F22 fixes a problem from its quick fix: the problem and the lines around it are what the model gets', async function () {
    this.timeout(180_000);
    const { service, window } = session();
    service.script({ replies: [{ text: 'A colon is missing.' }] });
    await openInEditor('broken.json');
    const { keyboard } = window.page;
    const entry = window.page.locator('.action-widget').getByText('svc: Fix', { exact: true });
    await waitFor(
      'the quick fix',
      async () => {
        await keyboard.press('Escape');
        await window.page.locator('.editor-group-container.active .view-line').nth(2).click({ timeout: 3000 });
        await keyboard.press('F8');
        await keyboard.press('Control+.');
        await entry.waitFor({ timeout: 5000 });
        return true;
      },
      generous,
    );
    await window.screenshot('code-actions-problem');
    await entry.click();
    await chat.frame.getByText('A colon is missing.').waitFor(generous);
    const asked = chatRequests(session())[0]?.messages.findLast(({ role }) => role === 'user');
    assert.ok(asked);
    assert.match(messageText(asked), /Find what is wrong with this code/);
    assert.match(messageText(asked), /Colon expected/);
    assert.match(messageText(asked), /3: {3}"colour" "blue"/);
    await chat.finishedAnswer();
  });
});
