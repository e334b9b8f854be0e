// The list of received requests, and waiting for one of them.
import type { IncomingMessage } from 'node:http';
import type { RecordedRequest } from './exchange.ts';

export interface RequestLog {
  requests: RecordedRequest[];
  add(request: IncomingMessage): RecordedRequest;
  /** To be called when a record gained a body, a status or an end. */
  changed(record: RecordedRequest): void;
  /** Looks at requests only once their body was read or they ended. */
  waitFor(predicate: (request: RecordedRequest) => boolean, timeoutMs: number): Promise<RecordedRequest>;
  clear(): void;
}

/** `keepBodies`: false for a service that runs for hours; what ended is then forgotten but for its outline. */
export function createRequestLog(keepBodies = true): RequestLog {
  const requests: RecordedRequest[] = [];
  const watchers = new Set<(record: RecordedRequest) => void>();
  const ready = new WeakSet<RecordedRequest>();
  const changed = (record: RecordedRequest): void => {
    ready.add(record);
    for (const watcher of [...watchers]) watcher(record);
    const isOver = record.finishedAt !== undefined || record.closedByClientAt !== undefined;
    if (!keepBodies && isOver) Object.assign(record, { rawBody: '', json: undefined });
  };
  return {
    requests,
    changed,
    add: ({ method = '', url = '', headers }) => {
      const record = {
        index: requests.length,
        method,
        path: url,
        headers,
        rawBody: '',
        json: undefined,
        at: Date.now(),
      };
      requests.push(record);
      return record;
    },
    waitFor: (predicate, timeoutMs) => {
      const past = requests.find((record) => ready.has(record) && predicate(record));
      if (past) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const watcher = (record: RecordedRequest): void => {
          if (!predicate(record)) return;
          clearTimeout(timer);
          watchers.delete(watcher);
          resolve(record);
        };
        const timer = setTimeout(() => {
          watchers.delete(watcher);
          reject(new Error(`No such request within ${timeoutMs} ms; ${requests.length} were received.`));
        }, timeoutMs);
        watchers.add(watcher);
      });
    },
    clear: () => {
      requests.length = 0;
    },
  };
}
