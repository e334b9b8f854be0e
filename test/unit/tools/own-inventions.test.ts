import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import type { ToolContext } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { runCommand } from '../../../src/tools/run-command.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { allowed } from './hostile-commands.ts';
import { createEditBench } from './node-edit-port.ts';
import { ownLines, ownPaths } from './own-inventions.ts';
import { openFolders, writeFiles } from './workspace.ts';

describe('lines and paths of our own invention', () => {
  let temp: TempDir;
  let root: string;
  before(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/src/a.ts': 'a',
      'ws/.env': 'CANARY',
      'ws/.git/config': 'CANARY',
      'ws/.kube/config': 'CANARY',
      'ws/prod.tfvars': 'CANARY',
      'outside/key.txt': 'CANARY',
    });
    for (const [link, target] of [
      ['outlink', '../outside'],
      ['outfile', '../outside/key.txt'],
      ['chain', 'outlink'],
      ['inlink', 'src'],
    ] as const) {
      await symlink(target, path.join(root, link));
    }
  });
  after(() => temp.remove());
  const fill = (typed: string) => typed.replaceAll('{root}', root);

  it(`X25 X27 X44 of ${ownLines.length} lines none runs unasked outside of a sandbox, and each is shown as it is`, async () => {
    assert.ok(new Set(ownLines).size >= 200, `${new Set(ownLines).size}`);
    let ran = 0;
    const shell = { name: () => 'bash', run: async () => ({ via: 'process' as const, exitCode: ++ran }) };
    const remembered = new Set(allowed.map((line) => JSON.stringify([line, root])));
    const consent = createConsent({ always: { isAllowed: (text) => remembered.has(text), remember: () => undefined } });
    const unusable = async () => undefined;
    const sandbox = { unusable, mode: () => 'on' as const, choose: async () => undefined };
    for (const place of ['none', 'lifted', 'sandbox'] as const) {
      const tool = runCommand.create({
        ...{ ...openFolders({ ws: root }), shell, clock: systemClock },
        ...(place !== 'none' && { sandbox }),
      });
      const grant = place === 'lifted' ? { lift: 'outside_sandbox', reason: 'because' } : {};
      for (const command of ownLines) {
        const context: ToolContext = toolContext({ ask: async () => assert.fail('it was chosen already') });
        const planned = await tool.plan({ command, ...grant }, context).catch((error: Error) => error);
        if (planned instanceof Error) {
          assert.match(planned.message, /cannot be seen/, command);
          continue;
        }
        const { approval } = planned;
        if (place === 'sandbox' && approval === undefined) {
          assert.equal(planned.place, 'sandbox', command);
          continue;
        }
        assert.ok(approval?.subject.kind === 'command', command);
        assert.deepEqual([approval.subject.command, approval.subject.cwd], [command, root]);
        assert.ok(!consent.covers(approval), command);
      }
    }
    assert.equal(ran, 0);
  });

  it(`X05 X07 X08 X09 X16 of ${ownPaths.length} paths none is read, searched or written unasked`, async () => {
    assert.ok(new Set(ownPaths).size >= 100, `${new Set(ownPaths).size}`);
    const tools = createReadTools(openFolders({ ws: root }));
    const { tools: writers } = createEditBench(root, { mode: 'apply' });
    for (const typed of ownPaths.map(fill)) {
      for (const [name, args] of [
        ['read_file', { path: typed }],
        ['search_text', { query: 'CANARY', path: typed }],
        ['list_directory', { path: typed }],
      ] as const) {
        const tool = tools.find((one) => one.name === name);
        const planned = await tool?.plan(args, toolContext()).catch(() => undefined);
        if (planned === undefined || planned.approval !== undefined) continue;
        const told = await planned.run().catch((error: Error) => ({ forModel: error.message }));
        // Its own words come back; what the files hold does not.
        assert.doesNotMatch(told.forModel, /\tCANARY|: CANARY|key\.txt$/m, `${name} ${typed}`);
      }
      for (const [name, args] of [
        ['edit_file', { path: typed, edits: [{ search: 'CANARY', replace: 'x' }] }],
        ['delete_file', { path: typed }],
        ['rename_file', { path: 'src/a.ts', newPath: typed }],
      ] as const) {
        const tool = writers.find((one) => one.name === name);
        const planned = await tool?.plan(args, toolContext()).catch(() => undefined);
        if (planned === undefined || planned.approval !== undefined || name === 'rename_file') continue;
        assert.fail(`${name} would touch ${typed} unasked`);
      }
    }
    for (const file of ['ws/.env', 'ws/.git/config', 'ws/.kube/config', 'ws/prod.tfvars', 'outside/key.txt']) {
      assert.equal(await readFile(path.join(temp.path, file), 'utf8'), 'CANARY', file);
    }
    assert.deepEqual(await readdir(path.join(temp.path, 'outside')), ['key.txt']);
  });
});
