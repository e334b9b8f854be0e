import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { PendingText } from '../../../../src/edits/pending/hunks.ts';
import {
  currentText,
  settledText,
  withKept,
  withUndone,
  withWritten,
} from '../../../../src/edits/pending/pending-text.ts';
import { hunkShownAs, shownHunks } from '../../../../src/edits/pending/shown-hunks.ts';

const by = (callId: string, conversationId = 'c') => ({ conversationId, turnId: 't', callId });
const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const written = withWritten(settledText(before), before.replace('two', '2').replace('seven\n', ''), by('first'));

/** Decides on what a card shows, as the review does. */
function decide(text: PendingText, action: 'keep' | 'undo', at: number): PendingText {
  const shown = shownHunks(text, 'c')[at];
  const hunk = shown && hunkShownAs(text, 'c', shown);
  assert.ok(hunk);
  return action === 'keep' ? withKept(text, { hunks: [hunk] }) : withUndone(text, { hunks: [hunk] }).text;
}

describe('edits/pending/shown-hunks', () => {
  it('F14 shows each part with its place, what it replaces and what stands around it, at the call that wrote it', () => {
    assert.deepEqual(shownHunks(written, 'c'), [
      { callId: 'first', line: 1, diff: '@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n four', more: 0 },
      { callId: 'first', line: 6, diff: '@@ -5,5 +5,4 @@\n five\n six\n-seven\n eight\n ', more: 0 },
    ]);
    assert.deepEqual(shownHunks(written, 'another'), []);
    const again = withWritten(written, currentText(written).replace('four', '4'), by('second', 'another'));
    assert.deepEqual(
      shownHunks(again, 'another').map(({ callId, line }) => [callId, line]),
      [['second', 3]],
    );
  });

  it('F14 what is long is shown from its beginning, and says how much is missing', () => {
    const many = Array.from({ length: 100 }, (_, at) => `line ${at} ${'x'.repeat(1000)}`).join('\n');
    const [only] = shownHunks(withWritten(settledText(''), many, by('first')), 'c');
    assert.equal(only?.diff.split('\n').length, 60);
    assert.ok(only.diff.length < 50_000);
    assert.equal(only.more, 41);
  });

  it('F14 F17 only what is as it was shown is decided on', () => {
    const [shown] = shownHunks(written, 'c');
    assert.ok(shown);
    assert.equal(hunkShownAs(written, 'c', { ...shown, line: 2 }), undefined);
    assert.equal(hunkShownAs(written, 'another', shown), undefined);
    const changed = withWritten(written, currentText(written).replace('2\n', '2 and\n'), by('second'));
    assert.equal(hunkShownAs(changed, 'c', shown), undefined);
  });

  it('F14 F17 deciding on every part that is shown, in any order, leaves none, and gives what was kept of the edit', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, fc.array(fc.tuple(fc.boolean(), fc.nat())), fc.boolean(), (old, next, choices, all) => {
        let text = withWritten(settledText(old.join('\n')), next.join('\n'), by('first'));
        const edited = currentText(text);
        for (let turn = 0; shownHunks(text, 'c').length > 0; turn++) {
          assert.ok(turn < 20, 'every decision takes a part away');
          const [, nth = 0] = choices[turn] ?? [];
          text = decide(text, all ? 'keep' : 'undo', nth % shownHunks(text, 'c').length);
        }
        assert.equal(currentText(text), all ? edited : currentText(settledText(old.join('\n'))));
      }),
      { numRuns: 300 },
    );
  });
});
