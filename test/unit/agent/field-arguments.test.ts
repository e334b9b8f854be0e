import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { loosenArguments } from '../../../src/agent/loose-arguments.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { openPlan } from '../../../src/shared/chat/chat-state.ts';
import { getPage } from '../../../src/tools/web/get-page.ts';
import { htmlToText } from '../../../src/tools/web/page-text.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on arguments, patterns and pages', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** `given` is what stands in the call, letter for letter. */
  const told = async (name: string, given: string) => {
    const script = [{ toolCalls: [{ id: 'x', name, arguments: given }] }, { text: 'Done.' }];
    const { results } = await runScript(temp.path, script);
    return results[0]?.forModel ?? '';
  };

  const searches: [source: string, text: string, given: object, answer: string][] = [
    [
      'Digital-Process-Tools/claude-supertool#290',
      'x.html(json.data)',
      { query: '.html(json.data)', regex: true },
      '1: x.html(json.data)',
    ],
    [
      'MarcusJellinghaus/mcp-workspace#139',
      'run functionname(a)',
      { query: 'functionname(', regex: true },
      '1: run functionname(a)',
    ],
    ['Digital-Process-Tools/claude-supertool#1120', 'a\nb | {\nc', { query: '\\| \\{', regex: true }, '2: b | {'],
    ['can1357/oh-my-pi#10298', 'a\n{ b\n', { query: '^\\{', regex: true }, '2: { b'],
    [
      'UKGovernmentBEIS/inspect_ai#5112',
      'one crystal\ntwo\nthe Abrate',
      { query: 'crystal|Abrate' },
      '1: one crystal\n3: the Abrate',
    ],
  ];
  for (const [source, text, given, answer] of searches) {
    it(`F13 finds ${JSON.stringify(given)} as it was meant (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': text });
      const found = await told('search_text', JSON.stringify(given));
      assert.ok(found.endsWith(`a.txt\n${answer}`), found);
    });
  }

  const spelled: [source: string, given: string][] = [
    ['NousResearch/hermes-agent#79333', '```json\n{"path": "a.txt"}\n```'],
    ['NousResearch/hermes-agent#79333', '{"path": "a.txt"} That is the file.'],
    ['livekit/agents#5409', JSON.stringify('{"path": "a.txt"}')],
    ['tinyhumansai/tinyagents#68', '{{"path": "a.txt"}}'],
    ['dcc-mcp/dcc-mcp-core#968', '{"arguments": {"path": "a.txt"}}'],
  ];
  for (const [source, given] of spelled) {
    it(`F13 reads the arguments ${JSON.stringify(given)} (${source})`, async () => {
      await writeFiles(temp.path, { 'a.txt': 'text' });
      assert.equal(await told('read_file', given), 'a.txt: 1 line\n1\ttext');
    });
  }

  it('F13 keys without quotes are refused, with what the tool takes (tinyhumansai/tinyagents#68)', async () => {
    assert.match(await told('read_file', '{path: "a.txt"}'), /not valid JSON.* read_file takes \{path: string/);
  });

  it('F13 a backslash that JSON does not know is one of the text (NousResearch/hermes-agent#110436)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'no\nid 42\n' });
    assert.match(await told('search_text', '{"query": "id \\d+", "regex": true}'), /2: id 42/);
  });

  it('F16 a line end within a text is one, and what was cut off runs nothing (open-octo/octo-agent#2356)', async () => {
    await writeFiles(temp.path, { 'a.txt': 'a\nb\n' });
    const edited = await told('edit_file', '{"path": "a.txt", "edits": [{"search": "a\nb", "replace": "c"}]}');
    assert.doesNotMatch(edited, /path is required|missing/i);
    const cut = await told('edit_file', '{"path": "a.txt", "edits": [{"search": "a');
    assert.match(cut, /JSON|cut|incomplete|end/i);
    assert.doesNotMatch(cut, /required/);
  });

  it('F17 a plan as JSON text is a plan (tashfeenahmed/freellmapi#193)', async () => {
    const items = JSON.stringify([{ text: 'Review', status: 'active' }]);
    const answer = await told('update_plan', JSON.stringify({ items, plan: items }));
    assert.doesNotMatch(answer, /invalid|expected|array/i);
  });

  it('F13 a listing of thousands is cut, and says of how many (griffinwork40/agent-afk#1292)', async () => {
    await writeFiles(temp.path, Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`d/f${at}.txt`, ''])));
    const answer = await told('list_directory', '{"path": "d"}');
    assert.ok(answer.length < 20_000, String(answer.length));
    assert.match(answer, /\d,?\d{3} more|3,?000/);
  });

  it('F13 of several folders the one that a path names is read (arthurzengg/opencui#322)', async () => {
    await writeFiles(temp.path, { 'one/src/a.ts': 'first', 'two/src/x.ts': 'second' });
    const read = createReadTools(openFolders({ one: `${temp.path}/one`, two: `${temp.path}/two` })).find(
      ({ name }) => name === 'read_file',
    );
    const textOf = async (path: string) => (await (await read?.plan({ path }, toolContext()))?.run())?.forModel;
    assert.match((await textOf('two/src/x.ts')) ?? '', /second/);
    // A path without a folder is never guessed: openai/codex#2909.
    await assert.rejects(
      textOf('src/x.ts'),
      /does not name its workspace folder. Begin the path with one of: one, two/,
    );
  });

  const foreign = { ownNames: false, forgives: false };
  it('F20 an object for a text is its JSON, a text that is JSON stays one (continuedev/continue#11852)', () => {
    const schema = { properties: { content: { type: 'string' } } };
    assert.deepEqual(loosenArguments({ content: { a: [1] } }, schema, foreign).value, { content: '{"a":[1]}' });
    assert.deepEqual(loosenArguments({ content: '{"a":[1]}' }, schema, foreign).value, { content: '{"a":[1]}' });
  });

  it('F20 a list for what takes lists and texts stays a list (github/copilot-cli#4301)', () => {
    const schema: object = {
      properties: { target: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] } },
    };
    assert.deepEqual(loosenArguments({ target: ['a', 'b'] }, schema, foreign).value, { target: ['a', 'b'] });
  });

  it('F20 a list and a number in quotes are a list and a number (NousResearch/hermes-agent#14811)', () => {
    const schema = { properties: { ids: { type: 'array', items: { type: 'string' } }, max: { type: 'number' } } };
    assert.deepEqual(loosenArguments({ ids: '["a"]', max: '5' }, schema, foreign).value, { ids: ['a'], max: 5 });
  });

  const pages: [source: string, contentType: string, bytes: Buffer, text: RegExp][] = [
    [
      'anomalyco/opencode#35752',
      'text/html; charset=windows-1251',
      Buffer.from([0x3c, 0x70, 0x3e, 0xcf, 0xf0, 0xe8]),
      /При/,
    ],
    [
      'use-agent-os/agent-os#2557',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]),
      /日本/,
    ],
  ];
  for (const [source, contentType, bytes, text] of pages) {
    it(`F38 a page is read in its own encoding (${source})`, async () => {
      const get = async () => new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
      const page = await getPage(
        { get, clock: systemClock } as never,
        new URL('https://a.example/'),
        new AbortController().signal,
      );
      assert.match(await htmlToText(JSON.stringify(page), 'https://a.example/', new AbortController().signal), text);
    });
  }

  it('F17 a plan is closed with its answer, whatever is left open in it (microsoft/vscode#332934)', () => {
    const plan = [{ text: 'Test', status: 'active' }];
    const answer = { kind: 'answer', turnId: 't1', outcome: 'finished' };
    const state = (running?: object) => ({ plan, planTurnId: 't1', running, items: [answer] }) as never;
    assert.equal(openPlan(state()), undefined);
    assert.equal(openPlan(state({ turnId: 't1' })), plan);
  });
});
