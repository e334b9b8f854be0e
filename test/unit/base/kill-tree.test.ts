import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { notOlder, type ProcessEntry, parseCim, treeOf } from '../../../src/base/kill-tree.ts';

const listed = (...rows: readonly (readonly [pid: number, parent: number, startedMs: number])[]): ProcessEntry[] =>
  parseCim(rows.map((row) => row.join(' ')).join('\r\n'));
const pids = (entries: readonly ProcessEntry[]) => entries.map(({ pid }) => pid).sort((a, b) => a - b);

describe('tools/kill-tree where processes have groups', () => {
  it('F15 finds what a program left to the system in the moment in which it was ended', () => {
    const [shell, part] = [
      { pid: 10, parent: 1, group: 10, session: 10, started: 'a' },
      { pid: 11, parent: 10, group: 11, session: 10, started: 'b' },
    ];
    const left = [
      { pid: 12, parent: 1, group: 10, session: 10, started: 'c' },
      { pid: 13, parent: 1, group: 11, started: 'c' },
      { pid: 14, parent: 1, group: 14, session: 10, started: 'c' },
    ];
    const foreign = { pid: 20, parent: 1, group: 20, session: 20, started: 'a' };
    assert.deepEqual(pids(treeOf(10, [...left, foreign], [shell, part])), [12, 13, 14]);
    assert.deepEqual(
      pids(treeOf(10, [{ ...foreign, group: 5 }], [{ ...shell, group: 5, session: 5 }])),
      [],
      'not ours',
    );
  });
});

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
