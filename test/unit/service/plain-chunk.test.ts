import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createPlainChunkReader } from '../../../src/service/wire/plain-chunk.ts';

const chunk = (content: string) => JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content } }] });
const event = (content: string) => `data: ${chunk(content)}\n\n`;

function createScanner() {
  const reader = createPlainChunkReader();
  reader.learn(chunk('Hello'), 'Hello');
  return (stream: string, most = Number.POSITIVE_INFINITY) => {
    const texts: string[] = [];
    const stoppedAt = reader.scan(stream, 0, (text) => texts.push(text) < most);
    return { texts, rest: stream.slice(stoppedAt) };
  };
}

describe('the short way through a stream (P1)', () => {
  it('reads each event of the known frame and stops in front of the first other one', () => {
    const other = 'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n';
    assert.deepEqual(createScanner()(event(' a') + event('\n\tü🙂\\') + other + event('b')), {
      texts: [' a', '\n\tü🙂\\'],
      rest: other + event('b'),
    });
  });

  it('leaves an event that has not wholly arrived, wherever it is cut', () => {
    const whole = event('over');
    for (let cut = 0; cut < whole.length; cut++) {
      assert.deepEqual(createScanner()(event('a') + whole.slice(0, cut)), { texts: ['a'], rest: whole.slice(0, cut) });
    }
  });

  it('gives a text that holds quotes to the full reader, also one that looks like the end of a chunk', () => {
    for (const content of ['say "hi"', '"}}]}\n\n', `x${chunk('y')}`, '\\"']) {
      assert.deepEqual(createScanner()(event(content)), { texts: [], rest: event(content) });
    }
  });

  it('never gives another text than the full reader would', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 20 })), (contents) => {
        const { texts } = createScanner()(contents.map(event).join(''));
        const expected = contents.map((content) => JSON.parse(chunk(content)).choices[0].delta.content);
        assert.deepEqual(texts, expected.slice(0, texts.length));
      }),
    );
  });

  it('stops when it is told to', () => {
    assert.deepEqual(createScanner()(event('a') + event('b'), 1), { texts: ['a'], rest: event('b') });
  });

  it('reads nothing before it has seen a chunk', () => {
    assert.equal(
      createPlainChunkReader().scan(event('a'), 0, () => true),
      0,
    );
  });
});
