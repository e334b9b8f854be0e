import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { notOlder, type ProcessEntry, parseCim, treeOf } from '../../../src/tools/command/kill-tree.ts';

const listed = (...rows: readonly (readonly [pid: number, parent: number, startedMs: number])[]): ProcessEntry[] =>
  parseCim(rows.map((row) => row.join(' ')).join('\r\n'));
const pids = (entries: readonly ProcessEntry[]) => entries.map(({ pid }) => pid).sort((a, b) => a - b);

describe('tools/kill-tree on Windows', () => {
  it('F15 finds what a program left behind: parents do not change there when they end', () => {
    const alive = listed([10, 1, 5000], [11, 10, 6000], [12, 11, 7000], [20, 1, 6000]);
    assert.deepEqual(pids(treeOf(10, notOlder(10, alive), [])), [10, 11, 12]);
    const rootEnded = alive.slice(1);
    assert.deepEqual(pids(treeOf(10, notOlder(10, rootEnded, 5000), [])), [11, 12]);
  });

  it('F15 finds what was below a program that has ended meanwhile', () => {
    const [, middle] = listed([10, 1, 5000], [11, 10, 6000], [12, 11, 7000]);
    assert.ok(middle);
    assert.deepEqual(pids(treeOf(10, notOlder(10, listed([10, 1, 5000], [12, 11, 7000])), [middle])), [10, 12]);
  });

  it('F15 leaves alone what an earlier program with the same number had started', () => {
    const alive = listed([10, 1, 50_000], [11, 10, 51_000], [99, 10, 4000]);
    assert.deepEqual(pids(treeOf(10, notOlder(10, alive), [])), [10, 11]);
    assert.deepEqual(pids(treeOf(10, notOlder(10, alive.slice(1), 50_000), [])), [11]);
    assert.deepEqual(pids(treeOf(10, notOlder(10, alive.slice(1)), [])), [], 'without a start nothing is sure');
  });

  it('F15 takes no answer for no list', () => {
    assert.throws(() => parseCim(''), /could not be listed/);
    assert.throws(() => parseCim("'Get-CimInstance' is not recognized"), /could not be listed/);
  });
});
