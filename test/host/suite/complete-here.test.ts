import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import { createCompleteHere } from '../../../src/features/completion/vscode/complete-here.ts';
import type { ChatRequest, StreamResult } from '../../../src/service/contract.ts';
import { times } from '../../support/effort.ts';
import { paidAttempt as attempt } from '../../support/paid-attempt.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** The real editor, with a model that answers what the test says, beside the provider of another extension that counts. */
describe('a completion on a key', () => {
  let completion: ReturnType<typeof createCompleteHere>;
  let editor: vscode.TextEditor;
  let requests: ChatRequest[];
  let answer: (signal: AbortSignal) => Promise<string | 'stopped'>;
  let others: vscode.Disposable;
  let askedOthers: number;
  let mayRead: boolean;

  beforeEach(async () => {
    [requests, askedOthers, mayRead] = [[], 0, true];
    answer = async () => '```ts\nfirst();\n```';
    others = vscode.languages.registerInlineCompletionItemProvider(
      { pattern: '**' },
      {
        provideInlineCompletionItems() {
          askedOthers += 1;
          return [];
        },
      },
    );
    completion = createCompleteHere({
      metered: () => {
        const unused = () => assert.fail('only streams');
        const stream = async (request: ChatRequest, _onEvent: unknown, signal: AbortSignal): Promise<StreamResult> => {
          requests.push(request);
          const text = await answer(signal);
          if (signal.aborted) return { outcome: 'stopped', reply: wholeReply('m'), attempts: [] };
          return { outcome: 'done', reply: { ...wholeReply('m'), text }, attempts: [attempt] };
        };
        return { stream, complete: unused, listModels: unused, checkKey: unused };
      },
      estimator: { prompt: () => ({ tokens: 900, error: 0 }) },
      learned: { learn: () => undefined },
      choose: () => ({ model: 'm', thinks: false }),
      clock: systemClock,
      newId: () => 't',
      extensionId: 'svc.svc-assistant',
      ensureReady: async () => true,
      nameOf: (model) => model,
      mayRead: async () => mayRead,
    });
    const content = 'function a() {\n  \n}\n';
    // An untitled one that was closed just now gives its name, and may give its text, to the next.
    await waitFor('a document of its own', async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'typescript', content });
      editor = await vscode.window.showTextDocument(document);
      return text() === content;
    });
    editor.selection = new vscode.Selection(1, 2, 1, 2);
  });
  afterEach(async () => {
    completion.dispose();
    others.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  const complete = (argument?: unknown) => completion.commands['svc.completeHere'](argument);
  const accept = async () => {
    await vscode.commands.executeCommand('editor.action.inlineSuggest.commit');
  };
  const text = () => editor.document.getText().replaceAll('\r\n', '\n');

  it('F40 shows what was asked for, Tab takes it, and no other provider was asked by our key', async () => {
    const before = askedOthers;
    await complete();
    assert.equal(askedOthers, before);
    assert.equal(requests.length, 1);
    await waitFor('the text to be accepted', async () => {
      await accept();
      return text().includes('first();');
    });
    assert.equal(text(), 'function a() {\n  first();\n}\n');
  });

  it('F40 gives the rest free to whoever types along, and the same place again from what it knows', async () => {
    await complete();
    await vscode.commands.executeCommand('type', { text: 'fi' });
    await waitFor('the text to be accepted', async () => {
      await accept();
      return text().includes('first();');
    });
    assert.equal(text(), 'function a() {\n  first();\n}\n');
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    await waitFor('both to be undone', () => text() === 'function a() {\n  \n}\n');
    editor.selection = new vscode.Selection(1, 2, 1, 2);
    await complete();
    assert.equal(requests.length, 1);
  });

  it('F40 whoever types on while the text is on its way gets it once, whenever the letters come', async function () {
    this.timeout(300_000);
    const empty = 'function a() {\n  \n}\n';
    const wrong: string[] = [];
    for (let round = 0; round < times(12, 60); round++) {
      await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 9, 0), empty));
      editor.selection = new vscode.Selection(1, 2, 1, 2);
      const asked = complete();
      // Anywhere between the press and the text: each turn of the loop is another place.
      for (let turn = 0; turn < round % 12; turn++) await new Promise((resolve) => setImmediate(resolve));
      await vscode.commands.executeCommand('type', { text: 'fi' });
      await accept();
      await asked;
      await accept();
      if (!/^ {2}(fi|first\(\);)$/.test(editor.document.lineAt(1).text)) wrong.push(`${round}: ${text()}`);
      await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
    }
    assert.deepEqual(wrong, []);
  });

  it('F40 asks for another one where one is shown', async () => {
    await complete();
    answer = async () => '```ts\nsecond();\n```';
    await complete({ another: true });
    assert.equal(requests.length, 2);
    assert.match(requests[1]?.messages[1]?.text ?? '', /Not this, but another one:\nfirst\(\);/);
    await waitFor('the text to be accepted', async () => {
      await accept();
      return text().includes('second();');
    });
  });

  it('F40 shows it on the key where VS Code’s suggestions as one types are off, and Tab takes it', async () => {
    const settings = vscode.workspace.getConfiguration('editor.inlineSuggest');
    await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
    try {
      await complete();
      assert.equal(requests.length, 1);
      await waitFor('the text to be accepted', async () => {
        await accept();
        return text().includes('first();');
      });
      assert.equal(text(), 'function a() {\n  first();\n}\n');
    } finally {
      await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  const ways: Record<string, () => Thenable<unknown>> = {
    typing: () => vscode.commands.executeCommand('type', { text: 'x' }),
    'another caret': async () => {
      editor.selection = new vscode.Selection(0, 0, 0, 0);
    },
    Stop: async () => completion.commands['svc.stopCompletion'](),
  };
  for (const [what, leave] of Object.entries(ways)) {
    it(`F40 is stopped by ${what}, and nothing is shown`, async () => {
      const isStopped = Promise.withResolvers<void>();
      const isSent = Promise.withResolvers<void>();
      answer = async (signal) => {
        isSent.resolve();
        signal.addEventListener('abort', () => isStopped.resolve());
        await isStopped.promise;
        return 'stopped';
      };
      const asked = complete();
      await isSent.promise;
      await leave();
      await asked;
      const before = text();
      await accept();
      assert.equal(text(), before);
    });
  }

  const askByHand = async () => {
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    await vscode.commands.executeCommand('editor.action.inlineSuggest.showNext');
    await vscode.commands.executeCommand('editor.action.showHover');
  };

  it('F40 sends nothing by typing, by asking for suggestions and for the next one, before and after the first press', async () => {
    const play = async () => {
      for (const letter of 'const value = something(else); ')
        await vscode.commands.executeCommand('type', { text: letter });
      for (let count = 0; count < 20; count++) await askByHand();
    };
    await play();
    assert.equal(requests.length, 0);
    await complete();
    await play();
    assert.equal(requests.length, 1);
  });

  it('F40 sends nothing by thousands of letters, a hover, and the next suggestion, while the provider is registered, and shows nothing', async function () {
    this.timeout(300_000);
    await complete();
    let letters = 0;
    const listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document === editor.document) letters += contentChanges.length;
    });
    const line = 'const value of something with a few '.repeat(3).slice(0, 100).padEnd(100, 'z');
    const hundreds = times(6, 100);
    for (let count = 0; count < hundreds; count++) {
      await Promise.all([...line].map((text) => vscode.commands.executeCommand('type', { text })));
    }
    await waitFor('all of them', () => letters >= hundreds * 100);
    listening.dispose();
    await askByHand();
    assert.equal(requests.length, 1);
    const before = text();
    await accept();
    assert.equal(text(), before);
  });

  it('F40 sends nothing of a file that may not be read', async () => {
    mayRead = false;
    await complete();
    assert.equal(requests.length, 0);
  });
});
