import { type ChildProcess, spawn } from 'node:child_process';
import { Socket as Datagrams } from 'node:dgram';
import { readlinkSync } from 'node:fs';
import { Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { answerDns, createAddressTable } from './address-table.ts';
import type { BubblewrapPrograms } from './bubblewrap.ts';
import { type CommandSession, createEgressPolicy, type EgressPolicy } from './egress-policy.ts';
import { createEgressProxy } from './egress-proxy.ts';
import type { Reach } from './reach.ts';

export interface SharedNetwork {
  pid: number;
  /** This is the kernel's name of the network namespace, which is unique for as long as it exists. */
  place: string;
}

export interface NetworksDeps {
  keeperFile: string;
  reach: Reach;
  clock: Clock;
  log(line: string): void;
}

export interface Networks {
  /**
   * Rejects when no network can be created. The command belongs to it until `leave`. `ports` of this machine become
   * reachable in it.
   */
  enter(
    programs: Pick<BubblewrapPrograms, 'bwrap'>,
    conversationId: string,
    command: { session: CommandSession; ports?: readonly number[] },
  ): Promise<{ network: SharedNetwork; open(ports: readonly number[]): Promise<void>; leave(): void }>;
  egressPolicyOf(conversationId: string): EgressPolicy;
  forget(conversationId: string): void;
  closeAll(): void;
}

const idleMs = 120_000;
const maxStartMs = 10_000;

interface Use {
  users: number;
  cancel?: () => void;
}

export function createNetworks({ keeperFile, reach, clock, log }: NetworksDeps): Networks {
  const conversations = new Map<string, EgressPolicy>();
  const keepers = new Map<string, { keeper: Promise<NamespaceKeeper>; use: Use }>();
  const egressPolicyOf = (conversationId: string) => {
    const egressPolicy = conversations.get(conversationId) ?? createEgressPolicy(clock);
    conversations.set(conversationId, egressPolicy);
    return egressPolicy;
  };
  const keeperOf = (bwrap: string, conversationId: string) => {
    const known = keepers.get(conversationId);
    if (known !== undefined) return known;
    const use: Use = { users: 0 };
    const onEnd = () => {
      use.cancel?.();
      if (keepers.get(conversationId)?.use === use) keepers.delete(conversationId);
    };
    const opened = { egressPolicy: egressPolicyOf(conversationId), reach, clock, onEnd };
    const entry = { keeper: openKeeper({ bwrap, keeperFile }, opened), use };
    entry.keeper.catch((error: Error) => {
      onEnd();
      log(`No network for commands: ${error.message}`);
    });
    keepers.set(conversationId, entry);
    return entry;
  };
  const close = (conversationId: string) => {
    const entry = keepers.get(conversationId);
    entry?.use.cancel?.();
    void entry?.keeper.then(({ close: end }) => end()).catch(() => undefined);
    keepers.delete(conversationId);
  };
  return {
    async enter({ bwrap }, conversationId, { session, ports = [] }) {
      const { keeper, use } = keeperOf(bwrap, conversationId);
      const { network, open } = await keeper;
      await Promise.all(ports.map((port) => open(port, true)));
      use.cancel?.();
      use.users++;
      const endSession = egressPolicyOf(conversationId).session(session);
      let hasLeft = false;
      return {
        network,
        async open(more) {
          await Promise.all(more.map((port) => open(port, false)));
        },
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          endSession();
          use.users--;
          use.cancel?.();
          if (use.users === 0) {
            use.cancel = clock.after(idleMs, () => {
              if (use.users === 0 && keepers.get(conversationId)?.use === use) close(conversationId);
            });
          }
        },
      };
    },
    egressPolicyOf,
    forget(conversationId) {
      close(conversationId);
      conversations.delete(conversationId);
    },
    closeAll() {
      for (const conversationId of [...keepers.keys()]) close(conversationId);
    },
  };
}

