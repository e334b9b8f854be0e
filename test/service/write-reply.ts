// Writes a model's reply, whole or as server-sent events, breaking it where the script says. Says what was generated and delivered.

import { writeHead } from './answers.ts';
import { type BodyWriter, closed, createBodyWriter, pause } from './body-writer.ts';
import type { Exchange } from './exchange.ts';
import type { Reply, ReplyEvent, ReplyIdentity, ReplyUsage } from './reply.ts';
import { finishChunk, generatedText, toEvents, toWhole, usageChunk } from './reply.ts';
import type { Effect } from './script-schema.ts';
import { countTokens } from './tokens.ts';

export interface ReplyJob {
  exchange: Exchange;
  reply: Reply;
  identity: ReplyIdentity;
  promptTokens: number;
  effect: Effect;
  includeUsage: boolean;
  /** Pause between events. */
  chunkDelayMs: number;
}

export interface Delivery {
  /** Text generated until the end or until the client left. */
  generated: string;
  /** The service broke the reply off: a failed call. */
  failed: boolean;
}

/** `delayHeadersMs` is the caller's: it must pass before a slot is taken and the head is written. */
export async function writeWholeReply(job: ReplyJob): Promise<Delivery> {
  const { exchange, reply, effect } = job;
  const text = generatedText(reply);
  await pause(effect.delayFirstChunkMs ?? 0, exchange.signal);
  if (exchange.signal.aborted) return { generated: '', failed: false };
  const usage = effect.omitUsage ? undefined : countUsage(job.promptTokens, text);
  const body = JSON.stringify(toWhole(reply, job.identity, usage));
  // A body that ends early must not announce its length: it is to look complete to HTTP.
  const length = effect.endAfterBytes === undefined ? { 'content-length': `${Buffer.byteLength(body)}` } : undefined;
  writeHead(exchange, 200, { 'content-type': 'application/json', ...length });
  const writer = createBodyWriter(exchange, effect);
  await writer.write(body);
  await writer.end();
  return { generated: text, failed: writer.broken() };
}

/** Sends events until the reply ends, breaks, stalls or the client leaves. */
export async function writeStreamedReply(job: ReplyJob): Promise<Delivery> {
  const { exchange, effect } = job;
  writeHead(exchange, 200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  exchange.response.flushHeaders();
  const writer = createBodyWriter(exchange, effect);
  await withKeepAlive(writer, job, () => pause(effect.delayFirstChunkMs ?? 0, exchange.signal));

  const sent = await sendEvents(writer, job);
  if (sent.stopped) return { generated: sent.generated, failed: sent.failed };
  if (!effect.omitDone && !(await writer.write('data: [DONE]\n\n'))) {
    return { generated: sent.generated, failed: writer.broken() };
  }
  if (effect.openAfterDone) await closed(exchange.signal);
  await writer.end();
  return { generated: sent.generated, failed: false };
}

interface Sent {
  generated: string;
  stopped: boolean;
  failed: boolean;
}

async function sendEvents(writer: BodyWriter, job: ReplyJob): Promise<Sent> {
  const { exchange, effect } = job;
  let generated = '';
  for (const [index, event] of allEvents(job).entries()) {
    if (index > 0) await pause(effect.chunkDelayMs ?? job.chunkDelayMs, exchange.signal);
    if (effect.stallAfterChunks === index) {
      await withKeepAlive(writer, job, () => closed(exchange.signal));
      return { generated, stopped: true, failed: false };
    }
    if (effect.streamError?.afterChunks === index) {
      await sendStreamError(writer, effect.streamError);
      return { generated, stopped: true, failed: true };
    }
    const data = effect.usageOnEveryChunk
      ? { ...event.data, usage: countUsage(job.promptTokens, generated + event.generated) }
      : event.data;
    const more = await writer.write(`data: ${JSON.stringify(data)}\n\n`);
    if (!exchange.signal.aborted) generated += event.generated;
    if (!more) return { generated, stopped: true, failed: writer.broken() };
  }
  return { generated, stopped: false, failed: false };
}

async function sendStreamError(writer: BodyWriter, error: NonNullable<Effect['streamError']>): Promise<void> {
  const name = error.event === undefined ? '' : `event: ${error.event}\n`;
  await writer.write(`${name}data: ${JSON.stringify(error.body)}\n\n`);
  await writer.end();
}

function allEvents({ reply, identity, effect, promptTokens, includeUsage }: ReplyJob): ReplyEvent[] {
  const last = (data: object): ReplyEvent => ({ data, generated: '' });
  const finish = effect.omitFinish || reply.chunks ? [] : [last(finishChunk(reply, identity))];
  const withUsage = includeUsage && !effect.omitUsage && !reply.chunks;
  const usage = withUsage ? [last(usageChunk(reply, identity, countUsage(promptTokens, generatedText(reply))))] : [];
  return [...toEvents(reply, identity), ...finish, ...usage];
}

/** Comment lines while waiting, as proxies send them; they are no events. */
async function withKeepAlive(writer: BodyWriter, { effect }: ReplyJob, wait: () => Promise<void>): Promise<void> {
  if (effect.keepAliveEveryMs === undefined) return wait();
  const timer = setInterval(() => void writer.write(': keep-alive\n\n'), effect.keepAliveEveryMs);
  await wait().finally(() => clearInterval(timer));
}

function countUsage(promptTokens: number, generated: string): ReplyUsage {
  const completionTokens = countTokens(generated);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
