import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ChangedFile, EditMode } from '../../../src/edits/apply/edit-ports.ts';
import { type EditToolDeps, writeLateProposal } from '../../../src/edits/apply/plan-write.ts';
import { createReadTracker } from '../../../src/edits/apply/read-tracker.ts';
import { createTextWork } from '../../../src/edits/apply/text-work.ts';
import { type Checkpoints, createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import { createInlineEditView } from '../../../src/features/inline/vscode/inline-edit-view.ts';
import { createWalkSearch } from '../../../src/files/search/walk-search.ts';
import { type AnswerItem, emptyChat } from '../../../src/shared/chat/chat-state.ts';
import { openStateFile } from '../../../src/storage/state-file.ts';
import { createEditTools } from '../../../src/tools/all-tools.ts';
import { createCommandReview } from '../../../src/vscode/edits/command-review.ts';
import { storedProposal } from '../../../src/vscode/edits/edit-proposals.ts';
import { createEditReview, type EditReview } from '../../../src/vscode/edits/edit-review.ts';
import { createEditStore, type EditStore } from '../../../src/vscode/edits/edit-store.ts';
import { createFileWriter } from '../../../src/vscode/edits/file-writer.ts';
import { createRestoring } from '../../../src/vscode/edits/restore-checkpoint.ts';
import { placeOf } from '../../../src/vscode/workspace/place-uri.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { restorable } from '../../support/restorable.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** Answers dialogs in place of the user. */
function replaceDialogs(answers: Record<string, (...args: unknown[]) => Promise<unknown>>): { restore(): void } {
  const known = Object.keys(answers).map((name) => [name, Reflect.get(vscode.window, name)] as const);
  for (const [name, answer] of Object.entries(answers)) assert.ok(Reflect.set(vscode.window, name, answer), name);
  return {
    restore() {
      for (const [name, value] of known) Reflect.set(vscode.window, name, value);
    },
  };
}

/** The edit tools in the real editor, on files of the sample workspace. */
const { extensionUri } = vscode.extensions.getExtension('svc.svc-assistant') ?? { extensionUri: vscode.Uri.file('/') };

describe('edits in the editor', () => {
  const chat = 'chat';
  let atHand = chat;
  const before0 = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  let temp: TempDir;
  let root: string;
  let store: EditStore;
  let review: EditReview;
  let checkpoints: Checkpoints;
  let mode: EditMode = 'apply';
  let contexts: Record<string, boolean> = {};
  let turn = 0;
  let schemeId = '';
  let tools: ReturnType<typeof createEditTools> = [];
  let toolsOfOther: ReturnType<typeof createEditTools> = [];

  // A folder for each test: an editor may still know the file of the one before.
  const folder = () => `edits-${turn}`;
  const fileOf = (name: string) => path.join(root, folder(), name);
  const uriOf = (name: string) => vscode.Uri.file(fileOf(name));
  const onDisk = (name: string) => readFile(fileOf(name), 'utf8');
  const document = (name: string) => vscode.workspace.openTextDocument(uriOf(name));
  const exists = (name: string) =>
    stat(fileOf(name)).then(
      () => true,
      () => false,
    );
  /** Plans, consents, runs. */
  const call = async (name: string, args: { path: string } & Record<string, unknown>, signal?: AbortSignal) => {
    const tool = tools.find((candidate) => candidate.name === name);
    assert.ok(tool);
    const context = toolContext({ turnId: `t${turn}`, ...(signal && { signal }) });
    const plan = await tool.plan({ ...args, path: `${folder()}/${args.path}` }, context);
    return plan.run();
  };
  const edit = (name: string, search: string, replace: string) =>
    call('edit_file', { path: name, edits: [{ search, replace }] });
  const typeInto = async (name: string, line: number, text: string) => {
    const change = new vscode.WorkspaceEdit();
    change.insert(uriOf(name), new vscode.Position(line, 0), text);
    assert.ok(await vscode.workspace.applyEdit(change));
  };
  const lensesOf = async (uri: vscode.Uri) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
    return lenses.filter(({ command }) => command?.command.startsWith('svc.') && hasTarget(command.arguments));
  };
  const hasTarget = (args: unknown[] | undefined) => JSON.stringify(args ?? []).includes('nonce');
  /** Does what a click on the lens does, without the command of the product. */
  const click = async (name: string, command: 'svc.keepEdit' | 'svc.undoEdit', at: number) => {
    const lens = (await lensesOf(uriOf(name))).filter((one) => one.command?.command === command)[at];
    assert.ok(lens?.command);
    await review.commands[command](lens.command.arguments?.[0]);
  };

  const start = async () => {
    const { workspace, files } = createWorkspace();
    const storage = { file: path.join(temp.path, 'proposals.json'), onError: assert.ifError };
    store = await createEditStore({ file: path.join(temp.path, 'edits.json'), onError: assert.ifError });
    review = createEditReview({
      store,
      codec: workspace.codec,
      setContext: (key, value) => {
        contexts[key] = value;
      },
      conversationAtHand: () => atHand,
      titleOf: () => undefined,
      aroundUndo: (uris, undo) =>
        checkpoints.follow(
          uris.flatMap((uri) => placeOf(workspace, uri) ?? []),
          undo,
        ),
      proposals: {
        storage: await openStateFile(storage, storedProposal),
        keepExpired: ({ place: typed, ...rest }, text) => writeLateProposal(editDeps, { ...rest, typed }, text),
      },
      schemePrefix: `svc-test-${schemeId}`,
    });
    const writer = createFileWriter(workspace, store);
    checkpoints = createCheckpoints({
      dir: path.join(temp.path, 'checkpoints'),
      workspace,
      shown: ({ path: name }) => name,
      files: writer.files,
      clock: { epochMs: Date.now },
      newId: randomUUID,
    });
    const editDeps: EditToolDeps = {
      workspace,
      files,
      port: writer.portFor(chat),
      policy: { mode: () => mode, isProtected: () => false },
      reviewer: review.reviewerFor(chat),
      journal: checkpoints.journal(() => undefined),
      tracker: createReadTracker(),
      search: createWalkSearch({ workspace, files, regexThread: '' }),
      work: createTextWork(vscode.Uri.joinPath(extensionUri, 'dist/text-thread.js').fsPath),
    };
    tools = createEditTools(editDeps);
    toolsOfOther = createEditTools({
      ...editDeps,
      port: writer.portFor('other'),
      reviewer: review.reviewerFor('other'),
    });
  };
  const stop = async () => {
    review.dispose();
    store.dispose();
    await store.flush();
    await checkpoints.close();
  };

  before(() => {
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.notEqual(root, '');
  });
  beforeEach(async () => {
    schemeId = randomUUID().slice(0, 8);
    turn++;
    mode = 'apply';
    contexts = {};
    temp = await makeTempDir('svc-edits-');
    await mkdir(path.join(root, folder()), { recursive: true });
    await writeFile(fileOf('a.txt'), before0);
    await start();
  });
  afterEach(async () => {
    await stop();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(path.join(root, folder()), { recursive: true, force: true, maxRetries: 5 });
    await temp.remove();
  });

  it('F14 applies an edit, saves it, and one Undo takes it back', async () => {
    await edit('a.txt', 'two\nthree', '2\n3');
    assert.equal(await onDisk('a.txt'), 'one\n2\n3\nfour\nfive\nsix\n');
    assert.equal((await document('a.txt')).isDirty, false);
    assert.deepEqual(
      review.files(chat).map(({ path: shown, added, removed }) => ({ shown, added, removed })),
      [{ shown: `${folder()}/a.txt`, added: 2, removed: 2 }],
    );
    assert.equal(contexts['svc.hasUndecidedEdits'], true);
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await vscode.commands.executeCommand('undo');
    await waitFor('the text before', async () => (await document('a.txt')).getText() === before0);
    assert.deepEqual(review.files(chat), []);
  });

  it('ux 1.3 has lenses above each pending hunk, and none once all is decided', async () => {
    await edit('a.txt', 'one', '1');
    await edit('a.txt', 'five', '5');
    await vscode.window.showTextDocument(uriOf('a.txt'));
    const lenses = await lensesOf(uriOf('a.txt'));
    assert.deepEqual(
      lenses.map(({ command, range }) => `${range.start.line} ${command?.title}`),
      [
        '0 Keep',
        '0 Undo',
        '0 Show Diff',
        '0 1 line removed',
        '0 1 of 2',
        '4 Keep',
        '4 Undo',
        '4 Show Diff',
        '4 1 line removed',
        '4 2 of 2',
      ],
    );
    await click('a.txt', 'svc.keepEdit', 0);
    await click('a.txt', 'svc.undoEdit', 0);
    assert.equal(await onDisk('a.txt'), '1\ntwo\nthree\nfour\nfive\nsix\n');
    assert.deepEqual(await lensesOf(uriOf('a.txt')), []);
    assert.equal(contexts['svc.hasUndecidedEdits'], false);
  });

  it('ux 1.3 F14 takes lenses away though the editor loses the focus at once (microsoft/vscode#267776)', async () => {
    await edit('a.txt', 'one', '1');
    const { groups } = store;
    const asked: number[] = [];
    store.groups = (uri) => {
      const found = groups(uri);
      asked.push(found.length);
      return found;
    };
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await waitFor('lenses', () => asked.includes(1));
    await review.commands['svc.keepAllEdits']();
    await vscode.commands.executeCommand('workbench.view.explorer');
    await waitFor('no lenses', () => asked.includes(0));
  });

  it('F23 has Keep before the lenses of an inline edit that came later', async () => {
    await edit('a.txt', 'one', '1');
    const place = { uri: uriOf('a.txt'), scope: { first: 0, last: 0 } };
    const view = createInlineEditView({
      runs: () => [],
      results: () => [{ place, price: '$0.0012', read: [] }],
      hunks: () => [],
    });
    view.refresh();
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      place.uri,
      9,
    );
    const titles = lenses.map(({ command }) => command?.title);
    view.dispose();
    assert.deepEqual(titles, ['Keep', 'Undo', 'Show Diff', '1 line removed', 'Retry', 'Refine…', '$0.0012']);
  });

  it('F14 F17 decides on a part as its card showed it, without opening the file, and on nothing once it is another one', async () => {
    await edit('a.txt', 'one', '1');
    await edit('a.txt', 'five', '5');
    const [first, second] = review.hunks(chat);
    assert.ok(first && second);
    assert.equal(first.diff, '@@ -1,3 +1,3 @@\n-one\n+1\n two\n three');
    await review.decidePart('keep', { ...first, line: 4 }, chat);
    await review.decidePart('undo', first, 'another chat');
    assert.equal(review.hunks(chat).length, 2);
    await review.decidePart('keep', first, chat);
    await review.decidePart('keep', first, chat);
    assert.deepEqual(review.hunks(chat), [second]);
    await review.decidePart('undo', second, chat);
    assert.equal(await onDisk('a.txt'), '1\ntwo\nthree\nfour\nfive\nsix\n');
    assert.deepEqual([review.hunks(chat), review.files(chat)], [[], []]);
    const shown = vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString());
    assert.ok(!shown.includes(uriOf('a.txt').toString()));
  });

  it('X37 decides nothing by an argument that is not from its own lenses', async () => {
    await edit('a.txt', 'one', '1');
    await review.commands['svc.undoEdit']({ nonce: 'guess', uri: uriOf('a.txt').toString(), line: 0 });
    assert.equal(await onDisk('a.txt'), before0.replace('one', '1'));
    assert.equal(review.files(chat).length, 1);
  });

  it('ux 2.10 undoes one hunk and leaves what the user typed elsewhere, saved or not', async () => {
    await edit('a.txt', 'two', '2');
    await edit('a.txt', 'five', '5');
    await typeInto('a.txt', 3, 'mine\n');
    await click('a.txt', 'svc.undoEdit', 0);
    assert.equal((await document('a.txt')).getText(), 'one\ntwo\nthree\nmine\nfour\n5\nsix\n');
    assert.equal((await document('a.txt')).isDirty, true);
    assert.equal(review.files(chat)[0]?.added, 1);
    await (await document('a.txt')).save();
  });

  it('ux 2.10 shows the diff instead of overwriting what the user typed into the same lines', async () => {
    await edit('a.txt', 'two', '2');
    const change = new vscode.WorkspaceEdit();
    change.replace(uriOf('a.txt'), new vscode.Range(1, 0, 1, 1), '2 and more');
    await vscode.workspace.applyEdit(change);
    await review.commands['svc.undoAllEdits']();
    assert.match((await document('a.txt')).getText(), /2 and more/);
    assert.equal(review.files(chat).length, 1);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.toString(), uriOf('a.txt').toString());
    await (await document('a.txt')).save();
  });

  it('F14 shows an applied edit in the diff with the real, editable file on the right', async () => {
    await edit('a.txt', 'two', '2');
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await review.commands['svc.showEditDiff']();
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.toString(), uriOf('a.txt').toString());
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), before0);
    await typeInto('a.txt', 6, 'typed in the diff\n');
    assert.match((await document('a.txt')).getText(), /typed in the diff/);
    assert.equal(review.files(chat)[0]?.added, 1);
    await (await document('a.txt')).save();
  });

  for (const [decide, left] of [
    ['svc.keepAllEdits', before0.replace('two', '2')],
    ['svc.undoAllEdits', before0],
  ] as const)
    it(`F14 ${decide} means the edits of all chats where the one at hand has none`, async () => {
      await edit('a.txt', 'two', '2');
      atHand = 'a new chat';
      try {
        await review.commands[decide]();
        assert.deepEqual(review.files(chat), []);
        assert.equal((await document('a.txt')).getText(), left);
      } finally {
        atHand = chat;
      }
    });

  it('F14 edits of several chats are reviewed in one list, and undone with the number of chats and files', async () => {
    const said: string[] = [];
    const show = vscode.window.showInformationMessage;
    await writeFile(fileOf('b.txt'), before0);
    await edit('a.txt', 'two', '2');
    tools = toolsOfOther;
    await edit('a.txt', 'five', '5');
    await edit('b.txt', 'two', '2');
    atHand = 'a new chat';
    Object.assign(vscode.window, {
      showInformationMessage: (text: string) => {
        said.push(text);
        return Promise.resolve(undefined);
      },
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    try {
      await review.commands['svc.showEditDiff']();
      const shown = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
      await waitFor('one list', () => shown().startsWith('2 files to review'));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await review.commands['svc.undoAllEdits']();
      assert.deepEqual([...review.files(chat), ...review.files('other')], []);
      assert.deepEqual([await onDisk('a.txt'), await onDisk('b.txt')], [before0, before0]);
      assert.deepEqual(said, ['Undid the edits of 2 chats. Files: 2']);
    } finally {
      atHand = chat;
      Object.assign(vscode.window, { showInformationMessage: show });
    }
  });

  for (const [decide, left] of [
    ['svc.keepAllEdits', before0.replace('two', '2')],
    ['svc.undoAllEdits', before0],
  ] as const)
    it(`ux 2.10 leaves a diff without differences after ${decide}`, async () => {
      await edit('a.txt', 'two', '2');
      await vscode.window.showTextDocument(uriOf('a.txt'));
      await review.commands['svc.showEditDiff']();
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff);
      await review.commands[decide]();
      const original = await vscode.workspace.openTextDocument(input.original);
      await waitFor('the left side', () => original.getText() === left);
      assert.equal((await document('a.txt')).getText(), left);
    });

  it('F14 review mode writes nothing before Keep, then what the user left there', async () => {
    mode = 'review';
    const running = edit('a.txt', 'two', '2');
    const proposal = await waitFor('the proposal', () => review.files(chat)[0]);
    const uri = vscode.Uri.parse(proposal.uri);
    await waitFor('the diff', () =>
      vscode.window.tabGroups.all.some((group) =>
        group.tabs.some(
          ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === proposal.uri,
        ),
      ),
    );
    assert.equal(await onDisk('a.txt'), before0);
    const change = new vscode.WorkspaceEdit();
    change.replace(uri, new vscode.Range(1, 0, 1, 1), 'II');
    assert.ok(await vscode.workspace.applyEdit(change));
    await review.decideFile('keep', proposal.uri, chat);
    const output = await running;
    assert.equal(await onDisk('a.txt'), before0.replace('two', 'II'));
    assert.match(output.forModel, /The user changed the proposal/);
    assert.deepEqual(review.files(chat), []);
    const left = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ input }) => input);
    assert.ok(!left.some((input) => input instanceof vscode.TabInputTextDiff));
  });

  it('F14 review mode: the reason for not keeping a proposal reaches the model', async () => {
    mode = 'review';
    const running = edit('a.txt', 'two', '2');
    const proposal = await waitFor('the proposal', () => review.files(chat)[0]);
    const answer = replaceDialogs({ showInputBox: () => Promise.resolve('use a constant') });
    try {
      await Promise.all([
        assert.rejects(running, /did not keep it; nothing was changed\. Reason: use a constant/),
        review.decideFile('undo', proposal.uri, chat),
      ]);
    } finally {
      answer.restore();
    }
    assert.equal(await onDisk('a.txt'), before0);
    assert.deepEqual(review.files(chat), []);
  });

  it('F14 review mode: Stop ends the wait, closes the proposal and leaves the file', async () => {
    mode = 'review';
    const abort = new AbortController();
    const args = { path: 'a.txt', edits: [{ search: 'two', replace: '2' }] };
    const running = call('edit_file', args, abort.signal);
    await waitFor('the proposal', () => review.files(chat)[0]);
    abort.abort();
    await assert.rejects(running);
    assert.deepEqual(review.files(chat), []);
    assert.equal(await onDisk('a.txt'), before0);
  });

  it('E11 types into the buffer between the plan and the write: nothing is lost, the edit is refused', async () => {
    const tool = tools.find(({ name }) => name === 'edit_file');
    assert.ok(tool);
    const args = { path: `${folder()}/a.txt`, edits: [{ search: 'two', replace: '2' }] };
    const plan = await tool.plan(args, toolContext());
    await typeInto('a.txt', 0, 'unsaved\n');
    await assert.rejects(plan.run(), /changed since/);
    assert.equal((await document('a.txt')).getText(), `unsaved\n${before0}`);
    assert.equal(await onDisk('a.txt'), before0);
    const again = await tool.plan(args, toolContext());
    assert.match(again.approval?.warnings.join(' ') ?? '', /unsaved changes/);
    await again.run();
    assert.equal(await onDisk('a.txt'), `unsaved\n${before0.replace('two', '2')}`);
  });

  it('E11 edits a file that a program changed while the editor still shows the old text', async () => {
    await vscode.window.showTextDocument(uriOf('a.txt'));
    for (let round = 1; round <= 3; round++) {
      await writeFile(fileOf('a.txt'), `${before0}round ${round}\n`);
      const told = await edit('a.txt', `round ${round}`, `ROUND ${round}`);
      const expected = `${before0}ROUND ${round}\n`;
      if ((await onDisk('a.txt')) === expected) continue;
      // An editor reads a file's time before its text. A program that writes in between leaves it with the new text under the old
      // time: it then holds the file for newer than what it shows and refuses to save, and no API tells or mends that. What counts
      // is that the text is in the editor, unsaved, and that the model is told. It is rare, so this accepts both.
      assert.match(JSON.stringify(told), /couldn't be saved/);
      const document = await vscode.workspace.openTextDocument(uriOf('a.txt'));
      assert.equal(document.getText(), expected);
      return;
    }
  });

  it('E12 keeps line ends, marks, encodings and the final newline through the editor', async () => {
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
    const cases: [name: string, bytes: Buffer, expected: Buffer][] = [
      ['crlf.txt', Buffer.from('one\r\ntwo\r\nthree\r\n'), Buffer.from('one\r\n2\r\nthree\r\n')],
      ['mixed.txt', Buffer.from('one\r\ntwo\nthree\r\n\n'), Buffer.from('one\r\n2\nthree\r\n\n')],
      ['nofinal.txt', Buffer.from('one\ntwo\nthree'), Buffer.from('one\n2\nthree')],
      ['bom.txt', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
      ['utf16.txt', utf16('one\ntwo\n'), utf16('one\n2\n')],
    ];
    for (const [name, bytes, expected] of cases) {
      await writeFile(fileOf(name), bytes);
      await edit(name, 'two', '2');
      assert.deepEqual(await readFile(fileOf(name)), expected, name);
    }
  });

  it('E12 Undo gives a file its bytes back, whatever ends its lines have and whatever holds it', async () => {
    const files: Record<string, Buffer> = {
      'mixed.txt': Buffer.from('one\r\ntwo\nthree\r\nfour\nfive\r\n'),
      'mixed-marked.txt': Buffer.from('\ufeffone\ntwo\r\nthree'),
      'utf16.txt': Buffer.from('\ufeffone\r\ntwo\r\nthree\r\n', 'utf16le'),
      'deep/marked.txt': Buffer.from('\ufeffone\r\ntwo\r\n'),
    };
    await mkdir(fileOf('deep'));
    for (const [name, bytes] of Object.entries(files)) await writeFile(fileOf(name), bytes);
    for (const name of Object.keys(files)) await edit(name, 'two', '2\nand more');
    await call('delete_file', { path: 'deep/marked.txt' });
    await review.commands['svc.undoAllEdits']();
    for (const [name, bytes] of Object.entries(files)) {
      assert.deepEqual(await readFile(fileOf(name)), bytes, name);
    }
    assert.deepEqual(review.files(chat), []);
  });

  it('F14 F16 takes what a command changed into the review, behind pending edits, and nothing that the user saved meanwhile', async () => {
    for (const name of ['gone.txt', 'mine.txt', 'open.txt']) await writeFile(fileOf(name), before0);
    await vscode.window.showTextDocument(uriOf('open.txt'));
    await edit('a.txt', 'two', '2');
    const { workspace } = createWorkspace();
    const written = new vscode.EventEmitter<vscode.Uri>();
    const offer = createCommandReview({ workspace, store, onDidWrite: written.event })(chat, undefined);
    await typeInto('mine.txt', 0, 'own\n');
    await (await document('mine.txt')).save();
    const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
    const ran: Record<string, readonly [string | undefined, string | undefined]> = {
      'a.txt': [before0.replace('two', '2'), before0.replace('two', '2').replace('five', '5')],
      'gone.txt': [before0, undefined],
      'mine.txt': [before0, `own\n${before0}`],
      'new.txt': [undefined, 'new\n'],
      'open.txt': [before0, before0.toUpperCase()],
      'picture.bin': [undefined, '\0\0'],
    };
    const changes = Object.entries(ran).map(([name, [was, now]]): ChangedFile => {
      const place = placeOf(workspace, uriOf(name));
      assert.ok(place);
      return [place, bytes(was), bytes(now)];
    });
    for (const [name, [, now]] of Object.entries(ran))
      await (now === undefined ? rm(fileOf(name)) : writeFile(fileOf(name), now));
    await offer(changes, { turnId: `t${turn}`, callId: 'command' });
    const names = review.files(chat).map(({ path: shown, is }) => `${path.basename(shown)} ${is ?? ''}`);
    assert.deepEqual(names.sort(), ['a.txt ', 'gone.txt deleted', 'new.txt new', 'open.txt ']);
    assert.equal(review.hunks(chat).filter(({ path: shown }) => shown.endsWith('a.txt')).length, 2);
    await review.commands['svc.undoAllEdits']();
    assert.deepEqual(await Promise.all(['a.txt', 'gone.txt', 'open.txt'].map(onDisk)), [before0, before0, before0]);
    assert.deepEqual([await exists('new.txt'), await onDisk('mine.txt')], [false, `own\n${before0}`]);
    written.dispose();
  });

  it('F14 Undo of a new file takes the folders along that were made for it, and no other', async () => {
    await mkdir(fileOf('there'));
    await call('create_file', { path: 'there/made/deep/new.txt', content: 'new\n' });
    await call('create_file', { path: 'used/new.txt', content: 'new\n' });
    await writeFile(fileOf('used/mine.txt'), 'mine\n');
    await review.commands['svc.undoAllEdits']();
    assert.deepEqual(
      [await exists('there'), await exists('there/made'), await exists('used/new.txt'), await exists('used/mine.txt')],
      [true, false, false, true],
    );
  });

  it('E12 Undo gives a file its bytes back also where saving formats it (cline/cline#5165, kirodotdev/Kiro#864)', async () => {
    const settings = vscode.workspace.getConfiguration('editor');
    const bytes = '{"a":1,\n "c":3}';
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('json', {
      provideDocumentFormattingEdits: (document) => [
        vscode.TextEdit.replace(
          new vscode.Range(0, 0, document.lineCount, 0),
          `${JSON.stringify(JSON.parse(document.getText()), undefined, 4)}\n`,
        ),
      ],
    });
    await settings.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    try {
      await writeFile(fileOf('a.json'), bytes);
      await vscode.window.showTextDocument(uriOf('a.json'));
      await edit('a.json', '"c":3', '"c":4');
      await review.commands['svc.undoAllEdits']();
      assert.deepEqual([await onDisk('a.json'), review.files(chat)], [bytes, []]);
      await waitFor('the editor to show it', async () => (await document('a.json')).getText() === bytes);
    } finally {
      formatter.dispose();
      await settings.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  for (const isOpen of [true, false])
    it(`E10 Undo makes no file that Git took away, ${isOpen ? 'open or' : 'closed'}: edits come back with their text (github/app#2615)`, async () => {
      await writeFile(fileOf('feat.ts'), 'one();\ntwo();\n');
      await call('create_file', { path: 'new.ts', content: 'new();\n' });
      await edit('feat.ts', 'two', 'three');
      if (isOpen) await vscode.window.showTextDocument(uriOf('feat.ts'));
      else await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const names = () =>
        review
          .files(chat)
          .map(({ path: shown }) => path.basename(shown))
          .sort();
      const edited = await onDisk('feat.ts');
      await rm(fileOf('feat.ts'));
      await rm(fileOf('new.ts'));
      await review.commands['svc.undoAllEdits']();
      assert.deepEqual([await exists('feat.ts'), await exists('new.ts'), names()], [false, false, []]);
      await writeFile(fileOf('feat.ts'), edited);
      await writeFile(fileOf('new.ts'), 'new();\n');
      await waitFor('the edits to be back', () => names().join() === 'feat.ts,new.ts');
      await writeFile(fileOf('feat.ts'), 'one();\ntwo();\n');
      await waitFor('the edit to be parked', () => names().join() === 'new.ts');
      await stop();
      await start();
      await writeFile(fileOf('feat.ts'), edited);
      await waitFor('the edit to be back', () => names().join() === 'feat.ts,new.ts');
      await review.commands['svc.undoAllEdits']();
      assert.deepEqual([await onDisk('feat.ts'), await exists('new.ts')], ['one();\ntwo();\n', false]);
    });

  it('E11 refuses a file that the editor holds read-only before anything (microsoft/copilot-intellij-feedback#494)', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('readonlyInclude', { [`${folder()}/*.txt`]: true }, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(edit('a.txt', 'two', '2'), /read-only, so it is not changed/);
      assert.deepEqual([await onDisk('a.txt'), review.files(chat)], [before0, []]);
    } finally {
      await settings.update('readonlyInclude', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('E10 the editor’s own Undo leaves a new file, which the review can still undo (microsoft/vscode-copilot-release#9383)', async () => {
    await call('create_file', { path: 'made/new.txt', content: 'new\n' });
    await vscode.window.showTextDocument(uriOf('made/new.txt'));
    await vscode.commands.executeCommand('undo');
    assert.equal(await onDisk('made/new.txt'), 'new\n');
    await edit('made/new.txt', 'new', 'newer');
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    assert.equal(await exists('made/new.txt'), true);
    await review.commands['svc.undoAllEdits']();
    assert.equal(await exists('made'), false);
  });

  it('U19 what is formatted on saving belongs to the edit, what is typed meanwhile to the user', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Global);
    try {
      await edit('a.txt', 'two', '2   \nand   ');
      assert.equal(await onDisk('a.txt'), 'one\n2\nand\nthree\nfour\nfive\nsix\n');
      await typeInto('a.txt', 1, 'mine\n');
      await review.commands['svc.undoAllEdits']();
      assert.equal((await document('a.txt')).getText(), 'one\nmine\ntwo\nthree\nfour\nfive\nsix\n');
    } finally {
      await settings.update('trimTrailingWhitespace', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('U19 the editor’s own Undo and Redo take an edit back and bring it back undecided', async () => {
    await edit('a.txt', 'two', '2');
    await vscode.window.showTextDocument(uriOf('a.txt'));
    await vscode.commands.executeCommand('undo');
    assert.deepEqual([(await document('a.txt')).getText(), review.files(chat)], [before0, []]);
    await vscode.commands.executeCommand('redo');
    assert.equal(review.files(chat).length, 1);
    assert.deepEqual(review.outcomes(chat), []);
    await review.commands['svc.undoAllEdits']();
    assert.equal(await onDisk('a.txt'), before0);
    assert.deepEqual(
      review.outcomes(chat).map(({ outcome }) => outcome),
      ['undone'],
    );
  });

  it('E12 keeps the file mode', async () => {
    await writeFile(fileOf('run.sh'), '#!/bin/sh\necho two\n', { mode: 0o755 });
    await edit('run.sh', 'two', '2');
    assert.equal((await stat(fileOf('run.sh'))).mode & 0o777, 0o755);
  });

  it('F14 creates, renames and deletes; Undo All brings everything back in one step', async () => {
    await writeFile(fileOf('gone.txt'), 'bye\r\n');
    await call('create_file', { path: 'new/b.txt', content: 'hello\n' });
    await call('delete_file', { path: 'gone.txt' });
    await edit('a.txt', 'two', '2');
    assert.equal(await onDisk('new/b.txt'), 'hello\n');
    assert.equal(await exists('gone.txt'), false);
    assert.deepEqual(
      review.files(chat).map(({ path: shown, is }) => [path.posix.basename(shown), is]),
      [
        ['b.txt', 'new'],
        ['gone.txt', 'deleted'],
        ['a.txt', undefined],
      ],
    );
    await review.commands['svc.undoAllEdits']();
    assert.equal(await exists('new/b.txt'), false);
    assert.equal(await onDisk('gone.txt'), 'bye\r\n');
    assert.equal(await onDisk('a.txt'), before0);
    assert.deepEqual(review.files(chat), []);
    await call('rename_file', { path: 'a.txt', newPath: `${folder()}/c.txt` });
    assert.deepEqual([await exists('a.txt'), await onDisk('c.txt')], [false, before0]);
  });

  it('F14 Undo All takes back what was only created or deleted', async () => {
    await writeFile(fileOf('gone.txt'), 'bye\r\n');
    await call('create_file', { path: 'new/b.txt', content: 'hello\n' });
    await review.commands['svc.undoAllEdits']();
    assert.equal(await exists('new/b.txt'), false);
    await call('delete_file', { path: 'gone.txt' });
    await review.commands['svc.undoAllEdits']();
    assert.equal(await onDisk('gone.txt'), 'bye\r\n');
    assert.deepEqual(review.files(chat), []);
  });

  describe('ux 2.10 a file that the model renamed', () => {
    const rename = (from: string, to: string) => call('rename_file', { path: from, newPath: `${folder()}/${to}` });
    const rows = () =>
      review
        .files(chat)
        .map(({ path: shown, renamedFrom, added, removed }) => [
          path.posix.basename(shown),
          renamedFrom && path.posix.basename(renamedFrom),
          `+${added} -${removed}`,
        ]);
    const decide = (action: 'keep' | 'undo', name: string) => review.decideFile(action, uriOf(name).toString(), chat);
    const warnings = async (doing: () => Promise<void>) => {
      const told: string[] = [];
      const dialogs = replaceDialogs({ showWarningMessage: async (text) => void told.push(String(text)) });
      await doing().finally(() => dialogs.restore());
      return told;
    };

    it('is one row, and Undo gives it its name back, with its bytes', async () => {
      await writeFile(fileOf('a.txt'), '\ufeffone\r\ntwo\r\n');
      await rename('a.txt', 'b.txt');
      assert.deepEqual(rows(), [['b.txt', 'a.txt', '+0 -0']]);
      await decide('undo', 'b.txt');
      assert.equal(await onDisk('a.txt'), '\ufeffone\r\ntwo\r\n');
      assert.equal(await exists('b.txt'), false);
      assert.deepEqual(rows(), []);
    });

    it('keeps its new name with Keep', async () => {
      await rename('a.txt', 'b.txt');
      await decide('keep', 'b.txt');
      assert.deepEqual([rows(), await exists('a.txt'), await onDisk('b.txt')], [[], false, before0]);
    });

    it('is decided on from its editor, where no hunk is', async () => {
      await rename('a.txt', 'b.txt');
      await vscode.window.showTextDocument(uriOf('b.txt'));
      await review.commands['svc.undoEdit']();
      assert.deepEqual([rows(), await onDisk('a.txt'), await exists('b.txt')], [[], before0, false]);
    });

    it('says its old name in the diff', async () => {
      await rename('a.txt', 'b.txt');
      await edit('b.txt', 'two', '2');
      await review.decideFile('open', uriOf('b.txt').toString(), chat);
      assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /b\.txt \(renamed from a\.txt/);
    });

    it('loses its edits with Undo, not what the user typed, saved or not', async () => {
      await edit('a.txt', 'five', '5');
      await rename('a.txt', 'b.txt');
      await edit('b.txt', 'two', '2');
      await vscode.window.showTextDocument(uriOf('b.txt'));
      await typeInto('b.txt', 3, 'mine\n');
      assert.deepEqual(rows(), [['b.txt', 'a.txt', '+2 -2']]);
      await decide('undo', 'b.txt');
      assert.equal((await document('a.txt')).getText(), 'one\ntwo\nthree\nmine\nfour\nfive\nsix\n');
      assert.equal((await document('a.txt')).isDirty, true);
      assert.deepEqual([rows(), await exists('b.txt')], [[], false]);
      await (await document('a.txt')).save();
    });

    it('is saved under its old name when nothing of the user was unsaved', async () => {
      await rename('a.txt', 'b.txt');
      await edit('b.txt', 'two', '2');
      await decide('undo', 'b.txt');
      assert.deepEqual([rows(), await onDisk('a.txt'), await exists('b.txt')], [[], before0, false]);
    });

    it('has its old name after Undo also where the user changed the lines of an edit', async () => {
      await rename('a.txt', 'b.txt');
      await edit('b.txt', 'two', '2');
      const change = new vscode.WorkspaceEdit();
      change.replace(uriOf('b.txt'), new vscode.Range(1, 0, 1, 1), '2 and more');
      await vscode.workspace.applyEdit(change);
      assert.match((await warnings(() => decide('undo', 'b.txt'))).join(), /nothing there was overwritten/);
      assert.match((await document('a.txt')).getText(), /2 and more/);
      assert.deepEqual(rows(), [['a.txt', undefined, '+1 -1']]);
      await (await document('a.txt')).save();
    });

    it('gets the first of several names back', async () => {
      await rename('a.txt', 'b.txt');
      await rename('b.txt', 'sub/c.txt');
      assert.deepEqual(rows(), [['c.txt', 'a.txt', '+0 -0']]);
      await review.commands['svc.undoAllEdits']();
      assert.deepEqual([rows(), await onDisk('a.txt'), await exists('sub/c.txt')], [[], before0, false]);
    });

    it('stays where another file has its old name, until that one is gone', async () => {
      await rename('a.txt', 'b.txt');
      await call('create_file', { path: 'a.txt', content: 'new\n' });
      assert.match(
        (await warnings(() => decide('undo', 'b.txt'))).join(),
        /a file with that name exists again: .*a\.txt/,
      );
      assert.deepEqual([await onDisk('a.txt'), await onDisk('b.txt')], ['new\n', before0]);
      assert.equal(rows().length, 2);
      assert.deepEqual(await warnings(review.commands['svc.undoAllEdits']), []);
      assert.deepEqual([rows(), await onDisk('a.txt'), await exists('b.txt')], [[], before0, false]);
    });

    it('stays with its text where two have each other’s name, and both are named', async () => {
      await writeFile(fileOf('b.txt'), 'bee\n');
      await rename('a.txt', 'c.txt');
      await rename('b.txt', 'a.txt');
      await rename('c.txt', 'b.txt');
      const told = await warnings(review.commands['svc.undoAllEdits']);
      assert.match(told.join(), /with that name exists again: .*b\.txt, .*a\.txt/);
      assert.deepEqual([await onDisk('a.txt'), await onDisk('b.txt'), rows().length], ['bee\n', before0, 2]);
      await checkpoints.restore([`t${turn}`], async () => 'all');
      assert.deepEqual([await onDisk('a.txt'), await onDisk('b.txt')], [before0, 'bee\n']);
      assert.deepEqual(rows(), []);
    });

    it('gives the name back that it took from a deleted file', async () => {
      await writeFile(fileOf('b.txt'), 'bee\r\n');
      await call('delete_file', { path: 'b.txt' });
      await rename('a.txt', 'b.txt');
      await decide('undo', 'b.txt');
      assert.deepEqual([rows(), await onDisk('a.txt'), await onDisk('b.txt')], [[], before0, 'bee\r\n']);
    });

    it('comes back also when something else deleted it', async () => {
      await rename('a.txt', 'b.txt');
      await rm(fileOf('b.txt'));
      await decide('undo', 'b.txt');
      assert.deepEqual([rows(), await onDisk('a.txt')], [[], before0]);
    });

    it('is known after a reload', async () => {
      await writeFile(fileOf('b.txt'), 'bee\n');
      await call('delete_file', { path: 'b.txt' });
      await rename('a.txt', 'b.txt');
      await stop();
      await start();
      await decide('undo', 'b.txt');
      assert.deepEqual([rows(), await onDisk('a.txt'), await onDisk('b.txt')], [[], before0, 'bee\n']);
    });

    it('F16 is undecided no more once its turn is restored', async () => {
      await rename('a.txt', 'b.txt');
      await checkpoints.restore([`t${turn}`], async () => 'all');
      assert.deepEqual([rows(), await onDisk('a.txt'), await exists('b.txt')], [[], before0, false]);
    });

    it('F16 E10 is as before its turn after Undo, and what was edited in it counts as ours', async () => {
      await rename('a.txt', 'b.txt');
      await edit('b.txt', 'two', '2');
      await edit('b.txt', 'five', '5');
      await vscode.window.showTextDocument(uriOf('b.txt'));
      await click('b.txt', 'svc.keepEdit', 0);
      await decide('undo', 'b.txt');
      assert.equal(await onDisk('a.txt'), before0.replace('two', '2'));
      const states = (await restorable(checkpoints, [`t${turn}`])).map(({ state }) => state);
      assert.deepEqual(states, ['ready', 'same']);
    });

    it('F14 does not take the place of a folder', async () => {
      await mkdir(fileOf('sub'));
      await assert.rejects(rename('a.txt', 'sub'), /exists already/);
      assert.deepEqual([rows(), await onDisk('a.txt')], [[], before0]);
    });
  });

  it('F16 E10 restores a turn, asks about what the user changed, and can itself be undone', async () => {
    await edit('a.txt', 'two', '2');
    await call('create_file', { path: 'b.txt', content: 'hello\n' });
    await writeFile(fileOf('mine.txt'), 'untracked');
    await typeInto('a.txt', 0, 'unsaved\n');
    const first = await checkpoints.restore([`t${turn}`], async (files) => {
      assert.deepEqual(
        files.map((file) => `${file.path} ${file.state}`),
        [`${folder()}/a.txt changed`, `${folder()}/b.txt ready`],
      );
      return 'unchanged';
    });
    assert.deepEqual(first.restored, [`${folder()}/b.txt`]);
    assert.match((await document('a.txt')).getText(), /^unsaved\none\n2/);
    const second = await checkpoints.restore([`t${turn}`], async () => 'all');
    assert.equal(await onDisk('a.txt'), before0);
    assert.equal(await exists('b.txt'), false);
    assert.deepEqual(review.files(chat), []);
    await checkpoints.restore([second.undoId ?? ''], async () => 'unchanged');
    assert.equal(await onDisk('a.txt'), `unsaved\n${before0.replace('two', '2')}`);
    assert.equal(await onDisk('mine.txt'), 'untracked');
  });

  it('F16 E10 our own Undo of one hunk is no change of the user: Restore puts the file back without asking', async () => {
    await edit('a.txt', 'two', '2');
    await edit('a.txt', 'five', '5');
    await click('a.txt', 'svc.undoEdit', 0);
    assert.equal(await onDisk('a.txt'), before0.replace('five', '5'));
    const states = (await restorable(checkpoints, [`t${turn}`])).map(({ state }) => state);
    assert.deepEqual(states, ['ready']);
    const { restored } = await checkpoints.restore([`t${turn}`], async () => 'unchanged');
    assert.equal(restored.length, 1);
    assert.equal(await onDisk('a.txt'), before0);
  });

  it('F16 E10 what the user typed before our Undo still counts as theirs', async () => {
    await edit('a.txt', 'two', '2');
    await edit('a.txt', 'five', '5');
    await typeInto('a.txt', 0, 'mine\n');
    await (await document('a.txt')).save();
    await click('a.txt', 'svc.undoEdit', 0);
    const states = (await restorable(checkpoints, [`t${turn}`])).map(({ state }) => state);
    assert.deepEqual(states, ['changed']);
  });

  it('F16 lists the files before it restores a turn and all later ones, and offers to undo that', async () => {
    const first = turn;
    await writeFile(fileOf('b.txt'), 'bee\n');
    await edit('a.txt', 'two', '2');
    turn = first + 1000;
    await call('edit_file', { path: `../edits-${first}/b.txt`, edits: [{ search: 'bee', replace: 'B' }] });
    turn = first;
    const answers = [first, first + 1000].map(
      (id): AnswerItem => ({
        kind: 'answer',
        turnId: `t${id}`,
        at: 0,
        requestedModel: '',
        model: '',
        parts: [],
        finish: 'stop',
        checkpoint: { id: `t${id}`, paths: [] },
      }),
    );
    const state = { ...emptyChat, items: answers };
    const asked: unknown[][] = [];
    let press = 'Restore';
    const answer = replaceDialogs({
      showWarningMessage: (...args) => {
        asked.push(args);
        return Promise.resolve(press);
      },
      showQuickPick: (rows) => Promise.resolve(Array.isArray(rows) ? rows.slice(1) : undefined),
    });
    const restoring = createRestoring({ checkpoints, state: () => state });
    try {
      await restoring.restore(`t${first}`);
      assert.equal(restoring.last('')?.count, 2);
      assert.equal(await onDisk('b.txt'), 'bee\n');
      await restoring.undoLast();
      press = 'Choose Files…';
      await restoring.restore(`t${first}`);
      assert.equal(restoring.last('')?.count, 1);
      assert.deepEqual(restoring.last('')?.left, [`${folder()}/a.txt`]);
      assert.equal(await onDisk('b.txt'), 'bee\n');
      press = 'Restore';
      await restoring.undoLast();
      restoring.dismiss();
      assert.equal(restoring.last(''), undefined);
    } finally {
      restoring.dispose();
      answer.restore();
    }
    assert.match(
      JSON.stringify(asked[0]),
      new RegExp(`${folder()}/a.txt: will be restored.*${folder()}/b.txt: will be restored`),
    );
    assert.match(JSON.stringify(asked[0]), /Effects of commands elsewhere aren't undone/);
    assert.equal(await onDisk('a.txt'), before0.replace('two', '2'));
    assert.equal(await onDisk('b.txt'), 'B\n');
  });

  it('ux 2.10 pending edits survive a reload, with what the user typed in between', async () => {
    await edit('a.txt', 'two', '2');
    await stop();
    await typeInto('a.txt', 6, 'while nobody looked\n');
    await (await document('a.txt')).save();
    await start();
    assert.equal(review.files(chat)[0]?.added, 1);
    assert.equal(review.files(chat)[0]?.path, `${folder()}/a.txt`);
    await review.commands['svc.undoAllEdits']();
    assert.equal(await onDisk('a.txt'), `${before0}while nobody looked\n`);
    assert.deepEqual(review.files(chat), []);
  });

  describe('ux 2.9 a proposal that a reload left open', () => {
    let uri: vscode.Uri;

    beforeEach(async () => {
      mode = 'review';
      const shutDown = new AbortController();
      const args = { path: 'a.txt', edits: [{ search: 'two', replace: '2' }] };
      const waiting = call('edit_file', args, shutDown.signal);
      const proposal = await waitFor('the proposal', () => review.files(chat)[0]);
      uri = vscode.Uri.parse(proposal.uri, true);
      const typed = new vscode.WorkspaceEdit();
      typed.insert(uri, new vscode.Position(0, 0), 'typed by me\n');
      assert.ok(await vscode.workspace.applyEdit(typed));
      // As at the end of a window: first the parts go, then the turn is stopped.
      await stop();
      shutDown.abort();
      await assert.rejects(waiting);
      await start();
    });
    const rows = () => review.files(chat).map((file) => [file.path, file.added, file.expired]);

    it('is there again as expired, with what the user typed, and nothing is written', async () => {
      assert.deepEqual(rows(), [[`${folder()}/a.txt`, 2, true]]);
      assert.equal(contexts['svc.hasUndecidedEdits'], true);
      assert.equal(await onDisk('a.txt'), before0);
      await review.decideFile('open', uri.toString(), chat);
      const shown = await vscode.workspace.openTextDocument(uri);
      assert.equal(shown.getText(), `typed by me\n${before0.replace('two', '2')}`);
    });

    it('Keep writes it, and Restore knows it as ours', async () => {
      await review.decideFile('keep', uri.toString(), chat);
      assert.equal(await onDisk('a.txt'), `typed by me\n${before0.replace('two', '2')}`);
      assert.deepEqual(rows(), []);
      assert.deepEqual(
        (await restorable(checkpoints, [`t${turn}`])).map(({ state }) => state),
        ['ready'],
      );
    });

    it('E11 is not written over what changed since, and stays open', async () => {
      await writeFile(fileOf('a.txt'), 'changed since\n');
      const told: unknown[] = [];
      const dialogs = replaceDialogs({ showWarningMessage: async (text) => void told.push(text) });
      try {
        await review.decideFile('keep', uri.toString(), chat);
      } finally {
        dialogs.restore();
      }
      assert.match(String(told[0]), /wasn't written and stays open/);
      assert.equal(await onDisk('a.txt'), 'changed since\n');
      assert.equal(rows().length, 1);
    });

    it('is discarded only when the user says so', async () => {
      for (const answer of [undefined, 'Discard']) {
        const dialogs = replaceDialogs({ showWarningMessage: async () => answer });
        try {
          await review.decideFile('undo', uri.toString(), chat);
        } finally {
          dialogs.restore();
        }
        assert.equal(rows().length, answer === undefined ? 1 : 0);
      }
      assert.equal(await onDisk('a.txt'), before0);
    });
  });

  it('F14 tells the model what the editor itself changed when it saved', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Global);
    try {
      const output = await edit('a.txt', 'two', '2   ');
      assert.equal(await onDisk('a.txt'), before0.replace('two', '2'));
      assert.match(output.forModel, /Saving changed it further/);
    } finally {
      await settings.update('trimTrailingWhitespace', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('E11 believes the mark of a file more than the settings', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await writeFile(fileOf('utf8.txt'), '\ufeffé one\ntwo\n');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      await edit('utf8.txt', 'two', '2 ü');
      assert.equal(await onDisk('utf8.txt'), '\ufeffé one\n2 ü\n');
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('ux 2.10 pending edits go along with a file that the user moves', async () => {
    await edit('a.txt', 'two', '2');
    const change = new vscode.WorkspaceEdit();
    change.renameFile(uriOf('a.txt'), uriOf('sub/moved.txt'));
    await vscode.workspace.applyEdit(change);
    await waitFor('the new path', () => review.files(chat)[0]?.path === `${folder()}/sub/moved.txt`);
    await review.commands['svc.undoAllEdits']();
    assert.equal(await onDisk('sub/moved.txt'), before0);
  });

  it('ux 2.10 leaves a file that the user deletes, and forgets its edits', async () => {
    await edit('a.txt', 'two', '2');
    const change = new vscode.WorkspaceEdit();
    change.deleteFile(uriOf('a.txt'));
    await vscode.workspace.applyEdit(change);
    await waitFor('no edits', () => review.files(chat).length === 0);
    await review.commands['svc.undoAllEdits']();
    assert.equal(await exists('a.txt'), false);
  });

  describe('as reports on other assistants say', () => {
    const undoAll = () => review.commands['svc.undoAllEdits']();

    it('E11 keeps what is typed and not saved when other lines are edited (RooCodeInc/Roo-Code#1891)', async () => {
      await vscode.window.showTextDocument(uriOf('a.txt'));
      await typeInto('a.txt', 5, 'typed\n');
      mode = 'apply';
      await edit('a.txt', 'two', '2');
      const text = (await document('a.txt')).getText();
      assert.equal(text, before0.replace('two', '2').replace('six', 'typed\nsix'));
      await undoAll();
      assert.equal((await document('a.txt')).getText(), before0.replace('six', 'typed\nsix'));
    });

    it('F14 takes a created file away with Undo (microsoft/vscode#264707, #250464)', async () => {
      await call('create_file', { path: 'new/count.py', content: 'print(1)\n' });
      await vscode.window.showTextDocument(uriOf('new/count.py'));
      await undoAll();
      assert.equal(await exists('new/count.py'), false);
      assert.equal(await exists('new'), false);
    });

    it('F14 loses no line that the user wrote into a created file (zed-industries/zed#31617)', async () => {
      await call('create_file', { path: 'new.txt', content: 'ours\n' });
      await vscode.window.showTextDocument(uriOf('new.txt'));
      await typeInto('new.txt', 1, 'mine\n');
      await (await document('new.txt')).save();
      await undoAll();
      assert.match(await onDisk('new.txt'), /mine\n/);
      assert.doesNotMatch(await onDisk('new.txt'), /ours/);
    });

    it('F14 gives back the text of a file that was deleted and created again (zed-industries/zed#29264)', async () => {
      await call('delete_file', { path: 'a.txt' });
      await call('create_file', { path: 'a.txt', content: 'other\n' });
      await undoAll();
      assert.equal(await onDisk('a.txt'), before0);
    });

    it('F14 gives back a hunk of a file that was written whole, and leaves the file (zed-industries/zed#29974)', async () => {
      await call('read_file', { path: 'a.txt' }).catch(() => undefined);
      await edit('a.txt', before0, before0.replace('two', '2').replace('five', '5'));
      await vscode.window.showTextDocument(uriOf('a.txt'));
      await click('a.txt', 'svc.undoEdit', 0);
      await waitFor('one of them', async () => (await onDisk('a.txt')) === before0.replace('five', '5'));
    });

    it('H18 edits what is there after a hunk was undone, not what was (jsmestad/minga#2457)', async () => {
      await edit('a.txt', 'two', '2');
      await undoAll();
      await edit('a.txt', 'five', '5');
      assert.equal(await onDisk('a.txt'), before0.replace('five', '5'));
      await assert.rejects(edit('a.txt', '2', 'II'), /not found/);
    });

    it('F16 leaves files that nobody here wrote when a turn is undone (github/copilot-cli#1675)', async () => {
      await edit('a.txt', 'two', '2');
      await call('create_file', { path: 'out/ours.txt', content: 'ours\n' });
      await writeFile(fileOf('out/results.jsonl'), '{}\n');
      await undoAll();
      assert.equal(await onDisk('out/results.jsonl'), '{}\n');
      assert.equal(await exists('out/ours.txt'), false);
      assert.equal(await onDisk('a.txt'), before0);
    });

    it('E12 keeps the mark and the line ends of a file that an editor shows (MoonshotAI/kimi-code#3825)', async () => {
      const bytes = Buffer.from('\ufeffone\r\ntwo\r\nthree\r\n');
      await writeFile(fileOf('marked.ps1'), bytes);
      await vscode.window.showTextDocument(uriOf('marked.ps1'));
      await edit('marked.ps1', 'two', '2');
      assert.deepEqual(await readFile(fileOf('marked.ps1')), Buffer.from('\ufeffone\r\n2\r\nthree\r\n'));
      await undoAll();
      assert.deepEqual(await readFile(fileOf('marked.ps1')), bytes);
    });

    it('E12 leaves a script executable, edited and undone (anthropics/claude-code#20356, zai-org/feedback#87)', async () => {
      await writeFile(fileOf('run.sh'), '#!/bin/sh\necho two\n', { mode: 0o755 });
      const mode = async () => (await stat(fileOf('run.sh'))).mode & 0o777;
      await vscode.window.showTextDocument(uriOf('run.sh'));
      await edit('run.sh', 'two', '2');
      assert.equal(await mode(), 0o755);
      await undoAll();
      assert.equal(await mode(), 0o755);
    });

    it('E12 changes no byte elsewhere in a file that is not UTF-8 (anthropics/claude-code#85842)', async () => {
      const bytes = Buffer.from('caf\xe9 one\nif (a < b)\n', 'latin1');
      await writeFile(fileOf('old.php'), bytes);
      const refusal = await edit('old.php', 'a < b', 'a > b').then(() => undefined, String);
      const edited = Buffer.from(bytes.toString('latin1').replace('<', '>'), 'latin1');
      assert.deepEqual(await readFile(fileOf('old.php')), refusal === undefined ? edited : bytes, refusal);
    });

    it('H18 loses none of several edits that are made at once (netease-lcap/wave-agent#1256)', async () => {
      const words = ['one', 'two', 'three', 'four', 'five', 'six'];
      const made = await Promise.allSettled(words.map((word, at) => edit('a.txt', word, String(at))));
      const done = words.map((word, at) => (made[at]?.status === 'fulfilled' ? String(at) : word));
      assert.equal(await onDisk('a.txt'), `${done.join('\n')}\n`);
      await undoAll();
      assert.equal(await onDisk('a.txt'), before0);
    });

    it('U19 brings edits back, undecided, with the editor’s Undo of Undo All (zed-industries/zed#48462)', async () => {
      await edit('a.txt', 'two', '2');
      await vscode.window.showTextDocument(uriOf('a.txt'));
      await undoAll();
      await vscode.commands.executeCommand('undo');
      assert.equal((await document('a.txt')).getText(), before0.replace('two', '2'));
      assert.equal(review.files(chat).length, 1);
      await (await document('a.txt')).save();
    });

    it('F14 keeps what was kept when a later edit is decided on (anomalyco/opencode#3914)', async () => {
      await edit('a.txt', 'two', '2');
      await click('a.txt', 'svc.keepEdit', 0);
      await edit('a.txt', 'five', '5');
      await click('a.txt', 'svc.keepEdit', 0);
      await edit('a.txt', 'six', '6');
      await undoAll();
      assert.equal(await onDisk('a.txt'), before0.replace('two', '2').replace('five', '5'));
    });

    it('E10 writes nothing over the text of another branch, and knows its edits on the way back (microsoft/vscode#41807)', async () => {
      await edit('a.txt', 'two', '2');
      const ours = await onDisk('a.txt');
      await vscode.window.showTextDocument(uriOf('a.txt'));
      const branch = 'alpha\nbeta\ngamma\n';
      await writeFile(fileOf('a.txt'), branch);
      await waitFor('the other text', async () => (await document('a.txt')).getText() === branch);
      await undoAll();
      assert.equal(await onDisk('a.txt'), branch);
      await writeFile(fileOf('a.txt'), ours);
      await waitFor('its own text', async () => (await document('a.txt')).getText() === ours);
      assert.equal(review.files(chat).length, 1);
      await undoAll();
      assert.equal(await onDisk('a.txt'), before0);
    });
  });

  it('ux 2.3 goes through the hunks of all files and around', async () => {
    await writeFile(fileOf('b.txt'), before0);
    await edit('a.txt', 'two', '2');
    await edit('a.txt', 'five', '5');
    await edit('b.txt', 'three', '3');
    await vscode.window.showTextDocument(uriOf('a.txt'), { selection: new vscode.Range(0, 0, 0, 0) });
    const seen: string[] = [];
    for (let step = 0; step < 4; step++) {
      await review.commands['svc.nextEdit']();
      const editor = vscode.window.activeTextEditor;
      seen.push(`${path.basename(editor?.document.uri.path ?? '')} ${editor?.selection.active.line}`);
    }
    assert.deepEqual(seen, ['a.txt 1', 'a.txt 4', 'b.txt 2', 'a.txt 1']);
    await waitFor('the context', () => contexts['svc.cursorInEdit'] && contexts['svc.editorHasInlineEdit']);
    await vscode.window.showTextDocument(uriOf('a.txt'), { selection: new vscode.Range(2, 0, 2, 0) });
    await waitFor('another line', () => !contexts['svc.cursorInEdit'] && contexts['svc.editorHasInlineEdit']);
    await vscode.window.showTextDocument(uriOf('a.txt'), { selection: new vscode.Range(1, 0, 1, 0) });
    await review.commands['svc.previousEdit']();
    assert.equal(path.basename(vscode.window.activeTextEditor?.document.uri.path ?? ''), 'b.txt');
  });
});
