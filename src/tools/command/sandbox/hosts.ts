import type { Clock } from '../../../base/clock.ts';
import type { Blocked } from './blocked.ts';

/** Asked while a command waits; an agreement is for all commands of the conversation. `hosts`: exact names, with ports. */
export type LiftQuestion =
  | { kind: 'hosts'; hosts: readonly string[] }
  /** It is on a network of this machine, not one that everybody reaches. */
  | { kind: 'local'; host: string }
  /** So much was sent to it already by one command. */
  | { kind: 'upload'; host: string; bytes: number }
  /** Git's data in the folder, a port of this machine, a covered file or folder, or a folder outside, as displayed. */
  | { kind: 'git' | 'port' | 'file' | 'folder'; what: string; blocked: string };

/** Undefined: not answered, and nothing is kept of it. */
export type LiftAnswer = 'allow' | 'refuse' | undefined;
export type AskLift = (question: LiftQuestion, signal: AbortSignal) => Promise<LiftAnswer>;

/** A command while it runs, as who is asked and told about connections. */
export interface Visit {
  /** Absent in the background, where nobody can be asked. */
  ask?: AskLift;
  blocked: Map<string, Blocked>;
  /** Hears of each at once. */
  onBlocked?(blocked: Blocked): void;
  /** Bytes by host. */
  sent: Map<string, number>;
  received: Map<string, number>;
  ended: AbortSignal;
}

export function newVisit(ended: AbortSignal, { ask, onBlocked }: Pick<Visit, 'ask' | 'onBlocked'> = {}): Visit {
  const counts = { blocked: new Map(), sent: new Map(), received: new Map() };
  return { ...(ask && { ask }), ...(onBlocked && { onBlocked }), ...counts, ended };
}

export interface Hosts {
  /** Until the function is called, questions and counts are those of this command, or of one that came later. */
  visit(visit: Visit): () => void;
  /** Resolves with the answer of the user, which may take as long as a client can be held. */
  mayReach(host: string, port: number): Promise<boolean>;
  mayReachLocal(host: string, port: number): Promise<boolean>;
  /** Before each part is sent. */
  maySend(host: string, port: number, bytes: number): Promise<boolean>;
  /** Hears of each part that came. */
  addReceived(host: string, bytes: number): void;
  hasAllowed(): boolean;
}

/** Hosts that are asked for within this time share a question. */
const gatheredMs = 1500;
/** Clients wait for an answer so long at most. */
const heldMs = 120_000;
/** More than this to one host by one command is asked about, then ten times as much. */
const askedAboveBytes = 1_000_000;
/** Requests for what comes are not counted as an upload: an installation of a thousand packages sends a megabyte of them. */
const requestShare = 0.02;

/** Which hosts commands of one conversation reach, as far as it was decided. Nothing of it outlives the window. */
export function createHosts(clock: Clock): Hosts {
  const decided = new Map<string, boolean>();
  const asked = new Map<string, Promise<LiftAnswer>>();
  const visits: Visit[] = [];
  const limits = new WeakMap<Visit, Map<string, number>>();
  let gathering: { hosts: Set<string>; answer: Promise<LiftAnswer> } | undefined;
  /** Questions come one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  const askNext = (question: () => LiftQuestion): Promise<LiftAnswer> => {
    const answer = last.then(() => {
      const asker = visits.findLast(({ ask }) => ask !== undefined);
      return asker?.ask?.(question(), asker.ended);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const gather = (place: string): Promise<LiftAnswer> => {
    if (visits.every(({ ask }) => ask === undefined)) return Promise.resolve(undefined);
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
  /** One question about it at a time; a refusal holds as an agreement does. */
  const decide = async (key: string, ask: () => Promise<LiftAnswer>): Promise<boolean> => {
    const known = decided.get(key);
    if (known !== undefined) return known;
    let answer = asked.get(key);
    if (answer === undefined) {
      answer = ask().finally(() => asked.delete(key));
      asked.set(key, answer);
      void answer.then((said) => said !== undefined && decided.set(key, said === 'allow'));
    }
    const tooLong = Promise.withResolvers<undefined>();
    const callOff = clock.after(heldMs, () => tooLong.resolve(undefined));
    const said = await Promise.race([answer, tooLong.promise]);
    callOff();
    return said === 'allow';
  };
  const note = (host: string, port: number, isAllowed: boolean) => {
    if (!isAllowed) {
      const refused = decided.get(placeOf(host, port)) === false;
      const visit = visits.at(-1);
      const blocked: Blocked = { kind: 'network', host, port, ...(refused && { refused }) };
      if (visit?.blocked.has(placeOf(host, port)) === false) visit.onBlocked?.(blocked);
      visit?.blocked.set(placeOf(host, port), blocked);
    }
    return isAllowed;
  };

  return {
    visit(visit) {
      visits.push(visit);
      return () => {
        const at = visits.indexOf(visit);
        if (at >= 0) visits.splice(at, 1);
      };
    },
    async mayReach(host, port) {
      const place = placeOf(host, port);
      return note(host, port, await decide(place, () => gather(place)));
    },
    async mayReachLocal(host, port) {
      const place = placeOf(host, port);
      return note(host, port, await decide(`local ${place}`, () => askNext(() => ({ kind: 'local', host: place }))));
    },
    async maySend(host, port, bytes) {
      const visit = visits.at(-1);
      if (visit === undefined) return false;
      const sent = (visit.sent.get(host) ?? 0) + bytes;
      const own = limits.get(visit) ?? new Map<string, number>();
      limits.set(visit, own);
      const limit = own.get(host) ?? askedAboveBytes;
      if (sent > limit + (visit.received.get(host) ?? 0) * requestShare) {
        const question: LiftQuestion = { kind: 'upload', host: placeOf(host, port), bytes: limit };
        const key = `upload ${visits.indexOf(visit)} ${host} ${limit}`;
        const isAllowed = await decide(key, () => askNext(() => question));
        decided.delete(key);
        if (!isAllowed) return note(host, port, false);
        own.set(host, Math.max(own.get(host) ?? 0, limit * 10));
      }
      visit.sent.set(host, (visit.sent.get(host) ?? 0) + bytes);
      return true;
    },
    addReceived(host, bytes) {
      const visit = visits.at(-1);
      visit?.received.set(host, (visit.received.get(host) ?? 0) + bytes);
    },
    hasAllowed: () => [...decided.values()].includes(true),
  };
}

export function placeOf(host: string, port: number): string {
  return `${host}:${port}`;
}
