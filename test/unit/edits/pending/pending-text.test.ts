import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ofConversation } from '../../../../src/edits/pending/edit-origin.ts';
import { hunksOf, linesOf, type PendingText } from '../../../../src/edits/pending/hunks.ts';
import { lineChangesOf } from '../../../../src/edits/pending/line-change.ts';
import {
  baseText,
  currentText,
  groupsOf,
  settledText,
  withKept,
  withTyped,
  withTypedText,
  withUndone,
  withWritten,
} from '../../../../src/edits/pending/pending-text.ts';
import { fromStored, toStored } from '../../../../src/edits/pending/stored-text.ts';

const by = (conversationId: string, callId = 'call') => ({ conversationId, turnId: 'turn', callId });
const written = (before: string, after: string) => withWritten(settledText(before), after, by('a'));
type Place = readonly [line: number, character: number];
/** As an editor tells of it. */
const typed = (text: PendingText, from: Place, to: Place, inserted: string) => {
  const place = ([line, character]: Place) => ({ line, character });
  const change = { range: { start: place(from), end: place(to) }, text: inserted };
  return withTyped(text, lineChangesOf(linesOf(text), [change]));
};
const undone = (text: PendingText) => {
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

  /** One event, as an editor tells of it: the last place first. */
  const event = (text: PendingText, ...changes: [from: Place, to: Place, inserted: string][]) => {
    const place = ([line, character]: Place) => ({ line, character });
    const told = changes.map(([from, to, inserted]) => ({
      range: { start: place(from), end: place(to) },
      text: inserted,
    }));
    return withTyped(text, lineChangesOf(linesOf(text), told));
  };
  const shown = (text: PendingText) =>
    hunksOf(text).map(
      ({ after, removed }) => `${linesOf(text).slice(after.start, after.start + after.count)}<${removed}`,
    );

  describe('lines that move', () => {
    const replaced = written('a\nb\nc', 'a\nB2\nc');
    // An editor moves the line that is jumped over.
    const up = (text: PendingText) => event(text, [[2, 1], [2, 1], '\nB2'], [[1, 0], [2, 0], '']);
    const twice = written('a\nb\nc', 'a\nB1\nB2\nc');

    it('U19 a line that the user moves over an edit is moved, and the edit is undone there', () => {
      const moved = up(replaced);
      assert.deepEqual(linesOf(moved), ['a', 'c', 'B2']);
      assert.deepEqual(shown(moved), ['B2<b']);
      assert.equal(undone(moved), 'a\nc\nb');
    });

    it('U19 an edit that is cut and pasted is undone where it is', () => {
      const cut = typed(replaced, [1, 0], [2, 0], '');
      assert.equal(undone(cut), 'a\nb\nc');
      const pasted = typed(cut, [1, 1], [1, 1], '\nB2');
      assert.deepEqual(shown(pasted), ['B2<b']);
      assert.equal(undone(pasted), 'a\nc\nb');
    });

    it('U19 a part of an edit that is moved away goes with the rest of it', () => {
      const apart = event(twice, [[3, 1], [3, 1], '\nB2'], [[2, 0], [3, 0], '']);
      assert.deepEqual(shown(apart), ['B1<b', 'B2<']);
      assert.equal(undone(apart), 'a\nb\nc');
      const [, second] = hunksOf(apart);
      assert.ok(second);
      assert.equal(groupsOf(apart).length, 1);
      assert.equal(currentText(withUndone(apart, { hunks: [second] }).text), 'a\nb\nc');
      assert.deepEqual(hunksOf(withKept(apart, { hunks: [second] })), []);
    });

    it('U19 a line that gets another indentation where it is moved to stays a line of the edit', () => {
      const moved = event(replaced, [[2, 1], [2, 1], '\n  B2'], [[1, 0], [2, 0], '']);
      assert.equal(undone(moved), 'a\nc\nb');
    });

    it('U19 a line of an edit that only gets another indentation is changed by the user', () => {
      assert.equal(undone(typed(replaced, [1, 0], [1, 0], '  ')), 'cannot be told');
    });

    it('U19 a line over which a blank one jumps takes its edit along', () => {
      const blank = written('a\nb\n\nc', 'a\nB2\n\nc');
      const moved = event(blank, [[2, 0], [2, 0], 'B2'], [[1, 0], [1, 2], '']);
      assert.deepEqual(linesOf(moved), ['a', '', 'B2', 'c']);
      assert.equal(undone(moved), 'a\n\nb\nc');
    });

    it('U19 a formatter that gives lines another order takes edits along', () => {
      const sorted = withTypedText(written('d\nb\nc', 'd\nA2\nc'), 'A2\nc\nd');
      assert.equal(undone(sorted), 'b\nc\nd');
    });

    it('U19 a line of an edit that is pasted after a reload is one of it', () => {
      const cut = typed(replaced, [1, 0], [2, 0], '');
      const read = fromStored(JSON.parse(JSON.stringify(toStored(cut))));
      assert.equal(undone(typed(read, [1, 1], [1, 1], '\nB2')), 'a\nb\nc');
    });

    it('U19 a copy of a line of an edit stays, and Undo says that it cannot tell', () => {
      const copied = typed(replaced, [2, 1], [2, 1], '\nB2');
      assert.deepEqual(withUndone(copied).copies, ['B2']);
      assert.equal(currentText(withUndone(copied).text), 'a\nB2\nc\nB2');
      assert.equal(undone(typed(copied, [3, 2], [3, 2], ' of mine')), 'a\nb\nc\nB2 of mine');
      assert.equal(undone(typed(copied, [1, 0], [2, 0], '')), 'a\nc\nb');
    });

    it('U19 a line that the user has elsewhere too, and blank lines and brackets, are nobody’s copies', () => {
      const alike = written('a\nsame();\n', 'a\nsame();\nsame();\n\n}\n');
      assert.equal(undone(typed(alike, [0, 1], [0, 1], '\nsame();\n\n}')), 'a\nsame();\n\n}\nsame();\n');
    });

    it('U19 what is typed key by key is the user’s, whatever it says', () => {
      const cut = typed(replaced, [1, 0], [2, 0], '');
      const keys = [...'B2'].reduce(
        (text, key, at) => typed(text, [2, at], [2, at], key),
        typed(cut, [1, 1], [1, 1], '\n'),
      );
      assert.equal(undone(keys), 'a\nb\nc\nB2');
    });
  });

  describe('one block', () => {
    const block = written('old1\n}\nold2\nold3\nend', 'new1\n}\nnew2\nend');
    const commented = typed(block, [2, 0], [2, 0], '// ');

    it('U19 a block is not taken back by half where a part of it was written into', () => {
      assert.equal(hunksOf(commented).length, 2);
      assert.equal(withUndone(commented).conflicts, 1);
      assert.equal(currentText(withUndone(commented).text), 'new1\n}\n// new2\nend');
      const [first] = hunksOf(commented);
      assert.ok(first);
      assert.equal(withUndone(commented, { hunks: [first] }).conflicts, 1);
    });

    it('U19 a block is decided on as one', () => {
      const [first] = hunksOf(block);
      assert.ok(first);
      assert.deepEqual(
        groupsOf(block).map(({ length }) => length),
        [2],
      );
      assert.equal(currentText(withUndone(block, { hunks: [first] }).text), 'old1\n}\nold2\nold3\nend');
      assert.deepEqual(hunksOf(withKept(block, { hunks: [first] })), []);
    });

    it('U19 blocks with a line between them that says something are decided on alone', () => {
      const two = written('one\nkept\ntwo', '1\nkept\n2');
      const changed = typed(two, [0, 1], [0, 1], '!');
      assert.equal(withUndone(changed).conflicts, 1);
      assert.equal(currentText(withUndone(changed).text), '1!\nkept\ntwo');
    });

    it('U19 where another chat wrote into a part of a block, nothing of it is taken back', () => {
      const onto = withWritten(block, 'new1\n}\nB\nend', by('b'));
      const { text, conflicts } = withUndone(onto, { of: ofConversation('a') });
      assert.equal(conflicts, 1);
      assert.equal(currentText(text), 'new1\n}\nB\nend');
    });
  });
});
