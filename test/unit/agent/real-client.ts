import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/service/client.ts';
import { knownModels } from '../../../src/service/models.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import { demoKey, type LocalService } from '../../service/local-service.ts';

/** Backoff takes no time here. */
export const quickClock: Clock = { ...systemClock, sleep: async () => undefined };

/** The real client before a service that answers as scripted. `waitMs`: for an event. */
export function createRealClient(service: LocalService, { fallback, waitMs }: { fallback: boolean; waitMs: number }) {
  let ids = 0;
  return createClient({
    baseUrl: () => service.baseUrl,
    key: async () => demoKey,
    transport: (url, init) => fetch(url, init),
    learned: createLearned({}, () => undefined),
    modelIds: () => knownModels.map(({ id }) => id),
    fallback: () => ({ enabled: fallback, order: [] }),
    clock: quickClock,
    random: () => 0,
    newId: () => `r${++ids}`,
    redact: (text) => text,
    log: () => undefined,
    timeouts: () => ({ firstEventMs: waitMs, idleMs: waitMs }),
  });
}
