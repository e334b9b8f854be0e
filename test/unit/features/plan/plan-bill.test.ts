import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { offeredTools } from '../../../../src/agent/offered-tools.ts';
import { systemPrompt } from '../../../../src/agent/system-prompt.ts';
import { defineTool, type Tool } from '../../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../../src/agent/tool-definitions.ts';
import { learnRun, planPrice, runMessage } from '../../../../src/features/plan/core/plan-price.ts';
import { estimatePromptTokens } from '../../../../src/service/tokens.ts';
import { type ChatItem, emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import { createEstimator } from '../../../../src/spend/estimate.ts';
import { costMicroUsd } from '../../../../src/spend/price.ts';
import { toolSpecs } from '../../../../src/tools/all-tools.ts';
import { type LocalService, startLocalService } from '../../../service/local-service.ts';
import { askService } from '../../agent/ask-service.ts';
import { model } from '../../agent/scripted-client.ts';

const plan = Array.from(
  { length: 3 },
  (_, at) => `${at + 1}. Change file${at}.ts so that it takes a list, and run its test`,
).join('\n');

/** Of a result: with its call about the 1,200 tokens that the page on costs counts for a step of a change. */
const lines = 120;

describe('the price of a plan beside the bill of the service', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService();
  });
  after(() => service.close());

  const run = async (thought: number, resultLines = lines) => {
    // What Agent sends with each request, as one tool beside those that are named.
    const offered = offeredTools('agent', toolSpecs as readonly Tool[], (need) => need !== 'page');
    const fixed =
      systemPrompt({ folders: [{ name: 'p' }], tools: offered, today: '2026-11-24' }) +
      JSON.stringify(toolDefinitions(offered));
    const steps = ['look', 'change', 'check'].map((name) =>
      defineTool({
        name,
        description: name === 'look' ? fixed : name,
        parameters: z.object({ at: z.string() }),
        kind: 'other',
        access: 'read',
        title: () => name,
        run: async (args) => ({
          forModel: Array.from({ length: resultLines }, (_, line) => `${line}: const value = ${args.at};`).join('\n'),
        }),
      }),
    );
    const calls = Array.from({ length: 8 }, (_, at) => ({
      name: ['look', 'change', 'check'][at % 3] ?? '',
      arguments: { at: `${at}` },
    }));
    const thinking =
      thought === 0 ? {} : { reasoning: Array.from({ length: thought / 2 }, (_, at) => `step${at}`).join(' ') };
    service.reset();
    service.script({
      replies: [
        ...calls.map((call) => ({ ...thinking, text: 'Next.', toolCalls: [call] })),
        { ...thinking, text: 'Done.' },
      ],
    });
    const task = runMessage('Take lists.', plan);
    const { results } = await askService({ service, tools: steps, questions: [task] });
    assert.equal(results[0]?.outcome, 'finished');
    assert.equal(service.charges.length, 9);
    const begins = { task: estimatePromptTokens({ messages: [{ role: 'user', text: task }] }), history: 0 };
    return { bill: costMicroUsd(service.totalTokens()), begins, cost: results[0].cost };
  };

  it('F44 U1 a run of three steps that look, change and check costs about as much as was told, and stays far below its cap', async () => {
    const { bill, begins } = await run(0);
    const told = planPrice(plan, begins, ({ tokens }) => tokens);
    assert.equal(told.steps, 3);
    assert.ok(Math.abs(told.freshMicroUsd - bill) < 0.35 * bill, `told ${told.freshMicroUsd}, billed ${bill}`);
    assert.ok(bill < told.capMicroUsd / 2);
  });

  for (const thought of [0, 500, 2000])
    it(`F44 U1 U2 with ${thought} tokens of thinking a request, a run is told within 20 % from the second use on`, async () => {
      const estimator = createEstimator(undefined);
      for (const [use, resultLines] of [120, 100, 135].entries()) {
        const { bill, begins, cost } = await run(thought, resultLines);
        const told = planPrice(plan, begins, (expects) => estimator.usual(model, expects));
        const off = Math.abs(told.freshMicroUsd - bill) / bill;
        assert.ok(use === 0 || off <= 0.2, `use ${use + 1}: told ${told.freshMicroUsd}, billed ${bill}`);
        // As the conversation has it once the turn has ended.
        const items: ChatItem[] = [
          { kind: 'user', id: 'u', at: 0, text: '', attachments: [] },
          { ...answer, outcome: 'finished', cost },
        ];
        const ended = { type: 'turnEnded' as const, turnId: 't', at: 1, outcome: 'finished' as const, cost };
        learnRun(estimator, { ...emptyChat, model, items, budgetRun: told }, [ended]);
        learnRun(estimator, { ...emptyChat, model, items, budgetRun: told }, [{ ...ended, outcome: 'limit' }]);
      }
    });
});

const answer = {
  ...{ kind: 'answer' as const, turnId: 't', at: 0, requestedModel: model, model, parts: [] },
  finish: 'stop' as const,
};
