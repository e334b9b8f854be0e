import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { ColorSetup } from '../../../src/colors/catalog.ts';
import { createTokenizer, type Tokenizer } from '../../../src/colors/tokenizer.ts';
import { readSample, sampleSetup, wasm } from './samples.ts';

const create = (setup: ColorSetup = sampleSetup()): Tokenizer =>
  createTokenizer({ setup, read: readSample, wasm: () => readFile(wasm) });
let blocks = 0;
const newBlock = () => `block-${blocks++}`;

/** A line as pairs of text and look, `#ff0000 bold`; '' is the editor's own. */
async function looks(tokenizer: Tokenizer, text: string, theme = 'Dark', block = newBlock(), from = 0) {
  const colored = await tokenizer.color({ block, language: 'toy', theme, from, text });
  const names = ['italic', 'bold', 'underline', 'strike'];
  return colored?.lines.map((runs, index) => {
    let at = 0;
    const line = text.split('\n')[index] ?? '';
    return Array.from({ length: runs.length / 2 }, (_, run) => {
      const style = runs[2 * run + 1] ?? 0;
      const start = at;
      at += runs[2 * run] ?? 0;
      const look = [colored.colors[style >> 4], ...names.filter((_, bit) => style & (1 << bit))]
        .filter(Boolean)
        .join(' ');
      return [line.slice(start, at), look];
    });
  });
}

describe('colours of code', () => {
  it('come from the theme, with what it includes, and never from text that is no colour', async () => {
    assert.deepEqual(await looks(create(), 'let x = "y" /* no'), [
      [
        ['let', '#FF0000 bold'],
        [' x = ', ''],
        ['"y"', '#00FF00'],
        [' ', ''],
        ['/* no', 'italic'],
      ],
    ]);
  });

  it('ux 2.19 of brackets are those of their depth, over lines, and not in strings or comments', async () => {
    const tokenizer = create({ ...sampleSetup(), brackets: true });
    const depth = (nth: number) => `var(--vscode-editorBracketHighlight-foreground${nth})`;
    const found = await looks(tokenizer, 'f({ "(" [\n(x) ] } /* ( */ )]');
    const brackets = found?.flat().filter(([text]) => /^[()[\]{}]$/.test(text ?? ''));
    assert.deepEqual(brackets, [
      ['(', depth(1)],
      ['{', depth(2)],
      ['[', depth(3)],
      ['(', depth(1)],
      [')', depth(1)],
      [']', depth(3)],
      ['}', depth(2)],
      [')', depth(1)],
      // It closes nothing.
      [']', ''],
    ]);
    const whole = found?.map((line) => line.map(([text]) => text).join(''));
    assert.deepEqual(whole, ['f({ "(" [', '(x) ] } /* ( */ )]']);
  });

  it('change with the theme, also in the middle of a block, which then starts again', async () => {
    const tokenizer = create();
    await looks(tokenizer, 'let x', 'Dark', 'one');
    const next = await tokenizer.color({ block: 'one', language: 'toy', theme: 'Light', from: 1, text: 'let y' });
    assert.equal(next?.from, 0);
    assert.deepEqual(next?.lines, []);
    assert.deepEqual(await looks(tokenizer, 'let x', 'Light', 'one'), [
      [
        ['let', '#0000FF'],
        [' x', ''],
      ],
    ]);
  });

  it('follow the user’s own rules: simple ones, text-mate rules, and those for one theme', async () => {
    const customizations = {
      strings: '#123456',
      '[D*]': { textMateRules: [{ scope: 'keyword', settings: { fontStyle: 'underline' } }] },
      '[Light]': { keywords: '#654321' },
      comments: 7,
    };
    assert.deepEqual(await looks(create(sampleSetup('/', customizations)), 'let "y"'), [
      [
        ['let', '#FF0000 underline'],
        [' ', ''],
        ['"y"', '#123456'],
      ],
    ]);
    const light = await looks(create(sampleSetup('/', customizations)), 'let', 'Light');
    assert.deepEqual(light, [[['let', '#654321']]]);
  });

  it('are none for a language without a grammar, and none without a theme', async () => {
    const color = (language: string) => create().color({ block: 'b', language, theme: 'Dark', from: 0, text: 'x' });
    assert.equal(await color('nothing'), undefined);
    assert.equal(await color('constructor'), undefined);
    assert.deepEqual(await looks(create(), 'let "y"', 'Elsewhere'), [[]]);
  });

  it('P6 are the same however the lines of a block are handed over', async () => {
    const tokenizer = create();
    const word = fc.constantFrom('let', ' ', '"s"', '"', '/*', '*/', 'x', '\n', '\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 5 })),
        async (words, sizes) => {
          const lines = words.join('').split('\n');
          const whole = await looks(tokenizer, lines.join('\n'));
          const block = newBlock();
          const parts: unknown[] = [];
          for (let from = 0, step = 0; from < lines.length; step++) {
            const slice = lines.slice(from, from + (sizes[step] ?? 1));
            parts.push(...((await looks(tokenizer, slice.join('\n'), 'Dark', block, from)) ?? []));
            from += slice.length;
          }
          assert.deepEqual(parts, whole);
        },
      ),
    );
  });

  it('P6 leave a line of a megabyte as it is and go on after it', async () => {
    const lines = await looks(create(), `let\n${'"x" let '.repeat(130_000)}\nlet`);
    assert.deepEqual(lines, [[['let', '#FF0000 bold']], [], [['let', '#FF0000 bold']]]);
  });

  it('start again for a block that was forgotten', async () => {
    const tokenizer = create();
    for (let index = 0; index <= 100; index++) await looks(tokenizer, 'let', 'Dark', `b${index}`);
    const answer = await tokenizer.color({ block: 'b0', language: 'toy', theme: 'Dark', from: 1, text: 'let' });
    assert.deepEqual([answer?.from, answer?.lines], [0, []]);
  });
});
