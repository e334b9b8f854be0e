import { readChunk } from '../../src/service/wire/chunk-schema.ts';
import type { HttpBody } from '../../src/service/wire/http-response.ts';
import type { Transport } from '../../src/service/wire/transport.ts';

/** One request to the service and the beginning of what came back. */
export interface Exchange {
  request: string;
  model: string;
  status: number;
  contentType: string;
  body: string;
}

const maxBody = 512 * 1024;

/** Hands on every answer as it came, and tells of it once it is over or given up. */
export function observed(transport: Transport, onExchange: (exchange: Exchange) => void): Transport {
  return async (url, init) => {
    const response = await transport(url, init);
    const exchange: Exchange = {
      request: `${init.method ?? 'GET'} ${new URL(url).pathname}`,
      model: /"model":"([^"]{1,200})"/.exec(init.body ?? '')?.[1] ?? '',
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: '',
    };
    let told = false;
    const tell = () => {
      if (!told) onExchange(exchange);
      told = true;
    };
    if (response.body === null) tell();
    const { ok, status, headers, type, body } = response;
    return { ok, status, headers, ...(type && { type }), body: body && watched(body, exchange, tell) };
  };
}

function watched(body: HttpBody, exchange: Exchange, tell: () => void): HttpBody {
  const decoder = new TextDecoder();
  return {
    getReader() {
      const reader = body.getReader();
      return {
        async read() {
          const piece = await reader.read().catch((error: unknown) => {
            tell();
            throw error;
          });
          if (piece.value !== undefined && exchange.body.length < maxBody)
            exchange.body += decoder.decode(piece.value, { stream: true });
          if (piece.done) tell();
          return piece;
        },
        cancel(reason) {
          tell();
          return reader.cancel(reason);
        },
      };
    },
  };
}

/** What every server of this protocol writes and no client has to read. */
const published = /^(?:id|object|created|system_fingerprint)$|\.(?:role|type)$/;

/**
 * Returns the places in an answer that the product's own reader did not look at, with a value that stood there. An
 * answer that is no success is unread as a whole, unless it is the one refusal that the interface shows.
 */
export function unreadIn({ status, contentType, body }: Exchange): Map<string, string> {
  const unread = new Map<string, string>();
  if (status !== 200) {
    if (status !== 401 || !body.includes('invalid_auth')) unread.set(`HTTP ${status}`, short(body));
    return unread;
  }
  const events = contentType.includes('event-stream') ? dataLines(body) : [body];
  for (const event of events) {
    const json = jsonOf(event);
    if (json === undefined) {
      unread.set('no JSON', short(event));
      continue;
    }
    const read = new Set<string>();
    const chunk = readChunk(noting(json, '', read));
    // What brings the list of models has its own reader.
    if (chunk?.foreign && JSON.stringify(json).startsWith('{"object":"list"')) continue;
    for (const [place, value] of leavesOf(json, '')) {
      if (!read.has(place) && !published.test(place)) unread.set(place, short(value));
    }
  }
  return unread;
}

function dataLines(body: string): string[] {
  const lines = body.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trim()).filter((data) => data !== '' && data !== '[DONE]');
}

function jsonOf(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the place of each value that is asked for; the numbers of lists are one place. */
function noting<Value>(value: Value, at: string, read: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return inner;
      const place = placeOf(at, key);
      read.add(place);
      return noting(inner, place, read);
    },
  });
}

function placeOf(at: string, key: string): string {
  return /^\d+$/.test(key) ? `${at}[]` : at === '' ? key : `${at}.${key}`;
}

function leavesOf(value: unknown, at: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? [] : [[at, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, placeOf(at, key)));
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
