import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { renderRules } from '../../../src/customizations/rules-text.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

const sent = (files: Record<string, string>) =>
  withTempDir(async (temp) => {
    const ws = path.join(temp, 'ws');
    await writeFiles(ws, files);
    const found = await findCustomizations({ ...openFolders({ ws }), nested: async () => [] });
    return renderRules(found, { paths: [], severalRoots: false }).text;
  });

describe('files that a file of rules imports', () => {
  it('F21 @ in a block of code or a span is none (google-gemini/gemini-cli#2978)', async () => {
    const body = '# Project\n```\n@other.md\n```\nWrite `@other.md`.\n';
    const text = await sent({ 'CLAUDE.md': body, 'other.md': 'Use teal.\n' });
    assert.doesNotMatch(text, /Use teal/);
    assert.ok(text.includes(body.trim()), text);
  });

  const files = {
    'CLAUDE.md': '# Project\n@./rules.md\n- @docs/more.md\n@gone.md\n@.env\n@../outside.md\n@AGENTS.md\n',
    'rules.md': 'Use teal.\n@docs/more.md\n',
    'docs/more.md': 'Use round signs.\n@more.md\n@../rules.md\n@deep.md\n',
    'docs/deep.md': 'Speak softly.\n',
    '.env': 'KEY=secret',
    '../outside.md': 'From outside.',
    'AGENTS.md': 'Be kind.\n',
  };
  it('F21 a line @path is the text of that file, and of what it imports (anthropics/claude-code#79046)', async () => {
    const text = await sent(files);
    const count = (words: string) => text.split(words).length - 1;
    assert.deepEqual(['Use teal.', 'Be kind.', 'Speak softly.'].map(count), [1, 1, 1], text);
    assert.doesNotMatch(text, /KEY=|From outside/);
    assert.match(text, /^@gone\.md$/m);
    assert.doesNotMatch(text, /^@AGENTS|@\.\/rules/m);
  });

  it('F21 files that import each other end', async () => {
    const text = await sent({ 'CLAUDE.md': '@a.md', 'a.md': 'A\n@b.md', 'b.md': 'B\n@a.md\n@CLAUDE.md' });
    assert.match(text, /\nA\nB\n@a\.md\n@CLAUDE\.md\n/);
  });

  it('F21 other agents have no such imports', async () => {
    assert.match(await sent({ 'AGENTS.md': '@rules.md', 'rules.md': 'Use teal.' }), /\n@rules\.md\n/);
  });
});
