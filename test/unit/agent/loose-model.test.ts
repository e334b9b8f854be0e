import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ChatRequest } from '../../../src/service/contract.ts';
import { normaliseHistory } from '../../../src/service/wire/normalise-history.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { project, runScript } from './run-script.ts';
import { model } from './scripted-client.ts';

/** The calls of the last request, as they stand in it. */
const sentCalls = (request: ChatRequest | undefined) =>
  normaliseHistory(request?.messages ?? [], model, { parameters: {} }, { strength: 'normal' }).flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.function.arguments) : [],
  );

describe('a model that misses the tools', () => {
  let temp: TempDir;
  let root: string;
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, project);
  });
  afterEach(() => temp.remove());

  const table: readonly (readonly [name: string, raw: string, result: RegExp, sent: string])[] = [
    [
      'read_file',
      '{"file_path":"src/add.mjs","offset":"2","limit":"1"}',
      /lines 2–2 of 3.*\n2\t {2}return a - b;$/,
      '{"path":"src/add.mjs","startLine":2,"endLine":2}',
    ],
    ['read_file', '{"path":"src/add.mjs:2-2"}', /\n2\t {2}return/, '{"path":"src/add.mjs","startLine":2,"endLine":2}'],
    [
      'read_file',
      '{"path":"src/add.mjs","startLine":0,"endLine":-1,}',
      /add\.mjs: 3 lines/,
      '{"path":"src/add.mjs","startLine":1,"endLine":9999999}',
    ],
    [
      'read_file',
      '{"path":"src/add.mjs","encoding":"utf8"}',
      /add\.mjs: 3 lines[\s\S]*\[Ignored, no argument of read_file: encoding\]$/,
      '{"path":"src/add.mjs","encoding":"utf8"}',
    ],
    ['read_file', '{"path":"src/add.mj', /not valid JSON/, '{}'],
    ['read_file', '{"path":"src/add.mjs","startLine":', /not valid JSON/, '{"path":"src/add.mjs"}'],
    ['read_file', '{"path":"src/ad.mjs"}', /no file src\/ad\.mjs\. Near it: src\/add\.mjs/, '{"path":"src/ad.mjs"}'],
    [
      'search_text',
      '{"pattern":"return a .? b","include":"*.mjs"}',
      /as the regular expression .*\nsrc\/add\.mjs\n2: /,
      '{"query":"return a .? b","glob":"*.mjs"}',
    ],
    [
      'search_text',
      '{"query":"reduce","regex":"False","context":"1"}',
      /2- \n3: export const sum/,
      '{"query":"reduce","regex":false,"context":1}',
    ],
    [
      'list_directory',
      '{"directory":"src","reason":"to look"}',
      /add\.mjs\nsum\.mjs$/,
      '{"path":"src","reason":"to look"}',
    ],
    ['list_directory', '"{\\"path\\":\\"src\\"}"', /add\.mjs\nsum\.mjs$/, '{"path":"src"}'],
    [
      'update_plan',
      '{"todos":[{"content":"Fix add","status":"in_progress"}]}',
      /plan is shown/,
      '{"items":[{"text":"Fix add","state":"active"}]}',
    ],
    [
      'edit_file',
      '{"path":"src/add.mjs","old_string":"a - b","new_string":"a + b"}',
      /^Edited src\/add\.mjs/,
      '{"path":"src/add.mjs","edits":[{"search":"a - b","replace":"a + b"}]}',
    ],
    [
      'edit_file',
      '{"path":"src/add.mjs","edits":"[{\\"search\\":\\"a - b\\",\\"replace\\":\\"a + b\\"}]"}',
      /^Edited/,
      '{"path":"src/add.mjs","edits":[{"search":"a - b","replace":"a + b"}]}',
    ],
    [
      'create_file',
      '{"filename":"a.txt","text":"one\ntwo\n"}',
      /^Created a\.txt: 2 lines/,
      '{"path":"a.txt","content":"one\\ntwo\\n"}',
    ],
    [
      'run_command',
      '{"cmd":"echo hi","timeout_seconds":"30"}',
      /Exit code 0.*\nhi$/,
      '{"command":"echo hi","timeoutSeconds":30}',
    ],
    [
      'run_command',
      '{"command":"echo hi","timeout":30000}',
      /^Exit code 0/,
      '{"command":"echo hi","timeoutSeconds":30}',
    ],
  ];
  for (const [name, raw, result, sent] of table) {
    it(`H19 H20 ${name} ${JSON.stringify(raw)}`, async () => {
      const { outcome, results, requests } = await runScript(root, [
        { toolCalls: [{ name, arguments: raw }] },
        { text: 'ok' },
      ]);
      assert.equal(outcome, 'finished');
      assert.match(results[0]?.forModel ?? '', result);
      assert.deepEqual(sentCalls(requests.at(-1)), [sent]);
    });
  }

  it('H19 H20 H21 F15 makes each mistake once and finishes a change of three files with passing checks', async () => {
    const call = (name: string, args: string) => ({ toolCalls: [{ name, arguments: args }] });
    const { outcome, text, results, requests } = await runScript(root, [
      { text: "I'll start by looking at the project." },
      call(
        'update_plan',
        '{"todos":[{"content":"Fix add","status":"in_progress"},{"content":"Mean","status":"todo"}]}',
      ),
      call('search_text', '{"pattern":"export (function|const)","path":"scr"}'),
      call('search_text', '{"pattern":"export (function|const)","path":"src"}'),
      call('read_file', '{"file_path":"src/add.mjs","view_mode":"full"}'),
      call('read_file', '{"file_path":"src/add.mjs"}'),
      call('edit_file', '{"path":"src/add.mjs","edits":[{"search":"a - b","repl'),
      call('edit_file', '{"path":"src/add.mjs","old_str":"a - b","new_str":"a + b"}'),
      call(
        'create_file',
        '{"path":"src/mean.mjs","content":"import { sum } from \'./sum.mjs\';\n\nexport const mean = (list) => sum(list) / list.length;\n"}',
      ),
      call('run_command', '{"command":"node test.mjs","description":"Run the checks"}'),
      { text: 'The sum of nothing fails. Now let me fix it:' },
      call('edit_file', '{"path":"src/sum.mjs","edits":{"search":"reduce(add)","replace":"reduce(add, 0)"}}'),
      call('run_command', '{"cmd":"node test.mjs"}'),
      { text: 'I fixed `add` and `sum`, wrote `mean`, and ran `node test.mjs`: 2 checks passed.' },
    ]);
    assert.deepEqual(
      results.map(({ name, state }) => `${name} ${state}`),
      [
        ...['update_plan done', 'search_text failed', 'search_text done', 'read_file done', 'read_file done'],
        ...['edit_file failed', 'edit_file done', 'create_file done', 'run_command failed', 'edit_file done'],
        'run_command done',
      ],
    );
    assert.equal(outcome, 'finished');
    assert.match(text, /2 checks passed/);
    assert.match(results.at(-1)?.forModel ?? '', /Exit code 0.*\n2 checks passed$/);
    assert.equal(requests.length, 14);
    const sent = sentCalls(requests.at(-1));
    const done = results.flatMap(({ state }, index) => (state === 'done' ? [sent[index] ?? ''] : []));
    for (const args of done) assert.doesNotMatch(args, /file_path|old_str|todos|"cmd"|"pattern"/);
    assert.equal(sent[5], '{"path":"src/add.mjs"}', 'what could be read of the broken call');
    assert.match(await readFile(path.join(root, 'src/add.mjs'), 'utf8'), /return a \+ b;/);
  });
});
