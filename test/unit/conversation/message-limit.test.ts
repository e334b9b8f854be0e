import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { describeFailure, raisedLimit } from '../../../src/shared/failure/failure-text.ts';
import { noCost } from '../../../src/spend/price.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { openChatWindow } from '../chat/chat-window.ts';
import { answering, converse, model } from './samples.ts';

const message = { text: 'Go', attachments: [], model };
const at = '2026-11-28T12:00:00.000Z';

describe('the limit of a message', () => {
  it('U24 goes with its message into every turn that answers it, with what was spent, over a reload, and no further', async () => {
    const harness = converse([answering('one'), answering('two'), answering('three'), answering('four')]);
    const { conversation, inputs, stored } = harness;
    await conversation.send({ ...message, limitMicroUsd: 1000 });
    await conversation.continueTurn();
    await conversation.continueUpTo(5000);
    const reloaded = converse([answering('again'), answering('anew'), answering('next')], { events: stored });
    await reloaded.conversation.retry();
    const first = conversation.state().items.find(({ kind }) => kind === 'user');
    assert.ok(first?.kind === 'user');
    await reloaded.conversation.rerun(first.id, { model: 'svc/kimi-k3' });
    await reloaded.conversation.send(message);
    assert.deepEqual(
      [...inputs, ...reloaded.inputs].map(({ limit }) => limit),
      [
        { microUsd: 1000, spentMicroUsd: 0 },
        { microUsd: 1000, spentMicroUsd: 330 },
        { microUsd: 5000, spentMicroUsd: 660 },
        { microUsd: 5000, spentMicroUsd: 990 },
        { microUsd: 1000, spentMicroUsd: 0 },
        undefined,
      ],
    );
  });

  it('U24 waits in the queue with its message, which goes into no other answer', async () => {
    const ends = Promise.withResolvers<void>();
    const harness = converse([
      async ({ steering }) => {
        await ends.promise;
        assert.equal(await steering?.(1), undefined);
        return { outcome: 'finished', cost: noCost, text: '', model };
      },
      answering('second'),
    ]);
    const { conversation, inputs } = harness;
    const first = conversation.send(message);
    const second = conversation.enqueue({ ...message, limitMicroUsd: 700 }, true);
    conversation.editQueue(conversation.queue().items[0]?.id ?? '', 'atNextStep');
    assert.equal(conversation.unstoredMessages()[0]?.limitMicroUsd, 700, 'a reload keeps it');
    ends.resolve();
    await first;
    await second;
    assert.deepEqual(
      inputs.map(({ limit }) => limit?.microUsd),
      [undefined, 700],
    );
  });

  it('U24 stays in the composer over a reload, and leaves it with the message', () =>
    withTempDir(async (dir) => {
      const window = await openChatWindow(dir);
      const viewModel = await window.viewModelAt();
      viewModel.draft.setLimit(20_000);
      await viewModel.draft.setText('Go');
      const { id } = viewModel.conversation();
      await window.close();
      const next = await openChatWindow(dir);
      const again = await next.viewModelAt(id);
      if (again.draft.limit() === undefined) again.draft.appendUnopened();
      assert.equal(again.draft.limit(), 20_000);
      const turn = again.send({ text: 'Go' });
      await waitFor('the request', () => next.asked.length === 1, { pollMs: 1 });
      assert.equal(again.draft.limit(), undefined);
      const [user] = again.state().items;
      assert.equal(user?.kind === 'user' && user.limitMicroUsd, 20_000);
      next.asked[0]?.answer('Done');
      await turn;
      await next.close();
    }));

  it('U24 tells what was spent and what would come, and offers to go on up to whole cents that are enough for it', () => {
    const failureOf = (limitMicroUsd: number, spentMicroUsd: number, estimateMicroUsd: number): Failure => ({
      kind: 'over-budget',
      message: '',
      at,
      facts: { limit: 'message', limitMicroUsd, spentMicroUsd, estimateMicroUsd },
    });
    const rows: [Failure, string, number][] = [
      [failureOf(50_000, 41_000, 12_000), 'Continue up to $0.11', 110_000],
      [failureOf(10_000, 0, 90_000), 'Continue up to $0.10', 100_000],
      [failureOf(3000, 2900, 200), 'Continue up to $0.0100', 10_000],
    ];
    for (const [failure, label, microUsd] of rows) {
      const text = describeFailure(failure, (id) => id);
      assert.equal(text.actions[0]?.label, label);
      assert.equal(raisedLimit(failure), microUsd);
      assert.equal(text.money, 'none');
    }
    assert.match(describeFailure(failureOf(50_000, 41_000, 12_000), String).detail, /\$0\.0410.*≈ \$0\.0120/);
  });
});
