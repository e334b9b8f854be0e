import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Place } from '../../../src/files/workspace.ts';
import { createEditChecks, newProblems } from '../../../src/tools/edit-checks.ts';
import type { CheckedEdits, Problem } from '../../../src/tools/language/language.ts';
import { openFolders } from './workspace.ts';

const { workspace } = openFolders({ ws: '/ws' });
const [root] = workspace.roots();
assert.ok(root);
const place = (path: string): Place => ({ root, path });
const problem = (path: string, message: string, line = 1, severity: Problem['severity'] = 'error'): Problem => ({
  place: place(path),
  line,
  column: 1,
  severity,
  message,
  source: 'ts 1',
});
const never = new AbortController().signal;
const checked = (change: Partial<CheckedEdits>): CheckedEdits => ({
  before: [],
  after: [],
  changed: [place('a.ts')],
  isComplete: true,
  ...change,
});
const report = (...rounds: CheckedEdits[]) => {
  const checks = createEditChecks({
    workspace,
    language: { watchEdits: () => async () => rounds.shift() as CheckedEdits },
  });
  return () => checks.begin()(never);
};

describe('tools/edit-checks', () => {
  it('F36 tells what is new: the same problem on another line is not, the same one twice is', async () => {
    const before = [problem('a.ts', 'old', 3)];
    const after = [problem('a.ts', 'old', 9), problem('a.ts', 'new', 4), problem('a.ts', 'old', 12)];
    assert.equal(
      await report(checked({ before, after }))(),
      'New problems:\na.ts:4:1 error (ts 1): new\na.ts:12:1 error (ts 1): old',
    );
    assert.equal(await report(checked({ before, after: before }))(), '');
    assert.equal(await report(checked({ before, after: [] }))(), '', 'what went is not told');
  });

  it('F36 tells warnings of changed files only, and no more than ten lines', async () => {
    const after = [
      problem('b.ts', 'w', 1, 'warning'),
      problem('a.ts', 'w', 1, 'warning'),
      problem('a.ts', 'i', 1, 'info'),
    ];
    assert.equal(await report(checked({ after }))(), 'New problems:\na.ts:1:1 warning (ts 1): w');
    const mixed = [
      problem('a.ts', 'w', 1, 'warning'),
      problem('b.ts', 'e'),
      problem('a.ts', 'e', 2),
      problem('a.ts', 'w', 3, 'warning'),
    ];
    const lines = (await report(checked({ after: mixed }))()).split('\n').map((line) => line.replace(' (ts 1)', ''));
    const wanted = ['a.ts:2:1 error: e', 'b.ts:1:1 error: e', 'a.ts:1:1 warning: w', 'a.ts:3:1 warning: w'];
    assert.deepEqual(lines.slice(1), wanted, 'errors first, of changed files before others');
    const many = Array.from({ length: 30 }, (_, line) => problem('b.ts', `e${line}`, line + 1));
    const text = await report(checked({ after: [...many, problem('a.ts', 'mine')] }))();
    assert.equal(text.split('\n').length, 12);
    assert.match(text, /a\.ts:1:1 error.*mine/);
    assert.match(text, /21 more/);
  });

  it('F36 what a late checker says comes with the next edits', async () => {
    const late = report(
      checked({ before: [], after: [], isComplete: false }),
      checked({ before: [problem('a.ts', 'of the first edit')], after: [problem('a.ts', 'of the first edit')] }),
      checked({ before: [problem('a.ts', 'of the first edit')], after: [problem('a.ts', 'of the first edit')] }),
    );
    assert.equal(await late(), '');
    assert.match(await late(), /of the first edit/);
    assert.equal(await late(), '', 'and once only');
  });

  it('F36 what a late checker says comes with the next result, and once only', async () => {
    const found = [problem('a.ts', 'late'), problem('a.ts', 'w', 2, 'warning'), problem('b.ts', 'w', 3, 'warning')];
    const rounds = [
      checked({ isComplete: false }),
      checked({ changed: [] }),
      checked({ before: found, after: found, changed: [] }),
      checked({ before: found, after: found, changed: [] }),
    ];
    const checks = createEditChecks({
      workspace,
      language: { watchEdits: () => async () => rounds.shift() as CheckedEdits },
    });
    assert.equal(await checks.late(never), '', 'nothing was changed');
    assert.equal(rounds.length, 4, 'and nothing was looked at');
    assert.equal(await checks.begin()(never), '');
    assert.equal(await checks.late(never), '', 'not yet');
    assert.equal(
      await checks.late(never),
      'New problems:\na.ts:1:1 error (ts 1): late\na.ts:2:1 warning (ts 1): w',
      'of the files that were changed',
    );
    assert.equal(await checks.late(never), '');
  });

  it('F36 what a turn left are the errors that were not there before its first edit, nothing that was mended', async () => {
    const [old, mine, late] = [problem('a.ts', 'old'), problem('a.ts', 'mine', 2), problem('b.ts', 'late', 3)];
    const warning = problem('a.ts', 'w', 4, 'warning');
    const leftAfter = async (...rounds: CheckedEdits[]) => {
      const checks = createEditChecks({
        workspace,
        language: { watchEdits: () => async () => rounds.shift() as CheckedEdits },
      });
      while (rounds.length > 1) await checks.begin()(never);
      return checks.left(never);
    };
    const first = checked({ before: [old], after: [old, mine] });
    const second = checked({ before: [old, mine], after: [old, mine, warning], changed: [place('b.ts')] });
    const now = (...after: Problem[]) => checked({ before: after, after, changed: [] });
    assert.equal(await leftAfter(now(mine)), undefined, 'a turn that changed nothing');
    assert.equal(await leftAfter(first, second, now(old, warning)), undefined, 'all is mended');
    assert.deepEqual(await leftAfter(first, second, now(old, mine, late, warning)), {
      count: 2,
      report: 'a.ts:2:1 error (ts 1): mine\nb.ts:3:1 error (ts 1): late',
    });
    const many = Array.from({ length: 40 }, (_, line) => problem('a.ts', 'e'.repeat(400), line + 1));
    const capped = await leftAfter(first, now(...many));
    assert.equal(capped?.count, 40);
    assert.ok((capped?.report.length ?? 0) <= 2000);
  });

  it('F36 of any two lists, as many are new as are there more often than before', () => {
    const any = fc.record({
      path: fc.constantFrom('a.ts', 'b.ts'),
      message: fc.constantFrom('x', 'y'),
      line: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(any), fc.array(any), (before, after) => {
        const of = (list: typeof before) => list.map(({ path, message, line }) => problem(path, message, line));
        const fresh = newProblems(checked({ before: of(before), after: of(after) }));
        for (const path of ['a.ts', 'b.ts']) {
          for (const message of ['x', 'y']) {
            const count = (list: typeof before) =>
              list.filter((one) => one.path === path && one.message === message).length;
            const expected = Math.max(0, count(after) - count(before));
            assert.equal(fresh.filter((one) => one.place.path === path && one.message === message).length, expected);
          }
        }
      }),
    );
  });
});
