// Writes a response body byte-exactly: counts bytes, waits for slow readers, and breaks the body where a script says.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';

export interface BodyWriter {
  /** False when nothing more can be sent: cut, ended early, or closed by the client. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  end(): Promise<void>;
  /** Destroys the connection after what was written has left the process. */
  cut(): Promise<void>;
  /** Whether the service itself broke the body off. */
  broken(): boolean;
}

export interface BodyLimits {
  cutAfterBytes?: number;
  endAfterBytes?: number;
}

/** The head must have been written. */
export function createBodyWriter(exchange: Exchange, limits: BodyLimits = {}): BodyWriter {
  const { response, signal } = exchange;
  const limit = Math.min(
    limits.cutAfterBytes ?? Number.POSITIVE_INFINITY,
    limits.endAfterBytes ?? Number.POSITIVE_INFINITY,
  );
  let sent = 0;
  let broken = false;

  const flush = async (bytes: Uint8Array): Promise<void> => {
    if (signal.aborted || bytes.length === 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
      response.write(bytes, done);
    });
  };
  const cut = async (): Promise<void> => {
    broken = true;
    exchange.brokenByService = true;
    response.flushHeaders();
    response.socket?.destroySoon();
  };
  const breakOff = async (): Promise<void> => {
    if (limits.cutAfterBytes === limit) return cut();
    broken = true;
    response.end();
  };
  return {
    write: async (bytes) => {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
      if (broken || signal.aborted) return false;
      const room = Math.max(0, limit - sent);
      await flush(buffer.subarray(0, Math.min(room, buffer.length)));
      sent += buffer.length;
      if (sent >= limit) await breakOff();
      return !broken && !signal.aborted;
    },
    end: async () => {
      if (!broken && !signal.aborted) response.end();
    },
    cut,
    broken: () => broken,
  };
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Resolves when `signal` aborts. */
export async function closed(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
