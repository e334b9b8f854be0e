import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { exportJson } from '../../src/conversation/store/transfer.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { answerFileDialog } from './file-dialog.ts';
import { enterKey, sessionKey } from './session.ts';
import { useSession } from './use-session.ts';

/** A service, or whatever stands between, that writes the key into everything it says. */
const echo = `Bearer ${sessionKey} was sent as ${sessionKey} in "authorization": "${sessionKey}"`;

describe('the key', () => {
  const session = useSession();
  let chat: Chat;
  let report = '';

  const editorText = async () => {
    const editor = session().window.page.locator('.editor-group-container.active .view-lines');
    return (await editor.innerText()).replace(/\u00a0/g, ' ');
  };
  const inEditor = async (command: string, shows: RegExp) => {
    const { window } = session();
    await window.runCommand(command);
    await waitFor(`the text of ${command}`, async () => shows.test(await editorText()));
    return editorText();
  };

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
    const { service } = session();
    service.script({
      rules: [
        { match: { nth: 1 }, effect: { respond: { status: 400, body: { error: { message: echo } } } } },
        { match: { nth: 2 }, effect: { respond: { status: 418, body: `<p>${echo}</p>`, contentType: 'text/html' } } },
        {
          match: { nth: 3 },
          effect: { streamError: { afterChunks: 2, body: { error: { message: echo, code: sessionKey } } } },
        },
        { match: { nth: 4 }, effect: { replyModel: sessionKey } },
      ],
      replies: [{ text: `The key is ${sessionKey}.`, reasoning: `I was given ${sessionKey}.`, times: 4 }],
    });
    for (const question of ['First?', 'Second?', 'Third?', 'Fourth?']) {
      await chat.ask(question);
      await chat.button('Send').waitFor();
      if (report !== '') continue;
      // Of a failure that the conversation has left behind, one line is left.
      await chat.frame.locator('.failure').getByRole('button', { name: 'Copy Report' }).click();
      await waitFor('the report', async () => {
        report = await editorText();
        return /400/.test(report);
      });
    }
    await chat.finishedAnswer();
  });

  it('X15 stands in no card, report, sent request, export or page, whatever the service writes', async () => {
    const { window } = session();
    const details = chat.frame.locator('details:not([open]) > summary');
    while ((await details.count()) > 0) await details.first().click();
    const failures = await chat.frame.locator('main').innerText();
    assert.match(failures, /418/);
    const cards = chat.frame.locator('.failure, .past-failure');
    assert.ok((await cards.count()) >= 2, 'the failures are shown as cards');
    for (const card of await cards.all()) assert.ok(!(await card.innerText()).includes(sessionKey), 'a card');
    const shown = [
      await inEditor('svc.copySupportReport', /support report/i),
      await inEditor('svc.showSentRequest', /You are svc Assistant/),
    ];
    await window.runCommand('svc.showCapabilities');
    shown.push(await (await window.webviewFrame('text=POST /embeddings')).locator('body').innerText());
    await window.runCommand('svc.checkService');
    shown.push(await (await window.webviewFrame('text=Service check')).locator('body').innerText());
    shown.push(await window.statusBarText(), window.console(), session().server.log());
    for (const text of shown) assert.ok(!text.includes(sessionKey));
  });

  it('X15 stands in no report that a card offers, no exported conversation and no message of an open panel', async () => {
    const { window } = session();
    assert.ok(!report.includes(sessionKey));
    await window.runCommand('svc.exportConversation');
    await window.quickPick('Markdown');
    await waitFor('the export', async () => (await editorText()).includes('The key is sk-svc-demo…'));
    assert.ok(!(await editorText()).includes(sessionKey));
    const panel = await chat.frame.locator('main').innerText();
    assert.ok(panel.includes('The key is sk-svc-demo…'));
    assert.ok(!panel.includes(sessionKey));
  });

  it('X15 E19 E20 is taken out of what is imported, and of what is exported again', async function () {
    this.timeout(240_000);
    const { window, folder } = session();
    const file = path.join(folder, 'foreign.json');
    const said = `Somebody wrote ${sessionKey} here.`;
    const events = [
      { type: 'created', conversationId: 'external', at: 1, note: sessionKey },
      { type: 'userMessage', id: 'm', at: 1, text: said, attachments: [] },
    ];
    await writeFile(file, exportJson(events));
    await window.runCommand('svc.importConversation');
    await answerFileDialog(session(), file);
    await chat.frame.getByText('Somebody wrote sk-svc-demo… here.').first().waitFor({ timeout: 180_000 });
    await window.runCommand('svc.exportConversation');
    await window.quickPick('JSON');
    const exported = path.join(folder, 'exported.json');
    await answerFileDialog(session(), exported);
    const text = () => readFile(exported, 'utf8').catch(() => '');
    await waitFor('the file', async () => (await text()).includes('Somebody wrote'), { timeoutMs: 60_000 });
    assert.ok(!(await text()).includes(sessionKey));
  });

  it('X15 E19 stands in no file that VS Code or the extension wrote, and goes nowhere but to its service', async () => {
    const { server, service } = session();
    const files = await filesUnder(server.userDataDir);
    const written = await Promise.all(files.map(async (file) => ({ file, bytes: await readFile(file) })));
    for (const kept of ['Fourth?', 'The key is sk-svc-demo…', 'I was given sk-svc-demo…']) {
      assert.ok(
        written.some(({ bytes }) => bytes.includes(kept)),
        `the conversation is among what was read, with "${kept}"`,
      );
    }
    assert.deepEqual(
      written
        .filter(({ bytes }) => bytes.includes(sessionKey))
        .map(({ file }) => path.relative(server.userDataDir, file)),
      [],
    );
    for (const request of service.requests) assert.ok(!request.path.includes(sessionKey));
  });
});

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
