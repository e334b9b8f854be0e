import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  mergeLines,
  type PendingText,
  pendingHunks,
  startPending,
  toLines,
  withAgentChange,
  withKept,
  withUndone,
  withUserChange,
} from '../../../src/vscode/pending-text.ts';

const before = 'a\nb\nc\nd\ne\nf\n';
const after = 'a\nB\nc\nd\nE\nf\n';
const text = (lines: readonly string[]) => lines.join('');
const hunk = (pending: PendingText, at: number) => {
  const found = pendingHunks(pending)[at];
  if (found === undefined) throw new Error(`no hunk ${at}`);
  return found;
};
const randomText = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 20 }).map((all) => all.join('\n'));

describe('vscode/pending-text', () => {
  it('F14 undoes one hunk and keeps another', () => {
    const pending = startPending(before, after);
    assert.equal(pendingHunks(pending).length, 2);
    const undone = withUndone(pending, hunk(pending, 0));
    assert.ok(undone);
    assert.equal(text(undone.current), 'a\nb\nc\nd\nE\nf\n');
    assert.deepEqual(pendingHunks(undone), [{ before: { start: 4, count: 1 }, after: { start: 4, count: 1 } }]);
    const kept = withKept(undone, hunk(undone, 0));
    assert.deepEqual(pendingHunks(kept), []);
  });

  it('ux 2.10 what the user types elsewhere is not pending and survives every Undo', () => {
    const typed = withUserChange(startPending(before, after), toLines('top\na\nB\nc\nmine\nd\nE\nf\nend\n'));
    assert.equal(pendingHunks(typed).length, 2);
    const first = withUndone(typed, hunk(typed, 0));
    const both = first && withUndone(first, hunk(first, 0));
    assert.equal(text(both?.current ?? []), 'top\na\nb\nc\nmine\nd\ne\nf\nend\n');
  });

  it('ux 2.10 what the user types inside a hunk keeps it pending, counts as theirs and stays on Undo', () => {
    const added = startPending('a\nz\n', 'a\none\ntwo\nthree\nz\n');
    const typed = withUserChange(added, toLines('a\none\ntwo\nmine\nthree\nz\n'));
    assert.equal(pendingHunks(typed).length, 1);
    assert.equal(hunk(typed, 0).after.count, 4);
    assert.equal(text(withKept(typed, hunk(typed, 0)).base), 'a\none\ntwo\nmine\nthree\nz\n');
  });

  it('ux 2.10 Undo refuses when the user changed the very lines', () => {
    const typed = withUserChange(startPending(before, after), toLines('a\nB2\nc\nd\nE\nf\n'));
    assert.equal(pendingHunks(typed).length, 2);
    assert.equal(withUndone(typed, hunk(typed, 0)), undefined);
    assert.ok(withUndone(typed, hunk(typed, 1)));
  });

  it('ux 2.10 Undo merges when the user changed other lines of the hunk', () => {
    const pending = startPending('x\nl1\nl2\nl3\nl4\ny\n', 'x\nL1\nl2\nL3\nL4\ny\n');
    // One hunk from L3 to L4; the user puts a line between lines that the edit left alone.
    const typed = withUserChange(pending, toLines('x\nL1\nmine\nl2\nL3\nL4\ny\n'));
    const first = withUndone(typed, hunk(typed, 0));
    const last = pendingHunks(typed).at(-1);
    const undone = last && withUndone(typed, last);
    assert.equal(text(undone?.current ?? []), 'x\nL1\nmine\nl2\nl3\nl4\ny\n');
    assert.ok(first === undefined || text(first.current).includes('mine'));
  });

  it('F14 a second edit of the model joins the first', () => {
    const twice = withAgentChange(startPending(before, after), toLines('a\nB\nc\nD\nE\nf\n'));
    const [only, ...others] = pendingHunks(twice);
    assert.ok(only);
    assert.deepEqual(others, [{ before: { start: 3, count: 2 }, after: { start: 3, count: 2 } }]);
    const last = others[0];
    assert.equal(text((last && withUndone(twice, last))?.current ?? []), 'a\nB\nc\nd\ne\nf\n');
  });

  it('ux 2.10 a later edit of the model does not make the typing of the user the work of the model', () => {
    const typed = withUserChange(startPending(before, after), toLines('a\nB mine\nc\nd\nE\nf\n'));
    const edited = withAgentChange(typed, toLines('a\nB mine\nc\nd\nE\nF\n'));
    assert.equal(withUndone(edited, hunk(edited, 0)), undefined);
    const last = pendingHunks(edited).at(-1);
    assert.equal(text((last && withUndone(edited, last))?.current ?? []), 'a\nB mine\nc\nd\ne\nf\n');
  });

  it('F14 keeping every hunk leaves the text, undoing every hunk gives the old one', () => {
    fc.assert(
      fc.property(randomText, randomText, (old, fresh) => {
        let kept = startPending(old, fresh);
        for (let next = pendingHunks(kept)[0]; next; next = pendingHunks(kept)[0]) kept = withKept(kept, next);
        assert.equal(text(kept.base), fresh);
        let undone = startPending(old, fresh);
        for (let next = pendingHunks(undone)[0]; next; next = pendingHunks(undone)[0]) {
          const result = withUndone(undone, next);
          assert.ok(result);
          undone = result;
        }
        assert.equal(text(undone.current), old);
      }),
    );
  });

  it('E10 whatever the user types, Undo never loses a line of theirs that the model did not write', () => {
    fc.assert(
      fc.property(randomText, randomText, fc.array(fc.nat({ max: 25 }), { maxLength: 4 }), (old, fresh, insertions) => {
        let pending = startPending(old, fresh);
        insertions.forEach((at, number) => {
          const next = [...pending.current];
          next.splice(Math.min(at, next.length), 0, `user${number}\n`);
          pending = withUserChange(pending, toLines(text(next)));
        });
        for (let at = 0; at < pendingHunks(pending).length; ) {
          const undone = withUndone(pending, hunk(pending, at));
          if (undone === undefined) at++;
          else pending = undone;
        }
        for (const number of insertions.keys()) assert.ok(text(pending.current).includes(`user${number}\n`));
      }),
    );
  });

  it('merges both sides or neither', () => {
    assert.deepEqual(mergeLines(['a\n', 'b\n', 'c\n'], ['A\n', 'b\n', 'c\n'], ['a\n', 'b\n', 'C\n']), [
      'A\n',
      'b\n',
      'C\n',
    ]);
    assert.equal(mergeLines(['a\n'], ['b\n'], ['c\n']), undefined);
    assert.deepEqual(mergeLines(['a\n'], ['b\n'], ['b\n']), ['b\n']);
  });
});
