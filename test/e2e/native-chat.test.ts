import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 60_000 };

describe("VS Code's own chat", () => {
  const session = useSession({
    otherExtensions: [path.join(import.meta.dirname, 'caller-extension')],
    viewport: { width: 1400, height: 900 },
  });
  const view = () => session().window.page.locator('.interactive-session').first();

  before(async function () {
    this.timeout(180_000);
    await enterKey(session());
    session().service.reset();
  });

  async function callModels(argument: object): Promise<unknown> {
    const { window } = session();
    await window.runCommand('Caller: Ask Models');
    await window.answerInputBox(JSON.stringify(argument));
    const lines = window.page.locator('.editor-group-container.active .view-lines').first();
    let text = '';
    await waitFor(
      'the result',
      async () => {
        text = (await lines.innerText()).replaceAll('\u00a0', ' ').trim();
        return text.startsWith('{"result"');
      },
      { timeoutMs: 60_000 },
    );
    await window.runCommand('View: Revert and Close Editor');
    return JSON.parse(text).result;
  }

  it('F27 offers each model once to other extensions, and answers two requests at a time, each with its own', async function () {
    this.timeout(180_000);
    const { service } = session();
    service.script({
      replies: [
        { match: { lastMessageIncludes: 'first' }, text: 'One.' },
        { match: { lastMessageIncludes: 'second' }, text: 'Two.' },
      ],
    });
    const result = await callModels({ prompts: ['first', 'second'] });
    assert.deepEqual(result, { models: 7, replies: ['One.', 'Two.'] });
    assert.equal(chatRequests(session()).length, 2);
  });

  it('F27 answers in the panel with a model of ours, and counts it under its own name', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'Answered by way of the provider.' }] });
    await window.runCommand('Chat: Open Chat');
    await view().waitFor(generous);
    await window.screenshot('native-chat-open');
    await view().locator('.chat-input-container .monaco-editor').first().click(generous);
    await window.page.keyboard.type('What does the sample do?');
    await window.page.keyboard.press('Enter');
    await view().getByText('Answered by way of the provider.').first().waitFor(generous);
    await window.screenshot('native-chat-answer');
    assert.ok(chatRequests(session()).length > 0);
  });
});
