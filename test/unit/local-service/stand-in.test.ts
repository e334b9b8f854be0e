import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { describe, it } from 'mocha';
import { editRequestMessages } from '../../../src/features/inline/core/edit-request.ts';
import { readAnswer } from '../../../src/features/inline/core/read-answer.ts';
import type { ChatMessage, ChatRequest } from '../../service/chat-request.ts';
import { standInReply } from '../../service/stand-in-model.ts';
import { bestHit, findPath } from '../../service/stand-in-steps.ts';
import { sampleTour, tourOf } from '../../vscode/start-tour.ts';

const tool = (
  name: string,
  properties: Record<string, object>,
  required: string[],
): NonNullable<ChatRequest['tools']>[number] => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties, required } },
});
const string = { type: 'string' };
const integer = { type: 'integer', minimum: 1 };
const tools = [
  tool('read_file', { path: string, startLine: integer, endLine: integer }, ['path']),
  tool('list_directory', { path: string }, ['path']),
  tool('find_files', { pattern: string }, ['pattern']),
  tool('search_text', { query: string, isRegex: { type: 'boolean' } }, ['query']),
];
const workTools = [
  ...tools,
  tool('edit_file', { path: string, edits: { type: 'array' } }, ['path', 'edits']),
  tool('run_command', { command: string }, ['command']),
];
const sample = path.resolve(import.meta.dirname, '../../vscode/sample-workspace');

/** As `read_file` gives it. */
async function numbered(file: string): Promise<string> {
  const rows = (await readFile(path.join(sample, file), 'utf8')).trimEnd().split('\n');
  return [`${file}: ${rows.length} lines`, ...rows.map((row, index) => `${index + 1}\t${row}`)].join('\n');
}

/** Plays the client: answers each call from `results` by tool name, until the stand-in answers. */
function converse(
  content: string,
  results: Record<string, string>,
  offered = tools,
): { calls: string[]; text: string } {
  const messages: ChatMessage[] = [{ role: 'user', content }];
  const calls: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const reply = standInReply({ model: 'svc/glm-5.3', messages, tools: offered }, () => `c${turn}`);
    const [call] = reply.toolCalls;
    if (!call) return { calls, text: reply.text };
    calls.push(`${call.name} ${call.arguments}`);
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: call.id, function: call }] });
    messages.push({ role: 'tool', tool_call_id: call.id, content: results[call.name] ?? '' });
  }
  throw new Error('The stand-in did not come to an answer.');
}

const cart = Array.from({ length: 60 }, (_, index) =>
  index === 40 ? 'export function addItem(cart: Cart) {' : `// line ${index}`,
);

