import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { WorkspaceRoot } from '../../../src/tools/files/workspace.ts';
import { findInstructions, findPrompts } from '../../../src/tools/instruction-files.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from './workspace.ts';

describe('instruction files', () => {
  it('F21 finds every custom, files and folders, and nested AGENTS.md with their folder', () =>
    withTempDir(async (temp) => {
      const ws = path.join(temp, 'ws');
      await writeFiles(ws, {
        'AGENTS.md': '1',
        '.github/copilot-instructions.md': '2',
        '.clinerules/b.md': '4',
        '.clinerules/a.md': '3',
        '.clinerules/c.png': 'x',
        '.roo/rules/r.md': '5',
        '.kilocode/rules/k.md': '6',
        '.continue/rules/c.md': '7',
        'CLAUDE.md': '8',
        'pkg/a/AGENTS.md': '9',
        '.github/prompts/x.prompt.md': 'p',
        '.github/prompts/y.md': 'no',
      });
      const deps = openFolders({ ws });
      const nested = async (root: WorkspaceRoot) => [
        { root, path: 'AGENTS.md' },
        { root, path: 'pkg/a/AGENTS.md' },
      ];
      const found = await findInstructions({ ...deps, nested });
      assert.deepEqual(
        found.map(({ path: shown, folder, text }) => `${text} ${shown} ${folder}`.trim()),
        [
          '1 AGENTS.md',
          '2 .github/copilot-instructions.md',
          '3 .clinerules/a.md',
          '4 .clinerules/b.md',
          '5 .roo/rules/r.md',
          '6 .kilocode/rules/k.md',
          '7 .continue/rules/c.md',
          '8 CLAUDE.md',
          '9 pkg/a/AGENTS.md pkg/a',
        ],
      );
      assert.deepEqual(
        (await findPrompts(deps)).map(({ path: shown }) => shown),
        ['.github/prompts/x.prompt.md'],
      );
    }));

  it('X12 nothing is read in Restricted Mode', () =>
    withTempDir(async (temp) => {
      await writeFiles(temp, { 'AGENTS.md': '1', '.github/prompts/x.prompt.md': 'p' });
      const deps = openFolders({ ws: temp }, { trusted: () => false });
      assert.deepEqual(await findInstructions({ ...deps, nested: async () => [] }), []);
      assert.deepEqual(await findPrompts(deps), []);
    }));

  it('X05 links are followed only inside the workspace; what cannot be read is left out', () =>
    withTempDir(async (temp) => {
      const ws = path.join(temp, 'ws');
      await writeFiles(temp, {
        'ws/AGENTS.md': 'in',
        'ws/.env': 'KEY=1',
        'out.md': 'out',
        'ws/.clinerules': '\0\0binary',
      });
      await symlink('AGENTS.md', path.join(ws, 'CLAUDE.md'));
      await writeFiles(ws, { '.roo/rules/ok.md': 'ok' });
      await symlink(path.join(temp, 'out.md'), path.join(ws, '.roo/rules/link.md'));
      await symlink('../../.env', path.join(ws, '.roo/rules/secret.md'));
      const found = await findInstructions({ ...openFolders({ ws }), nested: async () => [] });
      assert.deepEqual(
        found.map(({ path: shown, text }) => `${shown} ${text}`),
        ['AGENTS.md in', '.roo/rules/ok.md ok', 'CLAUDE.md in'],
      );
    }));

  it('X35 with several folders every path begins with its folder', () =>
    withTempDir(async (temp) => {
      await writeFiles(temp, { 'one/AGENTS.md': '1', 'two/AGENTS.md': '2' });
      const deps = openFolders({ one: path.join(temp, 'one'), two: path.join(temp, 'two') });
      const found = await findInstructions({ ...deps, nested: async () => [] });
      assert.deepEqual(
        found.map(({ path: shown }) => shown),
        ['one/AGENTS.md', 'two/AGENTS.md'],
      );
    }));
});
