import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createGatheredBody } from '../../../src/service/wire/gathered-body.ts';
import { createFakeClock, settle } from './fake-clock.ts';

describe('a gathered body', () => {
  function create() {
    const clock = createFakeClock();
    const calls: string[] = [];
    const flow = {
      pause: () => void calls.push('pause'),
      resume: () => void calls.push('resume'),
      cancel: () => void calls.push('cancel'),
    };
    const body = createGatheredBody(flow, clock);
    const reader = body.getReader();
    const read: string[] = [];
    const pump = async () => {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return void read.push('end');
          read.push(Buffer.from(value ?? []).toString());
        }
      } catch (error) {
        read.push(String(error));
      }
    };
    const push = async (text: string) => {
      body.push(Buffer.from(text));
      await settle();
    };
    return { clock, body, reader, read, pump, push, calls };
  }

  it('P4 hands the first pieces on at once and then all of a frame together, none lost', async () => {
    const { clock, body, read, pump, push } = create();
    const pumped = pump();
    const sent = Array.from({ length: 100 }, (_, index) => `${index} `);
    for (const text of sent) {
      await push(text);
      await clock.advance(2);
    }
    assert.deepEqual(read.slice(0, 4), ['0 ', '1 ', '2 ', '3 ']);
    assert.ok(read.length < 25, `${read.length} times for 200 ms`);
    body.end();
    await pumped;
    assert.equal(read.join(''), `${sent.join('')}end`);
  });

  it('P3 does not let a piece wait after a pause', async () => {
    const { clock, read, pump, push } = create();
    void pump();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await push(text);
    assert.deepEqual(read, ['a', 'b', 'c', 'd']);
    await clock.advance(16);
    assert.deepEqual(read, ['a', 'b', 'c', 'd', 'e']);
    await clock.advance(1000);
    await push('f');
    assert.equal(read.at(-1), 'f');
  });

  it('gives everything that came before a break, then the break', async () => {
    const { body, read, pump, push } = create();
    const pumped = pump();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) await push(text);
    body.fail(new Error('broken'));
    body.end();
    await pumped;
    assert.deepEqual(read, ['a', 'b', 'c', 'd', 'ef', 'Error: broken']);
  });

  it('holds the other side back while nobody reads, and lets it go on', async () => {
    const { body, reader, calls } = create();
    const piece = Buffer.alloc(100_000);
    for (let count = 0; count < 3; count++) body.push(piece);
    assert.deepEqual(calls, ['pause']);
    assert.equal((await reader.read()).value?.byteLength, 300_000);
    assert.deepEqual(calls, ['pause', 'resume']);
  });

  it('T09 cancelling ends the pending read and the connection, once', async () => {
    const { body, reader, calls } = create();
    const reading = reader.read();
    await reader.cancel();
    await reader.cancel();
    body.fail(new Error('aborted'));
    assert.equal((await reading).done, true);
    assert.deepEqual(calls, ['cancel']);
  });
});
