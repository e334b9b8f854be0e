import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createPushedBody } from '../../../src/service/wire/pushed-body.ts';
import { settle } from './fake-clock.ts';

describe('a body of pieces that come unasked', () => {
  function create() {
    const calls: string[] = [];
    const body = createPushedBody({
      pause: () => void calls.push('pause'),
      resume: () => void calls.push('resume'),
      cancel: () => void calls.push('cancel'),
    });
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
    return { body, reader, read, pump, push: (text: string) => body.push(Buffer.from(text)), calls };
  }

  it('P3 hands each piece on when it comes', async () => {
    const { body, read, pump, push } = create();
    const pumped = pump();
    for (const text of ['a', 'b', 'c']) {
      push(text);
      await settle();
    }
    assert.deepEqual(read, ['a', 'b', 'c']);
    body.end();
    await pumped;
    assert.deepEqual(read, ['a', 'b', 'c', 'end']);
  });

  it('P4 hands on together what came while nobody read, none lost', async () => {
    const { body, read, pump, push } = create();
    const sent = Array.from({ length: 100 }, (_, index) => `${index} `);
    for (const text of sent) push(text);
    body.end();
    await pump();
    assert.ok(read.length < 5, `${read.length} times`);
    assert.equal(read.join(''), `${sent.join('')}end`);
  });

  it('gives everything that came before a break, then the break', async () => {
    const { body, read, pump, push } = create();
    for (const text of ['a', 'b']) push(text);
    body.fail(new Error('broken'));
    push('too late');
    body.end();
    await pump();
    assert.equal(read.slice(0, -1).join(''), 'ab');
    assert.equal(read.at(-1), 'Error: broken');
  });

  it('tells a reader that waits of the break', async () => {
    const { body, read, pump } = create();
    const pumped = pump();
    await settle();
    body.fail(undefined);
    await pumped;
    assert.deepEqual(read, ['undefined']);
  });

  it('holds the other side back while nobody reads, and lets it go on', async () => {
    const { body, reader, calls } = create();
    const piece = Buffer.alloc(100_000);
    for (let count = 0; count < 4; count++) body.push(piece);
    assert.deepEqual(calls, ['pause']);
    for (let bytes = 0; bytes < 400_000; ) bytes += (await reader.read()).value?.byteLength ?? 0;
    await settle();
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
