import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { defineTool } from '../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import { createStepEstimate } from '../../../src/chat/step-estimate.ts';
import { createCompletions } from '../../../src/features/completion/core/ask-completion.ts';
import { pullRequestAsk, pullRequestReply } from '../../../src/features/git/core/pull-request.ts';
import { splitReply, splitRequestMessages } from '../../../src/features/git/core/split-request.ts';
import { commitRequestMessages } from '../../../src/features/inline/core/commit-message.ts';
import { editRequestMessages } from '../../../src/features/inline/core/edit-request.ts';
import { readFirst } from '../../../src/features/inline/core/read-first.ts';
import { askNextPlaces } from '../../../src/features/next-places/core/ask-next-places.ts';
import { changedLines } from '../../../src/features/review-comments/core/changed-lines.ts';
import { reviewRequest, runReview } from '../../../src/features/review-comments/core/run-review.ts';
import type { ChatRequest, ReplyExpectation } from '../../../src/service/contract.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { HistoryMessage, Surface } from '../../../src/shared/messages.ts';
import { createEstimator, type Estimator, requestMicroUsd } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { type CreateMetered, createMeteredClient } from '../../../src/spend/metered-client.ts';
import { costMicroUsd } from '../../../src/spend/price.ts';
import { editFile } from '../../../src/tools/edit-file.ts';
import { type LocalService, type ServiceScript, startLocalService } from '../../service/local-service.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { importWithVscodeStub } from '../../support/vscode-stub.ts';
import { askService } from '../agent/ask-service.ts';
import { quickClock as clock, createRealClient } from '../agent/real-client.ts';
import { model } from '../agent/scripted-client.ts';

const { planGitRequest } = await importWithVscodeStub<typeof import('../../../src/features/git/vscode/git-request.ts')>(
  new URL('../../../src/features/git/vscode/git-request.ts', import.meta.url),
);

type Reply = NonNullable<ServiceScript['replies']>[number];

interface World {
  metered: CreateMetered;
  estimator: Estimator;
  signal: AbortSignal;
}

/** Tells the price as the surface does, and runs what the surface runs. `use` counts from 0. */
interface Run {
  told: number;
  run(): Promise<unknown>;
}

interface SurfaceOf {
  plan(world: World, use: number): Run;
  replies(use: number): Reply[];
  /** More thinking is cut off, and what is nothing but thoughts is free. */
  mostThought?: number;
}

const code = (use: number) =>
  Array.from(
    { length: 40 + 4 * use },
    (_, at) => `  const total${at} = sum(items.slice(${at}), ${at * 3}); // row ${at}`,
  );
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
const diff = (use: number) =>
  `@@ -1,1 +1,${1 + code(use).length} @@\n const a = 1;\n${code(use)
    .map((line) => `+${line}`)
    .join('\n')}\n`;
const newId = () => 'id';
const log = () => undefined;

/** A request of its own, with the tools of a surface that reads first left out: nothing has to be looked up. */
function single(
  surface: Surface,
  expects: (world: World, use: number) => ReplyExpectation,
  messages: (use: number) => HistoryMessage[],
) {
  return (world: World, use: number): Run => {
    const { metered, estimator, signal } = world;
    const request: ChatRequest = { model, messages: messages(use), surface, expects: expects(world, use) };
    const asked = { request, turnId: 't', signal, onEvent: log };
    return {
      told: requestMicroUsd(estimator, request),
      run: () => readFirst({ client: metered({ surface }), tools: [], clock, log }, asked),
    };
  };
}

const entry = { mode: '100644', id: 'a' };
const change = (use: number) => ({ path: 'src/a.ts', before: entry, after: entry, hunks: [{ text: diff(use) }] });

function ofGit(messages: (use: number) => HistoryMessage[], expects: ReplyExpectation) {
  return ({ metered, estimator, signal }: World, use: number): Run => {
    const settings = { request: () => ({}) };
    const asked = planGitRequest(
      { metered, estimator, settings, model: () => model, nameOf: (id) => id },
      messages(use),
      expects,
    );
    const request: ChatRequest = { model, messages: messages(use), surface: 'git', expects };
    return { told: requestMicroUsd(estimator, request), run: () => asked.send('Asking', undefined, signal) };
  };
}

