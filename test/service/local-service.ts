// The local service: the whole interface on 127.0.0.1, with everything a test wants to see of it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createKeyRing, unauthorizedBody } from './auth.ts';
import { type Charge, createAccount } from './billing.ts';
import type { Exchange, RecordedRequest } from './exchange.ts';
import { createQueue } from './queue.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { route } from './routes.ts';
import { createRuleBook } from './rules.ts';
import { type ServiceScript, serviceScriptSchema } from './script-schema.ts';
import type { TourStop } from './tour.ts';
import { createUpstream } from './upstream.ts';

export type { ServiceScript } from './script-schema.ts';

/** The key that is accepted when `keys` is not given. */
export const demoKey = 'sk-svc-local-demo';

export interface LocalServiceOptions {
  /** 0 or absent: a free port. */
  port?: number;
  keys?: string[];
  /** Opening balance; 5 USD without it. */
  balanceUsd?: number;
  script?: ServiceScript;
  /** Base address of a chat-completions server that answers instead of the stand-in model. */
  upstream?: string;
  upstreamModel?: string;
  upstreamApiKey?: string;
  /** What the stand-in suggests after its answers; nothing without it. */
  tour?: readonly TourStop[];
  /** Whether the bodies of requests stay for tests to look at; true without it. */
  keepBodies?: boolean;
  /** First number of the ids in replies. */
  seed?: number;
}

export interface LocalService {
  /** Ends in `/v1`. */
  baseUrl: string;
  dashboardUrl: string;
  port: number;
  /** Every request, in order of arrival. */
  requests: RecordedRequest[];
  charges: Charge[];
  balanceMicroUsd(): number;
  /** Sum of charged tokens, exact. */
  totalTokens(): number;
  topUp(usd: number): void;
  /** Replaces the script: rules, replies, settings and their counters. Throws for an invalid one. */
  script(update: ServiceScript): void;
  /** A request that satisfies `predicate`, past or to come. Looked at when its body was read and at its end. */
  waitForRequest(predicate: (request: RecordedRequest) => boolean, timeoutMs: number): Promise<RecordedRequest>;
  /** Forgets requests, charges and the script; the balance is as at the start. */
  reset(): void;
  /** Closes all connections, also open streams. */
  close(): Promise<void>;
}

export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const keys = createKeyRing(options.keys ?? [demoKey]);
  const account = createAccount(options.balanceUsd ?? 5);
  const log = createRequestLog(options.keepBodies);
  const shutdown = new AbortController();
  const parse = (script: ServiceScript = {}): ServiceScript => serviceScriptSchema.parse(script);
  let script = parse(options.script);
  let rules = createRuleBook(script);
  let idNumber = options.seed ?? 1;
  const useScript = (update: ServiceScript): void => {
    script = parse(update);
    rules = createRuleBook(script);
  };
  const upstream =
    options.upstream === undefined
      ? undefined
      : createUpstream({ baseUrl: options.upstream, model: options.upstreamModel, apiKey: options.upstreamApiKey });
  const queue = createQueue(() => script.settings ?? {});
  const nextId = (prefix: string): string => `${prefix}_${String(idNumber++).padStart(6, '0')}`;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = openExchange(request, response, shutdown.signal, log);
    const chat = { account, rules, settings: script.settings ?? {}, queue, upstream, tour: options.tour, nextId };
    await route(exchange, { keys, account, chat });
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(`local service: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  server.on('clientError', refuseUnparsable);
  // A stalled or queued answer may take as long as a test wants.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    dashboardUrl: `http://127.0.0.1:${port}/dashboard`,
    port,
    requests: log.requests,
    charges: account.charges,
    balanceMicroUsd: account.balanceMicroUsd,
    totalTokens: account.totalTokens,
    topUp: account.topUp,
    script: useScript,
    waitForRequest: log.waitFor,
    reset: () => {
      log.clear();
      account.reset();
      useScript({});
      idNumber = options.seed ?? 1;
    },
    close: async () => {
      shutdown.abort();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await ended;
    },
  };
}

/** Records the request and follows its connection. */
function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  shutdown: AbortSignal,
  log: RequestLog,
): Exchange {
  const record = log.add(request);
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, shutdown]);
  const exchange: Exchange = {
    request,
    response,
    record,
    signal,
    brokenByService: false,
    changed: () => log.changed(record),
  };
  response.on('close', () => {
    if (response.writableFinished) record.finishedAt = Date.now();
    else if (!shutdown.aborted && !exchange.brokenByService) record.closedByClientAt = Date.now();
    gone.abort();
    exchange.changed();
  });
  return exchange;
}

/**
 * Requests that HTTP itself forbids, such as a newline inside the key header: a chat request without a usable key gets the 401.
 */
function refuseUnparsable(error: Error, socket: Duplex): void {
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : '';
  if (!socket.writable) return;
  const isChat = packet.startsWith('POST /v1/chat/completions ');
  const body = JSON.stringify(unauthorizedBody);
  const head = isChat
    ? `HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`
    : 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n';
  socket.end(`${head}connection: close\r\n\r\n${isChat ? body : ''}`);
}
