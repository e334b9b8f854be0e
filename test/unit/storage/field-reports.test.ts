import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { toHistory } from '../../../src/agent/history.ts';
import { ToolError } from '../../../src/agent/tool.ts';
import { dayMs } from '../../../src/base/clock.ts';
import { closeInterrupted } from '../../../src/conversation/store/durable-events.ts';
import type { RunTurn } from '../../../src/conversation/turns/turns.ts';
import { readText } from '../../../src/files/read-text.ts';
import { removeLeftOver } from '../../../src/sandbox/placeholders.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import { storagePaths, sweepStorage } from '../../../src/storage/storage-paths.ts';
import { gitIn } from '../../support/git-in.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { converse, type Machine, openMachine, withMachines } from '../conversation/machine.ts';
import { answering, converse as converseWith, model, stepFinished } from '../conversation/samples.ts';
import { appendAll, openStore, storeOne, turnOf } from '../conversation/store-samples.ts';
import { commitOf, signal, withRepository } from '../features/worktrees/repositories.ts';
import { writeFiles } from '../tools/workspace.ts';

const indexOf = (dir: string) => path.join(dir, 'conversations', 'index.json');
const titlesIn = async (dir: string) => {
  const rows = await openStore(dir).list();
  return rows.map(({ title }) => title).toSorted();
};

async function withThree(use: (dir: string) => Promise<void>): Promise<void> {
  await withTempDir(async (dir) => {
    const store = openStore(dir);
    for (const [at, id] of ['one', 'two', 'three'].entries()) await storeOne(store, id, at + 1);
    await store.list();
    await store.dispose();
    await use(dir);
  });
}

describe('public reports on lost and left data', () => {
  const indexes: Readonly<Record<string, (dir: string) => Promise<unknown>>> = {
    'openai/codex#33286 the index is gone': (dir) => rm(indexOf(dir)),
    'openai/codex#25397 the index is half a file': async (dir) =>
      writeFile(indexOf(dir), (await readFile(indexOf(dir), 'utf8')).slice(0, 40)),
    'microsoft/vscode#331452 the index is one of a later version': (dir) =>
      writeFile(indexOf(dir), '{"version":99,"rows":[]}'),
    'anthropics/claude-code#90888 the index lists one of three': async (dir) => {
      const { version, rows } = JSON.parse(await readFile(indexOf(dir), 'utf8'));
      await writeFile(indexOf(dir), JSON.stringify({ version, rows: rows.slice(0, 1) }));
    },
  };
  for (const [name, harm] of Object.entries(indexes))
    it(`E18 ${name}, and all conversations are listed`, () =>
      withThree(async (dir) => {
        await harm(dir);
        assert.deepEqual(await titlesIn(dir), ['one', 'three', 'two']);
      }));

  it('E01 openai/codex#44542 an index from before the last messages rolls nothing back', () =>
    withThree(async (dir) => {
      const before = await readFile(indexOf(dir));
      const store = openStore(dir);
      await appendAll(store, 'two', turnOf(8));
      await store.dispose();
      await writeFile(indexOf(dir), before);
      const later = openStore(dir);
      assert.equal((await later.list()).find(({ id }) => id === 'two')?.messages, 2);
      assert.equal((await later.read('two'))?.filter(({ type }) => type === 'userMessage').length, 2);
    }));

  it('E01 openai/codex#41080 after the power failed, what was flushed is shown, the rest is told, and what follows is kept', () =>
    withThree(async (dir) => {
      await appendFile(path.join(dir, 'conversations', 'two.jsonl'), Buffer.alloc(4096));
      const store = openStore(dir);
      const first = await store.read('two');
      await appendAll(store, 'two', turnOf(8));
      await store.dispose();
      const again = await openStore(dir).read('two');
      assert.equal(again?.length, (first?.length ?? 0) + turnOf(8).length);
      assert.equal((await readdir(path.join(dir, 'conversations', 'quarantine'))).length, 1);
    }));

  it('E04 processone/fluux-messenger#1430 what an older version writes is there for the newer one, and the other way round', () =>
    withThree(async (dir) => {
      const newer = { type: 'dreamed', turnId: 't1', text: 'by the newer' };
      await appendFile(path.join(dir, 'conversations', 'two.jsonl'), encodeLine(JSON.stringify(newer), 'd'));
      const store = openStore(dir);
      await appendAll(store, 'two', turnOf(8));
      await store.dispose();
      const records = (await openStore(dir).readRecords('two')) as DurableEvent[];
      assert.deepEqual(records.slice(6), [newer, ...turnOf(8)]);
    }));

  it('F6 E10 anthropics/claude-code#89547 rowboatlabs/rowboat#836 nothing of one that is erased can be read on the disk', () =>
    withMachines(async (temp) => {
      const machine = await openMachine(temp);
      await converse(machine, 'alpha', 1);
      await converse(machine, 'beta', 2);
      await machine.store.remove('alpha');
      await machine.store.erase('alpha');
      await machine.store.list();
      const grep = (text: string) =>
        execFileSync('sh', ['-c', 'grep -rlF -- "$1" "$2" || true', 'sh', text, machine.dir]);
      assert.equal(grep('canary of alpha').toString(), '');
      assert.notEqual(grep('canary of beta').toString(), '');
      assert.deepEqual(await machine.store.listRemoved(), []);
    }));

  const swept: Readonly<Record<string, [name: string, days: number]>> = {
    'Growth-Circle/cadis#424 a temporary file of a write that was cut short': ['conversations/a.jsonl.17.tmp', 2],
    'melodic-software/claude-code-plugins#1706 what commands of an old task kept': ['sandbox/a/home/.npm/x', 31],
  };
  for (const [name, [file, days]] of Object.entries(swept))
    it(`E21 ${name} goes in time`, () =>
      withTempDir(async (dir) => {
        const place = path.join(dir, file);
        await mkdir(path.dirname(place), { recursive: true });
        await writeFile(place, 'x');
        const before = (Date.now() - days * dayMs) / 1000;
        for (const each of [place, path.join(dir, 'sandbox/a/home')])
          if (existsSync(each)) await utimes(each, before, before);
        await sweepStorage(dir, storagePaths.machine, Date.now());
        assert.equal(existsSync(place), false);
      }));
});

