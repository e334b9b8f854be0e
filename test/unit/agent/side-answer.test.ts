import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAnswerOf } from '../../../src/agent/side-answer.ts';
import { further } from '../service/leaked-calls.ts';

const instructions = [
  'You write what was asked for. Answer with it alone: no code block, no words about it.',
  'Goal; Decisions and why; Done (files and what changed in them); Next step.',
].join('\n');

const bad = [
  ...Object.entries(further).flatMap(([form, text]) => (form === 'Qwen-Agent' ? [] : [text])),
  ...['', '...', '> ', '```\n```', 'null', '[DONE]', 'OK.', 'Done!', 'Understood.', '好的。'],
  ...[
    "I'm sorry, but I can't help with that.",
    'I cannot help with that.',
    'Leider kann ich das nicht. Ich habe keinen Text.',
  ],
  ...[
    'Sure, I will write it now.',
    'Let me look at the changes first:',
    '好的，我来总结。',
    'Ich werde jetzt den Text schreiben.',
  ],
  ...[
    'Here is what you asked for:',
    'Natürlich! Hier ist der Text:',
    'Claro, aquí está el texto:',
    'Could you show me the changes?',
  ],
  'The user wants a text about these changes. I should look at them first and then decide which of them matters.',
  'We need to write a text. First think about what was done.',
  ...['<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>', '<html><head></head></html>'],
  ...['{"error":{"message":"the model is busy"}}', 'data: {"id":"x","choices":[]}'],
  '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>',
  '<｜DSML｜ calls>\n<｜DSML｜ invoke name="write">\n1. Goal: all\n</｜DSML｜ invoke>',
  '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|>',
  '{"name": "write", "arguments": {"text": "Goal: fix"}}',
  instructions,
];

const good: Record<'summary' | 'message' | 'plan', string[]> = {
  summary: [
    '## Goal\nFix it.',
    '**Goal**\nFix it.',
    'Goal: fix the total',
    '- Goal: fix it',
    '1. Goal: fix it',
    '目标：修复解析器。',
  ],
  message: [
    ...[
      'Initial commit',
      'Fix typo',
      'feat(cart)!: round the total once',
      'Round once: at the end',
      '修复解析器的错误',
    ],
    ...['Bump version to 1.2.3', 'Behebe den Tippfehler', 'In the cart, round once', '<Button>: keep the focus'],
    'Problem:\nThe total is rounded twice.',
    'Round the total once\n\nI saw it doubled in the report: each row was rounded. Let me know if it matters.\n\n- cart\n- report',
  ],
  plan: ['# Goal\nRound once.\n\n1. `src/cart.ts`: round at the end.', '- Round at the end', '1) Look at the cart'],
};

describe('what answers a request apart', () => {
  const kinds = Object.keys(good) as (keyof typeof good)[];
  for (const kind of kinds) {
    it(`U13 F23 ${bad.length} texts that are no ${kind} are taken for none`, () => {
      assert.deepEqual(
        bad.filter((text) => isAnswerOf(kind, text, instructions)),
        [],
      );
    });
    it(`U13 F23 what is a ${kind} is taken for one`, () => {
      assert.deepEqual(
        good[kind].filter((text) => !isAnswerOf(kind, text, instructions)),
        [],
      );
    });
  }
});
