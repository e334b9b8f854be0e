import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createLease, heartbeatMs, type LeaseDeps, staleAfterMs } from '../../../src/storage/lease.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';

interface Timer {
  at: number;
  run: () => void;
}

/** Several windows on one machine with one clock that the test moves. */
function createMachine() {
  let now = 1_000_000;
  let ids = 0;
  const timers = new Set<Timer>();
  const dead = new Set<number>();
  return {
    dead,
    timers,
    /** `beats: false` is a window whose event loop hangs. */
    window: (pid: number, { beats = true, host = 'here' } = {}): LeaseDeps => ({
      epochMs: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run };
        if (beats) timers.add(timer);
        return () => timers.delete(timer);
      },
      newId: () => `id${++ids}`,
      pid,
      host,
      isAlive: (asked) => !dead.has(asked),
    }),
    /** Runs what is due; `settled` tells when the heartbeats it caused are on disk. */
    advance(ms: number): void {
      now += ms;
      for (const timer of [...timers].filter((one) => one.at <= now)) {
        timers.delete(timer);
        timer.run();
      }
    },
    setBack(ms: number): void {
      now -= ms;
    },
  };
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  await waitFor('the condition', condition, { pollMs: 1 });
}

describe('lease', () => {
  it('E07 lets one window write and the next one after it has released', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      const [one, two] = [createLease(file, machine.window(1)), createLease(file, machine.window(2))];
      assert.equal(await one.acquire(), true);
      assert.equal(await one.acquire(), true);
      assert.equal(await two.acquire(), false);
      await one.release();
      assert.equal(await two.acquire(), true);
      assert.equal(await one.acquire(), false);
      await two.release();
      assert.deepEqual(await readdir(dir), []);
    });
  });

  it('E07 stays with a holder that shows signs of life, however long', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      const [one, two] = [createLease(file, machine.window(1)), createLease(file, machine.window(2))];
      await one.acquire();
      for (let beat = 0; beat < 10; beat++) {
        machine.advance(heartbeatMs);
        await until(() => machine.timers.size > 0);
        assert.equal(await two.acquire(), false);
      }
      await one.release();
    });
  });

  it('E07 tells its holder at a heartbeat that another window asks for it, once, and nothing when nobody does', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      let asked = 0;
      let looks = 0;
      const rm: typeof fs.rm = (of, options) =>
        fs.rm(of, options).finally(() => {
          if (String(of).endsWith('.ask')) looks++;
        });
      const holder = createLease(file, { ...machine.window(1), fs: { ...fs, rm }, onAsked: () => void asked++ });
      const other = createLease(file, machine.window(2));
      const askedAtBeat = async () => {
        const [before, seen] = [asked, looks];
        machine.advance(heartbeatMs);
        await until(() => looks > seen);
        return asked - before;
      };
      await holder.acquire();
      assert.deepEqual([await askedAtBeat(), await askedAtBeat()], [0, 0]);
      await other.ask();
      assert.deepEqual([await askedAtBeat(), await askedAtBeat()], [1, 0]);
      await other.ask();
      assert.deepEqual([await holder.wasAsked(), await holder.wasAsked(), await askedAtBeat()], [true, false, 0]);
      await holder.release();
      await other.ask();
      assert.equal(await holder.wasAsked(), false);
    });
  });

  it('E07 passes to the next window when the holder hangs, and the holder notices', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      const hanging = createLease(file, machine.window(1, { beats: false }));
      const next = createLease(file, machine.window(2));
      await hanging.acquire();
      machine.advance(staleAfterMs);
      assert.equal(await next.acquire(), false);
      machine.advance(1);
      assert.equal(await next.acquire(), true);
      await hanging.release();
      assert.match(await readFile(file, 'utf8'), /"pid":2/);
      assert.equal(await hanging.acquire(), false);
    });
  });

  it('E21 is free at once when the holder died on this machine, so that a reload can go on', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      await createLease(file, machine.window(1)).acquire();
      const after = createLease(file, machine.window(2));
      assert.equal(await after.acquire(), false);
      machine.dead.add(1);
      assert.equal(await after.acquire(), true);
    });
  });

  it('E07 E21 says who writes: another one that lives, not this one, nobody, or one that hangs or died', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      const holder = createLease(file, machine.window(1, { beats: false }));
      const other = createLease(file, machine.window(2));
      assert.equal(await other.heldByOther(), false);
      await holder.acquire();
      assert.deepEqual([await holder.heldByOther(), await other.heldByOther()], [false, true]);
      machine.advance(staleAfterMs + 1);
      assert.equal(await other.heldByOther(), false);
      await other.acquire();
      assert.deepEqual(
        [await other.heldByOther(), await createLease(file, machine.window(3)).heldByOther()],
        [false, true],
      );
      machine.dead.add(2);
      assert.equal(await createLease(file, machine.window(3)).heldByOther(), false);
      await other.release();
      assert.equal(await createLease(file, machine.window(3)).heldByOther(), false);
    });
  });

  it('E07 does not judge a process of another machine by its number', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      await createLease(file, machine.window(1, { host: 'elsewhere' })).acquire();
      machine.dead.add(1);
      assert.equal(await createLease(file, machine.window(2)).acquire(), false);
    });
  });

  it('E07 goes to exactly one of many windows that find a dead holder', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      await createLease(file, machine.window(1)).acquire();
      machine.dead.add(1);
      const windows = Array.from({ length: 12 }, (_, n) => createLease(file, machine.window(n + 2)));
      let taken = await Promise.all(windows.map((window) => window.acquire()));
      if (!taken.includes(true)) taken = await Promise.all(windows.map((window) => window.acquire()));
      assert.equal(taken.filter(Boolean).length, 1);
    });
  });

  it('T13 is not held for ever by a dead window when the clock is set back', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      await createLease(file, machine.window(1, { beats: false })).acquire();
      machine.setBack(600_000);
      assert.equal(await createLease(file, machine.window(2)).acquire(), true);
    });
  });

  it('E01 takes over from half a file, but not while it may still be being written', async () => {
    await withTempDir(async (dir) => {
      const machine = createMachine();
      const file = path.join(dir, 'c.lease');
      await writeFile(file, '{"id":"x","pi');
      const lease = createLease(file, machine.window(1));
      await utimes(file, 1000, 1000);
      assert.equal(await lease.acquire(), false);
      machine.advance(staleAfterMs + 1);
      assert.equal(await lease.acquire(), true);
    });
  });
});