describe('public reports on lost work of worktrees', () => {
  const withTask = (use: (at: Awaited<ReturnType<typeof open>>) => Promise<void>) =>
    withRepository(async (made) => use(await open(made)));
  const open = async ({ repository, dir, worktrees }: Parameters<Parameters<typeof withRepository>[0]>[0]) => {
    const git = await commitOf(repository, { 'a.txt': 'a\n' });
    const folder = await worktrees.add({ repository, name: 'task' }, signal);
    return { repository, dir, worktrees, git, folder };
  };
  const textOf = async (patch: string | undefined) => (patch === undefined ? '' : readFile(patch, 'utf8'));

  it('F39 anthropics/claude-code#74719 old work that nobody committed outlives every sweep', () =>
    withTask(async ({ dir, folder }) => {
      for (const name of ['a.txt', 'new.tmp']) await writeFile(path.join(folder, name), 'work\n');
      for (const place of [folder, path.join(folder, 'new.tmp')]) await utimes(place, 1, 1);
      await sweepStorage(path.dirname(dir), storagePaths.machine, Date.now());
      assert.deepEqual((await readdir(folder)).toSorted(), ['.git', 'a.txt', 'new.tmp']);
    }));

  it('F39 anthropics/claude-code#35862 framework/the-framework#786 edits and new files that nobody committed are in the patch', () =>
    withTask(async ({ worktrees, folder }) => {
      await writeFile(path.join(folder, 'a.txt'), 'edited\n');
      await writeFile(path.join(folder, 'new.txt'), 'untracked\n');
      const patch = await textOf(await worktrees.remove(folder, signal));
      assert.match(patch, /\+edited\n/);
      assert.match(patch, /\+untracked\n/);
    }));

  it('F39 tintinweb/pi-subagents#246 signatures that cannot be made stop no removal and lose nothing', () =>
    withTask(async ({ worktrees, folder, git }) => {
      await git('config', 'commit.gpgSign', 'true');
      await git('config', 'gpg.program', '/definitely/missing/gpg');
      await writeFile(path.join(folder, 'a.txt'), 'edited\n');
      assert.match(await textOf(await worktrees.remove(folder, signal)), /\+edited\n/);
    }));

  it('F39 anthropics/claude-code#35862 commits that a task made in its worktree are in the patch', () =>
    withTask(async ({ worktrees, folder }) => {
      await writeFile(path.join(folder, 'a.txt'), 'committed\n');
      const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
      execFileSync('git', [...identity, 'commit', '-qam', 'Work'], { cwd: folder });
      assert.match(await textOf(await worktrees.remove(folder, signal)), /\+committed\n/);
    }));

  it('F39 hurttlocker/o8#452 one that git has pruned keeps its work, is no obstacle, and says what it is', () =>
    withTask(async ({ repository, worktrees, folder, git }) => {
      await writeFile(path.join(folder, 'a.txt'), 'edited\n');
      await rename(folder, `${folder}-aside`);
      await git('worktree', 'prune', '--expire', 'now');
      await rename(`${folder}-aside`, folder);
      for (const use of [() => worktrees.inspect(folder, signal), () => worktrees.remove(folder, signal)])
        await assert.rejects(use, ToolError);
      assert.equal(await readFile(path.join(folder, 'a.txt'), 'utf8'), 'edited\n');
      await worktrees.add({ repository, name: 'next' }, signal);
    }));

  it('F39 a repository that was moved, and the work of its worktree is found again once git has repaired it', () =>
    withTask(async ({ repository, worktrees, folder }) => {
      await writeFile(path.join(folder, 'a.txt'), 'edited\n');
      await rename(repository, `${repository}-moved`);
      await assert.rejects(worktrees.inspect(folder, signal), ToolError);
      assert.equal(await readFile(path.join(folder, 'a.txt'), 'utf8'), 'edited\n');
      execFileSync('git', ['worktree', 'repair', folder], { cwd: `${repository}-moved`, stdio: 'ignore' });
      assert.equal((await worktrees.inspect(folder, signal)).changes.length, 1);
    }));
});

