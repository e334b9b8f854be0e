import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Attachment } from '../../../../src/shared/messages.ts';
import type { ContextPick } from '../../../../src/shared/panel/field-schemas.ts';
import type { PickedImage, ReadContextDeps } from '../../../../src/vscode/composer/read-context.ts';
import {
  createDocument,
  languages,
  person,
  Range,
  reset,
  Selection,
  Uri,
  window,
  workspace,
} from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { openWindow, storedConversation } from '../../chat/live-window.ts';

const { createReadContext, pickOf } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/composer/read-context.ts')
>(new URL('../../../../src/vscode/composer/read-context.ts', import.meta.url));
const { chosenToAdd } = await importWithVscodeStub<typeof import('../../../../src/vscode/composer/add-to-chat.ts')>(
  new URL('../../../../src/vscode/composer/add-to-chat.ts', import.meta.url),
);

type Deps = Parameters<typeof chosenToAdd>[1];

/** Of a folder with a file of sixty lines, a secret, and a picture. */
function open(deps: Partial<Record<keyof ReadContextDeps, unknown>> = {}) {
  const root = { name: 'ws', uri: 'file:///ws', fsPath: '/ws' };
  workspace.workspaceFolders = [{ uri: Uri.file('/ws'), name: 'ws' }];
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line + 1}`).join('\n');
  for (const path of ['/ws/src/a.ts', '/ws/.env', '/etc/hosts']) person.written.set(path, lines);
  workspace.openTextDocument = async (uri) => {
    const { path } = uri as Uri;
    const text = person.written.get(path);
    if (text === undefined) throw new Error(`cannot open file://${path}`);
    return createDocument(path, text);
  };
  const read = createReadContext({
    workspace: { roots: () => [root], isTrusted: () => true },
    language: { problems: async () => [], outline: async () => undefined },
    terminal: () => undefined,
    store: { read: async () => undefined },
    ...deps,
  } as unknown as ReadContextDeps);
  const attached = async (pick: ContextPick) => (await read(pick)) as Attachment | undefined;
  const refused = (pick: ContextPick, why: RegExp) => assert.rejects(read(pick), why);
  return { read, attached, refused };
}
const a = 'file:///ws/src/a.ts';
const file = (uri: string, startLine?: number, endLine?: number): ContextPick => ({
  kind: 'file',
  uri,
  ...(startLine !== undefined && { startLine }),
  ...(endLine !== undefined && { endLine }),
});

