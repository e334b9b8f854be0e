import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Attachment } from '../../../src/shared/messages.ts';
import type { ContextPick } from '../../../src/shared/panel/field-schemas.ts';
import { createOutputCommands } from '../../../src/vscode/commands/output-commands.ts';
import { NothingToAttach } from '../../../src/vscode/composer/read-context.ts';

describe('commands about what was printed', () => {
  let attached: Attachment[] = [];
  let prompts: string[] = [];
  let picks: ContextPick[] = [];
  let report: string[] = [];
  let read: (pick: ContextPick) => Promise<Attachment | undefined>;
  let answer: string | undefined;
  let restore: () => void;
  const commands = createOutputCommands({
    read: (pick) => {
      picks.push(pick);
      return read(pick);
    },
    knowsTerminal: () => true,
    attach: (attachment) => {
      if ('text' in attachment) attached.push(attachment);
    },
    ask: async (prompt) => void prompts.push(prompt),
  });
  const run = async (id: keyof typeof commands, argument?: unknown) => commands[id](argument);

  beforeEach(() => {
    [attached, prompts, picks, report, answer] = [[], [], [], [], undefined];
    read = async (pick) => ({ id: pick.kind, kind: 'file', label: pick.kind, text: 'its text' });
    const known = vscode.window.showInformationMessage;
    Reflect.set(vscode.window, 'showInformationMessage', async (message: string) => {
      report.push(message);
      return answer;
    });
    restore = () => void Reflect.set(vscode.window, 'showInformationMessage', known);
  });
  afterEach(() => restore());

  it('F25 explains the last command of the terminal', async () => {
    await run('svc.explainTerminal');
    assert.deepEqual(picks, [{ kind: 'terminal' }]);
    assert.match(prompts[0] ?? '', /command/);
  });

  it('F25 says why there is nothing to explain, and sends nothing', async () => {
    read = async () => {
      throw new NothingToAttach('No command has run.');
    };
    await run('svc.explainTerminal');
    assert.deepEqual(report, ['No command has run.']);
    assert.deepEqual([attached, prompts], [[], []]);
  });

  it('F25 sends a failing test with its message, what was expected and its code', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'test/cart.test.ts');
    const controller = vscode.tests.createTestController('svc-test', 'Tests');
    try {
      const test = controller.createTestItem('1', 'adds shipping', uri);
      test.range = new vscode.Range(4, 0, 9, 1);
      const message = vscode.TestMessage.diff('490 is not 590', '490', '590');
      message.location = new vscode.Location(uri, new vscode.Position(6, 2));
      await run('svc.fixTestFailure', { test, message });
      assert.match(
        attached[0]?.text ?? '',
        /^Test: adds shipping\nReported at: test\/cart\.test\.ts:7\n\n490 is not 590/,
      );
      assert.match(attached[0]?.text ?? '', /Expected:\n490[\s\S]*Actual:\n590/);
      assert.deepEqual(picks, [{ kind: 'file', uri: uri.toString(), startLine: 5, endLine: 10 }]);
      assert.equal(prompts.length, 1);

      assert.deepEqual(report, []);
    } finally {
      controller.dispose();
    }
  });

  it('F25 says where the message of a failing test is when it was not handed over, and asks only if told to', async () => {
    const test = { label: 'adds shipping' };
    for (const argument of [test, { test, message: { message: ' ' } }]) await run('svc.fixTestFailure', argument);
    assert.equal(report.length, 2);
    for (const text of report) assert.match(text, /"adds shipping".*Test Results view/);
    assert.deepEqual([attached, prompts], [[], []]);
    answer = 'Ask Anyway';
    await run('svc.fixTestFailure', test);
    assert.match(attached[0]?.text ?? '', /^Test: adds shipping\n\n.*run it first/);
    assert.equal(prompts.length, 1);
  });

  it('X37 F25 takes nothing but a test', async () => {
    for (const argument of [undefined, 5, 'x', {}, { test: 5 }, { label: 7 }, { uri: '/etc/passwd' }]) {
      await run('svc.fixTestFailure', argument);
    }
    assert.deepEqual([attached, picks, prompts], [[], [], []]);
    assert.equal(report.length, 7);
  });

  it('X16 F25 sends nothing when the user keeps the file of the test to themselves', async () => {
    read = async () => undefined;
    const test = { label: 'adds', uri: vscode.Uri.file('/elsewhere/a.test.ts') };
    await run('svc.fixTestFailure', { test, message: { message: '490 is not 590' } });
    assert.equal(picks.length, 1);
    assert.deepEqual([attached, prompts], [[], []]);
  });
});
