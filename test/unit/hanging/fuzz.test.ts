import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { someOf } from '../../support/effort.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { type Parser, parsers } from './parsers.ts';

const seeds = someOf(
  Array.from({ length: 1500 }, (_, at) => at + 1),
  4,
);

/** What grammars stumble over: signs of every syntax, halves of characters, names of the language's own, long numbers. */
const scraps = [
  ...'{}[]()<>"\'`\\/|:;,.=-+*#!?@$%^&~_ \t\n\r\0',
  ...[
    '\ud800',
    '\udc00',
    '\ufeff',
    '\u2028',
    '\u200d',
    '\u{e0041}',
    '\u0301',
    'İ',
    'ß',
    'ſ',
    '\u001b[',
    '\u001b]',
    '\u009b',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
    '-0',
    '1e999',
    '9007199254740993',
    'true',
    '[]',
    '{}',
    '""',
  ],
  ...[
    'data: ',
    '[DONE]',
    '---',
    '```',
    '~~~',
    '<tool_call>',
    '</think>',
    '<|',
    '|>',
    '@@ ',
    '**',
    '../',
    '%00',
    '\\u0000',
  ],
];

/** A sample with pieces taken out, doubled, moved and put in. */
function mutated(random: Random, samples: readonly string[]): string {
  let text = random.pick([...samples, '']);
  for (let count = random.between(1, 12); count > 0; count--) {
    const from = random.between(0, text.length);
    const to = Math.min(text.length, from + random.between(0, 12));
    const piece = text.slice(from, to);
    const other = random.pick([
      random.pick(scraps),
      random.pick(scraps).repeat(random.between(1, 40)),
      piece,
      random.pick(samples),
    ]);
    text = random.pick([
      () => text.slice(0, from) + text.slice(to),
      () => text.slice(0, from) + other + text.slice(from),
      () => text.slice(0, from) + other + text.slice(to),
      () => text.slice(0, from) + String.fromCharCode(random.between(0, 0xffff)) + text.slice(to),
      () => text.slice(from) + text.slice(0, from),
    ])();
  }
  return text.slice(0, 4000);
}

async function reads({ parse }: Parser, text: string): Promise<unknown> {
  const before = Object.keys(Object.prototype).length;
  const given = await parse(text);
  assert.equal(Object.keys(Object.prototype).length, before, 'it wrote to the prototype of all objects');
  return given;
}

describe('any text, to every reader of what others wrote', () => {
  for (const [at, [name, parser]] of Object.entries(parsers).entries()) {
    it(`X32 X41 ${name}: ${seeds.length} texts are read without a fault, and the same each time`, async () => {
      for (const sample of parser.samples) await reads(parser, sample);
      for (const [nth, seed] of seeds.entries()) {
        const text = mutated(createRandom(at * 1_000_003 + seed), parser.samples);
        const fail = (error: unknown) => assert.fail(`seed ${seed}, ${JSON.stringify(text)}: ${String(error)}`);
        const given = await reads(parser, text).catch(fail);
        // A pattern that keeps its place from one text to the next would read the second time otherwise.
        if (nth % 10 === 0) assert.deepEqual(await reads(parser, text).catch(fail), given, JSON.stringify(text));
      }
    });
  }
});
