import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

type Call = readonly [name: string, given: object];

const mark = '\uFEFF';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on byte order marks, places that are not unique, and shells that wait', () => {
  let temp: TempDir;
  let root = '';
  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, { 'ws/README.md': 'Read me.\n' });
  });
  afterEach(() => temp.remove());

  /** Each call is one reply. */
  const tell = async (...calls: Call[]) => {
    const script = calls.map(([name, given], at) => ({
      toolCalls: [{ id: `x${at}`, name, arguments: JSON.stringify(given) }],
    }));
    const { results } = await runScript(root, [...script, { text: 'Done.' }]);
    return results.map(({ forModel }) => forModel);
  };
  const told = async (name: string, given: object) => (await tell([name, given]))[0] ?? '';
  const onDisk = (name: string) => readFile(path.join(root, name), 'utf8');
  const onPosix = process.platform === 'win32' ? it.skip : it;
  const customizations = async () =>
    JSON.stringify(await findCustomizations({ ...openFolders({ ws: root }), nested: async () => [] }));

  it('F35 a skill with a long description is found (jtydhr88/screenwriting-skills#14)', async () => {
    const text = `---\nname: long\ndescription: ${'Writes scenes. '.repeat(90)}\n---\nWrite.\n`;
    await writeFiles(root, { '.claude/skills/long/SKILL.md': text });
    assert.match(await customizations(), /Writes scenes/);
  });

  it('F35 an agent whose file begins with a byte order mark is found (anthropics/claude-code#73158)', async () => {
    await writeFiles(root, { '.claude/agents/d.md': `${mark}---\nname: director\ndescription: Directs\n---\nGo.\n` });
    assert.match(await customizations(), /"Directs"/);
  });

  it('F13 a byte order mark is not shown (openclaw/openclaw#115781)', async () => {
    await writeFiles(root, { 'a.py': `${mark}import os\n` });
    assert.doesNotMatch(await told('read_file', { path: 'a.py' }), /\uFEFF/);
  });

  it('E02 a mark in the new text is not put beside the one there (microsoft/copilot-intellij-feedback#1042)', async () => {
    await writeFiles(root, { 'a.cs': `${mark}namespace A;\n` });
    await tell(
      ['read_file', { path: 'a.cs' }],
      ['edit', { path: 'a.cs', oldText: `${mark}namespace A;`, newText: `${mark}namespace B;` }],
    );
    assert.equal(await onDisk('a.cs'), `${mark}namespace B;\n`);
  });

  it('E02 a new file begins without a byte order mark (microsoft/agent-framework#8566)', async () => {
    await tell(['create_file', { path: 'new.cs', content: 'namespace A;\n' }]);
    assert.equal(await onDisk('new.cs'), 'namespace A;\n');
  });

  const twice = 'def dev():\n    debug = True\n\ndef prod():\n    debug = True\n';

  it('E02 a text that is there twice changes nothing, and that is told (docker/docker-agent#3929)', async () => {
    await writeFiles(root, { 'conf.py': twice });
    const text = await told('edit', { path: 'conf.py', oldText: '    debug = True', newText: '    debug = False' });
    assert.equal(await onDisk('conf.py'), twice);
    assert.match(text, /2|twice|more than once/);
  });

  it('E02 asking again for a line that is not unique changes nothing (OpenHands/software-agent-sdk#1067)', async () => {
    await writeFiles(root, { 'conf.py': twice });
    const call: Call = [
      'str_replace_editor',
      { command: 'str_replace', path: path.join(root, 'conf.py'), old_str: 'debug = True', new_str: 'debug = False' },
    ];
    await tell(call, call, call);
    assert.equal(await onDisk('conf.py'), twice);
  });

  it('E02 everywhere says how many places it changed (SREGym/SREGym#99)', async () => {
    await writeFiles(root, { 'conf.py': twice });
    const given = { file_path: 'conf.py', old_string: 'True', new_string: 'False', replace_all: true };
    const text = await told('Edit', given);
    assert.equal(await onDisk('conf.py'), twice.replaceAll('True', 'False'));
    assert.match(text, /2 of 2 places/);
  });

  it('E02 a text that is not there is no silent success (coder/coder#23125)', async () => {
    const text = await told('edit', { path: 'README.md', oldText: 'Gone away', newText: 'Here' });
    assert.match(text, /not|no /i);
    assert.equal(await onDisk('README.md'), 'Read me.\n');
  });

  it('E02 a near text with other indentation is found, or shown as it is (defilantech/LLMKube#917)', async () => {
    await writeFiles(root, { 'a.go': 'func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n' });
    const given = {
      path: 'a.go',
      oldText: '    if x {\n        return 1\n    }',
      newText: '    if y {\n        return 2\n    }',
    };
    const [, text = ''] = await tell(['read_file', { path: 'a.go' }], ['edit', given]);
    const isMended = (await onDisk('a.go')) === 'func f() {\n\tif y {\n\t\treturn 2\n\t}\n}\n';
    assert.ok(isMended || text.includes('\tif x {'), text);
  });

  it('E02 a text that is nearly there is answered with the lines there are (earendil-works/pi#8654)', async () => {
    await writeFiles(root, { 'a.ts': 'const total = sum(list);\nexport default total;\n' });
    const text = await told('edit', {
      path: 'a.ts',
      oldText: 'const total = sum(items);',
      newText: 'const total = 0;',
    });
    assert.match(text, /sum\(list\)/);
  });

  it('E02 edits that come as the text of a list are read (ezyang/codemcp#310)', async () => {
    const edits = JSON.stringify([{ oldText: 'Read me.', newText: 'Read this.' }]);
    await tell(['edit_file', { path: 'README.md', edits }]);
    assert.equal(await onDisk('README.md'), 'Read this.\n');
  });

  it('F13 a pattern that begins with a dash is searched (anomalyco/opencode#3524)', async () => {
    await writeFiles(root, { 'a.txt': 'use --verbose here\nx->y\n' });
    assert.match(await told('grep', { pattern: '--verbose' }), /a\.txt/);
    assert.match(await told('grep', { pattern: '->y' }), /a\.txt/);
  });

  it('F13 a pattern that looks like a switch is one to search for (smithersai/smithers#695)', async () => {
    await writeFiles(root, { 'f.txt': 'hello-world\nWORLD\n-i\n' });
    const text = await told('search_text', { query: '-world' });
    assert.match(text, /hello-world/);
    assert.match(await told('search_text', { query: '-i', isRegex: true }), /-i/);
  });

  onPosix('F15 a text for a program, ended by its own line, runs (zed-industries/zed#49068)', async () => {
    assert.match(await told('run_command', { command: 'cat <<EOF\nhello\nEOF' }), /hello/);
    assert.match(await told('run_command', { command: "cat <<'PY'\nhel$lo\nPY" }), /hel\$lo/);
  });

  onPosix('F15 an open quote does not wait, and the next command runs (xuzhougeng/wispterm#615)', async () => {
    const texts = await tell(['run_command', { command: "echo 'open" }], ['run_command', { command: 'echo next' }]);
    assert.match(texts[0] ?? '', /^Exit code [1-9]/);
    assert.match(texts[1] ?? '', /next/);
  });

  onPosix('F15 what a program says before it fails is read behind tail (anthropics/claude-code#64577)', async () => {
    const command = "sh -c 'echo boom >&2; exit 3' 2>&1 | tail -40";
    assert.match(await told('run_command', { command }), /boom/);
  });

  it('E02 an edit never takes what stands between two lines that it names (anomalyco/opencode#24959)', async () => {
    const middle = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}.\n`).join('');
    const paper = `\\end{table}\n${middle}\\section{End}\n`;
    await writeFiles(root, { 'a.tex': paper });
    const oldText = '\\end{table}\n\n\\section{End}';
    await tell(['edit', { path: 'a.tex', oldText, newText: '\\vspace{1em}' }]);
    assert.equal(await onDisk('a.tex'), paper);
  });

  it('E02 a file in four bytes a letter is left as it is, and that is told (MoonshotAI/kimi-code#3946)', async () => {
    const bytes = Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x61, 0, 0, 0, 0x62]);
    await writeFile(path.join(root, 'wide.txt'), bytes);
    const text = await told('edit', { path: 'wide.txt', oldText: 'a', newText: 'c' });
    assert.match(text, /binary|text|encod|bytes/i);
    assert.deepEqual(await readFile(path.join(root, 'wide.txt')), bytes);
  });

  it('E02 a patch of the first line keeps the byte order mark (NousResearch/hermes-agent#35278)', async () => {
    await writeFiles(root, { 'a.py': `${mark}import os\nimport sys\n` });
    const input = '*** Begin Patch\n*** Update File: a.py\n@@\n-import os\n+import re\n import sys\n*** End Patch';
    await tell(['apply_patch', { input }]);
    assert.equal(await onDisk('a.py'), `${mark}import re\nimport sys\n`);
  });
});
