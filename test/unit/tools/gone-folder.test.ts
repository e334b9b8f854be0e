import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { Tool } from '../../../src/agent/tool.ts';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { createEditTools } from '../../../src/tools/all-tools.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from './workspace.ts';

const gone = /^The workspace folder gone\/ is gone: .* Tell the user\.$/;

/** Two folders, of which the second is deleted while the window has it open. */
async function withOneGone(
  run: (tools: Readonly<Record<string, Tool>>, open: ReturnType<typeof openFolders>) => Promise<void>,
) {
  await withTempDir(async (temp) => {
    const folders = { here: path.join(temp, 'here'), gone: path.join(temp, 'gone') };
    await writeFiles(folders.here, { 'a.ts': 'export const a = 1;\n', 'AGENTS.md': 'Prices are in cents.\n' });
    await writeFiles(folders.gone, { 'b.ts': 'export const b = 1;\n' });
    const open = openFolders(folders);
    const tools = [
      ...createReadTools(open),
      ...createEditTools(open as unknown as Parameters<typeof createEditTools>[0]),
    ];
    await rm(folders.gone, { recursive: true });
    await run(Object.fromEntries(tools.map((tool) => [tool.name, tool])), open);
  });
}

const told = async (tool: Tool | undefined, args: unknown) => {
  assert.ok(tool);
  return runTool(tool, args).then(
    ({ forModel }) => forModel,
    (error: Error) => `${error.name}: ${error.message}`,
  );
};

describe('a workspace folder that is gone', () => {
  it('E23 X35 is told as that by whatever names a place in it, and never as a fault of the tool', () =>
    withOneGone(async ({ read_file, list_directory, search_text, create_file, delete_file }) => {
      const calls = [
        told(read_file, { path: 'gone/b.ts' }),
        told(list_directory, { path: 'gone' }),
        told(search_text, { query: 'export', path: 'gone' }),
        told(create_file, { path: 'gone/new.ts', content: 'x' }),
        told(delete_file, { path: 'gone/b.ts' }),
      ];
      for (const text of await Promise.all(calls)) {
        assert.match(text, /^ToolError: /);
        assert.match(text.slice('ToolError: '.length), gone);
      }
    }));

  it('E23 F13 F21 keeps nobody from reading, searching and following the rules of the others', () =>
    withOneGone(async ({ read_file, list_directory, search_text, find_files }, open) => {
      assert.match(await told(read_file, { path: 'here/a.ts' }), /export const a/);
      assert.equal(await told(list_directory, { path: '.' }), 'Workspace folders:\nhere/\ngone/ (gone)');
      const found = await told(search_text, { query: 'export' });
      assert.match(found, /^here\/a\.ts\n/);
      assert.match(found.slice(found.lastIndexOf('[') + 1, -1), gone);
      assert.match(await told(find_files, { pattern: '**/*.ts' }), /here\/a\.ts/);
      const rules = await findCustomizations({ ...open, nested: async () => [] });
      assert.deepEqual(
        rules.map(({ path: shown }) => shown),
        ['here/AGENTS.md'],
      );
    }));
});
