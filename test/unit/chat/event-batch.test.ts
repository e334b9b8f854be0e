import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { createEventBatch } from '../../../src/vscode/chat/event-batch.ts';

const delta = (text: string, step = 1): ChatEvent => ({ type: 'textDelta', turnId: 't', step, text });

describe('event batch', () => {
  it('hands the first event on at once and joins the deltas that follow within a frame', async () => {
    const posts: ChatEvent[][] = [];
    let posted: () => void = () => undefined;
    const second = new Promise<void>((resolve) => {
      posted = resolve;
    });
    const batch = createEventBatch((events) => {
      posts.push(events);
      if (posts.length === 2) posted();
    });
    batch.add([delta('a')]);
    assert.deepEqual(posts, [[delta('a')]]);
    batch.add([delta('b')]);
    batch.add([delta('c'), delta('d', 2)]);
    await second;
    assert.deepEqual(posts[1], [delta('bc'), delta('d', 2)]);
  });

  it('hands the last words on before what follows them, all in their order', async () => {
    const ended: ChatEvent = { type: 'responseStarted', turnId: 't', step: 2, model: 'm' };
    const posts: ChatEvent[][] = [];
    const all = Promise.withResolvers<void>();
    const batch = createEventBatch((events) => {
      posts.push(events);
      if (events.includes(ended)) all.resolve();
    });
    batch.add([delta('a')]);
    batch.add([delta('b'), ended, delta('c', 2)]);
    assert.deepEqual(posts, [[delta('a')], [delta('b')]]);
    await all.promise;
    assert.deepEqual(posts[2], [ended, delta('c', 2)]);
  });

  it('forgets what a snapshot replaces', () => {
    const posts: ChatEvent[][] = [];
    const batch = createEventBatch((events) => posts.push(events));
    batch.add([delta('a')]);
    batch.add([delta('b')]);
    batch.clear();
    batch.add([]);
    assert.deepEqual(posts, [[delta('a')]]);
  });

  it('does not change the events that it was given', () => {
    const first = delta('a');
    const batch = createEventBatch(() => undefined);
    batch.add([first, delta('b')]);
    assert.deepEqual(first, delta('a'));
  });
});
