import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ofConversation } from '../../../src/edits/pending/edit-origin.ts';
import type { PendingText } from '../../../src/edits/pending/hunks.ts';
import { settledText } from '../../../src/edits/pending/pending-text.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { createFileWriter } from '../../../src/vscode/edits/file-writer.ts';
import { undoFiles } from '../../../src/vscode/edits/undo-files.ts';
import { placeOf } from '../../../src/vscode/workspace/place-uri.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { times } from '../../support/effort.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { play, type Subject, type Tally } from '../../support/undo-judge.ts';
import { tellOf } from '../../support/undo-oracle.ts';
import { movingSessions, typedSessions, uniqueLines } from '../../support/undo-sessions.ts';

/** Each takes about a second; many more by hand. */
const sessions = Number(process.env.SVC_EDITOR_SESSIONS ?? times(3, 12));

describe('undecided edits in the real editor', () => {
  let temp: TempDir;
  let folder: string;
  let number = 0;

  before(async () => {
    temp = await makeTempDir('svc-oracle-');
    folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'oracle');
    await mkdir(folder, { recursive: true });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
    await temp.remove();
  });

  /** One file in an editor, written by the tools' own port, followed by the store that the product has. */
  async function createEditorSubject(): Promise<Subject & { close(): Promise<void> }> {
    const file = path.join(folder, `${number++}.txt`);
    const uri = vscode.Uri.file(file);
    await writeFile(file, uniqueLines.join('\n'));
    const storage = { file: path.join(temp.path, `${number}.json`), onError: assert.ifError };
    const { workspace } = createWorkspace();
    const place = placeOf(workspace, uri);
    assert.ok(place);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    let store: EditStore = await createEditStore(storage);
    let calls = 0;
    const text = (): PendingText => store.get(uri)?.text ?? settledText(document.getText());
    const one = (number: number) => store.hunks(uri).filter((_, at) => at === number);
    const shows = async (next: string) => {
      if (document.getText() === next) return;
      const arrived = Promise.withResolvers<void>();
      const listening = vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && document.getText() === next) arrived.resolve();
      });
      await arrived.promise.finally(() => listening.dispose());
    };
    return {
      ...tellOf(text),
      async write(next, { conversationId, turnId = '' }) {
        const before = document.getText();
        const port = createFileWriter(workspace, store).portFor(conversationId);
        const change = {
          kind: 'write' as const,
          place,
          before,
          after: next,
          format: { encoding: 'utf8', mark: false },
          decided: false,
        };
        await port.apply(change, { turnId, callId: `call${calls++}` });
      },
      async type(changes) {
        const change = new vscode.WorkspaceEdit();
        // All of them count in the text before the first; an editor tells of the last place first.
        for (const { range, text: typed } of changes) {
          const { start, end } = range;
          change.replace(uri, new vscode.Range(start.line, start.character, end.line, end.character), typed);
        }
        assert.ok(await vscode.workspace.applyEdit(change));
      },
      async load(next = '') {
        assert.ok(await document.save());
        await writeFile(file, next);
        await shows(next);
      },
      async step(direction, next) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand(direction);
        await shows(next);
      },
      save: async () => void (await document.save()),
      async reload() {
        store.dispose();
        await store.flush();
        store = await createEditStore(storage);
      },
      keep: async (conversationId) => store.keep(uri, { of: ofConversation(conversationId) }),
      undo: async (conversationId) => {
        assert.deepEqual(
          await undoFiles({ store, codec: workspace.codec }, [uri], { of: ofConversation(conversationId) }),
          [],
        );
      },
      keepHunk: async (number) => store.keep(uri, { hunks: one(number) }),
      async undoHunk(number) {
        const undo = undoFiles({ store, codec: workspace.codec }, [uri], { hunks: one(number) });
        return (await undo).length;
      },
      async close() {
        await document.save();
        store.dispose();
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      },
    };
  }

  for (const [what, all] of Object.entries({ typing: typedSessions, 'lines that move': movingSessions })) {
    it(`U19 Undo gives what the user would have without the model, in ${sessions} sessions with ${what} in an editor`, async function () {
      this.timeout(10 * 60_000);
      const tally: Tally = { asked: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(all, async (actions) => {
          const subject = await createEditorSubject();
          try {
            await play({ first: uniqueLines, actions }, subject, tally);
          } finally {
            await subject.close();
          }
        }),
        { numRuns: sessions, interruptAfterTimeLimit: 8 * 60_000 },
      );
    });
  }
});
