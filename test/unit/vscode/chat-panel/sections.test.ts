import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import { comparisonSection } from '../../../../src/vscode/chat-panel/sections/comparison.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { elsewhereSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/elsewhere.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/elsewhere.ts', import.meta.url));

const page = { focusInput: () => undefined };
const viewOf = (conversation: object) => ({
  viewModel: { conversation: () => conversation } as unknown as ChatViewModel,
  model: () => 'svc/a',
  estimate: () => ({}),
  estimateText: () => 0,
  run: () => undefined,
});

describe('sections of the chat panel', () => {
  it('E07 says that another window has the conversation, and that it was asked to stop', async () => {
    const gaveWay = Promise.withResolvers<boolean>();
    const create = elsewhereSection({ others: { takeOver: () => gaveWay.promise } } as unknown as Parameters<
      typeof elsewhereSection
    >[0]);
    assert.equal(create(viewOf({ id: 'c', readOnly: false })).state?.(), undefined);
    const section = create(viewOf({ id: 'c', readOnly: true }));
    let changes = 0;
    section.onDidChange?.(() => changes++);
    assert.equal(section.state?.(), 'open');
    const taken = section.act('takeOver' as never, page);
    assert.equal(section.state?.(), 'asked');
    gaveWay.resolve(true);
    await taken;
    assert.deepEqual([section.state?.(), changes], ['open', 2]);
  });

  it('names the model whose answer stands beside this one, and goes on with one of the two', () => {
    const kept: unknown[] = [];
    const create = comparisonSection(
      { nameOf: (id: string) => id.slice(4).toUpperCase() },
      { of: (id: string) => (id === 'c' ? { otherModel: 'svc/b' } : undefined) } as never,
      { keep: ({ id }) => kept.push(id) },
    );
    assert.equal(create(viewOf({ id: 'alone' })).state?.(), undefined);
    const section = create(viewOf({ id: 'c' }));
    assert.deepEqual(section.state?.(), { otherName: 'B' });
    section.act('keep' as never, page);
    assert.deepEqual(kept, ['c']);
  });
});
