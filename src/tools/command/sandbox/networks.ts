import { type ChildProcess, spawn } from 'node:child_process';
import { Socket as Datagrams } from 'node:dgram';
import { readlinkSync } from 'node:fs';
import { Server, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import type { BubblewrapPrograms } from './bubblewrap.ts';
import { createDoors } from './doors.ts';
import { createHosts, type Hosts, type Visit } from './hosts.ts';
import { answerNames, createNames } from './names.ts';
import type { Reach } from './reach.ts';

/** A network that commands of a conversation share. */
export interface SharedNetwork {
  /** The process that keeps it. */
  pid: number;
  /** In the kernel's words, which no other network has as long as this one is there. */
  place: string;
}

export interface NetworksDeps {
  /** The script of the process that keeps a network; run by this very program. */
  holderFile: string;
  reach: Reach;
  clock: Clock;
  log(line: string): void;
}

export interface Networks {
  /** Rejects when there can be none. Until `leave`, the command is part of it. */
  enter(
    programs: Pick<BubblewrapPrograms, 'bwrap'>,
    conversationId: string,
    visit: Visit,
  ): Promise<{ network: SharedNetwork; leave(): void }>;
  /** As the user decided in the conversation, in this window. */
  hostsOf(conversationId: string): Hosts;
  forget(conversationId: string): void;
  closeAll(): void;
}

/** Without commands a network is empty, and another as good. */
const idleMs = 120_000;
const longestStartMs = 10_000;

/** Commands that are in the network now, and what takes back its end when another one comes. */
interface Use {
  users: number;
  callOff?: () => void;
}

export function createNetworks({ holderFile, reach, clock, log }: NetworksDeps): Networks {
  const conversations = new Map<string, Hosts>();
  const holders = new Map<string, { holder: Promise<Holder>; use: Use }>();
  const hostsOf = (conversationId: string) => {
    const hosts = conversations.get(conversationId) ?? createHosts(clock);
    conversations.set(conversationId, hosts);
    return hosts;
  };
  const holderOf = (bwrap: string, conversationId: string) => {
    const known = holders.get(conversationId);
    if (known !== undefined) return known;
    const use: Use = { users: 0 };
    const onEnd = () => {
      use.callOff?.();
      if (holders.get(conversationId)?.use === use) holders.delete(conversationId);
    };
    const opened = { hosts: hostsOf(conversationId), reach, clock, onEnd };
    const entry = { holder: openHolder({ bwrap, holderFile }, opened), use };
    entry.holder.catch((error: Error) => {
      onEnd();
      log(`No network for commands: ${error.message}`);
    });
    holders.set(conversationId, entry);
    return entry;
  };
  const close = (conversationId: string) => {
    const entry = holders.get(conversationId);
    entry?.use.callOff?.();
    void entry?.holder.then(({ close: end }) => end()).catch(() => undefined);
    holders.delete(conversationId);
  };
  return {
    async enter({ bwrap }, conversationId, visit) {
      const { holder, use } = holderOf(bwrap, conversationId);
      const { network } = await holder;
      use.callOff?.();
      use.users++;
      const endVisit = hostsOf(conversationId).visit(visit);
      let hasLeft = false;
      return {
        network,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          endVisit();
          use.users--;
          use.callOff?.();
          if (use.users === 0) {
            use.callOff = clock.after(idleMs, () => {
              if (use.users === 0 && holders.get(conversationId)?.use === use) close(conversationId);
            });
          }
        },
      };
    },
    hostsOf,
    forget(conversationId) {
      close(conversationId);
      conversations.delete(conversationId);
    },
    closeAll() {
      for (const conversationId of [...holders.keys()]) close(conversationId);
    },
  };
}

interface Holder {
  network: SharedNetwork;
  close(): void;
}

interface HolderListener {
  hosts: Hosts;
  reach: Reach;
  clock: Clock;
  onEnd(): void;
}

/** Ports that connections go through: of http and https. */
const doorPorts = [80, 443];

/**
 * A process of ours that does nothing but keep a network, with the right to open its lower ports and no other. What it opens there
 * is accepted here: an open port keeps the network that it was opened in.
 */
async function openHolder(
  { bwrap, holderFile }: { bwrap: string; holderFile: string },
  { hosts, reach, clock, onEnd }: HolderListener,
): Promise<Holder> {
  const args = [
    ...['--unshare-user', '--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL', '--cap-add', 'CAP_NET_BIND_SERVICE'],
    // A `/dev` of its own would take a namespace in between, whose rights do not reach the network.
    ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc', '--json-status-fd', '4'],
    ...['--', process.execPath, holderFile],
  ];
  const child = spawn(bwrap, args, {
    cwd: '/',
    env: { ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  const names = createNames();
  const doors = createDoors({ names, hosts, reach, clock });
  const handles: (Server | Datagrams)[] = [];
  const close = () => {
    child.kill('SIGKILL');
    doors.close();
    // As long as one is open here, the network stays.
    for (const handle of handles.splice(0)) handle.close();
  };
  const ready = Promise.withResolvers<void>();
  child.once('error', ready.reject);
  child.once('exit', () => {
    close();
    onEnd();
    ready.reject(new Error('its process ended'));
  });
  child.on('message', (message, handle) => {
    if (handle instanceof Datagrams) {
      handle.on('message', (query, { port, address }) => {
        const answer = answerNames(query, names);
        if (answer !== undefined) handle.send(answer, port, address);
      });
      handle.on('error', () => undefined);
      handle.unref();
    } else if (handle instanceof Server) {
      Object.assign(handle, { allowHalfOpen: true });
      const { port } = message as { port: number };
      handle.on('connection', (socket: Socket) => doors.enter(socket, port));
      handle.on('error', () => undefined);
      handle.unref();
    } else return;
    handles.push(handle);
    if (handles.length === doorPorts.length + 1) ready.resolve();
  });
  const callOff = clock.after(longestStartMs, () => ready.reject(new Error('it did not start in time')));
  try {
    const [pid] = await Promise.all([pidOf(child), ready.promise]);
    child.unref();
    child.channel?.unref();
    return { network: { pid, place: networkOf(pid) }, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    callOff();
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

/** Throws for a process that is gone, or that may not be looked at. */
export function networkOf(pid: number | 'self'): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
