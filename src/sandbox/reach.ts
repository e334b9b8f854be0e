import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { createPublicLookup, type LookupDeps } from '../base/public-address.ts';

/**
 * Connects to a host that was agreed to. Rejects with `notPublicCode` when the host leads to an address that is not
 * public; with `local`, the networks of this machine are allowed as well, but never this machine itself.
 */
export type Reach = (host: string, port: number, options: { local: boolean }) => Promise<Socket>;

export interface ReachDeps extends LookupDeps {
  proxy(): string | undefined;
}

const maxMs = 20_000;

export function createReach(deps: ReachDeps): Reach {
  return async (host, port, { local }) => {
    const lookup = createPublicLookup(deps, { local });
    const proxy = deps.proxy();
    if (proxy !== undefined) {
      // A name that is not known here is left to the proxy.
      const closed = await lookupError(lookup, host);
      if (closed?.code !== undefined && !['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(closed.code)) throw closed;
      return throughProxy(new URL(proxy), `${host}:${port}`);
    }
    const socket = connect({ host, port, lookup, autoSelectFamily: true, allowHalfOpen: true });
    return connected(socket, 'connect');
  };
}

/** Connects to a port of this machine itself, which requires a separate question to the user. */
export function reachThisMachine(port: number): Promise<Socket> {
  return connected(connect({ host: 'localhost', port, allowHalfOpen: true, autoSelectFamily: true }), 'connect');
}

function lookupError(lookup: LookupFunction, host: string): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => lookup(host, { all: true }, (error) => resolve(error)));
}

async function connected(socket: Socket, event: string): Promise<Socket> {
  const signal = AbortSignal.timeout(maxMs);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function throughProxy(proxy: URL, place: string): Promise<Socket> {
  if (proxy.protocol !== 'http:') throw new Error(`A proxy of ${proxy.protocol} is not known here`);
  const socket = connect({ host: proxy.hostname, port: Number(proxy.port || 80), allowHalfOpen: true });
  await connected(socket, 'connect');
  const user = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const sign = proxy.username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(user).toString('base64')}\r\n`;
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${sign}\r\n`);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    await connected(socket, 'readable');
    const chunk = socket.read() as Buffer | null;
    if (socket.readableEnded || head.length > 16_384) throw new Error('The proxy gave no answer');
    const text = chunk?.toString('latin1') ?? '';
    const end = (head + text).indexOf('\r\n\r\n');
    // What comes behind it is the host's.
    if (end >= 0 && chunk !== null) socket.unshift(chunk.subarray(end + 4 - head.length));
    head += text;
  }
  if (/^HTTP\/1\.[01] 2\d\d /.test(head)) return socket;
  socket.destroy();
  throw new Error(`The proxy refused: ${head.split('\r\n', 1)[0]?.slice(0, 100)}`);
}
