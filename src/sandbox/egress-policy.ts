import type { Clock } from '../base/clock.ts';
import type { Blocked } from './blocked.ts';

/**
 * Asks for something while a command waits; the agreement holds for all commands of the conversation. `hosts` are exact
 * names with ports.
 */
export type GrantQuestion =
  | { kind: 'hosts'; hosts: readonly string[] }
  | { kind: 'local'; host: string }
  | { kind: 'upload'; host: string; bytes: number }
  | { kind: 'git' | 'port' | 'file' | 'folder'; what: string; blocked: string };

/** Undefined means that the user did not answer, and nothing is kept. */
export type GrantAnswer = 'allow' | 'refuse' | undefined;
export type AskGrant = (question: GrantQuestion, signal: AbortSignal) => Promise<GrantAnswer>;

export interface CommandSession {
  /** `ask` is absent in the background, where nobody can be asked. */
  ask?: AskGrant;
  blocked: Map<string, Blocked>;
  onBlocked?(blocked: Blocked): void;
  sent: Map<string, number>;
  received: Map<string, number>;
  ended: AbortSignal;
}

export function newCommandSession(
  ended: AbortSignal,
  { ask, onBlocked }: Pick<CommandSession, 'ask' | 'onBlocked'> = {},
): CommandSession {
  const counts = { blocked: new Map(), sent: new Map(), received: new Map() };
  return { ask, onBlocked, ...counts, ended };
}

export interface EgressPolicy {
  /** Until the returned function is called, questions and counts belong to this command, or to one that came later. */
  session(session: CommandSession): () => void;
  /** Resolves with the user's answer, which may take as long as a client can be held. */
  mayReach(host: string, port: number): Promise<boolean>;
  mayReachLocal(host: string, port: number): Promise<boolean>;
  /** Must be called before each part is sent. */
  maySend(host: string, port: number, bytes: number): Promise<boolean>;
  addReceived(host: string, bytes: number): void;
  hasAllowed(): boolean;
}

const gatheredMs = 1500;
const heldMs = 120_000;
/** An upload above this size to one host by one command is asked about, and then at ten times as much. */
const askedAboveBytes = 1_000_000;
/** Requests for downloads count as no upload: an installation of a thousand packages sends a megabyte of them. */
const requestShare = 0.02;

export function createEgressPolicy(clock: Clock): EgressPolicy {
  const decided = new Map<string, boolean>();
  const asked = new Map<string, Promise<GrantAnswer>>();
  const sessions: CommandSession[] = [];
  const limits = new WeakMap<CommandSession, Map<string, number>>();
  let gathering: { hosts: Set<string>; answer: Promise<GrantAnswer> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const askNext = (question: () => GrantQuestion): Promise<GrantAnswer> => {
    const answer = last.then(() => {
      const asker = sessions.findLast(({ ask }) => ask !== undefined);
      return asker?.ask?.(question(), asker.ended);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const gather = (place: string): Promise<GrantAnswer> => {
    if (sessions.every(({ ask }) => ask === undefined)) return Promise.resolve(undefined);
    if (gathering === undefined) {
      const hosts = new Set<string>();
      const ready = Promise.withResolvers<void>();
      clock.after(gatheredMs, () => {
        gathering = undefined;
        ready.resolve();
      });
      gathering = { hosts, answer: ready.promise.then(() => askNext(() => ({ kind: 'hosts', hosts: [...hosts] }))) };
    }
    gathering.hosts.add(place);
    return gathering.answer;
  };
  const decide = async (key: string, ask: () => Promise<GrantAnswer>): Promise<boolean> => {
    const known = decided.get(key);
    if (known !== undefined) return known;
    let answer = asked.get(key);
    if (answer === undefined) {
      answer = ask().finally(() => asked.delete(key));
      asked.set(key, answer);
      void answer.then((said) => said !== undefined && decided.set(key, said === 'allow'));
    }
    const tooLong = Promise.withResolvers<undefined>();
    const cancel = clock.after(heldMs, () => tooLong.resolve(undefined));
    const said = await Promise.race([answer, tooLong.promise]);
    cancel();
    return said === 'allow';
  };
  const note = (host: string, port: number, isAllowed: boolean) => {
    if (!isAllowed) {
      const refused = decided.get(hostAndPort(host, port)) === false;
      const session = sessions.at(-1);
      const blocked: Blocked = { kind: 'network', host, port, ...(refused && { refused }) };
      if (session?.blocked.has(hostAndPort(host, port)) === false) session.onBlocked?.(blocked);
      session?.blocked.set(hostAndPort(host, port), blocked);
    }
    return isAllowed;
  };

  return {
    session(session) {
      sessions.push(session);
      return () => {
        const at = sessions.indexOf(session);
        if (at >= 0) sessions.splice(at, 1);
      };
    },
    async mayReach(host, port) {
      const place = hostAndPort(host, port);
      return note(host, port, await decide(place, () => gather(place)));
    },
    async mayReachLocal(host, port) {
      const place = hostAndPort(host, port);
      return note(host, port, await decide(`local ${place}`, () => askNext(() => ({ kind: 'local', host: place }))));
    },
    async maySend(host, port, bytes) {
      const session = sessions.at(-1);
      if (session === undefined) return false;
      const sent = (session.sent.get(host) ?? 0) + bytes;
      const own = limits.get(session) ?? new Map<string, number>();
      limits.set(session, own);
      const limit = own.get(host) ?? askedAboveBytes;
      if (sent > limit + (session.received.get(host) ?? 0) * requestShare) {
        const question: GrantQuestion = { kind: 'upload', host: hostAndPort(host, port), bytes: limit };
        const key = `upload ${sessions.indexOf(session)} ${host} ${limit}`;
        const isAllowed = await decide(key, () => askNext(() => question));
        decided.delete(key);
        if (!isAllowed) return note(host, port, false);
        own.set(host, Math.max(own.get(host) ?? 0, limit * 10));
      }
      session.sent.set(host, (session.sent.get(host) ?? 0) + bytes);
      return true;
    },
    addReceived(host, bytes) {
      const session = sessions.at(-1);
      session?.received.set(host, (session.received.get(host) ?? 0) + bytes);
    },
    hasAllowed: () => [...decided.values()].includes(true),
  };
}

export function hostAndPort(host: string, port: number): string {
  return `${host}:${port}`;
}
