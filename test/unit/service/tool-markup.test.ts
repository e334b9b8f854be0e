import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createMarkupFilter } from '../../../src/service/wire/tool-markup.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const tools = new Set(['read_file', 'edit_file']);

interface Filtered {
  text: string;
  found: boolean;
  reasoning: string;
}

function filterWith(offered: ReadonlySet<string>, ...pieces: string[]): Filtered {
  let reasoning = '';
  const markup = createMarkupFilter({
    tools: offered,
    onReasoning: (text) => {
      reasoning += text;
    },
  });
  const told = pieces.map((piece) => markup.push(piece)).join('') + markup.end();
  if (markup.thought() === '') assert.equal(told, markup.text());
  return { text: markup.text(), found: markup.found(), reasoning: reasoning + markup.thought() };
}

const filter = (...pieces: string[]): Filtered => filterWith(tools, ...pieces);

/** A call of `read_file` in the form of each family, as public reports show it (vLLM, SGLang, llama.cpp, cline, Kilo). */
const calls: Record<string, string> = {
  'DeepSeek V4':
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  'DeepSeek V4, plain bars':
    '<|DSML|tool_calls>\n<|DSML|invoke name="read_file">\n</|DSML|invoke>\n</|DSML|tool_calls>',
  'DeepSeek V4, double bars':
    '<｜｜DSML｜｜tool_calls><｜｜DSML｜｜invoke name="read_file"></｜｜DSML｜｜invoke></｜｜DSML｜｜tool_calls>',
  'DeepSeek V4, other bars': '<‖DSML‖tool_calls><‖DSML‖invoke name="read_file"></‖DSML‖invoke></‖DSML‖tool_calls>',
  'DeepSeek V3.2':
    '<｜DSML｜function_calls><｜DSML｜invoke name="read_file"></｜DSML｜invoke></｜DSML｜function_calls>',
  'DeepSeek, no section':
    '<｜DSML｜invoke name="read_file"><｜DSML｜parameter name="path">a</｜DSML｜parameter></｜DSML｜invoke>',
  'DeepSeek V3':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'DeepSeek V3.1':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  Hermes: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
  'Hermes, one line': '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>',
  GLM: '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
  'GLM, one line': '<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>',
  'GLM, no arguments': '<tool_call>read_file</arg_value></tool_call>',
  'Qwen coder': '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  'Qwen coder, lone closer': '<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  MiniMax:
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  'MiniMax, lone closer':
    '<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
  'MiniMax M3':
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>a]<]minimax[>[</path>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  Kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
  'Kimi, no section':
    '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|>',
  'Kimi K3': '<|open|>tools<|sep|>{"name":"read_file","arguments":{}}<|close|>tools',
  harmony: '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>',
  'harmony with its start':
    '<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>{"path":"a"}<|call|>',
};
/** The same, of forms that have no end. */
const endless: Record<string, string> = {
  Mistral: '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]',
  'Mistral, new': '[TOOL_CALLS]read_file[ARGS]{"path": "a"}',
  'cut off': '<tool_call>{"name":"read_file","argum',
};
const alone: Record<string, string> = {
  'bare JSON': '{"name": "read_file", "arguments": {"path": "a"}}',
  'a list': '[{"name": "read_file", "parameters": {"path": "a"}}]',
  'the format itself':
    '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]}',
  fenced: '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
  'cut off': '{"name": "read_file", "arguments": {"path": "a',
};

describe('the markup filter: calls', () => {
  for (const [family, call] of Object.entries(calls)) {
    it(`W59 W83 hides a call of ${family}, with text around it and however it is cut`, () => {
      for (const [before, after] of [
        ['', ''],
        ['I will look. ', ''],
        ['I will look.\n\n', '\n'],
        ['Look: ', ' Then more.'],
      ] as const) {
        const text = before + call + after;
        const shown = filter(text);
        assert.equal(shown.found, true, text);
        // A closer that was lost may leave its line break.
        assert.equal(shown.text.replace(/\s+/g, ''), (before + after).replace(/\s+/g, ''));
        assert.deepEqual(filter(...text), shown);
      }
      assert.equal(filter(call + call).text.trim(), '');
    });

    it(`W83 shows a call of ${family} in code, and of a tool that is not offered`, () => {
      for (const text of [
        `Its form:\n\`\`\`\n${call}\n\`\`\`\nThat is all.`,
        `It writes \`${call.split('\n')[0]}\` first.`,
      ]) {
        assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
        assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
      }
      const text = `For example ${call} calls it.`;
      assert.deepEqual(filterWith(new Set(['other_tool']), text), { text, found: false, reasoning: '' });
      assert.deepEqual(filterWith(new Set(), ...text), { text, found: false, reasoning: '' });
    });
  }

  for (const [family, call] of [...Object.entries(endless), ...Object.entries(alone)]) {
    it(`W83 hides ${family}: ${call.slice(0, 40)}`, () => {
      for (const text of [call, ...(call.startsWith('`') ? [] : [`I will look.\n${call}`])]) {
        const shown = filter(text);
        assert.deepEqual([shown.found, shown.text.includes('read_file')], [true, false], text);
        assert.deepEqual(filter(...text), shown);
      }
    });
  }

  const explanations = [
    'The marker `<tool_call>` begins a call.',
    'It writes <tool_call> first, then read_file and its arguments.',
    'GLM wraps calls in <tool_call> tags; the name, say read_file, comes first.',
    'Kimi begins with <|tool_calls_section_begin|> and closes with <|tool_calls_section_end|>.',
    'Use [TOOL_CALLS] in Mistral templates.',
    'DeepSeek writes <｜DSML｜invoke name="get_weather"> for a call.',
    'The file is {"name": "read_file", "version": "1.0.0"}',
    '{"name": "read_file", "version": "1.0.0"}',
    '{"name": "other", "arguments": {}}',
    '{"name": "read_file", "arguments": {}}\nThat is what a call looks like.',
    'A call looks like this:\n```json\n{"name": "read_file", "arguments": {}}\n```',
    'if (a < b && c <| d) { return [x]; }',
    'Ends with <',
    '<div><|',
    'Close it with </tool_call>.',
    'function=read_file is set',
  ];
  for (const text of explanations) {
    it(`W83 shows an explanation as written: ${text.slice(0, 50)}`, () => {
      assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
      assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
    });
  }

  it('W59 hides a call after code that was closed', () => {
    const code = '```\n<tool_call>read_file\n```\n';
    assert.deepEqual(filter(`${code}<tool_call>read_file\n`), { text: code, found: true, reasoning: '' });
  });
});

describe('the markup filter: thinking and ends of turns', () => {
  const thoughts: [string, string, string][] = [
    ['<think>\nLet me see.\n</think>\n\nHello', '\n\nHello', '\nLet me see.\n'],
    ['<think>Let me see.</think>Hello', 'Hello', 'Let me see.'],
    ['\n<thinking>\nHm, why.\n</thinking>\nHello', '\n\nHello', '\nHm, why.\n'],
    ['Let me see.\n</think>\n\nHello', 'Hello', 'Let me see.\n'],
    ['</think>\n\nHello', '\n\nHello', ''],
    [
      '<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>final<|message|>Hello',
      'Hello',
      'Let me see.',
    ],
    ['<think>Let me see, it is cut', '', 'Let me see, it is cut'],
  ];
  for (const [text, shown, reasoning] of thoughts) {
    it(`W84 takes thinking out of ${JSON.stringify(text).slice(0, 50)}`, () => {
      assert.deepEqual(filter(text), { text: shown, found: false, reasoning });
      assert.deepEqual(filter(...text), { text: shown, found: false, reasoning });
    });
  }

  for (const text of [
    'The `<think>` tag opens it and `</think>` closes it.',
    '<think> tags wrap the reasoning, </think> closes it.',
    'Models write </think> at the end of it.',
    '```\n<think>\nx\n</think>\n```',
    '<s>old</s>',
    'The token <|im_end|> ends a turn.',
  ]) {
    it(`W84 shows ${text.slice(0, 40)}`, () => {
      assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
      assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
    });
  }

  for (const end of [
    '<|im_end|>',
    '<｜end▁of▁sentence｜>',
    '<|endoftext|>',
    '<|user|>\n',
    '</s>',
    '<|close|>response',
    '<|im_end|>\n<|endoftext|>',
  ]) {
    it(`W84 drops ${JSON.stringify(end)} at the end`, () => {
      for (const { text, found } of [filter(`Hello${end}`), filter(...`Hello${end}`)]) {
        assert.deepEqual([text.trimEnd(), found], ['Hello', false]);
      }
    });
  }
});

describe('the markup filter: any text', () => {
  const piece = fc.constantFrom(
    ...['<', '|', '[', '{', '"name": "', 'read_file', 'other', '<tool_call>', '</tool_call>', '<|close|>', 'response'],
    ...[
      'tools',
      '<|open|>',
      '<|sep|>',
      '\n',
      '`',
      '```\n',
      'a b',
      '<think>',
      '</think>',
      '<function=',
      '<|im_end|>',
      '```json\n',
    ],
    ...['[TOOL_CALLS]', '<｜DSML｜invoke', ' name="', '"arguments": {}}', ']<]minimax[>[', '</s>', ' '],
    'x'.repeat(250),
  );

  it('gives the same however the text is cut, and without a call or thinking all of it', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const whole = filter(pieces.join(''));
        assert.deepEqual(filter(...pieces), whole);
        assert.deepEqual(filter(...pieces.join('')), whole);
      }),
      { numRuns: 300 },
    );
  });

  it('W59 loses nothing of a text without a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>|[]{}`"\n abc｜'), maxLength: 200 }), (text) => {
        assert.equal(filter(text).text, text);
      }),
      { numRuns: 1000 },
    );
  });

  it('X32 takes time in proportion to hostile text', async () => {
    const spent = await cpuMs(() => {
      filter('<'.repeat(500_000));
      filter('x<tool_call>'.repeat(20_000));
      filter(...Array.from({ length: 20_000 }, () => 'x<tool_call>'));
      filter(...Array.from({ length: 20_000 }, () => '{"name": "read_file", '));
      filter('`'.repeat(500_000));
    });
    assert.ok(spent < 15_000, `${spent} ms`);
  });
});
