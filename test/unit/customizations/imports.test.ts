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
});
