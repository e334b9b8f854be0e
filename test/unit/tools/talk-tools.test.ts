import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { prepareCall } from '../../../src/agent/run-tool.ts';
import { runTool } from '../../support/tool-context.ts';
import { createTalkTools } from '../../support/window-tools.ts';

const [askUser, updatePlan] = createTalkTools();
assert.ok(askUser !== undefined && updatePlan !== undefined);

describe('tools that talk to the user', () => {
  it('F18 ask_user shows the question with its options, each once, and gives the answer', async () => {
    const asked: unknown[] = [];
    const ask = async (question: unknown) => {
      asked.push(question);
      return 'the second';
    };
    const { forModel } = await runTool(askUser, { question: 'Which?', options: ['a', 'b', 'a'] }, { ask });
    assert.deepEqual(asked, [{ text: 'Which?', options: ['a', 'b'] }]);
    assert.equal(forModel, 'The user answers: the second');
  });

  it('F18 ask_user says when there is no answer', async () => {
    assert.match((await runTool(askUser, { question: 'x' }, { ask: async () => ' ' })).forModel, /no answer/);
    await assert.rejects(runTool(askUser, { question: 'x' }), /could not be asked/);
  });

  it('F18 X22 update_plan replaces the plan, without what nobody sees', async () => {
    const items = [
      { text: 'Read\n the\u200b code', state: 'done' },
      { text: 'Change it', state: 'active' },
    ];
    assert.deepEqual((await runTool(updatePlan, { items })).plan, [
      { text: 'Read the code', state: 'done' },
      { text: 'Change it', state: 'active' },
    ]);
    const prepared = prepareCall([updatePlan], { name: 'update_plan', arguments: JSON.stringify({ items }) });
    assert.equal(prepared.ok && prepared.prepared.title, 'Plan: 1 of 2 done');
  });

  it('F18 W13 update_plan refuses what is no plan', () => {
    for (const items of [[], [{ text: '', state: 'done' }], [{ text: 'x', state: 'later' }], 'x']) {
      assert.equal(prepareCall([updatePlan], { name: 'update_plan', arguments: JSON.stringify({ items }) }).ok, false);
    }
  });
});
