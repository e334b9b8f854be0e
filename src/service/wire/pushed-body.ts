import type { HttpBody } from './http-response.ts';

const maxBytes = 256 * 1024;

export interface PushedBody extends HttpBody {
  push(piece: Uint8Array): void;
  end(): void;
  fail(reason: unknown): void;
}

export interface BodyFlow {
  pause(): void;
  resume(): void;
  cancel(reason: unknown): void;
}

/**
 * Makes a body that the HTTP client fills piece by piece, and that pauses the connection while it holds much. Its one
 * reader gets everything since its last read at once. It is no stream of Node's, because those drop what they hold when
 * they break.
 */
export function createPushedBody(flow: BodyFlow): PushedBody {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let paused = false;
  let streamEnd: { reason?: unknown } | undefined;
  let wake = () => {};

  const take = (): Uint8Array => {
    const value = Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
    if (paused) flow.resume();
    paused = false;
    return value;
  };
  const finish = (how: { reason?: unknown }) => {
    streamEnd ??= how;
    wake();
  };
  return {
    push: (piece) => {
      if (streamEnd !== undefined || piece.byteLength === 0) return;
      held.push(piece);
      bytes += piece.byteLength;
      wake();
      if (bytes < maxBytes || paused) return;
      paused = true;
      flow.pause();
    },
    end: () => finish({}),
    fail: (reason) => finish({ reason }),
    getReader: () => ({
      read: async () => {
        if (bytes === 0 && streamEnd === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (bytes > 0) return { done: false, value: take() };
        if (streamEnd !== undefined && 'reason' in streamEnd) throw streamEnd.reason;
        return { done: true };
      },
      cancel: async (reason) => {
        held = [];
        bytes = 0;
        if (streamEnd === undefined) flow.cancel(reason);
        finish({});
      },
    }),
  };
}