const surfaces: Record<string, SurfaceOf> = {
  split: {
    plan: ofGit(
      (use) =>
        splitRequestMessages([{ files: [{ ...change(use), head: '', hunks: [] }], isHidden: false }], ['Add it']),
      splitReply,
    ),
    replies: (use) => [{ text: words(180 + 10 * use) }],
  },
  'pull request': {
    plan: ofGit(
      (use) =>
        pullRequestAsk({
          base: 'main',
          branch: 'work',
          commits: ['Add it', 'Test it'],
          commitCount: 2,
          changes: [change(use)],
          hidden: new Set(),
          template: '',
        }).messages,
      pullRequestReply,
    ),
    replies: (use) => [{ text: words(240 - 12 * use) }],
  },
  'commit message': {
    plan: single(
      'commit',
      () => ({ of: 'commit', tokens: 60 }),
      (use) => commitRequestMessages({ changes: diff(use), recent: ['Add it'], prefix: '' }),
    ),
    replies: (use) => [{ text: words(30 + 2 * use) }],
  },
  'inline edit': {
    plan: single(
      'inline',
      ({ estimator }, use) => ({ of: 'inline', tokens: estimator.text(model, code(use).join('\n')).tokens }),
      (use) =>
        editRequestMessages({
          path: 'src/a.ts',
          languageId: 'typescript',
          before: ['// before'],
          scope: code(use).join('\n'),
          after: ['// after'],
          instruction: 'Use map',
          problems: [],
          files: [],
          definitions: [],
        }),
    ),
    replies: (use) => [{ text: ['```ts', ...code(use), '```'].join('\n') }],
  },
  completion: {
    plan({ metered, estimator, signal }, use) {
      const completions = createCompletions({
        metered,
        estimator,
        learned: createLearned({}, () => undefined),
        choose: () => ({ model, thinks: true }),
        clock,
        newId,
      });
      const before = `${code(use).join('\n')}\nconst all = `;
      const planned = completions.plan({ path: 'a.ts', languageId: 'typescript', before, after: '\n', shown: [] });
      return { told: planned.estimateMicroUsd, run: () => completions.run(planned, signal) };
    },
    mostThought: 1300,
    replies: (use) => [
      {
        text: `\`\`\`ts\n${code(0)
          .slice(0, 2 + (use % 2))
          .join('\n')}\n\`\`\``,
      },
    ],
  },
  'next places': {
    plan({ metered, estimator, signal }, use) {
      const expects = { of: 'next-places', tokens: 350, inCalls: true } as const;
      const messages: HistoryMessage[] = [
        { role: 'system', text: words(150) },
        { role: 'user', text: code(use).join('\n') },
      ];
      const tools = toolDefinitions([editFile]);
      const request: ChatRequest = { model, messages, tools, surface: 'inline', expects };
      const client = metered({ surface: 'inline' });
      return {
        told: requestMicroUsd(estimator, request),
        run: () => askNextPlaces({ client, clock, log }, { request, windows: [], turnId: 't', signal }),
      };
    },
    replies: (use) => [
      {
        toolCalls: [
          { name: 'edit_file', arguments: { path: 'a.ts', edits: [{ oldText: words(60 + use), newText: words(70) }] } },
        ],
      },
    ],
  },
  review: {
    plan({ metered, estimator, signal }, use) {
      const hunks = changedLines('a.ts', diff(use));
      const ask = {
        ...{ files: new Map([['a.ts', { uri: 'file:///a.ts', lines: code(use) }]]), hunks, known: [] },
        ...{ isDismissed: () => false, model, request: {}, maxMicroUsd: 30_000, turnId: 't', signal },
        onProgress: log,
      };
      const client = metered({ surface: 'review', turnId: 't' });
      const estimate = (one: ChatRequest) => estimator.prompt(one).tokens;
      return {
        told: requestMicroUsd(estimator, reviewRequest({ ...ask, tools: [] })),
        run: () => runReview({ client, tools: [], estimate, clock, newId, log }, ask),
      };
    },
    replies: (use) => [
      {
        toolCalls: Array.from({ length: 4 }, (_, at) => ({
          name: 'report_finding',
          arguments: {
            ...{ path: 'a.ts', quote: code(0)[at], line: at + 2, severity: 'warning', title: `Fault ${at}` },
            ...{ why: words(30 + use), last: at === 3 },
          },
        })),
      },
    ],
  },
};

