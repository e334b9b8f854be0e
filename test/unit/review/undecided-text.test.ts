import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ofConversation } from '../../../src/review/edit-origin.ts';
import { lineChangesOf } from '../../../src/review/line-change.ts';
import {
  baseText,
  currentText,
  hunksOf,
  linesOf,
  settledText,
  type UndecidedText,
  withKept,
  withTyped,
  withTypedText,
  withUndone,
  withWritten,
} from '../../../src/review/undecided-text.ts';

const by = (conversationId: string, callId = 'call') => ({ conversationId, turnId: 'turn', callId });
const written = (before: string, after: string) => withWritten(settledText(before), after, by('a'));
type Place = readonly [line: number, character: number];
/** As an editor tells of it. */
const typed = (text: UndecidedText, from: Place, to: Place, inserted: string) => {
  const place = ([line, character]: Place) => ({ line, character });
  const change = { range: { start: place(from), end: place(to) }, text: inserted };
  return withTyped(text, lineChangesOf(linesOf(text), [change]));
};
const undone = (text: UndecidedText) => {
  const { text: left, conflicts } = withUndone(text);
  return conflicts > 0 ? 'cannot be told' : currentText(left);
};

describe('review/undecided-text by example', () => {
  const edited = written('one\ntwo\nthree\n', 'one\n2\n2b\nthree\n');

  it('U19 what is typed on the lines beside an edit stays, and the edit goes', () => {
    assert.equal(undone(typed(edited, [0, 3], [0, 3], '!')), 'one!\ntwo\nthree\n');
    assert.equal(undone(typed(edited, [0, 3], [0, 3], '\nmine')), 'one\nmine\ntwo\nthree\n');
    assert.equal(undone(typed(edited, [1, 0], [1, 0], 'mine\n')), 'one\nmine\ntwo\nthree\n');
    assert.equal(undone(typed(edited, [2, 2], [2, 2], '\nmine')), 'one\ntwo\nmine\nthree\n');
    assert.equal(undone(typed(edited, [3, 0], [3, 0], '!')), 'one\ntwo\n!three\n');
  });

  it('U19 a removed line comes back where the lines beside it were typed in', () => {
    const removed = written('one\ntwo\nthree\n', 'one\nthree\n');
    const both = typed(typed(removed, [0, 3], [0, 3], ' and'), [1, 0], [1, 0], 'not ');
    assert.equal(undone(both), 'one and\ntwo\nnot three\n');
  });

  it('U19 nothing is changed where the user wrote into the lines of an edit or joined them with others', () => {
    assert.equal(undone(typed(edited, [1, 1], [1, 1], '!')), 'cannot be told');
    assert.equal(undone(typed(edited, [0, 3], [1, 0], '')), 'cannot be told');
    assert.equal(undone(typed(edited, [1, 1], [1, 1], '\nmine')), 'cannot be told');
  });

  it('U19 what is typed into an edit and taken back by hand leaves nothing behind', () => {
    const joined = typed(edited, [0, 3], [1, 0], '');
    assert.equal(undone(typed(joined, [0, 3], [0, 3], '\n')), 'one\ntwo\nthree\n');
    const changed = typed(edited, [1, 1], [1, 1], '!');
    assert.equal(hunksOf(changed)[0]?.isMixed, true);
    const back = typed(changed, [1, 1], [1, 2], '');
    assert.equal(hunksOf(back)[0]?.isMixed, false);
    assert.equal(undone(back), 'one\ntwo\nthree\n');
  });

  it('U19 lines of an edit that the user takes out are gone, the rest of it can be undone', () => {
    assert.equal(undone(typed(edited, [1, 0], [2, 0], '')), 'one\ntwo\nthree\n');
    assert.equal(undone(typed(edited, [0, 3], [2, 2], '')), 'one\ntwo\nthree\n');
    assert.equal(undone(typed(edited, [0, 0], [2, 0], '')), 'two\nthree\n');
  });

  it('U19 what the user typed into an edit is not lost when the model writes the line anew', () => {
    const mixed = typed(edited, [1, 1], [1, 1], ' of mine');
    const anew = withWritten(mixed, currentText(mixed).replace('2 of mine', 'two of theirs'), by('a', 'later'));
    assert.equal(undone(anew), 'cannot be told');
    assert.equal(currentText(withUndone(anew).text), currentText(anew));
  });

  it('U19 of equal lines the one that was taken out is meant', () => {
    const doubled = written('x\ny\n', 'x\nx\ny\n');
    const [hunk] = hunksOf(doubled);
    const own = hunk?.after.start ?? -1;
    const users = own === 0 ? 1 : 0;
    assert.equal(undone(typed(doubled, [users, 0], [users + 1, 0], '')), 'y\n');
    assert.equal(undone(typed(doubled, [own, 0], [own + 1, 0], '')), 'x\ny\n');
  });

  it('U19 one of two conversations takes back its own, unless the other one wrote onto it', () => {
    const apart = withWritten(edited, 'one\n2\n2b\nthree\nfour\n', by('b'));
    assert.equal(currentText(withUndone(apart, { of: ofConversation('a') }).text), 'one\ntwo\nthree\nfour\n');
    assert.equal(currentText(withUndone(apart, { of: ofConversation('b') }).text), 'one\n2\n2b\nthree\n');
    const onto = withWritten(edited, 'one\nB\n2b\nthree\n', by('b'));
    assert.equal(withUndone(onto, { of: ofConversation('a') }).conflicts, 1);
    assert.equal(currentText(withUndone(onto, { of: ofConversation('b') }).text), 'one\n2\n2b\nthree\n');
    assert.equal(undone(onto), 'one\ntwo\nthree\n');
  });

  it('F14 keeps one hunk and undoes another; what is kept is no edit any more', () => {
    const two = written('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\nE\n');
    const [first, second] = hunksOf(two);
    assert.ok(first && second);
    const kept = withKept(two, { hunks: [first] });
    assert.equal(baseText(kept), 'A\nb\nc\nd\ne\n');
    assert.equal(undone(kept), 'A\nb\nc\nd\ne\n');
    assert.equal(currentText(withUndone(two, { hunks: [second] }).text), 'A\nb\nc\nd\ne\n');
  });

  it('F14 what the model takes out and puts back is no edit', () => {
    assert.deepEqual(hunksOf(withWritten(edited, 'one\ntwo\nthree\n', by('a', 'later'))), []);
    const partly = withWritten(edited, 'one\ntwo\n2b\nthree\n', by('a', 'later'));
    assert.deepEqual(
      hunksOf(partly).map(({ before, after }) => [before.count, after]),
      [[0, { start: 2, count: 1 }]],
    );
  });

  it('F14 a whole new file goes, and what the user went on writing below it stays', () => {
    const created = withWritten(settledText(''), 'new\nfile\n', by('a'));
    assert.deepEqual(
      hunksOf(created).map(({ before, after }) => [before.count, after.count]),
      [[0, 2]],
    );
    assert.equal(undone(created), '');
    assert.equal(undone(typed(created, [2, 0], [2, 0], 'mine')), 'mine');
  });

  it('F14 a text of many lines is taken in whole', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => `line ${at}\n`).join('');
    const created = withWritten(settledText(''), many, by('a'));
    assert.equal(hunksOf(created)[0]?.after.count, 300_000);
    assert.equal(undone(withTypedText(created, `${many}mine\n`)), 'mine\n');
  });
});
