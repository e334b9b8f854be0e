import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { loosenArguments } from '../../../src/agent/loose-arguments.ts';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type GivenCall, runScript, scriptedCalls } from './run-script.ts';
import type { ScriptedReply } from './scripted-client.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on patches, links, names of arguments and empty ends', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  const { tell, textOf } = scriptedCalls(() => temp.path);

  const long = Array.from({ length: 30 }, (_, at) => `line ${at + 1};`);
  const begin = (file: string, body: string) => `*** Begin Patch\n*** Update File: ${file}\n${body}\n*** End Patch`;
  const patches: [source: string, says: string, before: string, patch: string, after: string][] = [
    [
      'holon-run/holon#1237',
      'blanks at ends of lines',
      'one  \ntwo\nthree\n',
      begin('a.ts', '@@\n one\n-two\n+TWO\n three'),
      'one  \nTWO\nthree\n',
    ],
    [
      'fwerkor/local-shell-mcp#93',
      'a part of context alone before one with a change',
      'class A {\n  x = 1;\n}\nclass B {\n  x = 1;\n}\n',
      begin('a.ts', '@@\n class B {\n@@\n-  x = 1;\n+  x = 2;\n }'),
      'class A {\n  x = 1;\n}\nclass B {\n  x = 2;\n}\n',
    ],
    [
      'oven-sh/bun#38885',
      'a wrong offset',
      'one\ntwo\nthree\nfour\n',
      '--- a/a.ts\n+++ b/a.ts\n@@ -30,3 +41,3 @@\n two\n-three\n+THREE\n four\n',
      'one\ntwo\nTHREE\nfour\n',
    ],
  ];
  for (const [source, says, before, patch, after] of patches) {
    it(`F14 a patch with ${says} is made, or refused (${source})`, async () => {
      await writeFiles(temp.path, { 'a.ts': before });
      const { results } = await tell([['read_file', { path: 'a.ts' }]], [['apply_patch', { patch }]]);
      const now = await textOf('a.ts');
      assert.equal(now, after, results.at(-1)?.forModel);
    });
  }

  it('F14 a long patch that fits but for one line is told that line (holon-run/holon#2741)', async () => {
    await writeFiles(temp.path, { 'a.ts': `${long.join('\n')}\n` });
    const body = long
      .map((line, at) => (at === 20 ? ' line 21 as it was;' : at === 25 ? `-${line}\n+changed;` : ` ${line}`))
      .join('\n');
    const { results } = await tell(
      [['read_file', { path: 'a.ts' }]],
      [['apply_patch', { patch: begin('a.ts', `@@\n${body}`) }]],
    );
    assert.equal(results[1]?.state, 'failed');
    assert.match(results[1]?.forModel ?? '', /line 21;/);
    assert.doesNotMatch(results[1]?.forModel ?? '', /line 2;[\s\S]*line 12;/);
  });

  it('F14 a/ before an absolute path names the same file (holon-run/holon#2049)', async () => {
    await writeFiles(temp.path, { 'a.ts': 'one\ntwo\n' });
    const file = path.join(temp.path, 'a.ts');
    const patch = `--- a${file}\n+++ b${file}\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n`;
    const { results } = await tell([['read_file', { path: 'a.ts' }]], [['apply_patch', { patch }]]);
    const now = await textOf('a.ts');
    if (now !== 'one\nTWO\n') assert.match(results[1]?.forModel ?? '', /a\.ts/);
    assert.ok(now === 'one\nTWO\n' || results[1]?.state === 'failed');
  });

  it('F14 a patch within a command is a patch, or it is said how (yc-duan/fastctx#14)', async () => {
    await writeFiles(temp.path, { 'a.ts': 'one\ntwo\n' });
    const command = `apply_patch <<'PATCH'\n${begin('a.ts', '@@\n one\n-two\n+TWO')}\nPATCH`;
    const { results } = await tell([['read_file', { path: 'a.ts' }]], [['run_command', { command }]]);
    if ((await textOf('a.ts')) === 'one\nTWO\n') return;
    assert.match(results[1]?.forModel ?? '', /edit_file/);
  });

  it('F14 a patch that is sent again is made once (xyTom/coding-tools-mcp#50)', async () => {
    await writeFiles(temp.path, { 'a.ts': 'one\ntwo\n' });
    const call: GivenCall = ['apply_patch', { patch: begin('a.ts', '@@\n one\n+middle\n two') }];
    const { results } = await tell([['read_file', { path: 'a.ts' }]], [call], [call]);
    assert.equal(await textOf('a.ts'), 'one\nmiddle\ntwo\n', results.at(-1)?.forModel);
  });

  it('F13 a link in a listing tells nothing of where it leads (Mintplex-Labs/anything-llm#5642)', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(path.join(temp.path, 'ws'));
    await writeFiles(temp.path, { 'outside.txt': 'x'.repeat(12_345), 'ws/a.txt': '' });
    await symlink('../outside.txt', path.join(temp.path, 'ws/link.txt'));
    const { results } = await tell([['list_directory', { path: 'ws' }]]);
    assert.doesNotMatch(results[0]?.forModel ?? '', /12,?345/);
    assert.match(results[0]?.forModel ?? '', /link\.txt/);
  });

  it('F34 a skill and an agent behind a link in the workspace are found (Railly/agentfiles#5, nicobailon/pi-subagents#1505)', async function () {
    if (process.platform === 'win32') this.skip();
    const ws = path.join(temp.path, 'ws');
    await writeFiles(ws, {
      'shared/browse/SKILL.md': '---\nname: browse\ndescription: Browses.\n---\nBrowse.',
      'team/review.md': '---\nname: review\ndescription: Reviews.\n---\nReview.',
      '.claude/skills/.keep': '',
      '.claude/agents/.keep': '',
    });
    await symlink('../../shared/browse', path.join(ws, '.claude/skills/browse'));
    await symlink('../../team', path.join(ws, '.claude/agents/team'));
    const found = await findCustomizations({ ...openFolders({ ws }), nested: async () => [] });
    assert.deepEqual(found.map(({ name }) => name).sort(), ['browse', 'review']);
  });

  const foreign = { ownNames: false, forgives: false };
  it('F20 a name in another case of letters is that name (taylorwilsdon/google_workspace_mcp#918)', () => {
    const schema: object = {
      properties: { calendar_id: { type: 'string' }, max_results: { type: 'integer' } },
      required: ['calendar_id'],
      additionalProperties: false,
    };
    assert.deepEqual(loosenArguments({ calendarId: 'a', maxResults: 5 }, schema, foreign).value, {
      calendar_id: 'a',
      max_results: 5,
    });
  });

  it('F20 one where a list is wanted is a list (cyanheads/pubmed-mcp-server#156)', () => {
    const schema: object = {
      properties: {
        citations: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } },
      },
    };
    assert.deepEqual(loosenArguments({ citations: { title: 'a' } }, schema, foreign).value, {
      citations: [{ title: 'a' }],
    });
  });

  it('H19 a name that is none is told, with those that are (mongodb-js/mongodb-mcp-server#1369)', async () => {
    const { results } = await tell([['read_file', { projId: 'a', startRow: 3 }]]);
    assert.match(results[0]?.forModel ?? '', /path/);
    assert.match(results[0]?.forModel ?? '', /projId|startRow/);
  });

  const look: ScriptedReply = { toolCalls: [{ name: 'list_directory', arguments: '{}' }] };
  const ends: [source: string, says: string, reply: ScriptedReply][] = [
    [
      'QwenLM/qwen-code#7034',
      'a placeholder',
      { text: '(empty content)', reasoning: 'I have the list. Next I read the file.' },
    ],
    ['NousResearch/hermes-agent#42503', 'words on being at work', { text: 'Working on it…' }],
    [
      'vastsa/PI-Desktop#43',
      'a step under way',
      { text: 'Staged YAML complete. Only the Owner Note remains. Writing it now.' },
    ],
  ];
  for (const [source, says, reply] of ends) {
    it(`F19 a reply behind a result with ${says} does not end the turn (${source})`, async () => {
      const { requests, text } = await runScript(temp.path, [look, reply, { text: 'All of it is there: nothing.' }]);
      assert.equal(requests.length, 3);
      assert.match(text, /nothing\.$/);
    });
  }

  // The client has asked again before.
  const nothing: [source: string, says: string, reply: ScriptedReply][] = [
    ['askui/python-sdk#278', 'a lost call', { text: '', toolMarkup: true }],
    ['LionSR/TeXRA#6025', 'nothing', { text: '' }],
    ['janhq/jan#8712', 'thoughts alone', { text: '', reasoning: 'The folder is empty, so I am done.' }],
  ];
  for (const [source, says, reply] of nothing) {
    it(`F19 a reply behind a result with ${says} is no end of work (${source})`, async () => {
      const { outcome, requests } = await runScript(temp.path, [look, reply, { text: 'All is there.' }]);
      assert.ok(outcome !== 'finished' || requests.length === 3, outcome);
    });
  }

  it('F19 empty replies end within four requests, not as finished (can1357/oh-my-pi#1443)', async () => {
    const { requests, outcome, failure } = await runScript(temp.path, [
      look,
      ...Array.from({ length: 9 }, () => ({ text: '' })),
    ]);
    assert.ok(requests.length <= 5, `${requests.length} requests`);
    assert.ok(outcome !== 'finished' || failure !== undefined, outcome);
  });
});
