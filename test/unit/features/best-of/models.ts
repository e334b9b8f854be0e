import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import {
  type Contest,
  type ContestPorts,
  contestSchema,
  createRunningContest,
  type Entry,
} from '../../../../src/features/best-of/core/contest.ts';
import { endedOf } from '../../../../src/features/best-of/core/figures.ts';
import { withScripts } from '../../../../src/features/best-of/core/test-command.ts';
import { failedIn } from '../../../../src/features/best-of/core/test-result.ts';
import type { Worktrees } from '../../../../src/features/worktrees/core/worktrees.ts';
import { createClient } from '../../../../src/service/client.ts';
import { createLearned } from '../../../../src/service/step/learned.ts';
import { createDirectFetch } from '../../../../src/service/wire/direct-fetch.ts';
import { createEstimator } from '../../../../src/spend/estimate.ts';
import { createLedger } from '../../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../../src/spend/metered-client.ts';
import { createImageStore } from '../../../../src/storage/image-store.ts';
import { toolDialect } from '../../../../src/tools/all-tools.ts';
import { type LocalService, type ServiceScript, startLocalService } from '../../../service/local-service.ts';
import { openCommands, openProduct } from '../../../trial/product.ts';
import { commitOf, signal, withRepository } from '../worktrees/repositories.ts';

export const key = 'sk-svc-contest-0123456789abcdef';
export const models = ['svc/glm-5.3', 'svc/kimi-k3', 'svc/qwen-3.8-27b'] as const;
export const task = 'Make add() add.';

/** A project whose test is red, and says how many fail; it needs nothing but a shell. */
export const project = {
  'add.sh': 'add() { echo $(($1 - $2)); }\n',
  'README.md': 'Adds.\n',
  'check.test.sh': [
    '. ./add.sh || exit 2',
    'failed=0',
    '[ "$(add 2 2)" = 4 ] || failed=$((failed + 1))',
    '[ "$(add 1 2)" = 3 ] || failed=$((failed + 1))',
    'echo "$failed failed"',
    '[ $failed = 0 ]',
    '',
  ].join('\n'),
  'package.json': `${JSON.stringify({ name: 'adder', scripts: { test: 'sh check.test.sh' } })}\n`,
} as const;

export interface Played {
  contest: Contest;
  service: LocalService;
  repository: string;
  worktrees: Worktrees;
  /** What the ledger has of all conversations. */
  ledgerMicroUsd(): Promise<number>;
  /** Plays on with what is stored, as the next window would. */
  play(change?: Partial<ContestPorts>, until?: AbortSignal): Promise<Contest>;
  stored(): Contest;
  stop: AbortController;
}

/** Opens the product's loop, tools, sandbox and worktrees in plain Node, with models that say what the script has. */
export async function withContest(
  script: ServiceScript,
  use: (played: Played) => Promise<void>,
  { files = project as Readonly<Record<string, string>>, test = 'sh check.test.sh', capMicroUsd = 1_000_000 } = {},
): Promise<void> {
  const service = await startLocalService({ keys: [key], script });
  const direct = createDirectFetch();
  await withRepository(async ({ repository, dir, worktrees }) => {
    await commitOf(repository, files);
    const home = path.join(path.dirname(dir), 'home');
    await mkdir(home, { recursive: true });
    const log: string[] = [];
    const commands = openCommands(path.join(home, 'commands'), (line) => void log.push(line));
    await commands.ready();
    const clock = { ...systemClock, sleep: async () => undefined };
    const ledger = createLedger({ dir: path.join(home, 'ledger'), clock, dayOf: () => '2026-01-01' });
    await ledger.refresh();
    const learned = createLearned({}, () => undefined);
    const estimator = createEstimator(undefined, () => undefined);
    const images = createImageStore(home);
    const client = createClient({
      ...{ clock, learned, transport: direct, redact: (text: string) => text },
      baseUrl: () => service.baseUrl,
      key: async () => key,
      log: () => undefined,
      random: Math.random,
      newId: randomUUID,
      readImage: images.read,
      modelIds: () => [...models],
      fallback: () => ({ enabled: false, order: [] }),
      promptTokens: (request) => estimator.prompt(request).tokens,
      recognises: toolDialect.recognises,
      timeouts: () => ({ firstEventMs: 60_000, idleMs: 60_000 }),
    });
    const caps = new Map<string, number>();
    const limits = () => ({});
    const onError = (error: unknown) => void log.push(String(error));
    const metered = createMeteredClient({
      client,
      ledger,
      limits,
      estimator,
      clock,
      onError,
      capOf: (id) => caps.get(id),
    });
    const products = {
      ...{ commands, metered, limits, ledger, estimator, learned, images, clock },
      modelIds: () => models,
      maskKeys: <T>(record: T) => record,
      log: (line: string) => void log.push(line),
    };
    const fresh: Contest = {
      ...{ id: randomUUID(), name: 'adder', repository, roots: [{ name: 'adder', path: '' }], task, attachments: [] },
      tree: await worktrees.committed(repository, signal),
      ...(test && { test, judge: await withScripts(test, repository) }),
      entries: models.map((model): Entry => ({ model, capMicroUsd, run: { steps: 6, stepTokens: 1000 } })),
    };
    let stored = JSON.stringify(fresh);
    const stop = new AbortController();
    const ports = (contest: Contest): ContestPorts => ({
      ...{ dir, worktrees, changed: () => undefined },
      async work(one, begins, until) {
        const folder = one.folder ?? '';
        const product = await openProduct(products, {
          ...{ folder, dir: path.join(home, 'store', randomUUID()), mode: 'agent', model: one.model },
          onPlan: () => undefined,
        });
        const { conversation } = product;
        caps.set(conversation.id, one.capMicroUsd);
        await begins(conversation.id);
        const stopping = () => conversation.stop();
        until.addEventListener('abort', stopping);
        await conversation.send({ text: contest.task, attachments: [], model: one.model });
        const ended = endedOf(conversation.state(), one.model);
        await product.close();
        if (ended === undefined) throw new Error('it has no end');
        return ended;
      },
      async test(folder, line, until) {
        const { output, exitCode } = await commands.judge(line, folder, until);
        const failed = failedIn(output);
        return { ...(exitCode !== undefined && { exitCode }), ...(failed !== undefined && { failed }), said: output };
      },
      withoutTests: async () => false,
      async save() {
        stored = JSON.stringify(contest);
      },
    });
    const read = () => contestSchema.parse(JSON.parse(stored));
    const play: Played['play'] = async (change = {}, until = stop.signal) => {
      const contest = read();
      await createRunningContest(contest, { ...ports(contest), ...change }).run(until, 2);
      return contest;
    };
    try {
      await use({
        ...{ contest: fresh, service, repository, worktrees, play, stop },
        stored: read,
        async ledgerMicroUsd() {
          await ledger.refresh();
          return ledger.today().microUsd;
        },
      });
    } finally {
      commands.dispose();
      await ledger.close();
    }
  });
  await Promise.all([direct.close(), service.close()]);
}
