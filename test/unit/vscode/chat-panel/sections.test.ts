import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSections } from '../../../../src/chat/panel-sections.ts';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { elsewhereSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/elsewhere.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/elsewhere.ts', import.meta.url));

const { comparisonSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/comparison.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/comparison.ts', import.meta.url));

const { commentsSection } = await importWithVscodeStub<
  typeof import('../../../../src/features/review-comments/vscode/comments-section.ts')
>(new URL('../../../../src/features/review-comments/vscode/comments-section.ts', import.meta.url));
const { restoredSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/edits/restored-section.ts')
>(new URL('../../../../src/vscode/edits/restored-section.ts', import.meta.url));

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
    const open = (readOnly: boolean) => createSections([create(viewOf({ id: 'c', readOnly }))]);
    assert.deepEqual(open(false).states(), {});
    const section = open(true);
    let changes = 0;
    section.onDidChange(() => changes++);
    assert.deepEqual(section.states(), { elsewhere: 'open' });
    const taken = section.act({ type: 'section', key: 'elsewhere', action: 'takeOver' }, page);
    assert.deepEqual(section.states(), { elsewhere: 'asked' });
    gaveWay.resolve(true);
    await taken;
    assert.deepEqual([section.states(), changes], [{ elsewhere: 'open' }, 2]);
  });

  it('names the model whose answer stands beside this one, and goes on with one of the two', () => {
    const kept: unknown[] = [];
    const create = comparisonSection(
      { nameOf: (id: string) => id.slice(4).toUpperCase() },
      { of: (id: string) => (id === 'c' ? { otherModel: 'svc/b' } : undefined) } as never,
      { keep: ({ id }) => kept.push(id) },
    );
    const open = (id: string) => createSections([create(viewOf({ id }))]);
    assert.deepEqual(open('alone').states(), {});
    const section = open('c');
    assert.equal(section.states().lines?.[0]?.text, 'Side by side with B');
    section.act({ type: 'section', key: 'lines', action: { line: 'comparison', action: 'keep' } }, page);
    assert.deepEqual(kept, ['c']);
  });

  it('F33 says how many comments wait, for which files, and what sending them costs', () => {
    const waiting = (...paths: string[]) => {
      const comments = paths.map((path) => ({ id: path, path, text: 'Why?', anchor: { first: 0, quote: ['a'] } }));
      const create = commentsSection({
        ...{ waiting: () => comments as never, remove: async () => undefined },
        onDidChange: () => ({ dispose() {} }),
      });
      return createSections([create({ ...viewOf({}), estimateText: () => 8200 })]).states().lines?.[0]?.text;
    };
    assert.equal(waiting(), undefined);
    assert.equal(waiting('src/cart.ts'), '1 comment · cart.ts · ≈ $0.0082');
    assert.equal(waiting('a.ts', 'x/b.ts'), '2 comments · a.ts, b.ts · ≈ $0.0082');
    assert.equal(waiting('a', 'b', 'c', 'd'), '4 comments · 4 files · ≈ $0.0082');
  });

  it('F16 says what was restored, with the way back', () => {
    const done: string[] = [];
    const restored = (last: object | undefined) =>
      createSections([
        restoredSection({
          restored: {
            last: (id: string) => (id === 'c' ? last : undefined),
            undoLast: async () => void done.push('undone'),
            dismiss: () => done.push('dismissed'),
          },
        } as never)(viewOf({ id: 'c' })),
      ]);
    assert.deepEqual(restored(undefined).states(), {});
    const text = (last: object) => restored(last).states().lines?.[0]?.text;
    assert.equal(text({ count: 1, left: [] }), '1 file restored.');
    assert.equal(text({ count: 2, left: ['a', 'b'] }), '2 files restored. Left unchanged: a, b');
    restored({ count: 1, left: [] }).act(
      { type: 'section', key: 'lines', action: { line: 'restored', action: 'undo' } },
      page,
    );
    assert.deepEqual(done, ['undone']);
  });
});
