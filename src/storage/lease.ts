import * as nodeFs from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive } from '../base/is-alive.ts';
import { moveFile } from './move-file.ts';
import { hasCode, isMissing, type StorageFs } from './storage-fs.ts';

export interface Lease {
  /**
   * Returns whether this window has the file now, and takes over from a window that died. Calling it again while the
   * lease is held is cheap.
   */
  acquire(): Promise<boolean>;
  release(): Promise<void>;
  heldByOther(): Promise<boolean>;
  /** Asks the window that has the file to give it up. */
  ask(): Promise<void>;
  /**
   * Returns whether another window asked for the file since the last call. Every heartbeat checks it too and calls
   * `onAsked`.
   */
  wasAsked(): Promise<boolean>;
}

export interface LeaseDeps {
  /** Returns epoch milliseconds, because other processes read the heartbeat, so it cannot be monotonic time. */
  epochMs(): number;
  after(ms: number, run: () => void): () => void;
  newId(): string;
  onAsked?(): void;
  fs?: StorageFs;
  pid?: number;
  host?: string;
  isAlive?(pid: number): boolean;
}

const noHardLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK', 'EXDEV'];

export const heartbeatMs = 5000;
export const staleAfterMs = 16_000;

interface Holder {
  id: string;
  pid: number;
  host: string;
  at: number;
}

export function createLease(file: string, deps: LeaseDeps): Lease {
  const fs = deps.fs ?? nodeFs;
  const pid = deps.pid ?? process.pid;
  const host = deps.host ?? hostname();
  const isHolderAlive = deps.isAlive ?? isAlive;
  const id = deps.newId();
  const asking = `${file}.ask`;
  let held = false;
  let cancel: () => void = () => undefined;

  const text = (): string => JSON.stringify({ id, pid, host, at: deps.epochMs() } satisfies Holder);

  /**
   * Returns undefined when nobody has the file. An incomplete file counts as a window that was last alive when the
   * file was written.
   */
  async function holder(of = file): Promise<Holder | undefined> {
    try {
      const found = parseHolder(await fs.readFile(of, 'utf8'));
      return found ?? { id: '', pid: 0, host: '', at: (await fs.stat(of)).mtimeMs };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  function isStale(other: Holder): boolean {
    if (other.host === host && !isHolderAlive(other.pid)) return true;
    // A clock that was set back must not make a dead window immortal.
    return Math.abs(deps.epochMs() - other.at) > staleAfterMs;
  }

  /**
   * Creates the file whole or not at all: an incomplete file of a window that died meanwhile names nobody and would
   * have to be respected for as long as a heartbeat may take.
   */
  async function create(target: string): Promise<boolean> {
    const temporary = `${target}.${id}.tmp`;
    try {
      await fs.writeFile(temporary, text(), { mode: 0o600 });
      await fs.link(temporary, target);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      if (!noHardLinkCodes.some((code) => hasCode(error, code))) throw error;
      return createInPlace(target);
    } finally {
      await fs.rm(temporary, { force: true });
    }
  }

  async function createInPlace(target: string): Promise<boolean> {
    try {
      await fs.writeFile(target, text(), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  /** Two windows may find that the holder died, so the file beside the lease lets only one of them take over. */
  async function takeOver(): Promise<boolean> {
    const turn = `${file}.takeover`;
    if (!(await create(turn))) {
      const other = await holder(turn);
      if (other === undefined || !isStale(other)) return false;
      // The window that was taking over has died, too.
      await fs.rm(turn, { force: true });
      if (!(await create(turn))) return false;
    }
    try {
      const other = await holder();
      // Given up meanwhile, and perhaps taken by somebody again: only a dead one's may be written over.
      if (other === undefined) return await create(file);
      if (!isStale(other)) return false;
      await writeOver();
      return true;
    } finally {
      await fs.rm(turn, { force: true });
    }
  }

  async function writeOver(): Promise<void> {
    const temporary = `${file}.${id}.tmp`;
    await fs.writeFile(temporary, text(), { mode: 0o600 });
    await moveFile(temporary, file, fs);
  }

  function beatLater(): void {
    cancel = deps.after(heartbeatMs, () => {
      beat().catch(() => {
        // Without a heartbeat on disk others may take over; the next acquire finds out who has it.
        held = false;
      });
    });
  }

  async function beat(): Promise<void> {
    if (!held) return;
    if ((await holder())?.id !== id) {
      held = false;
      return;
    }
    await writeOver();
    if (held) beatLater();
    else await release();
    if (await wasAsked()) deps.onAsked?.();
  }

  async function wasAsked(): Promise<boolean> {
    if (!held) return false;
    try {
      await fs.rm(asking);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async function release(): Promise<void> {
    held = false;
    cancel();
    if ((await holder())?.id === id) await fs.rm(file, { force: true });
  }

  return {
    async acquire() {
      if (held) return true;
      await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const free = await create(file);
      const other = free ? undefined : await holder();
      if (other?.id === id) held = true;
      else held = free || ((other === undefined || isStale(other)) && (await takeOver()));
      if (held) {
        // Requests from before are settled, because one of those who asked has the file now.
        await fs.rm(asking, { force: true });
        beatLater();
      }
      return held;
    },
    release,
    async heldByOther() {
      if (held) return false;
      const other = await holder();
      return other !== undefined && other.id !== id && !isStale(other);
    },
    async ask() {
      await fs.writeFile(asking, '', { mode: 0o600 });
    },
    wasAsked,
  };
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { id, pid, host, at } = value as Partial<Record<keyof Holder, unknown>>;
    if (typeof id !== 'string' || typeof pid !== 'number' || typeof host !== 'string' || typeof at !== 'number') {
      return undefined;
    }
    return { id, pid, host, at };
  } catch {
    // Its writer died between creating and filling it, or is filling it now.
    return undefined;
  }
}
