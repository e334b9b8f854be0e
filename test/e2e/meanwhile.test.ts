import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import type { Chat } from './chat.ts';
import { chatRequests } from './chat-requests.ts';
import { askFor, call } from './scripted-calls.ts';
import type { Session } from './session.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

/** Asks twice more; the change is told with the first, in the chat and in the request, and never again. */
async function isToldOnce(session: Session, chat: Chat, inChat: RegExp, inRequest: RegExp): Promise<void> {
  const notes = () =>
    chatRequests(session)
      .at(-1)
      ?.messages.filter((message) => message.role === 'user' && inRequest.test(messageText(message)));
  await askFor(session, chat, [], 'What is there now?');
  await chat.frame.getByText(inChat).waitFor();
  assert.equal(notes()?.length, 1);
  await askFor(session, chat, [], 'And still?');
  assert.equal(await chat.frame.getByText(inChat).count(), 1, 'said once');
  assert.equal(notes()?.length, 1, 'written once');
}

describe('a folder that is added while a chat is open', () => {
  const session = useSession({
    fillWorkspace: (folder) =>
      writeFiles(folder, {
        'first/a.ts': 'export const a = 1;\n',
        'second/b.ts': 'export const b = 2;\n',
        'all.code-workspace': JSON.stringify({ folders: [{ path: 'first' }] }),
      }),
    open: (folder) => path.join(folder, 'all.code-workspace'),
  });
  const chat = useChat(session);

  it('E24 is told once, to the user and to the model, which then reads it', async function () {
    this.timeout(240_000);
    const { folder, window } = session();
    await askFor(session(), chat(), [], 'What is there?');
    await writeFile(
      path.join(folder, 'all.code-workspace'),
      JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }),
    );
    await window.page.locator('.explorer-folders-view').getByText('second').first().waitFor();
    await isToldOnce(session(), chat(), /told of new folders: second\./, /added to the workspace: second\./);
    const [read] = await askFor(session(), chat(), [[call('read_file', { path: 'second/b.ts' })]], 'Read it.');
    assert.match(read ?? '', /export const b = 2/);
    await window.screenshot('folder-added');
  });
});

describe('trust that is given while a chat is open', () => {
  const session = useSession({ workspaceTrust: true });
  const chat = useChat(session);

  it('E24 is told once, to the user and to the model, which then gets its tools', async function () {
    this.timeout(240_000);
    const { window } = session();
    await askFor(session(), chat(), [], 'What is there?');
    assert.equal(chatRequests(session()).at(-1)?.tools, undefined);
    await window.runCommand('Workspaces: Manage Workspace Trust');
    await window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await waitFor('the trust', async () => (await chat().frame.getByText('Restricted Mode').count()) === 0);
    // The page may lie over the whole window.
    await window.runCommand('View: Close All Editors');
    await isToldOnce(session(), chat(), /told that you trust this workspace/, /trusts the workspace now/);
    const [read] = await askFor(session(), chat(), [[call('read_file', { path: 'src/shipping.ts' })]], 'Read it.');
    assert.match(read ?? '', /freeFromCents/);
    await window.screenshot('trust-given');
  });
});
