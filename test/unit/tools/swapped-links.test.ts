import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolPlan } from '../../../src/agent/tool.ts';
import { folderText } from '../../../src/files/folder-text.ts';
import { createRipgrepSearch } from '../../../src/files/search/ripgrep-search.ts';
import type { Search } from '../../../src/files/workspace.ts';
import { createWindowTools, type WindowPorts } from '../../../src/tools/all-tools.ts';
import { anyRipgrep } from '../../support/any-ripgrep.ts';
import { times } from '../../support/effort.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { createEditBench } from './node-edit-port.ts';
import { allKnowing, callsOf } from './read-calls.ts';
import { openFolders, writeFiles } from './workspace.ts';

const swaps = times(100, 500);

/** Puts a link to another folder in the place of one, and the folder back, without end, until `act` is over. */
async function whileSwapped(root: string, act: () => Promise<void>): Promise<void> {
  const program = `const { renameSync } = require('node:fs'); process.chdir(${JSON.stringify(root)}); console.log('on');
    for (;;) { renameSync('in', 'kept'); renameSync('trap', 'in'); renameSync('in', 'trap'); renameSync('kept', 'in'); }`;
  const swapper = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(swapper.stdout, 'data');
    await act();
  } finally {
    const gone = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await gone;
  }
}

const outcome = (planned: ToolPlan) =>
  planned.run().then(
    ({ forModel }) => forModel,
    () => 'refused',
  );

