import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type Tool, ToolError, type ToolOutput } from '../../../src/agent/tool.ts';
import { createWindowTools, toolSpecs, type WindowPorts } from '../../../src/tools/all-tools.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { allKnowing, callsOf } from './read-calls.ts';
import { openFolders, writeFiles } from './workspace.ts';

/** Stands in every file that nobody may read unasked, and nowhere else. */
const canary = 'Canary4711';

const hidden = ['.env', 'keys/server.pem'];
const known = [...hidden, 'linked'];

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
    const ports = { ...openFolders({ ws: root }), ...allKnowing(root, { known, hidden, canary }) };
    tools = createWindowTools(ports as unknown as WindowPorts).filter(({ access }) => access === 'read');
  });
  after(() => temp.remove());

  it('F13 all are tried here, and all answer about a plain file', async () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      // A subagent looks with these and has none of its own.
      toolSpecs.filter(({ access, kind }) => access === 'read' && kind !== 'subagent').map(({ name }) => name),
    );
    for (const tool of tools) {
      const target = tool.kind === 'list' ? 'src' : 'src/a.ts';
      const outcomes = await Promise.all(callsOf(tool, target, 'Canary').map((args) => call(tool, args)));
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
        for (const args of callsOf(tool, target, 'Canary')) {
          const outcome = await call(tool, args);
          assert.ok(!JSON.stringify(outcome).includes(canary), `${tool.name} ${JSON.stringify(args)}`);
        }
      }
    });
  }

  it('X07 X16 each that takes a path asks or refuses where it leads to secrets or out of the folder', async () => {
    for (const tool of tools) {
      for (const target of [...known, '../out/notes.txt', '../out']) {
        for (const args of callsOf(tool, target, 'Canary').filter((some) => 'path' in some)) {
          const outcome = await call(tool, args);
          assert.ok(!('said' in outcome), `${tool.name} ${JSON.stringify(args)} answers unasked`);
        }
      }
    }
  });

  it('X07 X48 each that asked refuses to run once the path leads elsewhere than it did when it asked', async () => {
    const asked: string[] = [];
    for (const tool of tools) {
      for (const args of callsOf(tool, 'linked', 'Canary').filter((some) => 'path' in some)) {
        await pointLinkAt('.env');
        const plan = await tool.plan(args, toolContext()).catch(() => undefined);
        if (plan?.approval === undefined) continue;
        asked.push(tool.name);
        await pointLinkAt('keys/server.pem');
        await assert.rejects(() => plan.run(), /leads somewhere else/, `${tool.name} does not await confirm()`);
      }
    }
    await pointLinkAt('.env');
    assert.ok(asked.includes('read_file') && asked.includes('list_directory'), String(asked));
  });

  async function pointLinkAt(target: string): Promise<void> {
    await rm(path.join(root, 'linked'), { force: true });
    await symlink(target, path.join(root, 'linked'));
  }
});
