// One request and its answer: what is recorded for tests, and reading the body.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

export interface RecordedRequest {
  index: number;
  method: string;
  /** Path with query, as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Body as sent; with a refused key it is recorded after the answer. */
  rawBody: string;
  /** Parsed body; undefined when it is not JSON. */
  json: unknown;
  /** Milliseconds since the epoch. */
  at: number;
  responseStatus?: number;
  /** When the client closed the connection before the answer was complete. */
  closedByClientAt?: number;
  /** When the answer was completely written. */
  finishedAt?: number;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  record: RecordedRequest;
  /** Aborts when the client is gone or the service shuts down. */
  signal: AbortSignal;
  /** Set when the service breaks the answer off, so that the end is not taken for the client's. */
  brokenByService: boolean;
  /** To be called when the record gained something that waiting tests may look for. */
  changed(): void;
}

const maxBodyBytes = 64 * 1024 * 1024;

/** Reads the body into the record. Resolves false when it is too large or the client went away. */
export async function readBody({ request, record, changed }: Exchange): Promise<boolean> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += part.length;
      if (size <= maxBodyBytes) parts.push(part);
    }
  } catch {
    return false; // the client closed the connection while sending; `closedByClientAt` says so
  }
  record.rawBody = Buffer.concat(parts).toString();
  record.json = parseJson(record.rawBody);
  changed();
  return size <= maxBodyBytes;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
