import { createEmitter, type Event } from '../../../base/emitter.ts';
import type { StoredValues } from '../../../storage/stored-values.ts';
import { type Contest, contestSchema, type RunningContest } from './contest.ts';

export interface Running extends Pick<RunningContest, 'base' | 'phases'> {
  stop(): void;
}

/** The contests of this workspace. Each is written after every change, so a later window knows where each model stood. */
export interface ContestStore {
  /** Returns the contest of this conversation, else one that has no conversation yet. */
  at(conversationId: string): Contest | undefined;
  get(id: string): Contest | undefined;
  save(contest: Contest): Promise<void>;
  remove(id: string): void;
  forget(conversationIds: ReadonlySet<string>): void;
  conversationIds(): string[];
  running: Map<string, Running>;
  changed(): void;
  onDidChange: Event;
}

const prefix = 'contest.';

export function createContestStore(values: Pick<StoredValues, 'get' | 'update' | 'keys'>): ContestStore {
  const listeners = createEmitter();
  const contests = new Map<string, Contest>();
  for (const key of values.keys().filter((each) => each.startsWith(prefix))) {
    // Another version may have stored another shape.
    const { success, data } = contestSchema.safeParse(values.get(key));
    if (success) contests.set(data.id, data);
  }
  const isOf = ({ entries }: Contest, ids: ReadonlySet<string>) =>
    entries.some(({ conversationId }) => conversationId !== undefined && ids.has(conversationId));
  const remove = (id: string) => {
    contests.delete(id);
    void values.update(`${prefix}${id}`, undefined);
    listeners.fire();
  };
  return {
    at(conversationId) {
      const all = [...contests.values()];
      const ids = new Set([conversationId]);
      return all.find((one) => isOf(one, ids)) ?? all.find((one) => one.entries.every((each) => !each.conversationId));
    },
    get: (id) => contests.get(id),
    save(contest) {
      contests.set(contest.id, contest);
      listeners.fire();
      return values.update(`${prefix}${contest.id}`, structuredClone(contest));
    },
    remove,
    forget(conversationIds) {
      for (const contest of contests.values()) if (isOf(contest, conversationIds)) remove(contest.id);
    },
    conversationIds: () =>
      [...contests.values()].flatMap(({ entries }) => entries.flatMap(({ conversationId }) => conversationId ?? [])),
    running: new Map(),
    changed: () => listeners.fire(),
    onDidChange: listeners.event,
  };
}
