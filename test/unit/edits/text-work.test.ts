import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { formatDiff } from '../../../src/edits/apply/edit-diff.ts';
import { createTextWork } from '../../../src/edits/apply/text-work.ts';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { textThread } from '../tools/node-edit-port.ts';

const lines = Array.from({ length: 20_000 }, (_, at) => `  const value${at} = compute("${at}");`);
const long = `${lines.join('\n')}\n`;
const edits = [{ search: lines[9000] ?? '', replace: '  return 1;', replaceAll: false }];

describe('work on all of a text', () => {
  it('P25 leaves this thread free where the text is long, and comes to the same', async () => {
    const work = createTextWork(textThread);
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const applied = await work.applyEdits(long, edits, 'a.ts');
    assert.deepEqual(applied, applyEdits(long, edits, 'a.ts'));
    assert.ok(applied.ok);
    const shown = await work.showDiff(long, applied.text);
    isOver = true;
    assert.deepEqual(shown, formatDiff(long, applied.text));
    assert.ok(turns > 20, `${turns} turns`);
  });

  it('P25 takes one thread for the jobs of an edit, and another after one that failed', async () => {
    await withTempDir(async (dir) => {
      const thread = path.join(dir, 'thread.mjs');
      const code = `import { parentPort, threadId } from 'node:worker_threads';
        parentPort.on('message', ({ args }) => {
          if (args[1] === 'fail') throw new Error('failed');
          parentPort.postMessage(threadId);
        });`;
      await writeFile(thread, code);
      const work = createTextWork(thread);
      const ask = (after: string) => work.showDiff(long, after);
      const [first, again] = [await ask('a'), await ask('b')];
      assert.equal(again, first);
      const both = await Promise.all([ask('c'), ask('d')]);
      assert.equal(new Set(both).size, 2);
      await assert.rejects(ask('fail'), /failed/);
      assert.equal(both.includes(await ask('e')), true);
      await assert.rejects(ask('fail'), /failed/);
      assert.equal(both.includes(await ask('f')), false);
    });
  });

  it('P25 is done here where the text is short', async () => {
    const work = createTextWork('/there/is/none.js');
    assert.equal(
      (await work.applyEdits('a\nb\n', [{ search: 'a', replace: 'c', replaceAll: false }], 'a.ts')).ok,
      true,
    );
    await assert.rejects(work.showDiff(long, ''), /none\.js/);
  });
});