describe('a folder that a program swaps for a link', () => {
  let temp: TempDir;
  let root: string;
  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/in/a.txt': 'needle inner\n',
      'ws/in/b.txt': 'needle inner\n',
      'outside/a.txt': 'needle OUTER\n',
      'outside/b.txt': 'needle inner OUTER\n',
    });
    await symlink('../outside', path.join(root, 'trap'));
  });
  afterEach(() => temp?.remove());

  const planOf = async (search: Search | undefined, name: string, args: object) => {
    const opened = openFolders({ ws: root });
    const tool = createReadTools({ ...opened, ...(search && { search }) }).find((one) => one.name === name);
    // Where the path led outside when it was judged, the user would be asked.
    const planned = await tool?.plan(args, toolContext()).catch(() => undefined);
    return planned === undefined || planned.approval !== undefined ? undefined : planned;
  };

  it('X48 what is read is what was checked, by every tool that reads, however often a folder is swapped', async () => {
    const known = ['in/a.txt'];
    const ports = { ...openFolders({ ws: root }), ...allKnowing(root, { known, hidden: known, canary: '' }) };
    const reading = createWindowTools(ports as unknown as WindowPorts).filter(({ access }) => access === 'read');
    const calls = reading.flatMap((tool) => callsOf(tool, 'in/a.txt', 'inner').map((args) => ({ tool, args })));
    const answers = async ({ tool, args }: (typeof calls)[number]) => {
      const planned = await tool.plan(args, toolContext()).catch(() => undefined);
      return planned === undefined || planned.approval !== undefined ? '' : outcome(planned);
    };
    const shown = await Promise.all(calls.map(answers));
    const showing = calls.filter((_, at) => shown[at]?.includes('needle inner')).map(({ tool }) => tool.name);
    for (const name of ['read_file', 'search_text', 'go_to_definition', 'find_references'])
      assert.ok(showing.includes(name), `${name} shows nothing of the file even when nothing is swapped`);
    await whileSwapped(root, async () => {
      for (let count = 0; count < swaps; count++)
        for (const one of calls) assert.doesNotMatch(await answers(one), /OUTER/, one.tool.name);
    });
  });

  it('X48 an attached folder holds what was checked, however often it is swapped', async () => {
    const opened = openFolders({ ws: root });
    const [folder] = opened.workspace.roots();
    assert.ok(folder);
    const textNow = () => folderText(opened, { root: folder, path: 'in' }, new AbortController().signal);
    assert.match((await textNow()).text, /needle inner/);
    await whileSwapped(root, async () => {
      for (let count = 0; count < swaps; count++) {
        const { text } = await textNow().catch(() => ({ text: '' }));
        assert.doesNotMatch(text, /OUTER/);
      }
    });
  });

  it('X48 what a search shows stands in the files that were checked, however often a folder is swapped', async () => {
    const executable = await anyRipgrep();
    const opened = openFolders({ ws: root });
    const searches = [
      opened.search,
      ...(executable === undefined ? [] : [createRipgrepSearch({ executable, ...opened })]),
    ];
    let shown = 0;
    await whileSwapped(root, async () => {
      for (let count = 0; count < swaps; count++) {
        const args = [{ path: 'in' }, {}, { path: 'in/a.txt' }, { path: 'in', context: 2 }][count % 4];
        const planned = await planOf(searches[count % searches.length], 'search_text', { query: 'needle', ...args });
        if (planned === undefined) continue;
        const text = await outcome(planned);
        assert.doesNotMatch(text, /OUTER/);
        if (text.includes('inner')) shown++;
      }
    });
    assert.ok(shown > 0, 'nothing was found at all');
  });

  it('X48 an edit shows and compares what was checked, however often a folder is swapped, and writes nothing outside', async () => {
    const bench = createEditBench(root);
    const tool = bench.tools.find(({ name }) => name === 'edit_file');
    assert.ok(tool);
    await whileSwapped(root, async () => {
      for (let count = 0; count < swaps; count++) {
        const edits = [{ search: count % 2 === 0 ? 'needle OUTER' : 'needle none', replace: 'needle XX' }];
        const planned = await tool.plan({ path: 'in/a.txt', edits }, toolContext()).catch((error: Error) => error);
        const text = planned instanceof Error ? planned.message : await outcome(planned);
        // It is told what the model itself wrote; of the file nothing.
        assert.doesNotMatch(text.replaceAll('needle OUTER', ''), /OUTER/);
      }
    });
    assert.equal(await readFile(path.join(temp.path, 'outside/a.txt'), 'utf8'), 'needle OUTER\n');
  });

  it('X48 an edit reads nothing behind a link that is swapped in between its look and its read', async () => {
    const bench = createEditBench(root);
    bench.port.isWritable = async () => {
      await rename(path.join(root, 'in'), path.join(root, 'kept'));
      await rename(path.join(root, 'trap'), path.join(root, 'in'));
      return true;
    };
    const tool = bench.tools.find(({ name }) => name === 'edit_file');
    const edits = [{ search: 'needle none', replace: 'x' }];
    const told = await tool?.plan({ path: 'in/a.txt', edits }, toolContext()).catch((error: Error) => error.message);
    assert.match(String(told), /leads somewhere else/);
  });

  for (const [what, file, before] of [
    ['a new file', 'new.txt', undefined],
    ['an edit', 'same.txt', 'needle inner\n'],
  ] as const) {
    it(`X06 X48 ${what} that landed behind a link, swapped in within the write, is taken back and told`, async () => {
      if (before !== undefined) await writeFiles(temp.path, { [`ws/in/${file}`]: before, [`outside/${file}`]: before });
      const bench = createEditBench(root);
      const apply = bench.port.apply;
      bench.port.apply = async (change, call) => {
        await rename(path.join(root, 'in'), path.join(root, 'kept'));
        await rename(path.join(root, 'trap'), path.join(root, 'in'));
        return apply(change, call);
      };
      const written = { path: `in/${file}`, content: 'x', edits: [{ search: 'inner', replace: 'x' }] };
      const tool = bench.tools.find(({ name }) => name === (before === undefined ? 'create_file' : 'edit_file'));
      await assert.rejects(
        async () => (await tool?.plan(written, toolContext()))?.run(),
        /led somewhere else while it was written.*was taken back/,
      );
      const left = await readdir(path.join(temp.path, 'outside'));
      assert.deepEqual(left.sort(), ['a.txt', 'b.txt', ...(before === undefined ? [] : [file])]);
      if (before !== undefined) assert.equal(await readFile(path.join(temp.path, 'outside', file), 'utf8'), before);
    });
  }
});