describe('public reports of 2026 on lost and left data', () => {
  const restoredAt = (use: (machine: Machine, git: ReturnType<typeof gitIn>) => Promise<void>) =>
    withMachines(async (temp) => {
      const machine = await openMachine(temp);
      await writeFiles(machine.root, {
        'a.txt': 'one\n',
        '.gitignore': 'output\n',
        'output/run.jsonl': 'hours of work\n',
      });
      const git = gitIn(machine.root);
      await git('init');
      await git('add', 'a.txt', '.gitignore');
      await git('commit', '-m', 'First');
      await use(machine, git);
    });

  it('F16 E10 github/copilot-cli#1675 restoring leaves files alone that nobody but the user’s programs wrote', () =>
    restoredAt(async ({ root, change, checkpoints }) => {
      await writeFiles(root, { 'new/untracked.xlsx': 'theirs\n' });
      await change('t1', 'a.txt', 'two\n');
      await checkpoints.restore(['t1'], async () => 'all');
      const read = (name: string) => readFile(path.join(root, name), 'utf8');
      assert.deepEqual(await Promise.all(['a.txt', 'new/untracked.xlsx', 'output/run.jsonl'].map(read)), [
        'one\n',
        'theirs\n',
        'hours of work\n',
      ]);
    }));

  it('F16 E10 cline/cline#14367 restoring a .gitignore deletes nothing that it no longer names', () =>
    restoredAt(async ({ root, change, checkpoints }) => {
      await change('t1', '.gitignore', 'output\ncache\n');
      await writeFiles(root, { 'cache/kept.bin': 'kept\n' });
      await checkpoints.restore(['t1'], async () => 'all');
      assert.equal(await readFile(path.join(root, '.gitignore'), 'utf8'), 'output\n');
      assert.equal(await readFile(path.join(root, 'cache/kept.bin'), 'utf8'), 'kept\n');
    }));

  it('F16 E10 openai/codex#29388 openai/codex#8214 checkpoints put nothing into the user’s repository', () =>
    restoredAt(async ({ root, change, checkpoints }, git) => {
      await git('add', 'a.txt');
      const picture = async () => {
        const names = (await readdir(path.join(root, '.git'), { recursive: true })).toSorted();
        return [names, await readFile(path.join(root, '.git/index'))];
      };
      const was = await picture();
      for (const text of ['two\n', 'three\n']) await change('t1', 'a.txt', text);
      await checkpoints.restore(['t1'], async () => 'all');
      assert.deepEqual(await picture(), was);
    }));

  it('E21 anthropics/claude-code#45286 a step of three calls with two results can be gone on with', () => {
    const toolCalls = ['c1', 'c2', 'c3'].map((id) => ({ id, name: 'read_file', arguments: '{}' }));
    const [question, started] = turnOf(1);
    assert.ok(question && started);
    const finished = (callId: string): DurableEvent => ({
      ...{ type: 'toolFinished', turnId: 't1', step: 0, callId, name: 'read_file', title: 'Read', state: 'done' },
      ...{ forModel: callId, durationMs: 1 },
    });
    const events = [question, started, stepFinished('t1', { toolCalls }), finished('c1'), finished('c3')];
    const { conversation } = converseWith([], { events: closeInterrupted(events) });
    assert.equal(conversation.state().running, undefined);
    const history = toHistory(closeInterrupted(events));
    const results = history.flatMap((one) => (one.role === 'tool' ? [one.callId] : []));
    assert.deepEqual(results.toSorted(), ['c1', 'c2', 'c3']);
  });

  it('E07 anthropics/claude-code#26964 conversations that run at once, in one window or two, are in no other’s file', () =>
    withTempDir(async (dir) => {
      const [one, two] = [openStore(dir), openStore(dir)];
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((id, at) => storeOne(at % 2 === 0 ? one : two, id, at + 1, `only ${id}`)),
      );
      for (const store of [one, two]) await store.dispose();
      for (const id of ['a', 'b', 'c', 'd']) {
        const text = await readFile(path.join(dir, 'conversations', `${id}.jsonl`), 'utf8');
        assert.deepEqual([...new Set(text.match(/only \w/g))], [`only ${id}`]);
      }
    }));

  it('F18 microsoft/vscode#296890 a message that is sent while a turn runs begins no second one', async () => {
    let running = 0;
    let most = 0;
    const turn: RunTurn = async (input) => {
      most = Math.max(most, ++running);
      for (let n = 0; n < 20; n++) await new Promise((done) => setImmediate(done));
      running -= 1;
      return answering('done')(input);
    };
    const { conversation } = converseWith([turn, turn, turn]);
    const send = (text: string) => conversation.send({ text, attachments: [], model });
    await Promise.allSettled([send('one'), send('two'), send('three')]);
    assert.equal(most, 1);
  });

  it('E07 openakita/openakita#663 eight windows list and write 160 times at once, and the index is whole', () =>
    withTempDir(async (dir) => {
      const stores = Array.from({ length: 8 }, () => openStore(dir));
      await Promise.all(
        stores.map(async (store, at) => {
          for (let n = 1; n <= 20; n++) {
            await appendAll(store, `c${at}`, turnOf(at * 100 + n));
            await store.list();
          }
        }),
      );
      for (const store of stores) await store.dispose();
      const { rows } = JSON.parse(await readFile(indexOf(dir), 'utf8'));
      assert.ok(rows.length > 0);
      assert.equal((await openStore(dir).list()).length, 8);
    }));

  it('E21 link-assistant/hive-mind#2186 115 copies of the workspace that dead windows left are gone after the next start', () =>
    withTempDir(async (dir) => {
      const source = path.resolve(import.meta.dirname, '../../../src/base/temporary.ts');
      const script = `const { nameOfThis } = await import(${JSON.stringify(source)}); process.stdout.write(nameOfThis('snapshots'));`;
      const dead = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      for (let n = 0; n < 115; n++) await writeFiles(dir, { [`${dead}-${n}/0`]: 'copy' });
      await removeLeftOver(dir);
      assert.deepEqual(await readdir(dir), []);
    }));

  it('X32 first-tree-ai/first-tree#1626 a file that grows between the look at its size and the reading is not read on', async () => {
    const root = { name: 'ws', uri: 'file:///ws', fsPath: '/ws' };
    let given = 0;
    const files = {
      stat: async () => ({ kind: 'file' as const, sizeBytes: 10 }),
      async *read() {
        for (;;) {
          given += 1000;
          yield Buffer.alloc(1000, 'x');
        }
      },
    };
    const workspace = { unsavedText: () => undefined, codec: createNodeCodec() };
    const read = await readText({ workspace, files }, { root, path: 'a' }, { max: 5000, checked: undefined });
    assert.deepEqual([read, given], [{ not: 'small' }, 6000]);
  });

  it('E21 microsoft/vscode#298907 a conversation whose turn still runs is listed when another one begins', () =>
    withTempDir(async (dir) => {
      const store = openStore(dir);
      await appendAll(store, 'first', turnOf(1).slice(0, 2));
      await storeOne(store, 'second', 2);
      assert.deepEqual((await store.list()).map(({ id }) => id).toSorted(), ['first', 'second']);
      await store.dispose();
    }));
});
