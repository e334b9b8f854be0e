import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pieceEveryMs } from '../panel/answers.ts';
import { benchModel, callEvent, closing, deltaEvent } from '../stream-bodies.ts';

/** The far end of P5 and P27: one answer at a time, 470 deltas a second unless told otherwise, each with the time at which it was written. */
export interface PacedServer {
  /** Without `/v1`. */
  origin: string;
  /** From now on answers with these pieces, so many milliseconds apart. */
  use(pieces: readonly string[], everyMs?: number): void;
  /** The next answer only calls this tool, without arguments. */
  callNext(tool: string): void;
  /** Epoch milliseconds, by piece, of the answer that was asked for last; shorter until all are written. */
  writtenAt(): readonly number[];
  /** All of it is. */
  isWritten(): boolean;
  close(): Promise<void>;
}

export async function startPacedServer(): Promise<PacedServer> {
  let pieces: readonly string[] = [];
  let everyMs = pieceEveryMs;
  let writtenAt: number[] = [];
  let calledNext: string | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (request.url?.endsWith('/models')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ id: benchModel, object: 'model', created: 1, owned_by: 'svc' }] }));
    } else if (!body.includes('"stream":true')) {
      // The check of a key: its body cannot be read.
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Invalid JSON in the body.', type: 'invalid_request_error' } }));
    } else if (calledNext !== undefined) {
      response.setHeader('content-type', 'text/event-stream; charset=utf-8');
      response.end([callEvent(calledNext), ...closing('tool_calls', 1)].join(''));
      calledNext = undefined;
    } else {
      writtenAt = [];
      response.setHeader('content-type', 'text/event-stream; charset=utf-8');
      writePaced(response, { pieces, everyMs, writtenAt });
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(next, nextEveryMs = pieceEveryMs) {
      pieces = next;
      everyMs = nextEveryMs;
      writtenAt = [];
    },
    callNext(tool) {
      calledNext = tool;
    },
    writtenAt: () => writtenAt,
    isWritten: () => writtenAt.length === pieces.length,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Each at its time of day; what a late timer missed comes at once, as from a busy network. */
function writePaced(
  response: ServerResponse,
  { pieces, everyMs, writtenAt }: { pieces: readonly string[]; everyMs: number; writtenAt: number[] },
): void {
  response.socket?.setNoDelay(true);
  const started = performance.now();
  const timer = setInterval(() => {
    const due = Math.min(pieces.length, Math.floor((performance.now() - started) / everyMs) + 1);
    while (writtenAt.length < due) {
      response.write(deltaEvent(pieces[writtenAt.length] ?? ''));
      writtenAt.push(performance.timeOrigin + performance.now());
    }
    if (due < pieces.length) return;
    clearInterval(timer);
    response.end(closing('stop', pieces.length).join(''));
  }, 1);
  response.once('close', () => clearInterval(timer));
}
