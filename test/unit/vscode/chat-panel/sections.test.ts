import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSections } from '../../../../src/chat/panel-sections.ts';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { conversationWith, paneWith } from './widgets.ts';

const { elsewhereSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/elsewhere.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/elsewhere.ts', import.meta.url));

const { comparisonSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/comparison.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/comparison.ts', import.meta.url));

const { otherChatsSection } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/sections/other-chats.ts')
>(new URL('../../../../src/vscode/chat-panel/sections/other-chats.ts', import.meta.url));

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

  it('F46 lists the chats out of sight, those that need their user first, with their price, and opens each', () => {
    const own = conversationWith('own');
    const seen = conversationWith('seen', { title: 'In another tab' });
    const runs = conversationWith('runs', { title: 'Rename' });
    const waits = conversationWith('waits', { title: 'Fix the cart', asks: true });
    const cost = { microUsd: 2100, estimated: false };
    const ended = { conversationId: 'done', title: 'Docs', cost };
    const table: [live: Conversation[], ends: (typeof ended)[], texts: string[]][] = [
      [[own], [], []],
      [[own, seen], [], []],
      [[own, runs], [], ['Running · Rename']],
      [[own, runs, waits], [ended], ['Needs you · Fix the cart', 'Running · Rename', 'Done · $0.0021 · Docs']],
      [
        [own, runs, waits],
        [ended, { ...ended, conversationId: 'x' }],
        ['Needs you · Fix the cart', 'Running · Rename', 'Done · $0.0021 · Docs · 1 more'],
      ],
      [[own], [{ ...ended, conversationId: 'own' }], []],
    ];
    const rows = { Needs: 'waits', Running: 'runs', Done: 'done' };
    for (const [live, ends, texts] of table) {
      const done: unknown[] = [];
      const create = otherChatsSection(
        { all: () => live, onDidChange: () => ({ dispose() {} }) },
        { showing: (one) => (one === seen ? paneWith('tab', seen) : undefined) },
        { unseenEnds: () => ends, forgetEnd: (id) => done.push(id), onDidChange: () => ({ dispose() {} }) },
      );
      const section = createSections([create({ ...viewOf(own), run: (...what) => done.push(what) })]);
      const { lines = [] } = section.states();
      assert.deepEqual(
        lines.map(({ text }) => text),
        texts,
      );
      for (const { id, text, buttons } of lines) {
        const of = rows[text.split(' ')[0] as keyof typeof rows];
        for (const { action } of buttons)
          section.act({ type: 'section', key: 'lines', action: { line: id, action } }, page);
        const expected = [['svc.openConversation', of], ...(of === 'done' ? ['done'] : [])];
        assert.deepEqual(done.splice(0), expected);
      }
    }
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
