import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createPlans, planFile } from '../../../src/conversation/store/plans.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import { createPlanTools } from '../../../src/tools/all-tools.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { appendAll, turnOf } from './store-samples.ts';

const clock = { epochMs: () => 5, after: () => () => undefined };

async function withPlans(
  use: (open: () => ReturnType<typeof createPlans>, typed: Map<string, string>, dir: string) => Promise<void>,
) {
  await withTempDir(async (dir) => {
    const typed = new Map<string, string>();
    await use(() => createPlans({ dir, unsaved: (id) => typed.get(id) }), typed, dir);
  });
}

describe('the plan of a conversation', () => {
  it('F44 a text of the user that the model did not see wins, saved or only typed, once', async () => {
    await withPlans(async (open, typed) => {
      const plans = open();
      assert.equal(await plans.write('c', 'one'), undefined);
      assert.equal(await plans.write('c', 'two'), undefined, 'its own text it knows');
      assert.equal(await plans.edit('c', 'two, and mine'), true);
      assert.deepEqual(await plans.write('c', 'three'), { users: 'two, and mine' });
      assert.equal(await plans.write('c', 'three, and mine'), undefined);
      typed.set('c', 'three, and mine, and this');
      assert.deepEqual(await plans.write('c', 'four'), { users: 'three, and mine, and this' });
      assert.equal((await plans.read('c'))?.text, 'three, and mine', 'what was not saved is not saved for them');
      assert.equal(await plans.write('c', 'four, and all'), undefined);
      assert.equal((await plans.read('c'))?.text, 'four, and all');
    });
  });

  it('F44 F5 holds across a reload, for each conversation by itself', async () => {
    await withPlans(async (open) => {
      await open().write('a', 'of a');
      await open().write('b', 'of b');
      assert.equal(await open().edit('a', 'changed'), true);
      assert.equal(await open().write('b', 'of b again'), undefined);
      assert.deepEqual(await open().write('a', 'again'), { users: 'changed' });
      assert.equal(await open().edit('never planned', 'x'), false);
      assert.equal(await open().read('never planned'), undefined);
    });
  });

  it('F44 whatever comes at once, no text of the user is written over unseen', async () => {
    await withPlans(async (open) => {
      const plans = open();
      await plans.write('c', 'first');
      const all = await Promise.all([
        plans.edit('c', 'mine'),
        plans.write('c', 'model 1'),
        plans.edit('c', 'mine 2'),
        plans.write('c', 'model 2'),
      ]);
      assert.deepEqual(all, [true, { users: 'mine' }, true, { users: 'mine 2' }]);
      assert.equal((await plans.read('c'))?.text, 'mine 2');
    });
  });

  it('F44 write_plan tells the model the text that it did not see, and what cannot be seen is taken out', async () => {
    await withPlans(async (open) => {
      const plans = open();
      const [tool] = createPlanTools({ write: (text) => plans.write('c', text) });
      assert.ok(tool);
      assert.match((await runTool(tool, { markdown: '1. One\u200b' })).forModel, /^Written/);
      assert.equal(plans.known('c')?.text, '1. One');
      await plans.edit('c', '1. Mine');
      const refused = await runTool(tool, { markdown: '1. Two' });
      assert.match(refused.forModel, /their text wins[\s\S]*1\. Mine$/);
      assert.equal(refused.state, 'cancelled');
      assert.equal(plans.known('c')?.text, '1. Mine');
    });
  });

  it('F44 F6 is erased with its conversation, and stays while that can be brought back', async () => {
    await withPlans(async (open, _, dir) => {
      const store = createConversationStore({ dir, clock, newId: () => 'x' });
      for (const id of ['a', 'b']) {
        await appendAll(store, id, turnOf(0));
        await open().write(id, `plan of ${id}`);
      }
      const file = (id: string) => readFile(planFile(path.join(dir, 'conversations'), id), 'utf8');
      await store.remove('a');
      assert.match(await file('a'), /plan of a/);
      await store.emptyTrash(Number.POSITIVE_INFINITY);
      await assert.rejects(file('a'));
      assert.match(await file('b'), /plan of b/);
      await store.eraseAll();
      await assert.rejects(file('b'));
      assert.equal(await open().edit('b', 'again'), false, 'an editor that is still open does not bring it back');
      await store.dispose();
    });
  });
});
