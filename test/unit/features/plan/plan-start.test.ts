import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createPlans, type Plans } from '../../../../src/conversation/store/plans.ts';
import { createPlanInfo } from '../../../../src/features/plan/core/plan-info.ts';
import { goOnMessage, planPrice, stepsIn } from '../../../../src/features/plan/core/plan-price.ts';
import { createPlanStart } from '../../../../src/features/plan/core/plan-start.ts';
import type { ChatMode } from '../../../../src/shared/approval.ts';
import { createEstimator } from '../../../../src/spend/estimate.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';
import { waitFor } from '../../../vscode/wait-for.ts';
import { type ChatTestWindow, model, openChatWindow } from '../../chat/chat-window.ts';
import { writeFiles } from '../../tools/workspace.ts';

const plan = '# Goal\n\n1. Read it\n2. Change it\n3. Test it\n';

describe('a plan that is started', () => {
  let temp: TempDir;
  let window: ChatTestWindow;
  let plans: Plans;
  let mode: ChatMode = 'plan';
  beforeEach(async () => {
    temp = await makeTempDir();
    mode = 'plan';
    await writeFiles(temp.path, { 'a.ts': 'x' });
    window = await openChatWindow(temp.path, { settings: { chatMode: () => mode } });
    plans = createPlans({ dir: temp.path, unsaved: () => undefined });
  });
  afterEach(async () => {
    await window.close();
    await temp.remove();
  });

  /** A conversation that has looked around and has a plan. */
  async function planned() {
    const viewModel = await window.viewModelAt();
    const attachment = { id: 'a', label: 'a.ts', text: 'x' };
    viewModel.draft.attach(attachment);
    const turn = viewModel.send({ text: 'Make it free.' });
    await waitFor('the request', async () => window.asked.length === 1);
    window.asked[0]?.answer(`Much that was looked at. ${'word '.repeat(2000)}`);
    await turn;
    await plans.write(viewModel.conversation().id, plan);
    const info = createPlanInfo({
      plans,
      estimator: createEstimator(undefined),
      model: () => model,
      historyOf: window.historyOf,
      toSent: (messages) => messages,
      estimate: () => ({ tokens: 5 }),
    });
    const deps = {
      plans,
      starting: new Set<string>(),
      unsaved: () => undefined,
      price: info.price,
      isStored: window.window.store.has,
      ensureReady: async () => true,
      setMode: async (next: ChatMode) => {
        mode = next;
      },
      defaultModel: () => model,
    };
    // Each view has its own.
    const other = createPlanStart(deps);
    return { viewModel, info, ...createPlanStart(deps), startElsewhere: other.start };
  }

  it('F44 runs in a conversation that holds the task and the plan alone, in Agent, with its cap stored', async () => {
    const { viewModel, info, start } = await planned();
    const { id } = viewModel.conversation();
    const cap = info.price(viewModel.conversation())?.capMicroUsd ?? 0;
    const run = start(viewModel);
    await waitFor('the run', async () => window.asked.length === 2);
    const [system, ...messages] = window.requests[1]?.messages ?? [];
    assert.equal(system?.role, 'system');
    assert.equal(messages.length, 1);
    const text = messages[0]?.text ?? '';
    assert.match(text, /^Attached: a\.ts[\s\S]*Make it free\.[\s\S]*3\. Test it$/);
    assert.doesNotMatch(text, /looked at/);
    window.asked[1]?.answer('Done.');
    await run;
    assert.equal(mode, 'agent');
    assert.notEqual(viewModel.conversation().id, id);
    assert.equal(viewModel.conversation().state().budgetMicroUsd, cap);
    const stored = await window.window.store.read(viewModel.conversation().id);
    assert.ok(stored?.some((event) => event.type === 'budgetSet' && event.microUsd === cap));
    const consent = stored?.some((event) => event.type === 'answered' && event.kind === 'approval');
    assert.equal(consent, false, 'nothing is agreed to by it');
  });

  it('F44 started twice at once, or again later, makes one run; changed, it is another plan', async () => {
    const { viewModel, info, start, startElsewhere } = await planned();
    const { id } = viewModel.conversation();
    const tab = await window.viewModelAt(id);
    const both = [start(viewModel), start(viewModel), startElsewhere(tab)];
    await waitFor('the run', async () => window.asked.length === 2);
    window.asked[1]?.answer('Done.');
    await Promise.all(both);
    const run = viewModel.conversation().id;
    assert.deepEqual([window.asked.length, tab.conversation().id], [2, id]);
    await startElsewhere(tab);
    assert.deepEqual([window.asked.length, tab.conversation().id], [2, run]);
    await viewModel.open(id);
    assert.equal(info.shown(viewModel.conversation())?.started, 'fresh');
    await start(viewModel);
    assert.deepEqual([viewModel.conversation().id, window.asked.length], [run, 2]);
    await viewModel.open(id);
    await plans.edit(id, `${plan}4. Tell it\n`);
    assert.equal(info.shown(viewModel.conversation())?.started, undefined);
    const again = start(viewModel);
    await waitFor('the second run', async () => window.asked.length === 3);
    window.asked[2]?.answer('Done.');
    await again;
    assert.notEqual(viewModel.conversation().id, run);
  });

  it('F44 goes on where it was planned, with the plan told again only where the model does not know it', async () => {
    const { viewModel, goOnHere } = await planned();
    const turn = goOnHere(viewModel);
    await waitFor('the request', async () => window.asked.length === 2);
    const messages = window.requests[1]?.messages ?? [];
    assert.deepEqual([messages.length, messages.at(-1)?.text], [4, 'Carry out the plan.']);
    window.asked[1]?.answer('Done.');
    await turn;
    assert.equal(mode, 'agent');
    assert.match(goOnMessage('1. Mine', '1. Theirs'), /it is now:\n\n1\. Mine$/);
  });

  it('F44 U1 both ways are priced before: what was looked at is paid again with each request of the one', () => {
    const small = planPrice(plan, { task: 600, history: 600 }, ({ tokens }) => tokens);
    assert.equal(small.freshMicroUsd, small.hereMicroUsd);
    const six = planPrice(
      Array.from({ length: 6 }, (_, at) => `${at + 1}. Step`).join('\n'),
      {
        task: 600,
        history: 15_600,
      },
      ({ tokens }) => tokens,
    );
    assert.equal(six.steps, 6);
    // 18 requests: 152,550 tokens fresh, and 15,000 more in each of them here.
    assert.equal(six.freshMicroUsd, Math.round(152_550 * 0.33));
    assert.equal(six.hereMicroUsd - six.freshMicroUsd, Math.round(18 * 15_000 * 0.33));
    assert.deepEqual([six.capMicroUsd >= 4 * six.freshMicroUsd, six.capMicroUsd % 10_000], [true, 0]);
  });

  it('F44 counts the steps of a plan however it is written', () => {
    const plans: [string, number][] = [
      ['1. a\n   1. inner\n2) b\n', 2],
      ['# Goal\n- a\n- b\n* c\n', 3],
      ['# Goal\n## One\ntext\n## Two\n', 2],
      ['Just do it.', 1],
    ];
    for (const [text, steps] of plans) assert.equal(stepsIn(text), steps, text);
  });
});
