import assert from 'node:assert/strict';
import { createFrameQueue } from '../../../../media/chat/transcript/frame-queue.ts';

describe('frame queue', () => {
  it('P6 asks for one frame and does in it what prepares before what draws, each once and in order', () => {
    const frames: (() => void)[] = [];
    const done: string[] = [];
    const queue = createFrameQueue((run) => frames.push(run));
    queue.draw(() => done.push('draw 1'));
    queue.prepare(() => done.push('prepare 1'));
    queue.draw(() => {
      done.push('draw 2');
      queue.prepare(() => done.push('next frame'));
    });
    queue.prepare(() => done.push('prepare 2'));
    assert.equal(frames.length, 1);
    frames[0]?.();
    assert.deepEqual(done, ['prepare 1', 'prepare 2', 'draw 1', 'draw 2']);
    assert.equal(frames.length, 2);
    frames[1]?.();
    assert.deepEqual(done.at(-1), 'next frame');
  });
});
