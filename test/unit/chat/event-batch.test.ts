import assert from 'node:assert/strict';
import { createEventBatch } from '../../../src/chat/event-batch.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const delta = (text: string, step = 1): ChatEvent => ({ type: 'textDelta', turnId: 't', step, text });
const started: ChatEvent = { type: 'responseStarted', turnId: 't', step: 2, model: 'm' };

function open() {
  const clock = createManualClock();
  const posts: [atMs: number, ...ChatEvent[]][] = [];
  const batch = createEventBatch((events) => posts.push([clock.now(), ...events]), clock);
  return { clock, batch, posts };
}

describe('event batch', () => {
  it('hands the first event on at once and joins the deltas that follow within a frame', () => {
    const { clock, batch, posts } = open();
    batch.add([delta('a')]);
    batch.add([delta('b')]);
    batch.add([delta('c'), delta('d', 2)]);
    clock.pass(15);
    assert.deepEqual(posts, [[0, delta('a')]]);
    clock.pass(1);
    assert.deepEqual(posts[1], [16, delta('bc'), delta('d', 2)]);
  });

  it('hands a text on frame after frame for as long as it streams, and at once after a pause', () => {
    const { clock, batch, posts } = open();
    for (const text of 'abcdefg') {
      batch.add([delta(text)]);
      clock.pass(10);
    }
    clock.pass(100);
    batch.add([delta('h')]);
    assert.deepEqual(posts, [
      [0, delta('a')],
      [16, delta('b')],
      [32, delta('cd')],
      [48, delta('e')],
      [64, delta('fg')],
      [170, delta('h')],
    ]);
  });

  it('hands the last words on before what follows them, which waits for a whole frame', () => {
    const { clock, batch, posts } = open();
    batch.add([delta('a')]);
    clock.pass(4);
    batch.add([delta('b')]);
    clock.pass(4);
    batch.add([started, delta('c', 2)]);
    assert.deepEqual(posts, [
      [0, delta('a')],
      [8, delta('b')],
    ]);
    clock.pass(100);
    assert.deepEqual(posts.slice(2), [[24, started, delta('c', 2)]]);
  });

  it('joins only what belongs together: one kind, one turn, one step', () => {
    const { clock, batch, posts } = open();
    batch.add([started]);
    const thought: ChatEvent = { type: 'reasoningDelta', turnId: 't', step: 1, text: 'hm' };
    const other: ChatEvent = { type: 'textDelta', turnId: 'u', step: 1, text: 'x' };
    batch.add([thought, thought, delta('a'), other, delta('b'), delta('c', 2), started, started]);
    clock.pass(100);
    assert.deepEqual(
      posts.flatMap(([, ...events]) => events),
      [started, { ...thought, text: 'hmhm' }, delta('a'), other, delta('b'), delta('c', 2), started, started],
    );
  });

  it('forgets what a snapshot replaces, and goes on with what comes after it', () => {
    const { clock, batch, posts } = open();
    batch.add([delta('a')]);
    batch.add([delta('b')]);
    batch.clear();
    batch.add([]);
    clock.pass(100);
    assert.deepEqual(posts, [[0, delta('a')]]);
    batch.add([delta('c')]);
    assert.deepEqual(posts[1], [100, delta('c')]);
  });

  it('does not change the events that it was given', () => {
    const first = delta('a');
    const { batch } = open();
    batch.add([first, delta('b')]);
    assert.deepEqual(first, delta('a'));
  });
});
