import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { endless, calls as forms } from './leaked-calls.ts';
import { call, calls, choice, data, done, essence, finish, read, readPieces, text, toBytes } from './wire-support.ts';

const readA = { name: 'read_file', arguments: '{"path":"a"}' };

/** Reasoning in deltas that are cut where `cuts` say. */
function thinking(words: string, cuts: readonly number[] = []): string {
  const places = [0, ...[...new Set(cuts.map((cut) => cut % words.length))].sort((a, b) => a - b), words.length];
  const pieces = places.map((from, index) => words.slice(from, places[index + 1] ?? from));
  return pieces.map((piece) => data(choice({ reasoning_content: piece }))).join('');
}

describe('calls that leak into the reasoning', () => {
  for (const [family, form] of [...Object.entries(forms), ...Object.entries(endless)]) {
    it(`W83 reports a call of ${family} when nothing else came, hides it and makes no call of it`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
          const told = await read(thinking(`Let me look.\n${form}`, cuts) + finish() + done);
          assert.equal(told.reply.toolMarkup, true);
          assert.equal(told.reply.reasoning.trim(), 'Let me look.');
          assert.deepEqual(told.reply.toolCalls, []);
          const shown = told.events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('');
          assert.equal(shown, told.reply.reasoning);
        }),
        { numRuns: 20 },
      );
    });
  }

  it('W83 takes a form in the reasoning for a draft when the reply goes on to answer or to call', async () => {
    for (const form of Object.values(forms)) {
      const answered = await read(thinking(`Maybe\n${form}\n`) + text('The file is empty.') + finish() + done);
      assert.deepEqual([answered.reply.toolMarkup, answered.reply.text], [false, 'The file is empty.']);
      const made = await read(
        thinking(`Maybe\n${form}\n`) + calls(call({ index: 0, id: 'a', ...readA })) + finish('tool_calls') + done,
      );
      assert.equal(made.reply.toolMarkup, false);
      assert.deepEqual(made.reply.toolCalls, [readA]);
    }
  });

  const thoughts = [
    'The marker `<tool_call>` begins a call of read_file.',
    'I could write\n```\n<tool_call>read_file\n```\nbut no.',
    'JSON such as\n{"name": "read_file", "arguments": {"path": "a"}}\nis what it wants.',
    '{"name": "read_file", "arguments": {"path": "a"}}',
    'if (a < b && c <| d) { return [x]; }',
    'First.\n</think>\nSecond.',
    'Ends with <tool',
    'Ends with <',
  ];
  for (const thought of thoughts) {
    it(`W83 keeps reasoning as written, before the answer: ${JSON.stringify(thought).slice(0, 50)}`, async () => {
      const body = thinking(thought) + text('Hello') + finish() + done;
      const whole = await read(body);
      assert.equal(whole.reply.reasoning.replace(/\s+/g, ' '), thought.replace(/\s+/g, ' '));
      assert.deepEqual(
        whole.events.map(({ type }) => type),
        ['reasoning', 'text'],
      );
      assert.equal(whole.reply.toolMarkup, false);
      const each = Array.from(toBytes(body), (byte) => Uint8Array.of(byte));
      assert.deepEqual(essence(await readPieces(each)), essence(whole));
    });
  }
});
