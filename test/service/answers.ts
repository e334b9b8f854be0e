// The kinds of answers that are no model reply.
import { closed, createBodyWriter, pause } from './body-writer.ts';
import type { ErrorAnswer } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Effect, RawBytes } from './script-schema.ts';

export function writeHead(exchange: Exchange, status: number, headers: Record<string, string>): void {
  exchange.record.responseStatus = status;
  exchange.response.writeHead(status, headers);
}

export function answerText(exchange: Exchange, status: number, contentType: string, text: string, headers = {}): void {
  writeHead(exchange, status, {
    'content-type': contentType,
    'content-length': `${Buffer.byteLength(text)}`,
    ...headers,
  });
  exchange.response.end(text);
}

export function answerHtml(exchange: Exchange, status: number, page: string, headers = {}): void {
  answerText(exchange, status, 'text/html; charset=utf-8', page, headers);
}

export function answerJson(exchange: Exchange, status: number, body: unknown, headers = {}): void {
  answerText(exchange, status, 'application/json', JSON.stringify(body), headers);
}

export function answerError(exchange: Exchange, { status, body, headers }: ErrorAnswer): void {
  answerJson(exchange, status, body, headers);
}

/** Closes the connection before any byte of an answer. */
export function dropConnection(exchange: Exchange): void {
  exchange.brokenByService = true;
  exchange.response.socket?.destroy();
}

/** `respond` of a script: any status, body and headers. */
export function answerScripted(exchange: Exchange, respond: NonNullable<Effect['respond']>): void {
  const { status, body = '', headers } = respond;
  const isText = typeof body === 'string';
  const contentType = respond.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json');
  answerText(exchange, status, contentType, isText ? body : JSON.stringify(body), headers);
}

/** `raw` of a script: bytes as given, one write per piece. */
export async function answerRaw(exchange: Exchange, raw: NonNullable<Effect['raw']>, limits: Effect): Promise<void> {
  const { status = 200, contentType = 'text/event-stream', headers, pieces, gapMs = 0, end = 'end' } = raw;
  writeHead(exchange, status, { 'content-type': contentType, ...headers });
  exchange.response.flushHeaders();
  const writer = createBodyWriter(exchange, limits);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(gapMs, exchange.signal);
    if (!(await writer.write(toBytes(piece)))) return;
  }
  if (end === 'cut') await writer.cut();
  else if (end === 'open') await closed(exchange.signal);
  else await writer.end();
}

function toBytes(piece: RawBytes): Uint8Array {
  if (typeof piece === 'string') return Buffer.from(piece);
  return piece instanceof Uint8Array ? piece : Buffer.from(piece.base64, 'base64');
}
