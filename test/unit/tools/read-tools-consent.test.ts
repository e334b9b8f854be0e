import assert from 'node:assert/strict';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as z from 'zod/mini';
import { type Tool, ToolError, type ToolOutput } from '../../../src/agent/tool.ts';
import type { Git } from '../../../src/tools/git/git.ts';
import { createWindowTools, toolSpecs, type WindowPorts } from '../../../src/tools/index.ts';
import type { Language } from '../../../src/tools/language.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from './workspace.ts';

/** Stands in every file that nobody may read unasked, and nowhere else. */
const canary = 'Canary4711';

const hidden = ['.env', 'keys/server.pem'];

/** A language server and a git that know everything, also what stands in the files that have to be asked about. */
function allKnowing(root: string): { language: Language; git: Git } {
  const place = (at: string) => ({ root: { name: 'ws', uri: `file://${root}`, fsPath: root }, path: at });
  const locations = [...hidden, 'linked'].map((at) => ({ place: place(at), name: path.basename(at), line: 1 }));
  const linesOf = (at: string) =>
    readFile(at, 'utf8').then(
      (text) => text.split('\n'),
      () => Promise.reject(new ToolError('cannot be opened')),
    );
  return {
    language: {
      lines: ({ root: { fsPath = '' }, path: at }) => linesOf(path.join(fsPath, at)),
      outline: async () => [{ name: 'outlined', kind: 'variable', line: 1, endLine: 1, depth: 0 }],
      symbols: async () =>
        locations.map((location) => ({ ...location, symbol: 'found', kind: 'class', container: '' })),
      definitions: async () => locations,
      references: async () => locations,
      problems: async () => [],
      watchEdits: () => async () => ({ before: [], after: [], changed: [], isComplete: true }),
    },
    git: {
      isRepository: () => true,
      changes: async () => ({
        files: [...hidden, 'src/a.ts'].map((at) => ({ path: at, added: 1, removed: 0 })),
        untracked: hidden,
        diff: async (paths) => paths.map((at) => `+${hidden.includes(at) ? canary : 'plain'}`).join('\n'),
      }),
    },
  };
}

/** Calls with every string and number that a schema knows, and with only those that it must have. */
function callsOf(tool: Tool, target: string): Record<string, unknown>[] {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.parameters);
  const value = (name: string, type: unknown) => {
    if (name === 'path') return target;
    return type === 'string' ? 'Canary' : type === 'boolean' ? false : 1;
  };
  const entries = Object.entries(properties)
    .filter(([name]) => !['glob', 'against'].includes(name))
    .map(([name, schema]) => [name, value(name, typeof schema === 'object' && schema.type)] as const);
  const needed = entries.filter(([name]) => name === 'path' || required.includes(name));
  return [Object.fromEntries(entries), Object.fromEntries(needed)];
}

type Outcome = { asked: true } | { refused: string } | { said: ToolOutput };

describe('tools that read', () => {
  let temp: TempDir;
  let root: string;
  let tools: readonly Tool[];

  async function call(tool: Tool, args: object): Promise<Outcome> {
    try {
      const plan = await tool.plan(args, toolContext());
      return plan.approval ? { asked: true } : { said: await plan.run() };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { refused: error.message };
    }
  }

  before(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/src/a.ts': 'plain text of Canary\n',
      'ws/.env': `TOKEN=${canary}\n`,
      'ws/keys/server.pem': `${canary}\n`,
      'ws/dist/built.js': `${canary}\n`,
      'ws/.gitignore': 'dist\n',
      'out/notes.txt': `${canary}\n`,
    });
    await symlink('.env', path.join(root, 'linked'));
    const ports = { ...openFolders({ ws: root }), ...allKnowing(root) };
    tools = createWindowTools(ports as unknown as WindowPorts).filter(({ access }) => access === 'read');
  });
  after(() => temp.remove());

  it('F13 all are tried here, and all answer about a plain file', async () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      toolSpecs.filter(({ access }) => access === 'read').map(({ name }) => name),
    );
    for (const tool of tools) {
      const target = tool.kind === 'list' ? 'src' : 'src/a.ts';
      const outcomes = await Promise.all(callsOf(tool, target).map((args) => call(tool, args)));
      assert.ok(
        outcomes.some((outcome) => 'said' in outcome),
        `${tool.name}: ${JSON.stringify(outcomes)}`,
      );
    }
  });

  for (const target of [
    '.env',
    'keys/server.pem',
    'linked',
    'keys',
    '../out/notes.txt',
    '../out',
    'dist/built.js',
    '',
  ]) {
    it(`X07 X16 none gives away what needs consent when ${JSON.stringify(target)} is named`, async () => {
      for (const tool of tools) {
        for (const args of callsOf(tool, target)) {
          const outcome = await call(tool, args);
          assert.ok(!JSON.stringify(outcome).includes(canary), `${tool.name} ${JSON.stringify(args)}`);
        }
      }
    });
  }
});
