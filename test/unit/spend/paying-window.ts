import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/service/client.ts';
import { knownModels } from '../../../src/service/models.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { demoKey } from '../../service/local-service.ts';

/**
 * A window of its own that runs a turn of some requests, each with the answers so far, once the file `go` is there, and
 * writes how that ended, with the events up to the end of each. With `dieAt` it is killed at that event, counted from 1,
 * before anything that follows from it.
 */
const [dir = '', baseUrl = '', go = '', dieAt = '0', limit = '', requests = '1'] = process.argv.slice(2);

const clock = systemClock;
const client = createClient({
  baseUrl: () => baseUrl,
  key: async () => demoKey,
  transport: (url, init) => fetch(url, init),
  learned: createLearned({}, () => undefined),
  modelIds: () => knownModels.map(({ id }) => id),
  fallback: () => ({ enabled: false, order: [] }),
  clock,
  random: () => 0,
  newId: () => `${process.pid}-${performance.now()}`,
  redact: (text) => text,
  log: () => undefined,
  timeouts: () => ({ firstEventMs: 60_000, idleMs: 60_000 }),
});
const ledger = createLedger({ dir, clock });
await ledger.refresh();
const metered = createMeteredClient({
  client,
  ledger,
  limits: () => (limit === '' ? {} : { dailyLimitUsd: Number(limit) }),
  estimator: createEstimator(undefined),
  clock,
  onError: (error) => {
    throw error;
  },
});
process.stdout.write('ready\n');
while (!existsSync(go)) await sleep(1);

let events = 0;
const ends: number[] = [];
const model = 'svc/glm-5.3';
const messages: HistoryMessage[] = [{ role: 'user', text: 'word '.repeat(4000) }];
const turn = metered({ surface: 'chat', conversationId: 'c', turnId: 't' });
let outcome = '';
while (ends.length < Number(requests)) {
  const result = await turn.stream(
    { model, messages: [...messages], surface: 'chat' },
    () => {
      events += 1;
      if (events === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
    },
    new AbortController().signal,
  );
  ({ outcome } = result);
  ends.push(events);
  messages.push(
    { role: 'assistant', text: `answer ${ends.length}`, model, toolCalls: [] },
    { role: 'user', text: 'On.' },
  );
}
await ledger.close();
process.stdout.write(`${outcome} ${ends.join(' ')}\n`);