describe('what each surface tells, beside the bill of the service', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService();
  });
  after(() => service.close());

  for (const [name, surface] of Object.entries(surfaces))
    for (const thought of [0, 500, 2000])
      it(`U1 U2 ${name} with ${thought} tokens of thinking is told within 20 % from the second use on`, async () => {
        await withTempDir(async (dir) => {
          const ledger = createLedger({ dir, clock });
          const estimator = createEstimator(undefined);
          const client = createRealClient(service, { fallback: false, waitMs: 5000 });
          const metered = createMeteredClient({
            client,
            ledger,
            limits: () => ({}),
            estimator,
            clock,
            onError: assert.fail,
          });
          const world = { metered, estimator, signal: new AbortController().signal };
          const tokens = Math.min(thought, surface.mostThought ?? thought);
          const reasoning =
            tokens === 0 ? {} : { reasoning: Array.from({ length: tokens / 2 }, (_, at) => `step${at}`).join(' ') };
          for (let use = 0; use < 4; use++) {
            service.reset();
            service.script({ replies: surface.replies(use).map((reply) => ({ ...reply, ...reasoning })) });
            const { told, run } = surface.plan(world, use);
            await run();
            const billed = costMicroUsd(service.totalTokens());
            assert.equal(service.charges.length, 1, JSON.stringify(service.charges));
            const off = Math.abs(told - billed) / billed;
            assert.ok(use === 0 || off <= 0.2, `use ${use + 1}: told ${told}, billed ${billed}`);
          }
          await ledger.close();
        });
      });

  for (const thought of [0, 500, 2000])
    it(`U1 U2 a message with ${thought} tokens of thinking a request is told within 25 % beside Send, as the median of five`, async () => {
      const look = defineTool({
        name: 'look',
        kind: 'read',
        description: words(600),
        access: 'read',
        parameters: z.object({ at: z.number() }),
        title: ({ at }) => `Look ${at}`,
        run: async ({ at }) => ({ forModel: words(250 + 20 * at) }),
      });
      const reasoning =
        thought === 0 ? {} : { reasoning: Array.from({ length: thought / 2 }, (_, at) => `step${at}`).join(' ') };
      const looks = [3, 4, 3, 2, 3, 4];
      service.reset();
      service.script({
        replies: looks.flatMap((count, message) => [
          ...Array.from({ length: count }, (_, at) => ({
            ...{ text: 'I look.', toolCalls: [{ name: 'look', arguments: { at: at + message } }] },
            ...reasoning,
          })),
          { text: words(100 + 15 * message), ...reasoning },
        ]),
      });
      const questions = looks.map((_, at) => `Question ${at}: ${words(20 + 10 * at)}`);
      const { results, events } = await askService({ service, tools: [look], questions });
      const values = new Map<string, unknown>();
      const stored = {
        get: <T>(key: string) => values.get(key) as T | undefined,
        update: async (key: string, value: unknown) => void values.set(key, value),
      };
      const estimate = createStepEstimate(stored, () => 'agent');
      const off = results.map(({ cost }, at) => {
        const steps = events.filter((event) => event.type === 'stepFinished' && event.turnId === `t${at}`);
        const [first] = steps.flatMap((event) => (event.type === 'stepFinished' ? event.attempts : []));
        const told = estimate.usual(model, first?.usage?.promptTokens ?? 0) ?? 0;
        estimate.follow([...steps, { type: 'turnEnded', turnId: `t${at}`, at, outcome: 'finished', cost }]);
        return Math.abs(told - cost.totalTokens) / cost.totalTokens;
      });
      assert.equal(
        results.reduce((sum, { cost }) => sum + cost.totalTokens, 0),
        service.totalTokens(),
      );
      const [, , middle = 1] = off.slice(1).toSorted((one, other) => one - other);

      assert.ok(middle <= 0.25, off.join(' '));
    });
});
