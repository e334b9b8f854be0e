import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { gitIn } from '../support/git-in.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests } from './chat-requests.ts';
import { openSourceControl } from './source-control.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 90_000 };

/** Situations that users of other assistants reported of several folders; `test/field/person.md` has what came of each. */
describe('reports of others about several folders, in a window', () => {
  const session = useSession({
    fillWorkspace: async (folder) => {
      await writeFiles(folder, {
        'first/docs/readme.md': '# The first\n',
        'first/a.ts': 'export const a = 1;\n',
        'second/docs/readme.md': '# The second\n',
        'second/examples/guide.md': 'one\ntwo\nthree of the guide\n',
        'second/only-here.ts': 'export const only = 1;\n',
        'all.code-workspace': JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }),
      });
      for (const each of ['first', 'second']) {
        const git = gitIn(path.join(folder, each));
        await git('init');
        await git('add', '.');
        await git('commit', '-m', 'first');
      }
      await writeFiles(folder, {
        'first/a.ts': 'export const a = 2; // of the first\n',
        'second/only-here.ts': 'export const only = 2; // of the second\n',
      });
    },
    open: (folder) => path.join(folder, 'all.code-workspace'),
  });
  const chat = useChat(session);
  const page = () => session().window.page;
  const editorLine = (text: string) =>
    page().locator('.editor-group-container.active .view-line').filter({ hasText: text });

  it('F8 a path in code leads to the folder that it names, or asks which (microsoft/vscode#297792)', async function () {
    this.timeout(180_000);
    session().service.script({
      replies: [
        { text: 'See `first/docs/readme.md`, then [the guide](second/examples/guide.md#L3) and `examples/guide.md`.' },
      ],
    });
    await chat().ask('Where?');
    const answer = await chat().finishedAnswer();
    // A name becomes a link once the host found the file.
    await answer.getByRole('link', { name: 'first/docs/readme.md' }).click();
    await editorLine('The first').first().waitFor(generous);
    await answer.getByText('the guide', { exact: true }).click();
    await editorLine('three of the guide').first().waitFor(generous);
    await page().locator('.statusbar').getByText(/Ln 3,/).waitFor(generous);
    await session().window.runCommand('View: Close All Editors');
    await answer.getByRole('link', { name: 'examples/guide.md', exact: true }).last().click();
    await editorLine('three of the guide').first().waitFor(generous);
  });

  it('F7 a file of the second folder is found behind @ and goes along (google-antigravity/antigravity-cli#733)', async function () {
    this.timeout(180_000);
    session().service.script({ replies: [{ text: 'Seen.' }] });
    await chat().message.pressSequentially('@only-h');
    await chat()
      .frame.getByRole('option', { name: /only-here\.ts/ })
      .first()
      .click(generous);
    await chat().message.pressSequentially('What is it?');
    await page().keyboard.press('Enter');
    await chat().finishedAnswer();
    const asked = chatRequests(session())
      .at(-1)
      ?.messages.findLast(({ role }) => role === 'user');
    assert.ok(asked);
    assert.match(messageText(asked), /of the second/);
  });

  it('F24 the message of the second repository tells its own changes, in its own box (cline/cline#6651, ggml-org/llama.vscode#74)', async function () {
    this.timeout(240_000);
    session().service.script({ replies: [{ text: 'Raise the only one' }] });
    const { view } = await openSourceControl(session());
    const provider = view.getByRole('treeitem', { name: /^second/ }).first();
    await provider.hover(generous);
    await provider.getByRole('button', { name: 'Generate Commit Message' }).first().click(generous);
    const asked = await waitFor('the request', () => chatRequests(session()).at(-1), { timeoutMs: 60_000 });
    const text = asked.messages.map(messageText).join('\n');
    assert.match(text, /of the second/);
    assert.doesNotMatch(text, /of the first/);
    const box = view.locator('.scm-input .view-line').filter({ hasText: /Raise.the.only.one/ });
    await box.waitFor(generous);
    await session().window.screenshot('field-two-repositories');
    const [row, message] = [await provider.boundingBox(), await box.boundingBox()];
    assert.ok(row && message && message.y > row.y, 'the box of the second');
  });
});
