import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { before, describe, it } from 'mocha';
import { ToolError } from '../../../../src/agent/tool.ts';
import { readGroups } from '../../../../src/features/git/core/groups.ts';
import {
  beginPlan,
  collectSplit,
  openSplit,
  readPlan,
  type SplitMaterial,
} from '../../../../src/features/git/core/split-plan.ts';
import { createSplitRepository } from '../../../../src/features/git/core/split-repository.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';
import { seeds, someOf, times } from '../../../support/effort.ts';
import { gitPath } from '../../../support/git-in.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { makeTempDir, withTempDir } from '../../../support/temp-dir.ts';
import { hashOf, makeHistory } from './histories.ts';

const run = promisify(execFile);
const nothing = /no changes to split|only one change/;

/** As git itself would store all changes, staged in an index of its own. */
async function allStaged(folder: string): Promise<string> {
  const dir = await makeTempDir();
  const indexFile = path.join(dir.path, 'index');
  const own = path.join(folder, '.git/index');
  if (existsSync(own)) await copyFile(own, indexFile);
  const options = { cwd: folder, env: { ...process.env, GIT_INDEX_FILE: indexFile } };
  await run('git', ['add', '-A'], options);
  const { stdout } = await run('git', ['write-tree'], options);
  await dir.remove();
  return stdout.trim();
}

/** As models answer: some numbers twice, some not at all, some that do not exist. */
function answerOf(count: number, random: Random): string {
  const groups = Array.from({ length: random.between(1, 5) }, (_, at) => ({
    message: `Part ${at}`,
    hunks: Array.from({ length: random.between(0, count) }, () => random.between(-1, count + 2)),
  }));
  return `Here:\n\`\`\`json\n${JSON.stringify([{ message: 'First', hunks: [1] }, ...groups])}\n\`\`\``;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

describe('commits that changes are split into', () => {
  before(function () {
    if (gitPath === undefined || process.platform === 'win32') this.skip();
  });

  it('F42 lead in any order to exactly the tree that was there before, and touch no file, branch or commit by themselves', async function () {
    this.timeout(times(600_000, 1_800_000));
    const tried = someOf(seeds(8, 300), 3);
    let divided = 0;
    for (const seed of tried) {
      await withTempDir(async (folder) => {
        const random = createRandom(seed);
        const { git } = await makeHistory(folder, random);
        const out = async (...args: string[]) => (await git(...args)).stdout.trim();
        const headNow = () => out('rev-parse', '--verify', 'HEAD').catch(() => 'none');
        const repository = createSplitRepository(
          await openGitProgram(gitPath, folder, new AbortController().signal),
          folder,
        );
        const files = await hashOf(folder);
        const indexBefore = await out('write-tree');
        const headTree = await out('rev-parse', '--verify', 'HEAD^{tree}').catch(
          () => '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
        );
        const wanted = indexBefore === headTree ? await allStaged(folder) : indexBefore;
        const first = await headNow();
        let material: SplitMaterial;
        try {
          material = await collectSplit(repository, async (name) => name.includes('data'));
        } catch (error) {
          assert.ok(error instanceof ToolError && nothing.test(error.message), `${seed}: ${error}`);
          return;
        }
        divided += material.units.filter(({ hunk }) => hunk !== undefined).length;
        const groups = readGroups(answerOf(material.units.length, random), material.units.length);
        assert.deepEqual(
          groups.flatMap(({ units }) => units).toSorted((a, b) => a - b),
          material.units.map((_, at) => at),
        );
        const plan = beginPlan(material, groups, await repository.flags());
        let split = await openSplit(repository, plan);
        const order = shuffled(
          groups.map((_, at) => at),
          random,
        );
        for (const group of order) {
          if (random.next() < 0.3) {
            await split.stage(random.pick(order.slice(order.indexOf(group))));
            assert.equal(await hashOf(folder), files, `${seed}: files`);
            const { committed } = await split.undo();
            const restored =
              material.range.isStaged || committed.length === 0 ? indexBefore : await out('rev-parse', 'HEAD^{tree}');
            assert.equal(await out('write-tree'), restored, `${seed}: undone`);
          }
          const head = await headNow();
          const now = await split.stage(group);
          assert.equal(await headNow(), head, `${seed}: HEAD`);
          assert.equal(await hashOf(folder), files, `${seed}: files`);
          await git('commit', '--allow-empty', '--no-verify', '-m', `Group ${group}`);
          // As after a restart.
          if (random.next() < 0.5)
            split = await openSplit(repository, readPlan(JSON.parse(JSON.stringify(now))) ?? assert.fail());
        }
        const { committed } = await split.read();
        assert.deepEqual(committed, order);
        assert.equal(await out('rev-parse', 'HEAD^{tree}'), wanted, `${seed}: all groups`);
        assert.equal(await out('write-tree'), wanted, `${seed}: index`);
        assert.equal(await hashOf(folder), files, `${seed}: files`);
        if (first === 'none') return;
        assert.equal(await out('rev-list', '--count', `${first}..HEAD`), String(groups.length));
      });
    }
    if (tried.length >= 8) assert.ok(divided > 20, `${divided} hunks`);
  });
});
