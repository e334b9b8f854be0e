import { randomUUID } from 'node:crypto';
import * as nodeFs from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isAlive } from '../base/is-alive.ts';
import { createSerial } from '../base/serial.ts';
import { createLease } from '../storage/lease.ts';
import { ignoreMissing, type StorageFs } from '../storage/storage-fs.ts';
import { writeAtomically } from '../storage/write-atomically.ts';
import type { LedgerEntry, MeterContext } from './ledger-entry.ts';
import { costMicroUsd } from './price.ts';

export interface Planned extends MeterContext {
  model: string;
  promptTokens: number;
}

/** Stores the possible cost of one request under way where every window sees it, and where it outlives its own. */
export interface Reservation {
  /** Rejects when the reservation is not on the disk; it counts in this window all the same. */
  written: Promise<void>;
  /**
   * Stores the id under which the request is sent, so that whoever finds the reservation later knows which ledger
   * line it became.
   */
  identify(requestId: string): void;
  grow(completionTokens: number): void;
  /** Ends the counting at once. The file is deleted after `stored` has settled. */
  end(stored?: Promise<unknown>): Promise<void>;
}

export interface UnderWay {
  microUsd: number;
  /** Counts every request of this window, whatever it is for, and those of the conversation in other windows. */
  conversationMicroUsd: number;
}

export interface Reservations {
  open(planned: Planned): Reservation;
  underWay(conversationId: string | undefined): Promise<UnderWay>;
  /** Returns the reservations of windows that died, as ledger lines. Call `forget` for those that are in the ledger. */
  left(): Promise<{ entry: LedgerEntry; forget(): Promise<void> }[]>;
  settled(): Promise<void>;
  alone<T>(run: () => Promise<T>): Promise<T>;
}

export interface ReservationsDeps {
  dir: string;
  clock: { epochMs(): number };
  fs?: StorageFs;
}

const fileSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  requestId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  pid: z.number(),
  host: z.string(),
  process: z.string(),
  at: z.number().check(z.minimum(0), z.maximum(8.64e15)),
  model: z.string().check(z.maxLength(200)),
  surface: z.string().check(z.maxLength(40)),
  conversationId: z.optional(z.string()),
  turnId: z.optional(z.string()),
  promptTokens: z.number().check(z.int(), z.minimum(0)),
  completionTokens: z.number().check(z.int(), z.minimum(0)),
});
type Kept = z.infer<typeof fileSchema>;

const processId = randomUUID();
/**
 * No request takes longer, so an older file is from another machine, or its process id belongs to another process
 * now.
 */
const maxMs = 2 * 3_600_000;
const lockWaitMs = 15_000;
const lockPollMs = 10;

