import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findCustomizations } from '../../../src/customizations/find-customizations.ts';
import { proposeTest } from '../../../src/features/best-of/core/test-command.ts';
import { createWindowTools, type WindowPorts } from '../../../src/tools/all-tools.ts';
import { locateGit } from '../../../src/tools/git/git-location.ts';
import { gitIn } from '../../support/git-in.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { createEditBench } from './node-edit-port.ts';
import { allKnowing, callsOf } from './read-calls.ts';
import { openFolders, writeFiles } from './workspace.ts';

/** Whoever opens a pipe in which nobody writes waits without end, and with four of them so does all that reads files here. */
describe('pipes in the place of files', () => {
  let temp: TempDir;
  let ws: string;
  beforeEach(async function () {
    if (process.platform === 'win32') this.skip();
    temp = await makeTempDir();
    ws = path.join(temp.path, 'ws');
    await writeFiles(ws, { 'a.txt': 'needle\n' });
  });
  afterEach(() => temp?.remove());

  const pipe = async (...names: string[]) => {
    for (const name of names) {
      const file = path.join(ws, name);
      await rm(file, { force: true });
      execFileSync('mkfifo', [file]);
    }
  };

  it('X05 no tool that reads waits for one', async () => {
    await pipe('pipe.ts');
    const known = ['pipe.ts'];
    const ports = { ...openFolders({ ws }), ...allKnowing(ws, { known, hidden: known, canary: 'secret' }) };
    const reading = createWindowTools(ports as unknown as WindowPorts).filter(({ access }) => access === 'read');
    for (const tool of reading)
      for (const args of callsOf(tool, 'pipe.ts', 'needle'))
        await tool
          .plan(args, toolContext())
          .then((plan) => (plan.approval === undefined ? plan.run() : undefined))
          .catch(() => undefined);
  });

  it('X05 no edit waits for one, or changes it', async () => {
    await pipe('pipe.ts');
    const { tools } = createEditBench(ws);
    for (const tool of tools)
      for (const args of [
        { path: 'pipe.ts', content: 'x' },
        { path: 'pipe.ts', edits: [{ old_text: 'a', new_text: 'b' }] },
        { path: 'pipe.ts', newPath: 'b.ts', to: 'b.ts' },
      ])
        await assert.rejects(async () => (await tool.plan(args, toolContext())).run(), tool.name);
  });

  it('X05 rules, ignore files and what names the tests are passed over', async () => {
    await pipe('AGENTS.md', 'CLAUDE.md', '.gitignore', 'package.json', 'Makefile');
    assert.deepEqual(await findCustomizations({ ...openFolders({ ws }), nested: async () => [] }), []);
    assert.equal(await proposeTest(ws), undefined);
    const tool = createReadTools(openFolders({ ws })).find(({ name }) => name === 'search_text');
    const plan = await tool?.plan({ query: 'needle' }, toolContext());
    assert.match((await plan?.run())?.forModel ?? '', /a\.txt/);
  });

  for (const name of ['config', 'commondir', 'objects/info/alternates', 'HEAD', 'index', 'config.worktree'])
    it(`X05 Git's data are refused, or Git is ended in time: ${name}`, async () => {
      const git = gitIn(ws);
      await git('init');
      await git('add', '-A');
      await git('commit', '-m', 'One');
      await pipe(`.git/${name}`);
      await locateGit(ws).catch(() => undefined);
    });
});
