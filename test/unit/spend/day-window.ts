import { systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/service/client.ts';
import { knownModels } from '../../../src/service/models.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { Surface } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { createRandom } from '../../bench/seeded-random.ts';
import { demoKey } from '../../service/local-service.ts';

/**
 * A window of its own in the scripted day: sends `count` requests of mixed kinds, some at a time, through the real
 * client, with a ledger in `dir`. A request says in its text which it is and what is to become of it.
 */
const [dir = '', window = '', baseUrl = '', count = '0', seed = '1'] = process.argv.slice(2);
const random = createRandom(Number(seed));
const pick = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(random() * list.length)] ?? otherwise;

const kinds = ['plain', 'plain', 'plain', 'plain', 'whole', 'ignored', 'refused', 'down', 'flaky', 'fallback'];
kinds.push('empty', 'cut', 'stop', 'silent', 'slow', 'unread0', 'unread1', 'unread2');
const surfaces: Surface[] = [
  'chat',
  'inline',
  'commit',
  'native-chat',
  'side-by-side',
  'completion',
  'review',
  'subagent',
  'git',
];

let ids = 0;
const client = createClient({
  baseUrl: () => baseUrl,
  key: async () => demoKey,
  transport: (url, init) => fetch(url, init),
  learned: createLearned({}, () => undefined),
  modelIds: () => knownModels.map(({ id }) => id),
  fallback: () => ({ enabled: true, order: [] }),
  // Waiting between attempts takes no time here.
  clock: { ...systemClock, sleep: async () => undefined },
  random: () => 0,
  newId: () => `${window}-r${++ids}`,
  redact: (text) => text,
  log: () => undefined,
  timeouts: () => ({ firstEventMs: 30_000, idleMs: 30_000 }),
});
const ledger = createLedger({ dir, clock: systemClock });
await ledger.refresh();
const metered = createMeteredClient({
  client,
  ledger,
  limits: () => ({ dailyLimitUsd: 1000, conversationLimitUsd: 1000 }),
  estimator: createEstimator(undefined, () => undefined),
  clock: systemClock,
  onError: (error) => {
    throw error;
  },
});

const plans = Array.from({ length: Number(count) }, (_, n) => ({
  turnId: `${window}-${n}.`,
  kind: pick(kinds, 'plain'),
  model: pick(knownModels, { id: 'svc/glm-5.3', name: '' }).id,
  surface: pick(surfaces, 'chat'),
  padding: 'word '.repeat(Math.floor(random() * 400)),
}));

async function send({ turnId, kind, model, surface, padding }: (typeof plans)[number]): Promise<void> {
  const context = { surface, conversationId: `${window}-c${turnId.length}`, turnId };
  const stop = new AbortController();
  const one = metered(context);
  await one[kind === 'whole' ? 'complete' : 'stream'](
    {
      model: kind === 'fallback' ? 'svc/kimi-k3' : model,
      messages: [{ role: 'user', text: `${turnId} kind:${kind} ${padding}` }],
      surface,
    },
    (event) => {
      if (kind === 'stop' && event.type === 'text') stop.abort();
    },
    stop.signal,
  );
}

const waiting = plans.values();
const worker = async (): Promise<void> => {
  for (const plan of waiting) await send(plan);
};
await Promise.all([worker(), worker(), worker(), worker()]);
await ledger.close();
