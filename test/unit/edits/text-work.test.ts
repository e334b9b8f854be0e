import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { showDiff } from '../../../src/edits/apply/edit-diff.ts';
import { createTextWork } from '../../../src/edits/apply/text-work.ts';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
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
    assert.deepEqual(shown, showDiff(long, applied.text));
    assert.ok(turns > 20, `${turns} turns`);
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