interface NamespaceKeeper {
  network: SharedNetwork;
  open(port: number, isOwn: boolean): Promise<void>;
  close(): void;
}

interface KeeperListener {
  egressPolicy: EgressPolicy;
  reach: Reach;
  clock: Clock;
  onEnd(): void;
}

const proxyPorts = [80, 443];

/**
 * Starts a process that only keeps a network, with the right to open its lower ports and no other right. What it
 * opens there is accepted here, because an open port stays in the network in which it was opened.
 */
async function openKeeper(
  { bwrap, keeperFile }: { bwrap: string; keeperFile: string },
  { egressPolicy, reach, clock, onEnd }: KeeperListener,
): Promise<NamespaceKeeper> {
  const args = [
    ...['--unshare-user', '--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL', '--cap-add', 'CAP_NET_BIND_SERVICE'],
    // A `/dev` of its own would take a namespace in between, whose rights do not reach the network.
    ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc', '--json-status-fd', '4'],
    ...['--', process.execPath, keeperFile],
  ];
  const child = spawn(bwrap, args, {
    cwd: '/',
    env: { ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  const dnsResponder = createAddressTable();
  const egressProxy = createEgressProxy({ dnsResponder, egressPolicy, reach, clock });
  const handles: (Server | Datagrams)[] = [];
  const opened = new Map<number, PromiseWithResolvers<void> & { isOwn: boolean }>();
  const open = (port: number, isOwn: boolean) => {
    const known = opened.get(port);
    if (known !== undefined) return known.promise;
    const opening = { ...Promise.withResolvers<void>(), isOwn };
    opened.set(port, opening);
    child.send({ port, address: isOwn ? '127.0.0.1' : '0.0.0.0' }, (error) => error && opening.resolve());
    return opening.promise;
  };
  const close = () => {
    child.kill('SIGKILL');
    egressProxy.close();
    // As long as one is open here, the network stays.
    for (const handle of handles.splice(0)) handle.close();
  };
  const ready = Promise.withResolvers<void>();
  child.once('error', ready.reject);
  child.once('exit', () => {
    for (const opening of opened.values()) opening.resolve();
    close();
    onEnd();
    ready.reject(new Error('its process ended'));
  });
  child.on('message', (message, handle) => {
    const { port = 0 } = message as { port?: number };
    opened.get(port)?.resolve();
    if (handle instanceof Datagrams) {
      handle.on('message', (query, { port, address }) => {
        const answer = answerDns(query, dnsResponder);
        if (answer !== undefined) handle.send(answer, port, address);
      });
      handle.on('error', () => undefined);
      handle.unref();
    } else if (handle instanceof Server) {
      Object.assign(handle, { allowHalfOpen: true });
      handle.on('connection', (socket: Socket) => egressProxy.enter(socket, port, opened.get(port)?.isOwn));
      handle.on('error', () => undefined);
      handle.unref();
    } else return;
    handles.push(handle);
    if (handles.length === proxyPorts.length + 1) ready.resolve();
  });
  const cancel = clock.after(maxStartMs, () => ready.reject(new Error('it did not start in time')));
  try {
    const [pid] = await Promise.all([pidOf(child), ready.promise]);
    child.unref();
    child.channel?.unref();
    return { network: { pid, place: networkOf(pid) }, open, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    cancel();
  }
}

async function pidOf(child: ChildProcess): Promise<number> {
  const pipe = child.stdio[4] as Readable;
  pipe.setEncoding('utf8');
  let status = '';
  for await (const text of pipe.iterator({ destroyOnReturn: false })) {
    status += String(text);
    const pid = /"child-pid":\s*(\d+)/.exec(status)?.[1];
    if (pid === undefined) continue;
    pipe.resume();
    (pipe as Readable & { unref?(): void }).unref?.();
    return Number(pid);
  }
  throw new Error('bubblewrap told no process');
}

export function networkOf(pid: number | 'self'): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
