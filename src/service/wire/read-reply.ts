import type { Clock } from '../../base/clock.ts';
import type { Reply } from '../contract.ts';
import { createStallWatch } from '../step/stall-watch.ts';
import { type BodyReader, createBodyReader } from './body-reader.ts';
import { createChunkCollector, type FoldOptions } from './fold-chunks.ts';
import type { HttpBodyReader, HttpResponse } from './http-response.ts';
import type { ReplyEnd } from './reply-end.ts';
import type { StreamEndKind } from './stream-end.ts';

export type { ReplyEnd } from './reply-end.ts';

export interface ReadOptions extends FoldOptions {
  signal: AbortSignal;
  firstEventMs: number;
  idleMs: number;
  clock: Clock;
}

export interface ReadResult {
  reply: Reply;
  end: ReplyEnd;
  /** Something was emitted, so this request must not be repeated. */
  visible: boolean;
  streamEnd?: StreamEndKind;
  firstEventAt?: number;
}

const maxReplyBytes = 64 * 1024 * 1024;
const sliceBytes = 64 * 1024;
const maxBlockMs = 4;
/** After the finish reason only usage and `[DONE]` can come; servers that send neither may leave the socket open. */
const afterFinishMs = 5000;

/**
 * Reads the body of a 200 to its end or cancels it, which closes the connection. Never rejects for anything that was
 * received.
 */
export async function readReply(response: HttpResponse, options: ReadOptions): Promise<ReadResult> {
  const { clock, signal } = options;
  const folder = createChunkCollector(options);
  const body = createBodyReader(folder, response.headers.get('content-type') ?? '');
  const reader = response.body?.getReader();
  let interrupted: ReplyEnd | undefined;
  let firstEventAt: number | undefined;
  const interrupt = (end: ReplyEnd) => {
    interrupted ??= end;
    cancel(reader);
  };
  const onAbort = () => interrupt({ kind: 'stopped' });
  const watch = createStallWatch(clock, options.firstEventMs, () =>
    interrupt({ kind: 'timeout', phase: firstEventAt === undefined ? 'first-event' : 'idle' }),
  );
  const take = (bytes: Uint8Array): ReplyEnd | undefined => {
    const end = body.push(bytes);
    folder.flush();
    if (body.sawProgress()) {
      firstEventAt ??= clock.now();
      const { idleMs, firstEventMs } = options;
      const formingMs = folder.mayBeCalling() ? Math.max(idleMs, firstEventMs) : idleMs;
      watch.progress(folder.isQuiet() ? Math.min(afterFinishMs, idleMs) : formingMs);
    }
    if (body.sawSignOfLife()) watch.signOfLife();
    return end;
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    const end = await readAll(reader, { clock, take, body, interrupted: () => interrupted });
    folder.end();
    if (end.kind === 'ended') folder.closed();
    const settled = folder.isFinished() && isSilence(end) ? { kind: 'ended' as const } : end;
    const streamEnd = end.kind === 'ended' ? folder.streamEnd() : undefined;
    return { reply: folder.reply(), end: settled, visible: folder.visible(), streamEnd, firstEventAt };
  } finally {
    watch.stop();
    signal.removeEventListener('abort', onAbort);
    cancel(reader);
  }
}

function isSilence(end: ReplyEnd): boolean {
  return end.kind === 'reset' || (end.kind === 'timeout' && end.phase === 'idle');
}

interface Reading {
  clock: Clock;
  body: BodyReader;
  take(bytes: Uint8Array): ReplyEnd | undefined;
  interrupted(): ReplyEnd | undefined;
}

async function readAll(reader: HttpBodyReader | undefined, reading: Reading): Promise<ReplyEnd> {
  const { clock, body, take, interrupted } = reading;
  let received = 0;
  let busyMs = 0;
  while (reader !== undefined) {
    const read = await readOne(reader);
    const early = interrupted();
    if (early) return early;
    if ('cause' in read) return { kind: 'reset', cause: read.cause };
    if (read.done) break;
    received += read.value.byteLength;
    if (received > maxReplyBytes) return { kind: 'too-big' };
    for (let at = 0; at < read.value.byteLength; at += sliceBytes) {
      const startedAt = clock.now();
      const end = take(read.value.subarray(at, at + sliceBytes));
      if (end) return end;
      busyMs += clock.now() - startedAt;
      if (busyMs < maxBlockMs) continue;
      busyMs = 0;
      await new Promise((resolve) => setImmediate(resolve));
      const stopped = interrupted();
      if (stopped) return stopped;
    }
  }
  return interrupted() ?? body.end();
}

type ReadOne = { done: true } | { done: false; value: Uint8Array } | { cause: unknown };

async function readOne(reader: HttpBodyReader): Promise<ReadOne> {
  try {
    const { done, value } = await reader.read();
    return done || value === undefined ? { done: true } : { done: false, value };
  } catch (cause) {
    return { cause };
  }
}

function cancel(reader: HttpBodyReader | undefined): void {
  reader?.cancel().catch(() => undefined);
}
