import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hunksOf, linesOf, type PendingText } from '../../../../src/edits/pending/hunks.ts';
import { lineChangeOf } from '../../../../src/edits/pending/line-change.ts';
import { settledText, withTyped, withWritten } from '../../../../src/edits/pending/pending-text.ts';
import { applyUnrelatedChange } from '../../../../src/edits/pending/unrelated-change.ts';
import { times } from '../../../support/effort.ts';

const line = fc.constantFrom('', '  ', '}', 'one', 'two', '  two', 'three', 'four();', 'return five;');
const lines = fc.array(line, { minLength: 4, maxLength: 24 });
/** Places as shares of the text, so that they fit whatever it has become. */
const share = fc.double({ min: 0, max: 1, noNaN: true });
const written = fc.record({
  at: share,
  count: fc.nat(2),
  lines: fc.array(line, { maxLength: 3 }),
  by: fc.constantFrom('a', 'b'),
});
const pasted = fc.array(line, { maxLength: 3 }).map((some) => some.join('\n'));
const typed = fc.record({
  from: share,
  to: share,
  near: fc.boolean(),
  column: fc.nat(9),
  end: fc.nat(9),
  text: fc.oneof(pasted, fc.constantFrom('x', '\n')),
});
type Typed = typeof typed extends fc.Arbitrary<infer T> ? T : never;

function changeIn(text: PendingText, { from, to, near, column, end, text: put }: Typed) {
  const now = linesOf(text);
  const [first = 0, second = 0] = [from, to]
    .map((one) => Math.floor(one * Math.max(0, now.length - 1)))
    .sort((a, b) => a - b);
  const last = near ? first : second;
  const start = { line: first, character: Math.min(column, now[first]?.length ?? 0) };
  const until = { line: last, character: Math.min(end, now[last]?.length ?? 0) };
  const isBackward = first === last && until.character < start.character;
  return { range: isBackward ? { start: until, end: start } : { start, end: until }, text: put };
}

function edited(
  base: readonly string[],
  edits: readonly { at: number; count: number; lines: readonly string[]; by: string }[],
): PendingText {
  return edits.reduce(
    (text, { at, count, lines: fresh, by }, number) => {
      const now = [...linesOf(text)];
      now.splice(Math.floor(at * now.length), count, ...fresh);
      return withWritten(text, now.join('\n'), { conversationId: by, callId: String(number) });
    },
    settledText(base.join('\n')),
  );
}

describe('edits/pending/unrelated-change', () => {
  it('P26 F17 is what the whole text would come to, wherever the user types', () => {
    let apart = 0;
    fc.assert(
      fc.property(
        lines,
        fc.array(written, { maxLength: 4 }),
        fc.array(typed, { minLength: 1, maxLength: 6 }),
        (base, edits, events) => {
          let text = edited(base, edits);
          for (const event of events) {
            const change = lineChangeOf(linesOf(text), changeIn(text, event));
            if (applyUnrelatedChange(text, change) !== undefined) apart++;
            const next = withTyped(text, [change]);
            // Of two changes each row is looked at.
            const whole = withTyped(text, [change, { start: 0, count: 0, lines: [] }]);
            assert.deepEqual(next, whole);
            assert.deepEqual(linesOf(next), linesOf(whole));
            assert.deepEqual(hunksOf(next), hunksOf(whole));
            text = next;
          }
        },
      ),
      { numRuns: times(1000, 20_000) },
    );
    assert.ok(apart > 500, `${apart} times only`);
  });

  it('P26 goes on with the hunks that are known', () => {
    const text = edited(
      Array.from({ length: 40 }, (_, at) => `value(${at});`),
      [4, 34].map((at) => ({ at: at / 40, count: 1, lines: ['other();'], by: 'a' })),
    );
    const place = { line: 20, character: 3 };
    const next = applyUnrelatedChange(
      text,
      lineChangeOf(linesOf(text), { range: { start: place, end: place }, text: '\n' }),
    );
    assert.ok(next);
    assert.equal(hunksOf(next)[0], hunksOf(text)[0]);
    assert.deepEqual(
      hunksOf(next).map(({ after }) => after.start),
      [4, 35],
    );
  });
});
