import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { sweepTemporary } from '../../../src/base/temporary.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import { createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import { openSplit, readPlan } from '../../../src/features/git/core/split-plan.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import type { LedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { isNamed, storagePaths } from '../../../src/storage/storage-paths.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { seeds, someOf, times } from '../../support/effort.ts';
import { gitIn, gitPath } from '../../support/git-in.ts';
import { isAlive } from '../../support/is-alive.ts';
import { restorable } from '../../support/restorable.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { commitOf, signal } from '../features/worktrees/repositories.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type Note, type Notes, readNotes, select, textOf } from './notes.ts';
import { openRepository, openReview, openWorktrees, repositoryOf } from './other-work.ts';
import { converse } from './samples.ts';

/** Each profile is lived in by one window after the other; the profiles side by side. */
const profiles = someOf(seeds(2, 20), 2);
const lives = 10;
/** So many at a time. */
const sideBySide = 4;
/** With worktrees, reviews, splits and subagents under way: sixty deaths in `test:all`. */
const busyProfiles = seeds(1, 6).slice(0, times(1, 6));
const busyLives = times(2, 10);
const clock = { epochMs: () => Date.now(), after: () => () => undefined };

/** `found` holds everything of `done` and nothing that is not of `begun`, both in their order. */
function assertKept(found: readonly string[], { begun, done }: Notes, what: string): void {
  let at = 0;
  for (const one of found) {
    at = begun.indexOf(one, at) + 1;
    assert.ok(at > 0, `${what}: nobody wrote, or not in this place: ${one.slice(0, 200)}`);
  }
  at = 0;
  for (const one of done) {
    at = found.indexOf(one, at) + 1;
    assert.ok(at > 0, `${what}: lost: ${one.slice(0, 200)}`);
  }
}

async function checkConversations(dir: string, all: readonly Note[], current: string): Promise<void> {
  const damage: { id: string; damaged: number }[] = [];
  let ids = 0;
  const store = createConversationStore({
    dir,
    clock,
    newId: () => `look-${++ids}`,
    onDamage: (one) => void damage.push(one),
  });
  const notes = select(all, 'event', current);
  const records = (await store.readRecords(current)) ?? [];
  assertKept(records.map(textOf), notes, 'conversation');
  // At most the record that was being written when the window died.
  assert.ok(records.length >= notes.done.length);
  const listed = await store.list();
  if (records.length > 0) assert.equal(listed.filter(({ id }) => id === current).length, 1);
  await rm(path.join(dir, 'conversations', 'index.json'), { force: true });
  assert.deepEqual(await store.list(), listed, 'the list is rebuilt from the files');
  const events = (await store.read(current)) ?? [];
  assertClosed(events);
  const { conversation } = converse([], { id: current, events });
  assert.equal(conversation.state().running, undefined);
  const asked = events.filter((event) => event.type === 'userMessage').length;
  assert.equal(conversation.state().items.filter(({ kind }) => kind === 'user').length, asked);
}

/** Every turn has one end, and every call that was made has a result. */
function assertClosed(events: readonly DurableEvent[]): void {
  const turnsOf = (type: DurableEvent['type']) =>
    events.flatMap((event) => (event.type === type && 'turnId' in event ? [event.turnId] : []));
  assert.deepEqual(turnsOf('turnEnded').sort(), turnsOf('turnStarted').sort());
  const called = events.flatMap((event) => (event.type === 'stepFinished' ? event.toolCalls.map(({ id }) => id) : []));
  const answered = events.flatMap((event) => (event.type === 'toolFinished' ? [event.callId] : []));
  assert.deepEqual(answered.sort(), called.sort());
}

async function checkLedger(dir: string, all: readonly Note[]): Promise<void> {
  const ledger = createLedger({ dir: path.join(dir, 'ledger'), clock });
  const found: LedgerEntry[] = [];
  const month = { from: '2026-11-01', to: '2026-11-30' };
  await ledger.eachEntry(month, (entry) => void found.push(entry));
  // What a window had under way when it died is entered by the next one, which is told in no note.
  const told = found.filter(({ outcome }) => outcome !== 'died');
  assertKept(told.map(textOf), select(all, 'attempt'), 'ledger');
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length, 'no attempt twice');
  const sum = found.reduce((total, entry) => total + entry.microUsd, 0);
  assert.equal((await ledger.totals(month)).microUsd, sum);
  await ledger.close();
}

