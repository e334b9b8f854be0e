import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { writeFiles } from '../unit/tools/workspace.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { callOther } from './call-other.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { askNativeChat, nativeChat } from './native-chat.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };

describe("VS Code's own chat", () => {
  const session = useSession({
    otherExtensions: [path.join(import.meta.dirname, 'caller-extension')],
    viewport: { width: 1400, height: 900 },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFiles(folder, {
        'src/a.txt': 'in the workspace\n',
        '.gitignore': 'ignored/\n',
        'ignored/log.txt': 'not for everybody\n',
        '.env': 'SECRET=needle\n',
        'AGENTS.md': 'Speak plainly, says the rule.\n',
      });
    },
  });
  const view = () => nativeChat(session());
  /** Requests of VS Code's chat that the ledger has by now. */
  let counted = 0;
  const askInPanel = (text: string) => askNativeChat(session(), text);

  before(async function () {
    this.timeout(240_000);
    await enterKey(session());
    session().service.reset();
  });

  const call = (title: string, argument: object, meanwhile?: () => Promise<void>) =>
    callOther(session(), title, argument, meanwhile);

  it('F27 offers each model once to other extensions, and answers two requests at a time, each with its own', async function () {
    this.timeout(240_000);
    const { service } = session();
    service.script({
      replies: [
        { match: { lastMessageIncludes: 'first' }, text: 'One.' },
        { match: { lastMessageIncludes: 'second' }, text: 'Two.' },
      ],
    });
    const result = await call('Caller: Ask Models', { prompts: ['first', 'second'] });
    assert.deepEqual(result, { models: 7, replies: ['One.', 'Two.'] });
    assert.equal(chatRequests(session()).length, 2);
    counted += 2;
  });

  it('U14 U12 after one click what VS Code asks in the background is served and counted, and Undo takes it back', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const utility = () => call('Caller: Ask Utility Model', { setting: 'chat.utilitySmallModel', prompt: 'A title' });
    const before = await utility();
    await window.runCommand('svc.guardCredits');
    if (Object(before).value === undefined) {
      await window.notification('no settings for the models its chat uses in the background');
      return;
    }
    assert.deepEqual(before, { value: '' });
    service.reset();
    service.script({ replies: [{ text: 'Shipping costs' }] });
    const { widget } = window.quickInput;
    await widget.getByText('chat.utilitySmallModel').waitFor(generous);
    await window.screenshot('guard-credits');
    await widget.getByRole('button', { name: 'OK' }).click(generous);
    await waitFor('what is said', async () =>
      (await window.notifications()).some((text) => text.startsWith('Settings changed: 7')),
    );
    await window.screenshot('guard-credits-done');
    assert.deepEqual(await utility(), { value: 'svc/svc/deepseek-v4.1-flash', text: 'Shipping costs' });
    assert.deepEqual(
      chatRequests(session()).map(({ model }) => model),
      ['svc/deepseek-v4.1-flash'],
    );
    counted++;
    await window.pressNotificationButton('Undo');
    await waitFor('the way back', async () =>
      (await window.notifications()).some((text) => /VS Code settings restored: 7/.test(text)),
    );
    assert.deepEqual(await utility(), { value: '' });
  });

  it('F27 U12 answers in the panel with the model that is chosen there, and the ledger names the panel', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'Answered by way of the provider.' }] });
    // The chat's own agent belongs to another product; a participant that asks the chosen model stands in for it.
    await askInPanel('@caller What does the sample do?');
    await view().getByText('Answered by way of the provider.').first().waitFor(generous);
    await window.screenshot('native-chat-answer');
    assert.equal(chatRequests(session()).length, 1);
    await window.runCommand('svc.showSpend');
    const page = await window.webviewFrame('text=By feature');
    // Those of another extension, one for a title where that can be set, and this one.
    const row = new RegExp(`^VS Code's chat .*\\b${counted + 1}\\b`);
    await page.getByRole('row', { name: row }).waitFor(generous);
  });

  it('F27 says in the panel what went wrong and which command is next', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ rules: [{ effect: { exhaustedBalance: 402 } }] });
    await askInPanel('@caller And now?');
    await view()
      .getByText(/run "svc: Open Dashboard[^"]*" from the Command Palette/)
      .first()
      .waitFor(generous);
    await window.screenshot('native-chat-failure');
  });

  it('F21 F28 U12 @svc answers in the panel, looks at the workspace with our tools, and remembers what was said', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    const toolCalls = [{ name: 'read_file', arguments: { path: 'src/a.txt' } }];
    service.script({ replies: [{ text: 'I shall look.', toolCalls }, { text: 'It is **in the workspace**.' }] });
    await askInPanel('@svc What does src/a.txt say?');
    await view().getByText('It is in the workspace.').first().waitFor(generous);
    const [first, second] = chatRequests(session());
    assert.ok(first?.tools?.some((tool) => tool.function.name === 'read_file'));
    assert.ok(!first?.tools?.some((tool) => /edit|create|delete|rename|run/.test(tool.function.name)));
    assert.match(toolResults(second).join(), /in the workspace/);
    // VS Code attaches it too; it is paid for once.
    assert.equal(JSON.stringify(first?.messages).split('says the rule').length - 1, 1);
    service.script({ replies: [{ text: 'As I said.' }] });
    await askInPanel('@svc Are you sure?');
    await view().getByText('As I said.').first().waitFor(generous);
    await window.screenshot('native-participant');
    const sent = JSON.stringify(chatRequests(session()).at(-1)?.messages);
    assert.doesNotMatch(sent, /\bin · /, 'what an answer cost is not sent again');
    await view()
      .getByText(/^[\d,]+ in · [\d,]+ out · \$0\.\d{4}$/)
      .first()
      .waitFor(generous);
    assert.match(sent, /What does src\/a\.txt say\?.*It is \*\*in the workspace\*\*.*Are you sure\?/);
  });

  it('F28 a slash command takes what is selected, and its failures say what is next', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    await window.openFile('src/a.txt');
    await window.page.locator('.editor-group-container.active .view-line').first().click();
    await window.page.keyboard.press('Control+a');
    service.script({ replies: [{ text: 'Explained.' }] });
    await askInPanel('@svc /explain');
    await view().getByText('Explained.').first().waitFor(generous);
    assert.match(
      JSON.stringify(chatRequests(session())[0]?.messages.at(-1)),
      /Attached: src\/a\.txt.*Explain this code/,
    );
    service.script({ rules: [{ effect: { exhaustedBalance: 402 } }] });
    await askInPanel('@svc And now?');
    const answers = view().locator('.interactive-response');
    await answers
      .last()
      .getByText(/run "svc: Open Dashboard[^"]*" from the Command Palette/)
      .waitFor(generous);
    await window.screenshot('native-participant-failure');
  });

  it('F29 X16 reads for other extensions: asks about what is ignored, and never reads secrets', async function () {
    this.timeout(240_000);
    const { window } = session();
    const read = (file: string, meanwhile?: () => Promise<void>) =>
      call('Caller: Use Tool', { name: 'svc_read_file', input: { path: file, endLine: 1 } }, meanwhile);
    assert.match(String(await read('src/a.txt')), /in the workspace/);
    const answer = (button: RegExp) => async () => {
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog.getByText(/workspace ignores/).waitFor(generous);
      await window.screenshot('native-tool-question');
      await dialog.getByRole('button', { name: button }).first().click();
    };
    assert.match(String(await read('ignored/log.txt', answer(/^(?!Cancel)/))), /not for everybody/);
    assert.match(String(await read('ignored/log.txt', answer(/Cancel/))), /^failed: /);
    assert.match(String(await read('.env')), /may hold secrets/);
  });
});