describe('what is attached', () => {
  beforeEach(reset);

  it('F7 a file, a range of it, or one line, each named by its lines', async () => {
    const { attached, refused } = open();
    const whole = await attached(file(a));
    assert.deepEqual([whole?.label, whole?.text.length, whole?.startLine], ['src/a.ts', 470, undefined]);
    const range = await attached(file(a, 2, 4));
    assert.deepEqual([range?.label, range?.text], ['src/a.ts:2-4', 'line 2\nline 3\nline 4']);
    assert.equal((await attached(file(a, 60, 99)))?.text, 'line 60');
    assert.equal((await attached(file(a, 5)))?.text, 'line 5');
    await refused(file(a, 61), /src\/a\.ts has only 60 lines/);
    await refused(file('file:///ws/gone.ts'), /Can't attach gone\.ts/);
  });

  it('F7 not the three lines that stand in the place of a large file (microsoft/vscode#328652)', async () => {
    const { refused } = open();
    person.written.set('/ws/data.csv', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n');
    await refused(file('file:///ws/data.csv'), /data\.csv: its content isn't here\. Run git lfs pull\./);
    await refused(file('file:///ws/data.csv', 1), /git lfs pull/);
  });

  it('F7 X05 a secret, or what lies outside, only when the user says so', async () => {
    const { attached } = open();
    for (const uri of ['file:///ws/.env', 'file:///ws/.git/config', 'file:///etc/hosts']) {
      assert.equal(await attached(file(uri)), undefined, uri);
    }
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      [
        '.env might contain secrets. Attach it?',
        '.git/config might contain secrets. Attach it?',
        `${Uri.file('/etc/hosts').fsPath} is not in this workspace. Attach it?`,
      ],
    );
    person.answer = () => 'Attach';
    assert.equal((await attached(file('file:///ws/.env')))?.label, '.env');
  });

  it('F7 without a folder, an open file is theirs to ask about, unless it may hold secrets', async () => {
    const { attached } = open();
    workspace.workspaceFolders = [] as never;
    for (const path of ['/etc/hosts', '/home/me/.env']) person.written.set(path, 'text');
    const tabs = [Uri.file('/etc/hosts'), Uri.file('/home/me/.env')].map((uri) => ({ input: { uri } }));
    window.tabGroups = { ...window.tabGroups, all: [{ tabs }] };
    assert.ok(await attached(file('file:///etc/hosts')));
    assert.deepEqual(person.messages, []);
    await attached(file('file:///home/me/.env'));
    await attached(file('file:///etc/passwd'));
    assert.equal(person.messages.length, 2);
  });

  it('F7 a picture as it is, by its bytes and not its name; one that cannot be sent is refused', async () => {
    const { read, refused } = open();
    workspace.fs = {
      ...workspace.fs,
      readFile: async ({ path }) =>
        Buffer.from(path.endsWith('.png') ? '89504e470d0a1a0a0000000d49484452' : '424d0000000000000000', 'hex'),
    };
    person.written.set('/ws/p.png', '');
    person.written.set('/ws/p.jpg', '');
    const picked = (await read(file('file:///ws/p.png'))) as PickedImage;
    assert.deepEqual([picked.name, picked.uri], ['p.png', 'file:///ws/p.png']);
    await refused(file('file:///ws/p.jpg'), /only PNG, JPEG, GIF, and WebP/);
    person.choose = () => [Uri.file('/ws/p.png')];
    assert.equal(((await read({ kind: 'image' })) as PickedImage).name, 'p.png');
    person.choose = () => undefined;
    assert.equal(await read({ kind: 'image' }), undefined);
  });

  it('F7 a symbol as its outline bounds it, the smallest of its name, else the lines from it on', async () => {
    const entry = (name: string, line: number, endLine: number) => ({ name, line, endLine });
    const entries = [entry('run(a)', 1, 50), entry('run', 10, 20), entry('other', 12, 13), entry('run', 30, 40)];
    const { attached } = open({ language: { outline: async () => entries } });
    const symbol = (name: string, line: number): ContextPick => ({ kind: 'symbol', uri: a, name, line });
    assert.equal((await attached(symbol('run(x)', 12)))?.label, 'run(x) · src/a.ts:10-20');
    assert.equal((await attached(symbol('run', 45)))?.label, 'run · src/a.ts:1-50');
    assert.equal((await attached(symbol('nobody', 5)))?.label, 'nobody · src/a.ts:5-45');
    assert.equal((await attached(symbol('nobody', 58)))?.label, 'nobody · src/a.ts:58-60');
  });

  it('F7 problems of all, of a file, or of some lines, these with the code around them', async () => {
    const problem = (line: number) => ({
      place: { root: { name: 'ws' }, path: 'src/a.ts' },
      line,
      column: 1,
      severity: 'error',
      message: `wrong ${line}`,
    });
    const { attached, refused } = open({ language: { problems: async () => [problem(10), problem(12), problem(30)] } });
    const all = await attached({ kind: 'problems' });
    assert.equal(all?.label, '3 problems');
    assert.equal((await attached({ kind: 'problems', uri: a }))?.label, '3 problems · src/a.ts');
    const some = await attached({ kind: 'problems', uri: a, startLine: 10, endLine: 12 });
    assert.deepEqual([some?.label, some?.startLine, some?.endLine], ['2 problems · src/a.ts:10', 10, 12]);
    const code = some?.text.split('\n\n').at(-1)?.split('\n') ?? [];
    assert.deepEqual([code[0], code.at(-1), code.length], ['6: line 6', '16: line 16', 11]);
    const one = await attached({ kind: 'problems', uri: a, startLine: 30, endLine: 30 });
    assert.equal(one?.label, '1 problem · src/a.ts:30');
    await refused({ kind: 'problems', uri: a, startLine: 31, endLine: 31 }, /reports no problems/);
    await refused({ kind: 'problems', uri: 'file:///elsewhere/x.ts' }, /reports no problems/);
  });

  it('F7 F26 problems of a cell, which is no file, with its lines', async () => {
    const { attached, refused } = open();
    const uri = Uri.from({ scheme: 'vscode-notebook-cell', path: '/ws/n.ipynb', fragment: 'c1' });
    const document = { ...createDocument('', 'one\ntwo\nthree'), uri };
    const notebook = { uri: Uri.file('/ws/n.ipynb'), getCells: () => [{ document, index: 1, notebook }] as unknown[] };
    Object.assign(workspace, { notebookDocuments: [notebook] });
    languages.getDiagnostics = () => [1, 2].map((line) => ({ range: new Range(line, 0, line, 1), message: 'wrong' }));
    const pick = (startLine?: number, endLine?: number): ContextPick => ({
      kind: 'problems',
      uri: String(uri),
      ...(startLine && { startLine, endLine }),
    });
    assert.equal((await attached(pick()))?.label, '2 problems · n.ipynb, cell 2');
    const one = await attached(pick(2, 2));
    assert.deepEqual([one?.label, one?.text], ['1 problem · n.ipynb, cell 2', '2: wrong\n\n1: one\n2: two\n3: three']);
    assert.equal((await attached(pick(3, 3)))?.label, '1 problem · n.ipynb, cell 2');
    await refused(pick(1, 1), /reports no problems/);
    await refused(pick(4, 9), /reports no problems/);
  });

  it('F7 the last command of a terminal with how it ended; silence is not believed', async () => {
    const record = { commandLine: 'npm  test', output: 'ok\n', running: false, exitCode: 0 };
    const textOf = async (more: object) =>
      (await open({ terminal: () => ({ ...record, ...more }) }).attached({ kind: 'terminal' }))?.text;
    assert.equal(await textOf({}), '$ npm  test\nok\n[exit code 0]');
    assert.equal(await textOf({ exitCode: undefined }), '$ npm  test\nok');
    assert.equal(await textOf({ running: true, output: '' }), '$ npm  test\n[still running]');
    assert.match((await textOf({ output: ' ' })) ?? '', /reported no output/);
    const labelOf = async (commandLine: string) =>
      (await open({ terminal: () => ({ ...record, commandLine }) }).attached({ kind: 'terminal' }))?.label;
    assert.deepEqual([await labelOf('npm \n test'), await labelOf('x'.repeat(60))], ['npm test', 'x'.repeat(60)]);
    assert.equal(await labelOf('x'.repeat(61)), `${'x'.repeat(60)}…`);
    await open().refused({ kind: 'terminal' }, /No command has run/);
  });

  it('F7 an earlier conversation, and the selection or the file in front', async () => {
    const { disk } = openWindow();
    const id = await storedConversation(disk, 'Earlier');
    const { attached, refused } = open({ store: { read: async (asked: string) => disk.get(asked) } });
    const earlier = await attached({ kind: 'conversation', id });
    assert.deepEqual([earlier?.kind, earlier?.label], ['conversation', 'Earlier']);
    assert.match(earlier?.text ?? '', /answer of/);
    await refused({ kind: 'conversation', id: 'gone' }, /no longer exists/);
    await refused({ kind: 'selection' }, /No file is open/);
    const document = createDocument('/ws/src/a.ts', 'one\ntwo\nthree');
    window.visibleTextEditors = [{ document, selection: new Selection(0, 0, 0, 0) }];
    assert.equal((await attached({ kind: 'selection' }))?.label, 'src/a.ts');
    window.activeTextEditor = { document, selection: new Selection(0, 0, 1, 0) };
    assert.equal((await attached({ kind: 'selection' }))?.label, 'src/a.ts:1-1');
    window.activeTextEditor = { document, selection: new Selection(0, 0, 1, 1) };
    assert.deepEqual(
      [(await attached({ kind: 'selection' }))?.label, (await attached({ kind: 'selection' }))?.text],
      ['src/a.ts:1-2', 'one\nt'],
    );
    assert.deepEqual(
      [(await pickOf(Uri.file('/ws/src') as never)).kind, (await pickOf(Uri.file('/x') as never)).kind],
      ['folder', 'file'],
    );
  });
});

describe('Add to Chat', () => {
  beforeEach(reset);

  async function added(...args: unknown[]) {
    const chosen = await chosenToAdd(args, { workspace: { roots: () => [] } } as unknown as Deps);
    const isRead = chosen !== undefined && !('length' in chosen);
    return { picks: isRead ? [] : (chosen ?? []), found: isRead ? [chosen] : [] };
  }
  const uri = Uri.file('/ws/a.ts');
  function edit(selection: Selection) {
    const editor = { document: createDocument('/ws/a.ts', 'one\ntwo\nthree\nfour'), selection };
    window.activeTextEditor = editor;
    window.visibleTextEditors = [editor];
  }

  it('F7 takes what the explorer, a tab or the line numbers name', async () => {
    const other = Uri.file('/ws/b.ts');
    assert.deepEqual((await added(uri)).picks, [file('file:///ws/a.ts')]);
    assert.deepEqual((await added(uri, [uri, other, 5])).picks, [file('file:///ws/a.ts'), file('file:///ws/b.ts')]);
    assert.deepEqual((await added({ lineNumber: 3, uri })).picks, [file('file:///ws/a.ts', 3, 3)]);
    edit(new Selection(1, 0, 3, 2));
    const lineOf = async (lineNumber: number) => (await added({ lineNumber, uri })).picks[0];
    assert.deepEqual(await lineOf(1), file('file:///ws/a.ts', 1, 1));
    assert.deepEqual(await lineOf(2), file('file:///ws/a.ts', 2, 4));
    assert.deepEqual(await lineOf(4), file('file:///ws/a.ts', 2, 4));
    assert.deepEqual(await lineOf(5), file('file:///ws/a.ts', 5, 5));
    assert.deepEqual((await added(uri)).picks, [{ kind: 'selection' }]);
    assert.deepEqual((await added(other)).picks, [file('file:///ws/b.ts')]);
  });

  it('F7 without a name takes the selection, else the problem at the cursor, else what is picked', async () => {
    edit(new Selection(1, 0, 1, 2));
    assert.deepEqual((await added()).picks, [{ kind: 'selection' }]);
    edit(new Selection(1, 1, 1, 1));
    languages.getDiagnostics = () => [{ range: new Range(1, 0, 1, 3) }, { range: new Range(2, 0, 2, 3) }];
    assert.deepEqual((await added()).picks, [{ kind: 'problems', uri: 'file:///ws/a.ts', startLine: 2, endLine: 2 }]);
    languages.getDiagnostics = () => [];
    person.pick = () => ({ uri });
    assert.deepEqual((await added()).picks, [file('file:///ws/a.ts')]);
    person.pick = () => undefined;
    assert.deepEqual((await added()).found, []);
  });

  it('F7 takes what is selected in a terminal, and gives the clipboard back', async () => {
    window.activeTerminal = { name: 'bash' };
    person.clipboard = 'mine';
    person.run = () => {
      person.clipboard = 'from the terminal';
    };
    const { found } = await added({ instanceId: 1 });
    assert.deepEqual(
      [found[0]?.label, found[0]?.text, person.clipboard],
      ['Terminal bash', 'from the terminal', 'mine'],
    );
    person.run = () => undefined;
    assert.deepEqual((await added({ instanceId: 1 })).found, []);
    assert.match(person.messages.at(-1)?.text ?? '', /Select text in the terminal first/);
    person.clipboard = '';
    assert.deepEqual((await added({ instanceId: 1 })).found, []);
    assert.match(person.messages.at(-1)?.text ?? '', /Replace the clipboard/);
  });
});
