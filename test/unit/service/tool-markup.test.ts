import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createMarkupFilter } from '../../../src/service/wire/tool-markup.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { calls, endless, further } from './leaked-calls.ts';

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
  // What only its end could tell was shown before it was taken out, and so was what stood around a call.
  if (markup.thought() === '' && !markup.found()) assert.ok(told.startsWith(markup.text()));
  assert.ok(isLeftOf(told, markup.text()));
  return { text: markup.text(), found: markup.found(), reasoning: reasoning + markup.thought() };
}

/** Returns whether the text is the whole with some of its characters taken out. */
function isLeftOf(whole: string, text: string): boolean {
  let at = 0;
  for (const char of text) {
    const found = whole.indexOf(char, at);
    if (found < 0) return false;
    at = found + char.length;
  }
  return true;
}

const filter = (...pieces: string[]): Filtered => filterWith(tools, ...pieces);

const alone: Record<string, string> = {
  'bare JSON': '{"name": "read_file", "arguments": {"path": "a"}}',
  'a list': '[{"name": "read_file", "parameters": {"path": "a"}}]',
  'the format itself':
    '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]}',
  fenced: '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
  'cut off': '{"name": "read_file", "arguments": {"path": "a',
};

const callOfK3 =
  '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>';

describe('the markup filter: the message of Kimi K3', () => {
  for (const [body, text, reasoning, found] of [
    [
      '<|open|>think<|sep|>I look.<|close|>think<|sep|><|open|>response<|sep|>On it.<|close|>response<|sep|><|close|>message<|sep|>',
      'On it.',
      'I look.',
      false,
    ],
    ['I look.<|close|>think<|sep|><|open|>response<|sep|>On it.<|close|>response<|sep|>', 'On it.', 'I look.', false],
    ['<|open|>response<|sep|>On it.<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>', 'On it.', '', false],
    ['On it.<|close|>response<|sep|><|close|>', 'On it.', '', false],
    // sgl-project/sglang#32567
    ['I look.<|close|>think<|open|>response<|sep|>On it.<|close|>response<|sep|>', 'On it.', 'I look.', false],
    ['<|open|>think<|sep|>I look.<|close|>think<|open|>response<|sep|>On it.', 'On it.', 'I look.', false],
    [`I look.<|close|>think${callOfK3}`, '', 'I look.', true],
    ['On it.<|close|>response<|sep|><|close|>mess', 'On it.', '', false],
    [
      `I look.<|close|>think<|sep|><|open|>response<|sep|>On it.<|close|>response<|sep|>${callOfK3}`,
      'On it.',
      'I look.',
      true,
    ],
    [`I look.<|close|>think<|sep|>${callOfK3}<|close|>message<|sep|>`, '', 'I look.', true],
    [`On it.${callOfK3}<|close|>message<|sep|>`, 'On it.', '', true],
  ] as const) {
    it(`W59 W83 ${body.replaceAll(/<\|(?:sep|open|close)\|>/g, ' ')}`, () => {
      assert.deepEqual(filter(body), { text, found, reasoning });
      assert.deepEqual(filter(...body), { text, found, reasoning });
    });
  }
});

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

  for (const [family, call] of Object.entries(further)) {
    it(`W59 W83 nothing of ${family} is raw on the screen, in thoughts as in the text`, () => {
      for (const text of [call, `I will look.\n${call}`]) {
        const shown = filter(text);
        assert.deepEqual([shown.found, /read_file|DSML|<[|｜/]|tool|arg_/.test(shown.text)], [true, false], shown.text);
        assert.deepEqual(filter(...text), shown);
        const thoughts = createMarkupFilter({ tools });
        thoughts.push(text);
        thoughts.end();
        assert.ok(thoughts.found());
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
    'Kimi K3 wraps its answer: <|open|>response<|sep|> opens it and <|close|>response<|sep|> closes it.',
    'K3 ends its thoughts with <|close|>think<|sep|> and then answers.',
    'V4.1 puts a blank behind the bars: <｜DSML｜ invoke name="get_weather"> and so on.',
    'Kimi K3 opens its calls with <|open|>tools<|sep|> and names the tool, say read_file, in the next sign.',
    '<|im_start|> begins a message.\nThe tool is called "read_file" there.',
    '<| pipes the right side into the left, as in f <| "read_file".',
  ];
  const ends = [
    'Tools:\n- [read_file](docs/tools.md)\n- [edit_file](docs/edit.md)',
    'See\n[read_file](docs/tools.md)',
    '| tool | does |\n| --- | --- |\n| read_file | reads |\n| `edit_file` | (edits) |',
    'read_file(path) reads a file (whole)',
    'It is made as:\n<read_file> is the tag for the tool (see above)',
    '[read_file(path="a")] is the form of it (in Python)',
    '[x] read_file done\n[ ] edit_file later (today)',
    '<details>\n<summary>read_file</summary>\nReads a file\n</details>',
    'The form is, for example:\nread_file(path="a")',
    'edit_file: changes a file (with a search)\nread_file: reads it (whole)',
    'Its name is "read_file"\nIts argument is {path}',
    '✅ read_file works (all tests)\n✅ edit_file works (2 of 2)',
    '<!-- read_file and edit_file are the tools of this page -->',
    'const tool = tools["read_file"];\nrun(tool, {path})',
    'src/tools/read_file.ts (new)\nsrc/tools/edit_file.ts (new)',
    '[1]: the manual of read_file (page 4)',
    'read_file: {path}',
    'Both are there:\n```ts\nread_file(path)\n```',
    '<path>/read_file.sh (run it)',
    'Names: read_file, edit_file (both offered)',
  ];
  for (const text of [...explanations, ...ends]) {
    it(`W83 shows an explanation as written: ${text.slice(0, 50)}`, () => {
      assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
      assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
    });
  }

  const late: Record<string, string> = {
    'of DeepSeek without its opening': 'read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    'of Kimi without its opening': 'functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|>',
    'of GLM without its opening': 'read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
    'with its arguments before its name': '{"arguments": {"path": "a"}, "name": "read_file"}',
    'in a fence': '```json\n{"name": "read_file", "arguments": {"path": "a"}}\n```',
  };
  for (const [what, call] of Object.entries(late)) {
    it(`W83 takes a call ${what} out of the answer once it is whole`, () => {
      for (const before of ['', 'I will look.\n\n']) {
        for (const shown of [filter(before + call), filter(...(before + call))]) {
          assert.deepEqual([shown.found, shown.text.trim()], [true, before.trim()], call);
        }
      }
      assert.equal(filterWith(new Set(['other_tool']), `I will look.\n\n${call}`).found, false);
      assert.equal(filter(`It is written like this:\n\n${call}\n\nand nothing else.`).found, false);
    });
  }

  for (const text of [
    'Its form is:\n\n    <tool_call>read_file<arg_key>path</arg_key></tool_call>\n\nThat is all.',
    'It sends "<tool_call>read_file</tool_call>" as text.',
    'In JSON: \\"<tool_call>read_file</tool_call>\\".',
    'Written \\<tool_call>read_file</tool_call> it is shown.',
  ])
    it(`W83 shows a quotation as written: ${text.slice(0, 40)}`, () => {
      assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
      assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
    });

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
    it(`W84 quoted markup is shown as text: ${text.slice(0, 40)}`, () => {
      assert.deepEqual(filter(text), { text, found: false, reasoning: '' });
      assert.deepEqual(filter(...text), { text, found: false, reasoning: '' });
    });
  }

  for (const end of [
    '<|im_end|>',
    '<｜end▁of▁sentence｜>',
    '<｜end▁of▁sentence｜><｜User｜>',
    '<|a_sign_of_no_list|>',
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
        // A sign of a model's own, such as `<|end|>`, at the end of what it said is a form, whatever its name.
        fc.pre(!/<[|｜][^<>|｜\s]+[|｜]>\s*$/.test(text));
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
