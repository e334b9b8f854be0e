import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { notPublicCode } from '../base/public-address.ts';
import type { AddressTable } from './address-table.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { type Reach, reachThisMachine } from './reach.ts';
import { denial, type SniffedServer, sniffServerName } from './sniff-server-name.ts';

export interface EgressProxyDeps {
  dnsResponder: Pick<AddressTable, 'nameOf'>;
  egressPolicy: Pick<EgressPolicy, 'mayReach' | 'mayReachLocal' | 'maySend' | 'addReceived'>;
  reach: Reach;
  clock: Clock;
}

const maxHeld = 64;
const maxFirstMs = 30_000;
const maxOpen = 1024;
const maxDenialMs = 5000;

/**
 * Ends the connections of commands. Nothing is forwarded before the user agreed to the host that the name resolution
 * named, and unless the client itself names the same host.
 */
export function createEgressProxy({ dnsResponder, egressPolicy, reach, clock }: EgressProxyDeps) {
  const open = new Set<Socket>();
  let held = 0;
  const reachAgreed = async (host: string, port: number): Promise<Socket | undefined> => {
    try {
      return await reach(host, port, { local: false });
    } catch (error) {
      // A yes for another closed address could not be kept.
      const { code, isLocal = true } = error as NodeJS.ErrnoException & { isLocal?: boolean };
      if (code !== notPublicCode || !isLocal) throw error;
      return (await egressPolicy.mayReachLocal(host, port)) ? reach(host, port, { local: true }) : undefined;
    }
  };
  const admit = async (socket: Socket, port: number) => {
    const host = dnsResponder.nameOf(socket.localAddress ?? '');
    if (host === undefined) return;
    const { bytes, first } = await beginOf(socket, clock);
    const isNamed = first.kind !== 'other' && first.host === host;
    if (
      !isNamed ||
      !(await egressPolicy.mayReach(host, port)) ||
      !(await egressPolicy.maySend(host, port, bytes.length))
    ) {
      return end(socket, first, clock);
    }
    const outside = await reachAgreed(host, port);
    if (outside === undefined) return end(socket, first, clock);
    return { host, bytes, outside };
  };
  const serve = async (socket: Socket, port: number, isOwn: boolean) => {
    if (held >= maxHeld || open.size > maxOpen) return;
    held++;
    const admitted = await (isOwn ? reachOwn(port) : admit(socket, port)).finally(() => held--);
    if (admitted === undefined) return;
    const { host, bytes, outside } = admitted;
    open.add(outside);
    socket.once('close', () => outside.destroy());
    outside.once('close', () => open.delete(outside));
    outside.on('error', () => socket.destroy());
    outside.write(bytes);
    outside.on('data', (chunk: Buffer) => egressPolicy.addReceived(host, chunk.length));
    outside.pipe(socket);
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      if (!(await egressPolicy.maySend(host, port, (chunk as Buffer).length))) return;
      if (!outside.write(chunk)) await once(outside, 'drain');
    }
    outside.end();
    await once(outside, 'close');
  };
  return {
    /** `isOwn` means that the port is one of this machine, for which no host is named. */
    enter(socket: Socket, port: number, isOwn = false) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => open.delete(socket));
      void serve(socket, port, isOwn)
        .catch(() => undefined)
        .finally(() => socket.writableEnded || socket.destroy());
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

async function reachOwn(port: number) {
  return { host: 'localhost', bytes: Buffer.alloc(0), outside: await reachThisMachine(port) };
}

async function beginOf(socket: Socket, clock: Clock): Promise<{ bytes: Buffer; first: SniffedServer }> {
  const cancel = clock.after(maxFirstMs, () => socket.destroy());
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      const first = sniffServerName(bytes);
      if (first !== undefined) return { bytes, first };
    }
    return { bytes, first: { kind: 'other' } };
  } finally {
    cancel();
  }
}

function end(socket: Socket, first: SniffedServer, clock: Clock): undefined {
  // What it still sends is discarded: with unread bytes, the connection would be reset before the client has read this.
  socket.resume();
  socket.end(denial(first));
  const cancel = clock.after(maxDenialMs, () => socket.destroy());
  socket.once('close', cancel);
}
