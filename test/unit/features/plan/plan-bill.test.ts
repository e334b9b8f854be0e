import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { offeredTools } from '../../../../src/agent/offered-tools.ts';
import { systemPrompt } from '../../../../src/agent/system-prompt.ts';
import { defineTool, type Tool } from '../../../../src/agent/tool.ts';
import { toolDefinitions } from '../../../../src/agent/tool-definitions.ts';
import { planPrice, runMessage } from '../../../../src/features/plan/core/plan-price.ts';
import { estimatePromptTokens } from '../../../../src/service/tokens.ts';
import { costMicroUsd } from '../../../../src/spend/price.ts';
import { toolSpecs } from '../../../../src/tools/all-tools.ts';
import { type LocalService, startLocalService } from '../../../service/local-service.ts';
import { askService } from '../../agent/ask-service.ts';

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

  it('F44 U1 a run of three steps that look, change and check costs about as much as was told, and stays far below its cap', async () => {
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
          forModel: Array.from({ length: lines }, (_, line) => `${line}: const value = ${args.at};`).join('\n'),
        }),
      }),
    );
    const calls = Array.from({ length: 8 }, (_, at) => ({
      name: ['look', 'change', 'check'][at % 3] ?? '',
      arguments: { at: `${at}` },
    }));
    service.script({ replies: [...calls.map((call) => ({ text: 'Next.', toolCalls: [call] })), { text: 'Done.' }] });
    const task = runMessage('Take lists.', plan);
    const { results } = await askService({ service, tools: steps, questions: [task] });
    assert.equal(results[0]?.outcome, 'finished');
    assert.equal(service.charges.length, 9);
    const bill = costMicroUsd(service.totalTokens());
    const told = planPrice(plan, {
      task: estimatePromptTokens({ messages: [{ role: 'user', text: task }] }),
      history: 0,
    });
    assert.equal(told.steps, 3);
    assert.ok(Math.abs(told.freshMicroUsd - bill) < 0.35 * bill, `told ${told.freshMicroUsd}, billed ${bill}`);
    assert.ok(bill < told.capMicroUsd / 2);
  });
});