export function createReservations({ dir, clock, ...deps }: ReservationsDeps): Reservations {
  const fs = deps.fs ?? nodeFs;
  const folder = path.join(dir, 'under-way');
  const own = new Map<string, Kept>();
  const ending = new Map<string, Promise<void>>();
  const oneByOne = createSerial();
  const lease = createLease(path.join(dir, 'under-way.lease'), {
    epochMs: clock.epochMs,
    // Held for milliseconds, so it needs no heartbeat.
    after: () => () => undefined,
    newId: randomUUID,
    fs,
  });

  const fileOf = (id: string): string => path.join(folder, `${id}.json`);

  const write = (kept: Kept, flush = false): Promise<void> =>
    writeAtomically(fileOf(kept.id), JSON.stringify(kept), fs, { flush });

  async function readAll(): Promise<Kept[]> {
    const names = (await fs.readdir(folder).catch(ignoreMissing)) ?? [];
    const read = names.filter((name) => name.endsWith('.json')).map((name) => readOne(path.join(folder, name)));
    return (await Promise.all(read)).flatMap((kept) => kept ?? []);
  }

  async function readOne(file: string): Promise<Kept | undefined> {
    const text = await fs.readFile(file, 'utf8').catch(ignoreMissing);
    if (text === undefined) return undefined;
    try {
      const parsed = fileSchema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    } catch {
      // Of another version, or damaged: nothing can be said of it.
      return undefined;
    }
  }

  function isDead(kept: Kept): boolean {
    if (Math.abs(clock.epochMs() - kept.at) > maxMs) return true;
    if (kept.host !== hostname()) return false;
    return kept.pid === process.pid ? kept.process !== processId : !isAlive(kept.pid);
  }

  async function forget(id: string): Promise<void> {
    const names = (await fs.readdir(folder).catch(ignoreMissing)) ?? [];
    const mine = names.filter((name) => name.startsWith(id));
    await Promise.all(mine.map((name) => fs.rm(path.join(folder, name), { force: true })));
  }

  const foreign = async (): Promise<Kept[]> => {
    // One of ours may end, and its file go, between the reading and the look at its id.
    const ours = new Set([...own.keys(), ...ending.keys()]);
    return (await readAll()).filter(({ id }) => !ours.has(id) && !own.has(id) && !ending.has(id));
  };

  return {
    open: (planned) => {
      const kept = toKept(planned, clock.epochMs());
      own.set(kept.id, kept);
      const inOrder = createSerial();
      const written = inOrder(() => write(kept, true));
      let changed = false;
      const change = (to: Partial<Kept>): void => {
        Object.assign(kept, to);
        if (changed) return;
        changed = true;
        inOrder(async () => {
          changed = false;
          if (own.has(kept.id)) await write(kept);
        }).catch(() => {
          // The disk may be full. If the window lives on, the ledger line of the request says what it cost.
        });
      };
      return {
        written,
        identify: (requestId) => change({ requestId }),
        grow: (completionTokens) => change({ completionTokens }),
        end: async (stored) => {
          if (!own.delete(kept.id)) return;
          const gone = inOrder(async () => {
            await stored;
            await fs.rm(fileOf(kept.id), { force: true });
            ending.delete(kept.id);
          });
          ending.set(kept.id, gone);
          await gone;
        },
      };
    },

    async underWay(conversationId) {
      const here = [...own.values()];
      // Where nothing can be read, what this window has under way still counts.
      const elsewhere = (await foreign().catch(() => [])).filter((kept) => !isDead(kept));
      const same = elsewhere.filter((kept) => conversationId !== undefined && kept.conversationId === conversationId);
      return {
        microUsd: costOf([...here, ...elsewhere]),
        conversationMicroUsd: costOf([...here, ...same]),
      };
    },

    async left() {
      const dead = (await foreign()).filter(isDead);
      return dead.map((kept) => ({
        entry: toEntry(kept),
        forget: () => forget(kept.id),
      }));
    },

    settled: async () => {
      await Promise.allSettled(ending.values());
    },

    alone: (run) =>
      oneByOne(async () => {
        const until = performance.now() + lockWaitMs;
        // Without a lock the limits are checked all the same.
        const isFree = (): Promise<boolean> => lease.acquire().catch(() => true);
        while (!(await isFree()) && performance.now() < until) await sleep(lockPollMs);
        try {
          return await run();
        } finally {
          await lease.release().catch(() => undefined);
        }
      }),
  };
}

function toKept({ model, surface, conversationId, turnId, promptTokens }: Planned, at: number): Kept {
  return {
    id: randomUUID(),
    at,
    pid: process.pid,
    host: hostname(),
    process: processId,
    model,
    surface,
    ...(conversationId !== undefined && { conversationId }),
    ...(turnId !== undefined && { turnId }),
    promptTokens,
    completionTokens: 0,
  };
}

function costOf(all: readonly Kept[]): number {
  return all.reduce(
    (sum, { promptTokens, completionTokens }) => sum + costMicroUsd(promptTokens + completionTokens),
    0,
  );
}

/** Nobody knows how the request ended, so the line is an estimate that was possibly charged. */
function toEntry({ id, requestId = id, at, model, surface, conversationId, turnId, ...tokens }: Kept): LedgerEntry {
  const { promptTokens, completionTokens } = tokens;
  const totalTokens = promptTokens + completionTokens;
  return {
    id: requestId,
    at,
    model,
    surface,
    ...(conversationId !== undefined && { conversationId }),
    ...(turnId !== undefined && { turnId }),
    promptTokens,
    completionTokens,
    totalTokens,
    microUsd: costMicroUsd(totalTokens),
    estimated: true,
    charge: 'maybe',
    outcome: 'died',
  };
}
