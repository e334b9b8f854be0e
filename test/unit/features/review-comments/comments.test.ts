import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { offeredTools } from '../../../../src/agent/offered-tools.ts';
import type { Tool } from '../../../../src/agent/tool.ts';
import { anchorAt } from '../../../../src/features/review-comments/core/anchor.ts';
import { type CommentStore, createCommentStore } from '../../../../src/features/review-comments/core/comment-store.ts';
import {
  bringsComments,
  commentsText,
  waitingComments,
} from '../../../../src/features/review-comments/core/comment-text.ts';
import { createCommentTools, toolSpecs } from '../../../../src/tools/all-tools.ts';
import { runTool } from '../../../support/tool-context.ts';

const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
const uri = 'file:///ws/src/a.ts';

describe("the user's comments on lines", () => {
  let stored: unknown;
  let store: CommentStore;
  const open = () =>
    createCommentStore(stored, (all) => {
      stored = JSON.parse(JSON.stringify(all));
    });
  const add = (first: number, count: number, text: string) =>
    store.add({ uri, path: 'src/a.ts', anchor: anchorAt(lines, first, count), text });
  beforeEach(() => {
    stored = undefined;
    store = open();
  });

  it('F33 go in one message, each with its name, place, lines as they are now, and words', () => {
    add(9, 2, 'Why twice?');
    add(0, 60, 'Too long.');
    add(3, 1, 'Gone.');
    store.follow(uri, lines, { start: 0, count: 0, lines: ['new'] });
    const now = ['new', ...lines];
    const text = commentsText(store.waiting(), ({ id, anchor: { first, count } }) =>
      id === 'c3' ? undefined : now.slice(first, first + count),
    );
    assert.match(text, /\n\nc1 src\/a\.ts:11-12\n```\nline 10\nline 11\n```\nWhy twice\?\n\n/);
    assert.match(text, /c2 src\/a\.ts:2-61\n```\nline 1\n[\s\S]*line 40\n```\n\[20 more lines\]\nToo long\.\n\n/);
    assert.match(text, /c3 src\/a\.ts \(its lines are gone\)\nGone\.$/);
    assert.ok(bringsComments([{ role: 'user', text }]));
    assert.ok(
      !bringsComments([
        { role: 'user', text },
        { role: 'user', text: 'Go on.' },
      ]),
    );
  });

  it('F33 code that holds fences is fenced by a longer one', () => {
    store.add({ uri, path: 'a.md', anchor: anchorAt(['````', 'x'], 0, 2), text: 'Fence.' });
    assert.match(
      commentsText(store.all(), ({ anchor }) => anchor.quote),
      /\n`````\n````\nx\n`````\nFence\.$/,
    );
  });

  it('F33 wait until they are sent, belong to that conversation then, and only it can answer them', async () => {
    add(1, 1, 'One.');
    add(2, 1, 'Two.');
    assert.deepEqual(
      waitingComments(store.waiting(), (text) => text.length),
      { count: 2, files: ['a.ts'], microUsd: commentsText(store.all(), ({ anchor }) => anchor.quote).length },
    );
    store.sent(['c1', 'c2'], 'k1');
    assert.equal(
      waitingComments(store.waiting(), () => 0),
      undefined,
    );
    const toolOf = (conversationId: string) => {
      const answer = (id: string, text: string) => store.answer(conversationId, id, text);
      return createCommentTools({ answer })[0] ?? assert.fail();
    };
    assert.deepEqual(await runTool(toolOf('k1'), { id: 'c1', text: 'Do\u200bne.', done: true }), {
      forModel: 'Answered.',
      forUser: 'Done.',
    });
    await assert.rejects(runTool(toolOf('k2'), { id: 'c1', text: 'Mine.' }), /There is no comment c1 here/);
    await assert.rejects(runTool(toolOf('k1'), { id: 'c9', text: 'Mine.' }), /There is no comment c9 here/);
    assert.deepEqual(store.all()[0]?.answers, ['Done.']);
    assert.equal(store.all()[0]?.isResolved, undefined, 'done resolves nothing');
  });

  it('F33 are resolved once the edits of their lines are kept, and open again where they were undone', () => {
    add(1, 1, 'One.');
    store.sent(['c1'], 'k1');
    const state = () => [store.all()[0]?.isChanged, store.all()[0]?.isResolved];
    store.edited('c1', { isAsBefore: false });
    assert.deepEqual(state(), [undefined, undefined], 'the user changed these lines');
    store.edited('c1', 'undecided');
    store.edited('c1', { isAsBefore: true });
    assert.deepEqual(state(), [false, false]);
    store.edited('c1', 'undecided');
    store.edited('c1', { isAsBefore: false });
    assert.deepEqual(state(), [false, true]);
  });

  it('F33 outlive a reload, never give a name twice, and are nothing where they cannot be read', () => {
    add(1, 1, 'One.');
    store.remove(['c1']);
    add(2, 1, 'Two.');
    store = open();
    assert.deepEqual(
      store.all().map(({ id, text }) => [id, text]),
      [['c2', 'Two.']],
    );
    stored = { comments: [{ id: 1 }], last: 'x' };
    assert.deepEqual(open().all(), []);
  });

  it('F33 P11 the tool that answers them is offered only with them', () => {
    const names = (has: boolean) =>
      offeredTools('ask', toolSpecs as readonly Tool[], (need) => need === 'comment' && has).map(({ name }) => name);
    assert.ok(!names(false).includes('answer_comment'));
    assert.ok(names(true).includes('answer_comment'));
  });
});
