import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { forkEvents } from '../../../src/conversation/fork.ts';
import { formatIndex, parseIndex, summarise } from '../../../src/conversation/summary.ts';
import { emptyChat } from '../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../src/shared/chat/reduce-chat.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import type { ChatEvent, DurableEvent, Worktree } from '../../../src/shared/events.ts';
import { answering, converse, model } from './samples.ts';
import { turnOf } from './store-samples.ts';

const worktree: Worktree = {
  folder: '/storage/worktrees/website-1',
  repository: '/home/me/website',
  roots: [
    { name: 'website', path: '' },
    { name: 'api', path: 'packages/api' },
  ],
  files: 3,
};
const message = (text: string) => ({ text, attachments: [], model });
const stateOf = (events: readonly ChatEvent[]) =>
  events.reduce((state, event) => reduceChat(state, event, 0), emptyChat);
const begun: DurableEvent[] = [{ type: 'created', conversationId: 'c', at: 1 }, ...turnOf(1)];
const placed: DurableEvent = { type: 'worktreeChanged', worktree };
const removed: DurableEvent = { type: 'worktreeChanged', patch: '/storage/worktrees/patches/website-1.patch' };

describe('a conversation that works in a worktree', () => {
  it('F39 is stored with its first message, and is in the same place when it is read', async () => {
    const harness = converse([answering('one'), answering('two')]);
    harness.conversation.setWorktree(worktree);
    assert.deepEqual([harness.stored, harness.conversation.state().worktree], [[], worktree]);
    await harness.conversation.send(message('first'));
    const types = harness.stored.map(({ type }) => type);
    assert.ok(types.indexOf('worktreeChanged') < types.indexOf('userMessage'), types.join());
    assert.equal(types.filter((type) => type === 'worktreeChanged').length, 1);
    const read = harness.stored.flatMap((event) => parseDurableEvent(JSON.parse(JSON.stringify(event))) ?? []);
    assert.deepEqual(read, harness.stored);
    const again = converse([answering('three')], { events: read });
    assert.deepEqual(again.conversation.state().worktree, worktree);
  });

  it('F39 that is in none has nothing stored of one', async () => {
    const harness = converse([answering('one')]);
    harness.conversation.setWorktree(worktree);
    harness.conversation.setWorktree(undefined);
    await harness.conversation.send(message('first'));
    assert.ok(harness.stored.every(({ type }) => type !== 'worktreeChanged'));
  });

  it('F39 tells where its patch is until the next message, also after a reload', async () => {
    const harness = converse([answering('one'), answering('two')]);
    const { conversation, stored } = harness;
    conversation.setWorktree(worktree);
    await conversation.send(message('first'));
    conversation.setWorktree({ ...worktree, files: 5 });
    assert.equal(conversation.state().worktree?.files, 5);
    conversation.setWorktree(undefined, '/p.patch');
    await conversation.stored();
    assert.deepEqual(stored.at(-1), { type: 'worktreeChanged', patch: '/p.patch' });
    const { worktree: gone, worktreePatch } = converse([], { events: [...stored] }).conversation.state();
    assert.deepEqual([gone, worktreePatch], [undefined, '/p.patch']);
    await conversation.send(message('second'));
    const states = [conversation.state(), converse([], { events: [...stored] }).conversation.state()];
    for (const state of states) assert.ok(!('worktreePatch' in state) && !('worktree' in state));
  });

  it('F39 loses its patch when it works in a new worktree, and its worktree when that is gone without one', () => {
    assert.deepEqual(stateOf([...begun, placed, removed, placed]).worktree, worktree);
    assert.ok(!('worktreePatch' in stateOf([...begun, placed, removed, placed])));
    const bare = stateOf([...begun, placed, { type: 'worktreeChanged' }]);
    assert.ok(!('worktreePatch' in bare) && !('worktree' in bare));
  });

  it('F39 keeps its worktree when a message is asked anew', async () => {
    const harness = converse([answering('one'), answering('new')]);
    harness.conversation.setWorktree(worktree);
    await harness.conversation.send(message('first'));
    const [item] = harness.conversation.state().items;
    assert.ok(item?.kind === 'user');
    await harness.conversation.rerun(item.id, { text: 'better' });
    assert.deepEqual(harness.conversation.state().worktree, worktree);
    assert.deepEqual(stateOf(harness.stored).worktree, worktree);
  });

  it('F39 copies to other conversations without it: two would write into one folder', () => {
    const events = [...begun, placed, ...turnOf(2), removed, placed, ...turnOf(3)];
    for (const point of ['end', { messageId: 'u2' }, { messageId: 'u3' }] as const) {
      const copy = forkEvents(events, point, { from: 'c', id: 'd', atMs: 9 }) ?? assert.fail();
      assert.ok(copy.length > 3 && copy.every(({ type }) => type !== 'worktreeChanged'));
      assert.deepEqual([summarise('d', copy, 0).worktreeFolder, stateOf(copy).worktree], [undefined, undefined]);
    }
  });

  it('F39 changes no place of its own from a window that only reads it', () => {
    const harness = converse([], { events: [...begun], elsewhere: true });
    assert.throws(() => harness.conversation.setWorktree(worktree));
    assert.equal(harness.conversation.state().worktree, undefined);
  });
});

describe('the row of a conversation in a worktree', () => {
  const rowOf = (...events: DurableEvent[]) => {
    const { worktreeFiles, worktreeFolder } = summarise('c', [...begun, ...events], 0);
    return [worktreeFiles, worktreeFolder];
  };

  it('F39 has its folder and how many files are changed, until it is removed', () => {
    const none = { ...worktree, files: 0 };
    assert.deepEqual(rowOf(), [undefined, undefined]);
    assert.deepEqual(rowOf(placed), [3, worktree.folder]);
    assert.deepEqual(rowOf(placed, { type: 'worktreeChanged', worktree: none }), [0, worktree.folder]);
    assert.deepEqual(rowOf(placed, removed), [undefined, undefined]);
  });

  it('F39 is read from the cache with and without them, and is made anew from the file where they are no such thing', () => {
    const stored = (...events: DurableEvent[]) => JSON.parse(JSON.stringify(summarise('c', events, 0)));
    const old = stored(...begun);
    assert.ok(!('worktreeFiles' in old) && !('worktreeFolder' in old));
    const read = (summary: object) => parseIndex(formatIndex([{ size: 1, mtimeMs: 2, summary: summary as never }]));
    assert.deepEqual(read(old).get('c')?.summary, old);
    const row = stored(...begun, placed);
    assert.deepEqual(read(row).get('c')?.summary, row);
    assert.equal(read({ ...row, worktreeFiles: '3' }).size, 0);
    assert.equal(read({ ...row, worktreeFolder: 3 }).size, 0);
  });
});

describe('a stored worktree', () => {
  it('F39 is none without its folders, and has changed nothing where nobody says how much', () => {
    const read = (value: object) => {
      const event = parseDurableEvent({ type: 'worktreeChanged', worktree: value });
      return event?.type === 'worktreeChanged' ? event.worktree : assert.fail();
    };
    const { files: _files, ...uncounted } = worktree;
    assert.equal(read(uncounted)?.files, 0);
    for (const name of ['folder', 'repository', 'roots'] as const) {
      const { [name]: _, ...rest } = worktree;
      assert.equal(read(rest), undefined, name);
    }
  });
});