async function checkValues(dir: string, all: readonly Note[]): Promise<void> {
  const errors: unknown[] = [];
  const kept = await openStoredValues({
    dir: path.join(dir, 'unsent'),
    onError: (error) => void errors.push(error),
  });
  assert.deepEqual(errors, []);
  const { begun, done } = select(all, 'value', 'draft.sideBar.x');
  const draft = JSON.stringify(kept.get('draft.sideBar.x') ?? null);
  // Each that was begun after the last one that is known to be done may be the one, or nothing before the first.
  const last = done.at(-1);
  const newest = last === undefined ? ['null', ...begun] : begun.slice(begun.lastIndexOf(last));
  assert.ok(newest.includes(draft), `the draft is ${draft}, not one of ${newest.join(' ')}`);
}

function openCheckpoints(dir: string) {
  const put = new Map<string, string | undefined>();
  const checkpoints = createCheckpoints({
    dir: path.join(dir, 'checkpoints'),
    workspace: openFolders({ ws: path.join(dir, 'ws') }).workspace,
    shown: ({ path: name }) => name,
    files: {
      read: (place) => readFile(path.join(dir, 'ws', place.path)),
      named: async (place) => place,
      missingFolders: async () => [],
      put: async (changes) => {
        for (const { place, bytes } of changes) put.set(place.path, bytes && Buffer.from(bytes).toString('base64'));
        return [];
      },
    },
    clock,
    newId: () => 'restore',
  });
  return { checkpoints, put };
}

/** Every file that a turn was allowed to change can be put back to what it was. */
async function checkCheckpoints(dir: string, all: readonly Note[]): Promise<void> {
  const { checkpoints, put } = openCheckpoints(dir);
  const last = all.findLast((note) => note.what === 'checkpoint' && note.state === 'done');
  if (last === undefined) return;
  const [found] = await restorable(checkpoints, [last.of]);
  assert.ok(found !== undefined && found.state !== 'lost', `the checkpoint of ${last.of} is ${found?.state}`);
  if (found.state === 'same') return;
  await checkpoints.restore([last.of], async () => 'all');
  assert.equal(textOf(put.get('a.ts')), last.text);
  await checkpoints.close();
}

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const edited = base.replace('one', 'ONE').replace('ten', 'TEN');

/** Two hunks are staged, and the file was changed again since. */
async function makeRepository(dir: string): Promise<void> {
  await mkdir(repositoryOf(dir));
  const git = await commitOf(repositoryOf(dir), { 'a.txt': base, 'b.txt': 'b\n' });
  await writeFile(path.join(repositoryOf(dir), 'a.txt'), edited);
  await git('add', '-A');
  await writeFile(path.join(repositoryOf(dir), 'a.txt'), `${edited}more\n`);
}

/** What the next window does first leaves no folder that nobody named. */
async function checkNextStart(dir: string): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = path.join(dir, 'tmp');
  await sweepTemporary().finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  assert.deepEqual(await openWorktrees(dir).recover(signal), []);
  const all = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = all
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/^(?:ws|repository)\/|^notes\.jsonl$|^tmp\/\.keep$/.test(file));
  const isKnown = (file: string) => isNamed(storagePaths.machine, file) || isNamed(storagePaths.workspace, file);
  assert.deepEqual(
    files.filter((file) => !isKnown(file)),
    [],
    'nobody named it',
  );
}

async function checkReview(dir: string, all: readonly Note[]): Promise<void> {
  const found = (await openReview(dir)).stored.map(({ path: name }) => textOf(name));
  assertKept(found, select(all, 'review'), 'review');
}

/** All work that was done is in its folder, or in a patch. */
async function checkWorktrees(dir: string, all: readonly Note[]): Promise<void> {
  const patches = path.join(dir, 'worktrees', 'patches');
  const names = await readdir(patches).catch(() => []);
  const saved = await Promise.all(names.map((name) => readFile(path.join(patches, name), 'utf8')));
  const listed = await openWorktrees(dir).old(Number.POSITIVE_INFINITY);
  for (const { of, state, text } of all.filter(({ what }) => what === 'worktree')) {
    if (state !== 'done') continue;
    const work = JSON.parse(text) as string;
    const isThere = (await readFile(path.join(of, 'new.txt'), 'utf8').catch(() => '')) === work;
    assert.ok(isThere || saved.some((patch) => patch.includes(`+${work}`)), `lost: ${work} of ${of}`);
    if (isThere) assert.ok(listed.includes(of), `hidden: ${of}`);
  }
}