describe('local stand-in model', () => {
  it('reads a file that is named with its folder', () => {
    const { calls, text } = converse('What does src/cart.ts do?', {
      read_file: 'export function addItem() {}\nconst tax = 0.2;',
    });
    assert.deepEqual(calls, ['read_file {"path":"src/cart.ts"}']);
    assert.match(text, /From `src\/cart\.ts`/);
    assert.match(text, /```ts\nexport function addItem/);
    assert.match(text, /- function `addItem`\n- const `tax`/);
    assert.match(text, /I am the local stand-in.*I cannot reason/);
  });

  it('says what a file declares that is asked about, not which line says its name', () => {
    const { text } = converse('What does src/browser.js do?', {
      read_file: '1\t/* eslint-env browser */\n2\tfunction load() {}',
    });
    assert.match(text, /From `src\/browser\.js`[\s\S]*It declares:\n\n- function `load`/);
  });

  it('finds a file that is named without its folder, then reads it', () => {
    const { calls } = converse('Summarise cart.ts please', {
      find_files: 'Found 1 file:\nsrc/shop/cart.ts\n',
      read_file: 'x',
    });
    assert.deepEqual(calls, ['find_files {"pattern":"**/cart.ts"}', 'read_file {"path":"src/shop/cart.ts"}']);
  });

  it('searches for the most specific word, then reads around the best hit', () => {
    const { calls, text } = converse('Where is the addItem function defined?', {
      search_text: 'test/cart.test.ts:3: addItem(cart)\nsrc/cart.ts:41: export function addItem(cart: Cart) {',
      read_file: cart.join('\n'),
    });
    assert.deepEqual(calls, [
      'search_text {"query":"addItem"}',
      'read_file {"path":"src/cart.ts","startLine":31,"endLine":71}',
    ]);
    assert.match(text, /the lines that mention it/);
    assert.match(text, /export function addItem\(cart: Cart\)/);
  });

  it('tries a second word, then looks at the folder, and stops after four calls at most', () => {
    const { calls, text } = converse('Is checkoutTotal near shippingFee?', {
      search_text: 'No matches.',
      list_directory: 'src/\nREADME.md',
    });
    assert.deepEqual(calls, [
      'search_text {"query":"checkoutTotal"}',
      'search_text {"query":"shippingFee"}',
      'list_directory {"path":"."}',
    ]);
    assert.match(text, /README\.md/);
  });

  it('asks by the argument names of the offered schema', () => {
    const renamed = [
      tool('read_file', { file_path: string, from_line: integer, to_line: integer, encoding: { enum: ['utf8'] } }, [
        'file_path',
        'encoding',
      ]),
    ];
    const { calls } = converse('Read lib/a.py', { read_file: 'pass' }, renamed);
    assert.deepEqual(calls, ['read_file {"file_path":"lib/a.py","encoding":"utf8"}']);
  });

  it('calls a tool of another kind when the question names it', () => {
    const weather = [tool('get_weather', { city: string }, ['city'])];
    const { calls, text } = converse('What is the weather in Oslo?', { get_weather: '11 degrees' }, weather);
    assert.deepEqual(calls, ['get_weather {"city":"Oslo"}']);
    assert.match(text, /11 degrees/);
  });

  it('looks for a file by its name when it is not where the user said, and does not repeat a call', () => {
    const { calls, text } = converse('Read src/gone.ts', {
      read_file: 'There is no file src/gone.ts. Look for it with find_files.',
      find_files: 'No files match.',
    });
    assert.deepEqual(calls.slice(0, 2), ['read_file {"path":"src/gone.ts"}', 'find_files {"pattern":"**/gone.ts"}']);
    assert.equal(new Set(calls).size, calls.length);
    assert.doesNotMatch(text, /From `src/);
  });

  it('answers small talk by saying what it is, without tools', () => {
    const { calls, text } = converse('Hi', {});
    assert.deepEqual(calls, []);
    assert.match(text, /no language model behind me/);
    assert.match(text, /You wrote: "Hi"/);
  });

  it('lists the declarations of attached code instead of calling tools', () => {
    const code = 'export class Cart {}\nexport async function total() {}\ndef helper():\n  pass';
    const { calls, text } = converse(`Explain this:\n\`\`\`ts\n${code}\n\`\`\``, {});
    assert.deepEqual(calls, []);
    assert.match(text, /4 lines/);
    assert.match(text, /- class `Cart`\n- function `total`\n- def `helper`/);
  });

  it('quotes a file that contains fences without letting it end the quote', () => {
    const { text } = converse('Read docs/a.md', { read_file: '```js\nx\n```\n# Heading' });
    assert.match(text, /````md\n```js\nx\n```\n# Heading\n````/);
  });

  it('says that it cannot see images', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages: ChatMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }];
    const reply = standInReply({ model: 'svc/glm-5.3', messages }, () => 'c');
    assert.match(reply.text, /1 image\(s\), which I received but cannot see/);
  });

  it('W06 reasons shortly for the DeepSeek and Kimi ids only, and is deterministic', () => {
    const ask = (model: string): string =>
      JSON.stringify(standInReply({ model, messages: [{ role: 'user', content: 'Hi' }] }, () => 'c'));
    for (const id of ['deepseek-v4-pro', 'deepseek-v4.1-flash', 'kimi-k3', 'kimi-k3-fast']) {
      assert.doesNotMatch(ask(`svc/${id}`), /"reasoning":""/);
    }
    for (const id of ['glm-5.3', 'glm-5.3-flash', 'qwen-3.8-27b']) assert.match(ask(`svc/${id}`), /"reasoning":""/);
    assert.equal(ask('svc/kimi-k3'), ask('svc/kimi-k3'));
  });

  it('understands search results as lists, headings with line numbers, and paths in sentences', () => {
    assert.deepEqual(bestHit('- `src/a b.ts:7`: x'), { path: 'src/a b.ts', line: 7 });
    assert.deepEqual(bestHit('src/a.ts\n  12: x\n  13: y'), { path: 'src/a.ts', line: 12 });
    assert.deepEqual(bestHit('## src/a.ts (2 matches)\n12| x'), { path: 'src/a.ts', line: 12 });
    assert.equal(bestHit('No matches.'), undefined);
    assert.equal(findPath('1. src/x/cart.ts (2 kB)', 'cart.ts'), 'src/x/cart.ts');
    assert.equal(findPath('src/x/smart-cart.ts', 'cart.ts'), undefined);
  });

  it('answers the question of the tour from the file that decides it, not from the first that mentions it', async () => {
    const { calls, text } = converse(sampleTour[0]?.prompt ?? '', {
      search_text:
        'src/cart.ts\n2: import { shippingCents } from x;\n13:   shippingCents: number;\nsrc/shipping.ts\n5: export function shippingCents(itemsCents: number): number {',
      read_file: await numbered('src/shipping.ts'),
    });
    assert.match(calls[1] ?? '', /^read_file \{"path":"src\/shipping\.ts"/);
    assert.match(text, /`src\/shipping\.ts:5`/);
    assert.match(text, /free from 49 euros on/);
    assert.match(text, /`freeFromCents` is 4900/);
  });

  it('edits what it read, in two places, and says when the edit was not made', async () => {
    const result = {
      search_text: 'src/shipping.ts\n5: export function shippingCents(',
      read_file: await numbered('src/shipping.ts'),
    };
    const made = converse(
      'Make shipping free from 59 euros.',
      { ...result, edit_file: 'Edited src/shipping.ts: +2 −2' },
      workTools,
    );
    const { edits } = JSON.parse(made.calls.at(-1)?.replace('edit_file ', '') ?? '{}');
    let text = await readFile(path.join(sample, 'src/shipping.ts'), 'utf8');
    for (const { search, replace } of edits) {
      assert.equal(text.split(search).length, 2, search);
      text = text.replace(search, replace);
    }
    const { shippingCents } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(text))}`);
    assert.deepEqual([4900, 5899, 5900].map(shippingCents), [490, 490, 0]);
    assert.match(text, /free from 59 euros on/);
    assert.match(made.text, /I changed 2 places:/);
    const skipped = converse(
      'Make shipping free from 59 euros.',
      { ...result, edit_file: 'The user skipped this call.' },
      workTools,
    );
    assert.match(skipped.text, /^The file is as it was\. The user skipped/);
  });

  it('runs the command that it is told and shows how it ended', () => {
    const { calls, text } = converse('Run the tests.', { run_command: 'exit code 1\n# fail 1' }, workTools);
    assert.deepEqual(calls, ['run_command {"command":"npm test"}']);
    assert.match(text, /^`npm test`: exit code 1\n\n```\n# fail 1\n```/);
  });

  it('suggests what comes next in a tour, and nothing without one', () => {
    const asked = (content: string) =>
      standInReply({ model: 'svc/glm-5.3', messages: [{ role: 'user', content }] }, () => 'c', sampleTour).text;
    for (const [at, stop] of sampleTour.entries()) {
      const next = sampleTour[at + 1];
      if (stop.prompt === undefined || next === undefined) continue;
      assert.ok(asked(stop.prompt).endsWith(next.prompt === undefined ? next.before : `> ${next.prompt}`), stop.prompt);
    }
    assert.doesNotMatch(
      standInReply({ model: 'svc/glm-5.3', messages: [{ role: 'user', content: 'Hi' }] }, () => 'c').text,
      /Next:/,
    );
  });

  it('answers an inline edit with the whole part in one block that the editor takes', async () => {
    const file = 'src/shipping.ts';
    const lines = (await readFile(path.join(sample, file), 'utf8')).trimEnd().split('\n');
    const last = lines.length - 1;
    const edit = (instruction: string, languageId = 'typescript') => {
      const ask = { path: file, languageId, before: [], after: [], problems: [], files: [], definitions: [] };
      const messages = editRequestMessages({ ...ask, scope: lines.join('\n'), instruction }).flatMap(
        (message): ChatMessage[] =>
          message.role === 'system' || message.role === 'user' ? [{ role: message.role, content: message.text }] : [],
      );
      const { text, toolCalls } = standInReply({ model: 'svc/glm-5.3', messages, tools }, () => 'c');
      assert.deepEqual(toolCalls, []);
      const read = readAnswer(text, { lines, first: 0, last, path: file, holdsFences: false });
      return 'problem' in read ? assert.fail(read.problem) : read.lines;
    };
    const [free, asked] = [edit('Make shipping free from 59 euros.'), edit('Make it shorter\nand clearer.')];
    assert.equal(free.length, lines.length);
    assert.ok(free.some((line) => /= 59_?00\b/.test(line)));
    assert.deepEqual(asked, [
      '// The local stand-in cannot reason. It was asked: Make it shorter and clearer.',
      ...lines,
    ]);
    assert.match(edit('Make it shorter.', 'python')[0] ?? '', /^# The local stand-in/);
    assert.deepEqual(edit('Make it shorter.', 'json'), lines);
  });

  it('finds a file of the folder for its tour, whose edit has several places', async () => {
    const tour = await tourOf(sample);
    const file = tour[0]?.prompt?.match(/does (.*) do/)?.[1] ?? '';
    const edit = converse(
      tour[1]?.prompt ?? '',
      { read_file: await numbered(file), edit_file: 'Edited x: +2' },
      workTools,
    );
    assert.match(edit.text, /I changed [23] places/);
    assert.ok(tour.some(({ prompt }) => prompt === 'Run `npm test`.'));
  });
});
