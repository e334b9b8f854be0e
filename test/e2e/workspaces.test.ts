import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { gitIn } from '../support/git-in.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { callOther } from './call-other.ts';
import { chatRequests, systemText } from './chat-requests.ts';
import { askFor, call, edit } from './scripted-calls.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const neighbour = path.resolve(import.meta.dirname, 'neighbour-extension');
const caller = path.resolve(import.meta.dirname, 'caller-extension');
const generous = { timeout: 180_000 };

describe('a virtual workspace', () => {
  const session = useSession({
    otherExtensions: [neighbour, caller],
    environment: (folder) => ({ SVC_TEST_MEMFS: path.join(folder, 'behind') }),
    fillWorkspace: async (folder) => {
      await writeFiles(folder, {
        'behind/shop/src/cart.ts': 'export const total = 1;\n',
        'behind/shop/src/gone.ts': 'export const gone = 1;\n',
        'behind/shop/src/old.ts': 'export const old = 1;\n',
        'behind/shop/AGENTS.md': 'Prices are in cents.\n',
        'behind/shop/.gitignore': 'ignored/\n',
        'behind/shop/ignored/a.ts': 'export const total = 2;\n',
        'all.code-workspace': JSON.stringify({ folders: [{ uri: 'memfs:/shop', name: 'shop' }] }),
      });
    },
    open: (folder) => path.join(folder, 'all.code-workspace'),
  });
  const chat = useChat(session);
  const behind = (file: string) => path.join(session().folder, 'behind/shop', file);

  it('X35 is read, searched, edited and restored through the editor alone, and the chat says what does not work', async function () {
    this.timeout(240_000);
    await chat().frame.getByText('This workspace is virtual').waitFor(generous);
    const results = await askFor(session(), chat(), [
      [
        call('read_file', { path: 'src/cart.ts' }),
        call('list_directory', { path: '.' }),
        call('find_files', { pattern: '**/*.ts' }),
        call('search_text', { query: 'total' }),
        call('read_file', { path: '../../outside.txt' }),
      ],
      [edit('src/cart.ts', 'total = 1', 'total = 10')],
      [call('create_file', { path: 'src/new/deep.ts', content: 'export const fresh = 1;\n' })],
      [call('read_file', { path: 'src/gone.ts' }), call('read_file', { path: 'src/old.ts' })],
      [call('delete_file', { path: 'src/gone.ts' })],
      [call('rename_file', { path: 'src/old.ts', newPath: 'src/renamed.ts' })],
    ]);
    const [read, list, found, searched, up, edited, created, , , deleted, renamed] = results;
    assert.match(read ?? '', /export const total = 1;/);
    assert.match(list ?? '', /src\//);
    assert.match(found ?? '', /src\/cart\.ts/);
    assert.doesNotMatch(found ?? '', /ignored/);
    assert.match(searched ?? '', /src\/cart\.ts/);
    assert.doesNotMatch(searched ?? '', /ignored/);
    assert.match(up ?? '', /outside the workspace/);
    assert.match(edited ?? '', /^Edited src\/cart\.ts/);
    assert.match(created ?? '', /^Created src\/new\/deep\.ts/);
    assert.match(deleted ?? '', /Deleted/);
    assert.match(renamed ?? '', /Renamed|renamed/);
    assert.equal(await readFile(behind('src/cart.ts'), 'utf8'), 'export const total = 10;\n');
    assert.equal(await readFile(behind('src/new/deep.ts'), 'utf8'), 'export const fresh = 1;\n');
    assert.ok(!existsSync(behind('src/gone.ts')) && !existsSync(behind('src/old.ts')));
    assert.ok(existsSync(behind('src/renamed.ts')));

    const [first] = chatRequests(session());
    const offered = (first?.tools ?? []).map((tool) => tool.function.name);
    for (const name of ['run_command', 'get_changes']) assert.ok(!offered.includes(name), name);
    assert.ok(offered.includes('edit_file') && offered.includes('search_text'));
    assert.match(systemText(first), /Not on this disk.*shop/);
    assert.match(systemText(first), /Prices are in cents\./);
    await session().window.screenshot('virtual-workspace');

    const dialog = session().window.page.locator('.monaco-dialog-box');
    await chat().button('Restore Files to This Point').last().click();
    await dialog.waitFor();
    await session().window.screenshot('virtual-workspace-restore');
    await dialog.getByRole('button', { name: 'Restore' }).first().click();
    await waitFor('the files as they were', async () => {
      const text = await readFile(behind('src/cart.ts'), 'utf8');
      return (
        text === 'export const total = 1;\n' && existsSync(behind('src/gone.ts')) && existsSync(behind('src/old.ts'))
      );
    });
    await waitFor('what was new to be gone', () => !existsSync(behind('src/new/deep.ts')));
    assert.ok(!existsSync(behind('src/renamed.ts')));
  });

  it('X35 F27 F29 other extensions read it through our tools and ask our models', async () => {
    const { service } = session();
    service.script({ replies: [{ text: 'Answered.' }] });
    const answered = await callOther(session(), 'Caller: Ask Models', { prompts: ['Anything?'] });
    assert.deepEqual(answered, { models: 7, replies: ['Answered.'] });
    const read = { name: 'svc_read_file', input: { path: 'src/cart.ts' } };
    assert.match(String(await callOther(session(), 'Caller: Use Tool', read)), /export const total/);
  }).timeout(240_000);

  it('X35 F7 its files are offered to be attached, although no extension offers a search', async () => {
    // The palette offers it beside an editor alone.
    await session().window.runCommand('svc.showCustomizations');
    await session().window.quickInput.pick('AGENTS.md', { timeoutMs: 60_000 });
    await session()
      .window.page.getByRole('tab', { name: /AGENTS\.md/ })
      .waitFor(generous);
    await session().window.runCommand('svc.addToChat');
    await session().window.quickInput.pick('src/cart.ts', { timeoutMs: 60_000 });
    const attached = chat().frame.getByRole('list', { name: 'Attached to the next message' });
    await attached.getByText('src/cart.ts').first().waitFor(generous);
    await session().window.screenshot('virtual-add-to-chat');
    await attached.getByRole('button', { name: /^Remove / }).click();
    await attached.waitFor({ state: 'hidden' });
  }).timeout(240_000);
});

describe('a workspace of several folders', () => {
  const session = useSession({
    otherExtensions: [neighbour, caller],
    environment: (folder) => ({ SVC_TEST_MEMFS: path.join(folder, 'behind') }),
    fillWorkspace: async (folder) => {
      await writeFiles(folder, {
        'one/app/src/a.ts': 'export const a = "first";\n',
        'one/app/AGENTS.md': 'Use tabs.\n',
        'two/app/src/a.ts': 'export const a = "second";\n',
        'two/app/AGENTS.md': 'Use spaces.\n',
        'two/app/src/AGENTS.md': 'No semicolons in here.\n',
        'behind/shop/src/a.ts': 'export const a = "virtual";\n',
        'all.code-workspace': JSON.stringify({
          folders: [{ path: 'one/app' }, { path: 'two/app' }, { uri: 'memfs:/shop', name: 'the: shop' }],
        }),
      });
      for (const name of ['one/app', 'two/app']) {
        const git = gitIn(path.join(folder, name));
        await git('init', '-q');
        await git('add', '.');
        await git('commit', '-qm', 'x');
      }
    },
    open: (folder) => path.join(folder, 'all.code-workspace'),
  });
  const chat = useChat(session);
  const onDisk = (file: string) => readFile(path.join(session().folder, file), 'utf8');

  it('X35 F21 keeps files of one name apart: reads, edits, rules, changes and commands', async function () {
    this.timeout(240_000);
    await chat().frame.getByText('Some folders are virtual').waitFor(generous);
    const results = await askFor(session(), chat(), [
      [
        call('read_file', { path: 'one-app/src/a.ts' }),
        call('read_file', { path: 'two-app/src/a.ts' }),
        call('read_file', { path: 'the- shop/src/a.ts' }),
        call('read_file', { path: 'src/a.ts' }),
        call('search_text', { query: 'export const a' }),
        call('find_files', { pattern: '**/a.ts' }),
      ],
      [edit('two-app/src/a.ts', '"second"', '"changed"'), edit('the- shop/src/a.ts', '"virtual"', '"altered"')],
      [call('get_changes')],
      [call('run_command', { command: 'cat src/a.ts', cwd: 'two-app' })],
      [call('run_command', { command: 'cat src/a.ts', cwd: 'the- shop' })],
    ]);
    const [one, two, three, none, searched, found, edited, altered, changes, ran, refused] = results;
    assert.match(one ?? '', /first/);
    assert.match(two ?? '', /second/);
    assert.match(three ?? '', /virtual/);
    assert.match(none ?? '', /Begin the path with one of: one-app, two-app, the- shop/);
    for (const name of ['one-app/src/a.ts', 'two-app/src/a.ts', 'the- shop/src/a.ts']) {
      assert.ok(searched?.includes(name) && found?.includes(name), name);
    }
    assert.match(edited ?? '', /^Edited two-app\/src\/a\.ts/);
    assert.match(altered ?? '', /^Edited the- shop\/src\/a\.ts/);
    assert.equal(await onDisk('one/app/src/a.ts'), 'export const a = "first";\n');
    assert.equal(await onDisk('two/app/src/a.ts'), 'export const a = "changed";\n');
    assert.equal(await onDisk('behind/shop/src/a.ts'), 'export const a = "altered";\n');
    assert.match(changes ?? '', /two-app\/src\/a\.ts \+1 −1[\s\S]*\+export const a = "changed"/);
    assert.doesNotMatch(changes ?? '', /one-app\/src|shop/);
    assert.match(ran ?? '', /Exit code 0 .*changed/s);
    assert.match(refused ?? '', /not on this|disk/);
    const system = systemText(chatRequests(session())[0]);
    assert.match(system, /only-for="one-app\/"[^<]*Use tabs\./);
    assert.match(system, /only-for="two-app\/"[^<]*Use spaces\./);
    assert.match(system, /begin every path with one of them\): one-app, two-app, the- shop/);
    await session().window.screenshot('several-folders');
  });

  it('X35 F29 other extensions say which folder they mean', async () => {
    const read = (path: string) =>
      callOther(session(), 'Caller: Use Tool', { name: 'svc_read_file', input: { path } }).then(String);
    assert.match(await read('one-app/src/a.ts'), /first/);
    assert.match(await read('src/a.ts'), /^failed: .*Begin the path with one of: one-app, two-app, the- shop/);
  }).timeout(240_000);
});
