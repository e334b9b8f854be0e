import type { Clock } from '../../base/clock.ts';
import type { HttpBody, HttpBodyReader } from './http-response.ts';

/** One frame at 60 Hz: text that grows more often cannot be seen. */
const gatherMs = 16;
/** After a pause so many pieces go on at once, so that the first words never wait. */
const mostAtOnce = 4;
/** So much goes on at once in any case. */
const enoughBytes = 64 * 1024;
/** More than this is not held: the other side has to wait. */
const mostBytes = 256 * 1024;

export interface GatheredBody extends HttpBody {
  push(piece: Uint8Array): void;
  end(): void;
  /** What came before it is read first. */
  fail(reason: unknown): void;
}

export interface BodyFlow {
  /** Asks the other side to stop sending, or to go on. */
  pause(): void;
  resume(): void;
  cancel(reason: unknown): void;
}

type Ending = { error?: unknown };
type ReadResult = Awaited<ReturnType<HttpBodyReader['read']>>;

/**
 * A body with one reader. Pieces that come in quick succession are handed on together, once a frame: waking the reader
 * for each costs more than the reading.
 */
export function createGatheredBody(flow: BodyFlow, clock: Pick<Clock, 'now' | 'after'>): GatheredBody {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let paused = false;
  let ending: Ending | undefined;
  let waiting: { resolve(result: ReadResult): void; reject(reason: unknown): void } | undefined;
  let callOff: (() => void) | undefined;
  const dueIn = createAllowance(clock.now);

  const take = (): Uint8Array => {
    const [only] = pieces;
    const value = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, bytes);
    pieces = [];
    bytes = 0;
    if (paused) {
      paused = false;
      flow.resume();
    }
    return value;
  };
  const hand = () => {
    callOff?.();
    callOff = undefined;
    const reader = waiting;
    if (reader === undefined) return;
    waiting = undefined;
    if (bytes > 0) reader.resolve({ done: false, value: take() });
    else if (ending !== undefined && 'error' in ending) reader.reject(ending.error);
    else reader.resolve({ done: true });
  };
  const handWhenDue = () => {
    if (waiting === undefined || callOff !== undefined) return;
    if (ending !== undefined || bytes >= enoughBytes) return hand();
    if (bytes === 0) return;
    const dueMs = dueIn();
    if (dueMs === 0) hand();
    else callOff = clock.after(dueMs, hand);
  };
  const finish = (how: Ending) => {
    if (ending !== undefined) return;
    ending = how;
    hand();
  };
  return {
    push: (piece) => {
      if (ending !== undefined || piece.byteLength === 0) return;
      pieces.push(piece);
      bytes += piece.byteLength;
      if (bytes >= enoughBytes) hand();
      else handWhenDue();
      if (bytes < mostBytes || paused) return;
      paused = true;
      flow.pause();
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
    getReader: () => ({
      read: () =>
        new Promise((resolve, reject) => {
          waiting = { resolve, reject };
          handWhenDue();
        }),
      cancel: async (reason) => {
        if (ending !== undefined && bytes === 0) return;
        const isOpen = ending === undefined;
        pieces = [];
        bytes = 0;
        finish({});
        if (isOpen) flow.cancel(reason);
      },
    }),
  };
}

/** Says how long the next handing on has to wait: 0 now and then in quick succession, later so that it is one a frame. */
function createAllowance(nowMs: () => number): () => number {
  let left = mostAtOnce;
  let at = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(mostAtOnce, left + (now - at) / gatherMs);
    at = now;
    left -= 1;
    return left >= 0 ? 0 : Math.ceil(-left * gatherMs);
  };
}
