import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { ofConversation } from '../../../../src/edits/pending/edit-origin.ts';
import { hunksOf } from '../../../../src/edits/pending/hunks.ts';
import {
  type FileName,
  fileOrigins,
  isWholeOf,
  type PendingFile,
  type PendingFiles,
  putKept,
  putRenamed,
  putRestored,
  putUndone,
  putWritten,
  undoneFile,
} from '../../../../src/edits/pending/pending-files.ts';
import { baseText, currentText, type Selection, withTypedText } from '../../../../src/edits/pending/pending-text.ts';

const by = (conversationId: string) => ({ conversationId, turnId: 'turn', callId: 'call' });
const format = { encoding: 'latin1', mark: false };

describe('review/undecided-files, decided on', () => {
  let files: PendingFiles;
  beforeEach(() => {
    files = new Map();
  });
  const name = (path: string): FileName => ({ path, uri: `file:/${path}` });
  const pending = (path: string): PendingFile => {
    const file = files.get(`file:/${path}`);
    assert.ok(file, path);
    return file;
  };
  const write = (path: string, before: string | undefined, after: string | undefined, who = 'a', more = {}) =>
    putWritten(files, {
      ...name(path),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      by: by(who),
      ...more,
    });
  const rename = (from: string, to: string, text: string, who = 'a') =>
    putRenamed(files, { from: name(from), to: name(to), text, by: by(who) });
  const type = (path: string, text: string) => {
    const file = pending(path);
    files.set(file.uri, { ...file, text: withTypedText(file.text, text) });
  };
  const undo = (path: string, selection: Selection = {}) => {
    const file = pending(path);
    const undone = undoneFile(file, selection);
    if (undone !== undefined) putUndone(files, file, undone);
    return undone;
  };
  const keep = (path: string, selection: Selection = {}) => putKept(files, pending(path), selection);
  const hunk = (path: string, at: number) => ({ hunks: hunksOf(pending(path).text).slice(at, at + 1) });
  const shown = () => [...files.values()].map(({ kind, path, text }) => `${kind} ${path} ${hunksOf(text).length}`);
  const of = (who: string) => ({ of: ofConversation(who) });

  it('F14 everyone who wrote, created, deleted or renamed has edits in a file', () => {
    write('new', undefined, 'one\n');
    write('new', 'one\n', 'one\ntwo\n', 'b');
    write('old', 'one\n', '1\n', 'b');
    rename('old', 'named', '1\n');
    write('gone', 'one\n', undefined);
    const owners = (path: string) => fileOrigins(pending(path)).map(({ conversationId }) => conversationId);
    assert.deepEqual([owners('new'), owners('named'), owners('gone')], [['a', 'a', 'b'], ['a', 'b'], ['a']]);
    write('plain', 'one\n', '1\n', 'b');
    assert.deepEqual(owners('plain'), ['b']);
    const whole = (path: string) => ['a', 'b'].filter((who) => isWholeOf(pending(path), ofConversation(who)));
    assert.deepEqual(['new', 'named', 'gone', 'plain'].map(whole), [['a'], ['a'], ['a'], []]);
  });

  it('F14 what was typed before a later edit is the user’s', () => {
    write('a', 'one\ntwo\n', '1\ntwo\n');
    write('a', '1\ntwo\nmine\n', '1\n2\nmine\n');
    assert.equal(baseText(pending('a').text), 'one\ntwo\nmine\n');
  });

  it('E12 what is needed to write the text back as it was goes with it', () => {
    write('a', 'one\r\ntwo\n', '1\ntwo\n', 'a', { format });
    write('even', 'one\r\n', '1\r\n', 'a', { format });
    write('new', undefined, 'one\n', 'a', { format, madeFolders: ['file:/made'] });
    write('gone', 'one\r\n', undefined, 'a', { format });
    const kept = (path: string) => {
      const file = pending(path);
      return [file.format, file.raw, file.madeFolders];
    };
    assert.deepEqual(kept('a'), [format, 'one\r\ntwo\n', undefined]);
    assert.deepEqual(kept('even'), [format, undefined, undefined]);
    assert.deepEqual(kept('new'), [format, undefined, ['file:/made']]);
    assert.deepEqual(kept('gone'), [format, 'one\r\n', undefined]);
    write('gone', undefined, 'two\n', 'a');
    assert.equal(pending('gone').raw, 'one\r\n');
    assert.ok(!('format' in pending('gone')));
    rename('even', 'named', '1\r\n');
    assert.equal(pending('named').raw, '1\r\n');
    rename('named', 'again', '1\r\n');
    assert.equal(pending('again').raw, '1\r\n');
    write('unix', 'one\n', '1\n');
    rename('unix', 'moved', '1\n');
    assert.ok(!('raw' in pending('moved')) && !('format' in pending('moved')));
    write('again', '1\r\n', undefined);
    assert.deepEqual([pending('even').format, pending('even').raw], [format, '1\r\n']);
    write('moved', '1\n', undefined);
    assert.ok(!('format' in pending('unix')));
  });

  it('F14 Undo of a created file leaves none, unless the user wrote into it', () => {
    write('a', undefined, 'one\n', 'a', { madeFolders: ['file:/made'] });
    assert.equal(undo('a')?.isGone, true);
    assert.deepEqual(shown(), []);
    write('a', undefined, 'one\n', 'a', { madeFolders: ['file:/made'] });
    type('a', 'one\nmine\n');
    assert.equal(undo('a')?.isGone, false);
    assert.deepEqual(shown(), []);
  });

  it('F14 Undo of a created file that cannot be told leaves it created', () => {
    write('a', undefined, 'one\n', 'a', { madeFolders: ['file:/made'] });
    type('a', 'one!\n');
    const undone = undo('a');
    assert.deepEqual([undone?.conflicts, undone?.isGone, undone?.isWhole], [1, false, true]);
    assert.deepEqual(shown(), ['created a 1']);
    assert.deepEqual(pending('a').madeFolders, ['file:/made']);
  });

  it('F14 Undo of all hunks of a created file leaves an empty file that is created', () => {
    write('a', undefined, 'one\n');
    const undone = undo('a', hunk('a', 0));
    assert.deepEqual([undone?.isGone, undone?.isWhole], [false, false]);
    assert.deepEqual(shown(), ['created a 0']);
  });

  it('F14 Undo of an edit of one chat in a file that another one created leaves the file created', () => {
    write('a', undefined, 'one\n');
    write('a', 'one\n', 'one\ntwo\n', 'b');
    assert.equal(undo('a', of('b'))?.isWhole, false);
    assert.deepEqual(shown(), ['created a 1']);
    assert.equal(undo('a', of('c')), undefined);
    assert.deepEqual(shown(), ['created a 1']);
  });

  it('F14 a deleted file comes back only for the chat that deleted it, with all that others wrote', () => {
    write('a', 'one\ntwo\n', '1\ntwo\n', 'b');
    write('a', '1\ntwo\n', undefined);
    assert.equal(undo('a', of('b')), undefined);
    assert.equal(undo('a', hunk('a', 0)), undefined);
    const undone = undo('a', of('a'));
    assert.deepEqual([undone?.isWhole, undone && currentText(undone.text)], [true, '1\ntwo\n']);
    assert.deepEqual(shown(), ['edited a 1']);
  });

  it('F14 a deleted file that cannot be told is back as it was, and its edits stay undecided', () => {
    write('a', 'one\n', '1\n');
    type('a', '1!\n');
    write('a', '1!\n', undefined);
    assert.equal(undo('a')?.conflicts, 1);
    assert.deepEqual(shown(), ['edited a 1']);
  });

  it('F14 Undo of one of two hunks leaves the other one', () => {
    write('a', 'one\nkept\ntwo\n', '1\nkept\n2\n');
    assert.equal(undo('a', hunk('a', 0))?.conflicts, 0);
    assert.deepEqual(shown(), ['edited a 1']);
    assert.equal(currentText(pending('a').text), 'one\nkept\n2\n');
    undo('a', hunk('a', 0));
    assert.deepEqual(shown(), []);
  });

  it('F14 Undo of a hunk of a renamed file leaves it under its new name, and Undo of all gives the old one back', () => {
    write('b', 'bee\n', undefined);
    write('a', 'one\nkept\ntwo\n', '1\nkept\n2\n');
    rename('a', 'b', '1\nkept\n2\n');
    assert.equal(undo('b', hunk('b', 0))?.to.path, 'b');
    assert.ok(pending('b').over && pending('b').from);
    assert.equal(undo('b')?.to.path, 'a');
    assert.deepEqual(shown(), []);
  });

  it('F14 a renamed file that cannot be told gets its old name and stays undecided', () => {
    write('b', 'bee\n', undefined);
    write('a', 'one\n', '1\n');
    rename('a', 'b', '1\n');
    type('b', '1!\n');
    assert.equal(undo('b')?.conflicts, 1);
    assert.deepEqual(shown(), ['edited a 1']);
    assert.ok(!('over' in pending('a')) && !('from' in pending('a')));
  });

  it('F14 Keep of a whole file leaves nothing, whatever was done to it', () => {
    write('edited', 'one\n', '1\n');
    write('new', undefined, 'one\n');
    write('gone', 'one\n', undefined);
    write('old', 'one\n', '1\n');
    rename('old', 'named', '1\n');
    for (const path of ['edited', 'new', 'gone', 'named']) keep(path);
    assert.deepEqual(shown(), []);
  });

  it('F14 Keep of what one chat did leaves what the other one did', () => {
    write('new', undefined, 'one\n');
    write('new', 'one\n', 'one\ntwo\n', 'b');
    write('gone', 'one\ntwo\n', '1\ntwo\n', 'b');
    write('gone', '1\ntwo\n', undefined);
    keep('new', of('b'));
    keep('gone', of('b'));
    assert.deepEqual(shown(), ['created new 1', 'deleted gone 0']);
    write('new', 'one\ntwo\n', 'one\ntwo\nthree\n', 'b');
    keep('new', of('a'));
    keep('gone', of('a'));
    assert.deepEqual(shown(), ['edited new 1']);
    assert.ok(!('by' in pending('new')));
  });

  it('F14 Keep of the last hunk ends an edited file, and leaves a renamed one renamed', () => {
    write('a', 'one\nkept\ntwo\n', '1\nkept\n2\n');
    keep('a', hunk('a', 0));
    assert.deepEqual(shown(), ['edited a 1']);
    keep('a', hunk('a', 0));
    assert.deepEqual(shown(), []);
    write('old', 'one\n', '1\n');
    rename('old', 'named', '1\n');
    keep('named', hunk('named', 0));
    assert.deepEqual(shown(), ['edited named 0']);
    assert.ok(pending('named').from);
  });

  it('F16 a file that is restored under a name the model gave away is no edit of it any more', () => {
    write('b', 'bee\n', undefined);
    rename('a', 'b', 'one\n');
    putRestored(files, [{ uri: name('b').uri, after: 'bee\n' }]);
    assert.deepEqual(shown(), ['deleted a 0']);
  });

  it('F16 a restored text that is another than the one which was there leaves the file renamed', () => {
    write('b', 'bee\n', undefined);
    rename('a', 'b', 'one\n');
    putRestored(files, [{ uri: name('b').uri, after: 'one\nmore\n' }]);
    assert.deepEqual(shown(), ['edited b 0']);
    assert.ok(pending('b').from);
  });

  it('F14 what is deleted over a file of another edit is one of who deleted it', () => {
    rename('a', 'b', 'one\n');
    write('a', undefined, 'new\n', 'b');
    write('b', 'one\n', undefined, 'c');
    assert.deepEqual(
      fileOrigins(pending('a')).map(({ conversationId }) => conversationId),
      ['b'],
    );
  });
});
