import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runScript } from '../agent/run-script.ts';
import { writeFiles } from './workspace.ts';

type Call = readonly [name: string, given: object];

describe('paths that name nothing', () => {
  let temp: TempDir;
  let root = '';
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, {
      'src/utils/cart.ts': 'export const total = 1;\n',
      'src/index.ts': 'a\n',
      'lib/index.ts': 'b\n',
      'README.md': 'Shop.\n',
    });
  });
  afterEach(() => temp.remove());

  /** Each call is one reply. */
  const tell = async (...calls: Call[]) => {
    const script = calls.map(([name, given], at) => ({
      toolCalls: [{ id: `x${at}`, name, arguments: JSON.stringify(given) }],
    }));
    const { results } = await runScript(root, [...script, { text: 'Done.' }]);
    return results.map(({ forModel }) => forModel);
  };
  const onDisk = (name: string) => readFile(path.join(root, name), 'utf8');
  const edit = (file: string): Call => [
    'edit_file',
    { path: file, edits: [{ search: 'total = 1', replace: 'total = 2' }] },
  ];

  for (const near of ['src/utlis/cart.ts', 'utils/cart.ts', 'cart.ts', 'ws/src/utils/cart.ts', 'app/src/utils/cart.ts'])
    it(`F13 E02 ${near} is the one file of that name, which is read and edited`, async () => {
      const [read = '', edited = ''] = await tell(['read_file', { path: near }], edit(near));
      assert.match(read, /^src\/utils\/cart\.ts: 1 line\n1\texport/);
      assert.match(edited, /src\/utils\/cart\.ts/);
      assert.equal(await onDisk('src/utils/cart.ts'), 'export const total = 2;\n');
    });

  for (const other of ['index.ts', 'test/cart.ts', 'src/utils/card.ts'])
    it(`F13 E02 ${other} may mean something else, so near paths are named and nothing is read or edited`, async () => {
      const told = await tell(['read_file', { path: other }], edit(other));
      for (const text of told) {
        assert.match(text, /^There is no file .*\. Near it: .*(?:cart|index)\.ts/);
        assert.doesNotMatch(text, /create_file/);
      }
    });

  const moves: [how: string, call: Call][] = [
    ['rename_file', ['rename_file', { path: 'src/utils/cart.ts', newPath: 'src/basket.ts' }]],
    ...(process.platform === 'win32'
      ? []
      : ([['mv', ['run_command', { command: 'mv src/utils/cart.ts src/basket.ts' }]]] satisfies [string, Call][])),
  ];
  for (const [how, move] of moves)
    it(`F13 E02 a file that ${how} renamed is read and edited under the name that it had`, async () => {
      const [, read = '', edited = '', again = ''] = await tell(
        move,
        ['read_file', { path: 'src/utils/cart.ts' }],
        edit('src/utils/cart.ts'),
        ['rename_file', { path: 'src/utils/cart.ts', newPath: 'x.ts' }],
      );
      assert.match(read, /^src\/basket\.ts: 1 line\n/);
      assert.match(edited, /src\/basket\.ts/);
      assert.equal(await onDisk('src/basket.ts'), 'export const total = 2;\n');
      assert.match(again, /^There is no file src\/utils\/cart\.ts\. It was renamed to src\/basket\.ts\.$/);
    });

  it('E02 a new file is made where one was renamed', async () => {
    await tell(
      ['rename_file', { path: 'src/utils/cart.ts', newPath: 'src/basket.ts' }],
      ['create_file', { path: 'src/utils/cart.ts', content: "export * from '../basket.ts';\n" }],
    );
    assert.equal(await onDisk('src/basket.ts'), 'export const total = 1;\n');
    assert.equal(await onDisk('src/utils/cart.ts'), "export * from '../basket.ts';\n");
  });

  const onPosix = process.platform === 'win32' ? it.skip : it;
  onPosix('F13 files of a folder that a command moved are found in the new one', async () => {
    const [, read = '', listed = ''] = await tell(
      ['run_command', { command: 'mv src/utils src/helpers' }],
      ['read_file', { path: 'src/utils/cart.ts' }],
      ['list_directory', { path: 'src/utils' }],
    );
    assert.match(read, /^src\/helpers\/cart\.ts: 1 line\n/);
    assert.match(listed, /It was renamed to src\/helpers\.$/);
  });

  // Folders as containers call them, and folders of other machines.
  const heads = ['/workspaces/ws', '/workspace', '/nowhere', '/home/dev-of-elsewhere/ws'];
  for (const head of heads)
    onPosix(`F13 F15 ${head} is the workspace for a command, a reader and a search`, async () => {
      const [where = '', part = '', read = '', found = '', listed = '', searched = ''] = await tell(
        ['run_command', { command: 'pwd', cwd: head }],
        ['run_command', { command: 'pwd', cwd: `${head}/src/utils` }],
        ['read_file', { path: `${head}/src/utils/cart.ts` }],
        ['glob', { pattern: `${head}/src/**/*.ts` }],
        ['list_directory', { path: head }],
        ['grep', { pattern: 'total', path: head }],
      );
      assert.match(where, /^Exit code 0 after \S+ s in the workspace folder[.,][\s\S]*\/ws$/m);
      assert.match(part, /\/ws\/src\/utils$/m);
      assert.match(read, /^src\/utils\/cart\.ts: 1 line/);
      assert.match(found, /^src\/utils\/cart\.ts$/m);
      assert.match(listed, /README\.md/);
      assert.match(searched, /src\/utils\/cart\.ts/);
    });

  onPosix('F13 F15 a folder that is not there, or outside, is told as that', async () => {
    const [missing = '', outside = '', made = '', top = ''] = await tell(
      ['run_command', { command: 'pwd', cwd: '/workspace/gone' }],
      ['run_command', { command: 'pwd', cwd: '/' }],
      ['create_file', { path: '/workspace/src/new.ts', content: 'x\n' }],
      ['create_file', { path: '/Makefile', content: 'x\n' }],
    );
    assert.match(missing, /outside the workspace\. Only what is inside can be used/);
    assert.match(outside, /outside the workspace\. Only what is inside can be used/);
    assert.match(made, /If you mean src\/new\.ts, name it so\.$/);
    assert.match(top, /Write paths relative to it\.$/);
  });
});
