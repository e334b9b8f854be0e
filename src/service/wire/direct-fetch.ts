import type { LookupFunction, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Agent as AgentType, Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { HttpHeaders, HttpResponse } from './http-response.ts';
import { createPushedBody, type PushedBody } from './pushed-body.ts';
import type { Transport } from './transport.ts';

/**
 * Uses undici's dispatcher directly, so that no proxy is resolved for each call and no other timeouts apply. It is
 * loaded in a file of its own, when it is first needed, to keep a cold start short.
 */
export interface DirectFetch extends Transport {
  close(): Promise<void>;
}

interface DirectFailure extends TypeError {
  /** Nothing of the request has left this machine. */
  notSent?: boolean;
  /** A reused connection broke so soon that the server must have closed it before it read the request. */
  unread?: boolean;
}

const connectTimeoutMs = 10_000;
const keepAliveMs = 60_000;
/**
 * A reused connection that the server had closed breaks within a round trip. After this time the request may have
 * been read.
 */
const staleSocketMs = 250;

const methods = ['GET', 'POST', 'OPTIONS'] as const;

/** `lookup` resolves the host name of each new connection; it is never called for an IP address. */
export function createDirectFetch({ lookup }: { lookup?: LookupFunction } = {}): DirectFetch {
  rehearse();
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs, ...(lookup && { lookup }) },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
  });
  let connects = 0;
  agent.on('connect', () => {
    connects += 1;
  });
  const directFetch: Transport = async (url, init) => {
    const connectsBefore = connects;
    const startedAt = performance.now();
    try {
      return await request(agent, url, init);
    } catch (error) {
      // Only a kept connection that broke before it answered anything; a new one that breaks is a failure.
      const isStale = connects === connectsBefore && performance.now() - startedAt < staleSocketMs;
      if (init.signal.aborted || !isStale || !isReset(error)) throw error;
      // What may cost money is sent again by whoever keeps the account of it.
      if (init.method === 'POST') throw Object.assign(error, { unread: true });
      return await request(agent, url, init);
    }
  };
  return Object.assign(directFetch, { close: () => agent.destroy() });
}

/**
 * Runs one exchange in memory, so that undici's parser is compiled now and not between Send and the first request.
 * Nothing leaves this machine.
 */
function rehearse(): void {
  const answer = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n\n\n\r\n0\r\n\r\n';
  const socket = new Duplex({
    read: () => undefined,
    write: (_bytes, _encoding, done) => {
      socket.push(answer);
      done();
    },
  });
  const agent = new Agent({
    connect: (_options, done) => setImmediate(done, null, socket as unknown as Socket),
    allowH2: false,
  });
  const end = () => {
    agent.destroy().catch(() => undefined);
  };
  request(agent, 'http://rehearsal.invalid/', { method: 'POST', body: '{}', signal: new AbortController().signal })
    .then(({ body }) => body?.getReader().read())
    .then(end, end);
}

function isReset(error: unknown): error is DirectFailure {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

function request(agent: AgentType, url: string, init: Parameters<Transport>[1]): Promise<HttpResponse> {
  const { signal } = init;
  if (signal.aborted) return Promise.reject(signal.reason);
  const target = new URL(url);
  const options: Dispatcher.DispatchOptions = {
    origin: target.origin,
    path: target.pathname + target.search,
    method: methods.find((method) => method === init.method) ?? 'GET',
    headers: init.headers ?? {},
    body: init.body ?? null,
  };
  return new Promise((resolve, reject) => {
    agent.dispatch(options, createHandler(signal, resolve, reject));
  });
}

function createHandler(
  signal: AbortSignal,
  resolve: (response: HttpResponse) => void,
  reject: (reason: unknown) => void,
): Dispatcher.DispatchHandler {
  let control: Dispatcher.DispatchController | undefined;
  let body: BodySink | undefined;
  const onAbort = () => {
    reject(signal.reason);
    control?.abort(asError(signal.reason));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const settle = () => signal.removeEventListener('abort', onAbort);
  return {
    // Not before there is a connection: until then nothing has left this machine.
    onRequestStart: (controller) => {
      control = controller;
      if (signal.aborted) controller.abort(asError(signal.reason));
    },
    onResponseStart: (controller, status, rawHeaders) => {
      if (status < 200) return;
      const headers = toHeaders(rawHeaders);
      const decoders = createDecoders(headers.get('content-encoding') ?? '');
      const flow = {
        // The decoders as well: a few bytes can unpack to very many.
        pause: () => {
          controller.pause();
          for (const decoder of decoders) decoder.pause();
        },
        resume: () => {
          controller.resume();
          for (const decoder of decoders) decoder.resume();
        },
        cancel: (reason: unknown) => controller.abort(asError(reason)),
      };
      const pushed = createPushedBody(flow);
      const isBodyless = status === 204 || status === 205 || status === 304;
      body = decoders.reduce<BodySink>(decoded, pushed);
      resolve({ ok: status < 300, status, headers, body: isBodyless ? null : pushed });
    },
    onResponseData: (_controller, chunk) => body?.push(chunk),
    onResponseEnd: () => {
      settle();
      body?.end();
    },
    onResponseError: (_controller, error) => {
      settle();
      const reason: unknown = signal.aborted ? signal.reason : failed(error, control === undefined);
      body?.fail(reason);
      reject(reason);
    },
  };
}

function failed(cause: Error, notSent: boolean): DirectFailure {
  return Object.assign(new TypeError('fetch failed', { cause }), { notSent });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason ?? 'The body is no longer wanted.'));
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): HttpHeaders {
  const values = new Map(Object.entries(raw).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    get: (name) => {
      const value = values.get(name.toLowerCase());
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
  };
}

type BodySink = Pick<PushedBody, 'push' | 'end' | 'fail'>;

/** Decompresses, because proxies compress unasked, and passes every piece on as soon as it arrives. */
function decoded(body: BodySink, decoder: Duplex): BodySink {
  decoder.on('data', body.push).once('end', body.end).once('error', body.fail);
  return {
    push: (piece) => decoder.write(piece),
    end: () => decoder.end(),
    fail: (reason) => {
      decoder.destroy();
      body.fail(reason);
    },
  };
}

/** An encoding that is not known is left as it is, and the reply then tells that it cannot be read. */
function createDecoders(encodings: string): Duplex[] {
  return encodings.split(',').flatMap((encoding) => decoderOf(encoding.trim().toLowerCase()) ?? []);
}

function decoderOf(encoding: string): Duplex | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush);
    case 'deflate':
      return createInflate(flush);
    case 'br':
      return createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    case 'zstd':
      return createZstdDecompress();
    default:
      return undefined;
  }
}