/** The user's own files and commits are as they were, and what was staged can be had back. */
async function checkSplit(dir: string): Promise<string> {
  const git = gitIn(repositoryOf(dir));
  const out = async (...args: string[]) => (await git(...args)).stdout;
  assert.equal(await readFile(path.join(repositoryOf(dir), 'a.txt'), 'utf8'), `${edited}more\n`);
  assert.equal(await out('log', '--format=%s', '--all'), 'First\n');
  const errors: unknown[] = [];
  const kept = await openStoredValues({ dir: path.join(dir, 'unsent'), onError: (error) => void errors.push(error) });
  const plan = readPlan(kept.get('split'));
  const was = await out('show', ':a.txt');
  if (plan !== undefined) await (await openSplit(await openRepository(dir), plan)).undo();
  assert.equal(await out('show', ':a.txt'), edited);
  assert.deepEqual(errors, []);
  return was === edited ? 'whole' : 'restored';
}

describe('a window that is killed at any moment', () => {
  const temps: TempDir[] = [];
  let bundle: TempDir;
  let program = '';

  before(async function () {
    this.timeout(120_000);
    bundle = await makeTempDir();
    program = path.join(bundle.path, 'window.mjs');
    // One file, because it is started two hundred times.
    await build({
      entryPoints: [fileURLToPath(new URL('window-that-dies.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      // Packages that are no modules ask for Node's own parts by `require`.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outfile: program,
      logLevel: 'warning',
    });
  });
  after(async () => {
    for (const temp of [bundle, ...temps]) await temp.remove();
  });

  /** One window after the other, each killed; `look` sees what each leaves. */
  const live = async (
    { seed: first, lives, isBusy }: { seed: number; lives: number; isBusy: boolean },
    look: (dir: string, life: number) => Promise<void>,
  ): Promise<void> => {
    const temp = await makeTempDir();
    temps.push(temp);
    const dir = temp.path;
    await writeFiles(dir, { 'ws/a.ts': 'the beginning\n', 'notes.jsonl': '', 'tmp/.keep': '' });
    if (isBusy) await makeRepository(dir);
    for (let life = 0; life < lives; life++) {
      const seed = first + life;
      const child = spawn(process.execPath, [program, dir, String(life), String(seed), ...(isBusy ? ['busy'] : [])], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, TMPDIR: path.join(dir, 'tmp') },
        detached: isBusy,
      });
      let printed = '';
      child.stderr.on('data', (data) => {
        printed += String(data);
      });
      const [, signal] = await once(child, 'exit');
      // What Git was doing it ends.
      while (isBusy && isAlive(-(child.pid ?? 0))) await setImmediate();
      assert.equal(signal, 'SIGKILL', `seed ${seed}: ${printed}`);
      try {
        await look(dir, life);
      } catch (error) {
        throw new Error(`after the death with seed ${seed} (${(await readdir(dir)).join(', ')})`, { cause: error });
      }
    }
  };

  it(`E02 E03 E07 E09 E17 E21 F5 loses at most the record it was writing, ${profiles.length * lives} times over`, async function () {
    this.timeout(600_000);
    const look = async (dir: string, life: number) => {
      const notes = readNotes(dir);
      await checkConversations(dir, notes, `c${Math.floor(life / 5)}`);
      await checkLedger(dir, notes);
      await checkValues(dir, notes);
      await checkCheckpoints(dir, notes);
    };
    const waiting = profiles.values();
    const liveOn = async (): Promise<void> => {
      for (const profile of waiting) await live({ seed: profile * 1000, lives, isBusy: false }, look);
    };
    await Promise.all(Array.from({ length: sideBySide }, liveOn));
  });

  it(`E21 F35 F39 F42 F6 loses nothing of worktrees, reviews, splits and subagents, and leaves nothing unnamed, ${busyProfiles.length * busyLives} times over`, async function () {
    if (gitPath === undefined || process.platform === 'win32') this.skip();
    this.timeout(1_800_000);
    const ends: string[] = [];
    for (const profile of busyProfiles)
      await live({ seed: 1_000_000 + profile * 1000, lives: busyLives, isBusy: true }, async (dir, life) => {
        const notes = readNotes(dir);
        await checkNextStart(dir);
        await checkConversations(dir, notes, `c${Math.floor(life / 5)}`);
        await checkLedger(dir, notes);
        await checkValues(dir, notes);
        await checkCheckpoints(dir, notes);
        await checkReview(dir, notes);
        await checkWorktrees(dir, notes);
        ends.push(await checkSplit(dir));
      });
    assert.equal(ends.length, busyProfiles.length * busyLives);
  });
});
