import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import { createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import type { LedgerEntry } from '../../../src/spend/ledger-entry.ts';
import { openStoredValues } from '../../../src/storage/stored-values.ts';
import { seeds, someOf } from '../../support/effort.ts';
import { restorable } from '../../support/restorable.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type Note, type Notes, readNotes, select, textOf } from './notes.ts';
import { converse } from './samples.ts';

/** Each profile is lived in by one window after the other; the profiles side by side. */
const profiles = someOf(seeds(2, 20), 2);
const lives = 10;
/** So many at a time. */
const sideBySide = 4;
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
  assert.deepEqual(answered, called);
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

  it(`E02 E03 E07 E09 E17 E21 F5 loses at most the record it was writing, ${profiles.length * lives} times over`, async function () {
    this.timeout(600_000);
    const killed: number[] = [];
    const live = async (profile: number): Promise<void> => {
      const temp = await makeTempDir();
      temps.push(temp);
      const dir = temp.path;
      await writeFiles(dir, { 'ws/a.ts': 'the beginning\n', 'notes.jsonl': '' });
      for (let life = 0; life < lives; life++) {
        const seed = profile * 1000 + life;
        const child = spawn(process.execPath, [program, dir, String(life), String(seed)], {
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let printed = '';
        child.stderr.on('data', (data) => {
          printed += String(data);
        });
        const [, signal] = await once(child, 'exit');
        assert.equal(signal, 'SIGKILL', `seed ${seed}: ${printed}`);
        killed.push(seed);
        try {
          const notes = readNotes(dir);
          await checkConversations(dir, notes, `c${Math.floor(life / 5)}`);
          await checkLedger(dir, notes);
          await checkValues(dir, notes);
          await checkCheckpoints(dir, notes);
        } catch (error) {
          throw new Error(`after the death with seed ${seed} (${(await readdir(dir)).join(', ')})`, { cause: error });
        }
      }
    };
    const waiting = profiles.values();
    const liveOn = async (): Promise<void> => {
      for (const profile of waiting) await live(profile);
    };
    await Promise.all(Array.from({ length: sideBySide }, liveOn));
    assert.equal(killed.length, profiles.length * lives);
  });
});
