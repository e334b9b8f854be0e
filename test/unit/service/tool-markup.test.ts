import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createMarkupFilter } from '../../../src/service/tool-markup.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function filter(...pieces: string[]): { text: string; found: boolean } {
  const markup = createMarkupFilter();
  const text = pieces.map((piece) => markup.push(piece)).join('') + markup.end();
  assert.equal(text, markup.shown());
  return { text, found: markup.found() };
}

describe('the markup filter', () => {
  const leaks: [string, string][] = [
    ['a<|tool_calls_section_begin|>x<|tool_calls_section_end|>b', 'ab'],
    ['a<|tool_call_begin|>x', 'a'],
    ['a<|open|>tools<|sep|>x<|close|>tools b', 'a b'],
    ['a<|close|>response', 'a'],
    ['a<｜tool▁calls▁begin｜>x<｜tool▁calls▁end｜>b', 'ab'],
    ['a\n<tool_call>read_file\n</tool_call>b', 'a\nb'],
    ['<tool_call>{"name":"x"}', ''],
  ];
  for (const [leak, shown] of leaks) {
    it(`W59 hides the markup in ${JSON.stringify(leak)} however it is cut`, () => {
      assert.deepEqual(filter(leak), { text: shown, found: true });
      assert.deepEqual(filter(...leak), { text: shown, found: true });
    });
  }

  it('W59 shows markup that is quoted in code', () => {
    for (const text of [
      'The marker `<tool_call>` begins a call.',
      'It writes <tool_call> first.',
      '```\n<|tool_call_begin|>\n<tool_call>\n```\n',
      'if (a < b && c <| d) {}',
      'Ends with <',
      '<div><|',
    ]) {
      assert.deepEqual(filter(text), { text, found: false });
      assert.deepEqual(filter(...text), { text, found: false });
    }
  });

  it('W59 hides markup after code that was closed', () => {
    assert.deepEqual(filter('```\n<tool_call>\n```\n<tool_call>x'), { text: '```\n<tool_call>\n```\n', found: true });
  });

  it('gives the same however the text is cut', () => {
    const piece = fc.constantFrom(
      '<',
      '|',
      '<tool_call>',
      '</tool_call>',
      '<|close|>',
      'response',
      'tools',
      '<|open|>',
      '<|sep|>',
      '\n',
      '`',
      '```\n',
      'a b',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const whole = filter(pieces.join(''));
        assert.deepEqual(filter(...pieces), whole);
        assert.deepEqual(filter(...pieces.join('')), whole);
      }),
      { numRuns: 500 },
    );
  });

  it('X32 takes time in proportion to hostile text', async () => {
    const spent = await cpuMs(() => {
      filter('<'.repeat(2_000_000));
      filter('x<tool_call>'.repeat(100_000));
      filter(...Array.from({ length: 100_000 }, () => 'x<tool_call>'));
    });
    assert.ok(spent < 15_000, `${spent} ms`);
  });
});
