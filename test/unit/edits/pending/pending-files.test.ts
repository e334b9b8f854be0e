import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { linesOf } from '../../../../src/edits/pending/hunks.ts';
import {
  type FileName,
  type PendingFiles,
  putDecided,
  putLost,
  putMovedByUser,
  putRenamed,
  putRestored,
  putUndone,
  putWritten,
  undoneFile,
} from '../../../../src/edits/pending/pending-files.ts';
import { baseText, withTypedText } from '../../../../src/edits/pending/pending-text.ts';

const by = { conversationId: 'a', turnId: 'turn', callId: 'call' };

describe('edits/pending/pending-files', () => {
  let files: PendingFiles;
  beforeEach(() => {
    files = new Map();
  });
  const name = (path: string): FileName => ({ path, uri: `file:/${path}` });
  const pending = (path: string) => {
    const file = files.get(`file:/${path}`);
    assert.ok(file, path);
    return file;
  };
  const write = (path: string, before: string | undefined, after: string | undefined) =>
    putWritten(files, {
      ...name(path),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      by,
    });
  const rename = (from: string, to: string, text: string) =>
    putRenamed(files, { from: name(from), to: name(to), text, by });
  /** Without a text: it is gone. */
  const restore = (...texts: [path: string, after?: string][]) =>
    putRestored(
      files,
      texts.map(([path, after]) => ({ uri: name(path).uri, ...(after !== undefined && { after }) })),
    );
  /** One line for each file: what it is, its name, the text that Undo goes back to, and what else Undo gives back. */
  const shown = () =>
    [...files.values()].map(({ kind, path, text, from, over }) =>
      [
        kind,
        path,
        baseText(text),
        ...(from ? [`from ${from.path}`] : []),
        ...(over ? [`over ${baseText(over.text)}`] : []),
      ]
        .join(' ')
        .replaceAll('\n', '|'),
    );

  it('F14 knows a renamed file as one, that has no name but the new one', () => {
    rename('a', 'b', 'one\n');
    assert.deepEqual(shown(), ['edited b one| from a']);
  });

  it('F14 keeps the edits before and after a rename', () => {
    write('a', 'one\n', '1\n');
    rename('a', 'b', '1\n');
    write('b', '1\n', '1\n2\n');
    assert.deepEqual(shown(), ['edited b one| from a']);
    assert.deepEqual(linesOf(pending('b').text), ['1', '2', '']);
  });

  it('F14 remembers the first of several names, and nothing once the file has it again', () => {
    rename('a', 'b', 'one\n');
    rename('b', 'c', 'one\n');
    assert.deepEqual(shown(), ['edited c one| from a']);
    rename('c', 'a', 'one\n');
    assert.deepEqual(shown(), []);
  });

  it('F14 has no old name for a file that the model made', () => {
    write('a', undefined, 'one\n');
    rename('a', 'b', 'one\n');
    assert.deepEqual(shown(), ['created b ']);
    write('b', 'one\n', undefined);
    assert.deepEqual(shown(), []);
  });

  it('F14 keeps both texts when a file takes the name of one that was deleted', () => {
    write('b', 'bee\n', undefined);
    rename('a', 'b', 'one\n');
    assert.deepEqual(shown(), ['edited b one| from a over bee|']);
    rename('b', 'c', 'one\n');
    assert.deepEqual(shown(), ['deleted b bee|', 'edited c one| from a']);
  });

  it('F14 keeps both texts when a file that the model made takes the name of one that was deleted', () => {
    write('b', 'bee\n', undefined);
    write('a', undefined, 'one\n');
    rename('a', 'b', 'one\n');
    assert.deepEqual(shown(), ['edited b bee|']);
  });

  it('F14 brings a renamed file that was then deleted back under its old name', () => {
    rename('a', 'b', 'one\r\n');
    write('b', 'one\r\n', undefined);
    assert.deepEqual(shown(), ['deleted a one|']);
    assert.match(pending('a').raw ?? '', /\r\n$/);
  });

  it('F14 brings a file that was edited and then deleted back with its line ends', () => {
    write('a', 'one\r\n', '1\r\n');
    write('a', '1\r\n', undefined);
    assert.deepEqual(shown(), ['deleted a one|']);
    assert.match(pending('a').raw ?? '', /\r\n$/);
  });

  it('F14 brings a renamed file that was then deleted back also where the model made another file of that name', () => {
    rename('a', 'b', 'one\n');
    write('a', undefined, 'new\n');
    assert.deepEqual(shown(), ['edited b one| from a', 'created a ']);
    write('b', 'one\n', undefined);
    assert.deepEqual(shown(), ['edited a one|']);
  });

  it('F14 knows two files that swapped their names', () => {
    rename('a', 'tmp', 'one\n');
    rename('b', 'a', 'bee\n');
    rename('tmp', 'b', 'one\n');
    assert.deepEqual(shown(), ['edited a bee| from b', 'edited b one| from a']);
    write('b', 'one\n', undefined);
    assert.deepEqual(shown(), ['edited a bee| from b over one|']);
  });

  it('ux 2.10 Undo gives the old name back, and what the user typed stays', () => {
    rename('a', 'b', 'one\n');
    const file = pending('b');
    const typed = { ...file, text: withTypedText(file.text, 'mine\none\n') };
    const undone = undoneFile(typed, {});
    assert.ok(undone);
    putUndone(files, typed, undone);
    assert.deepEqual(shown(), []);
  });

  it('ux 2.10 the edits of a renamed file stay pending where the user gives it another name, or its old one', () => {
    write('a', 'one\n', '1\n');
    rename('a', 'b', '1\n');
    putMovedByUser(files, pending('b'), name('c'));
    assert.deepEqual(shown(), ['edited c one| from a']);
    putMovedByUser(files, pending('c'), name('a'));
    assert.deepEqual(shown(), ['edited a one|']);
  });

  it('ux 2.10 a renamed file that went away can be brought back under its old name', () => {
    rename('a', 'b', 'one\n');
    putLost(files, pending('b'));
    assert.deepEqual(shown(), ['deleted a one|']);
  });

  /** What is undecided after each order in which the files can be put back. */
  const restoredInAnyOrder = (prepare: () => void, texts: [path: string, after?: string][]) => {
    const orders = texts.map((_, at) => [...texts.slice(at), ...texts.slice(0, at)]);
    return [...orders, texts.toReversed()].map((order) => {
      files = new Map();
      prepare();
      restore(...order);
      return shown().join();
    });
  };
  const isOver = (left: string[]) => assert.deepEqual([...new Set(left)], ['']);

  it('F16 nothing is undecided when both names were restored', () =>
    isOver(restoredInAnyOrder(() => rename('a', 'b', 'one\n'), [['a', 'one\n'], ['b']])));

  it('F16 nothing is undecided when also the file under the new name was restored', () => {
    const prepare = () => {
      write('b', 'bee\n', undefined);
      rename('a', 'b', 'one\n');
    };
    isOver(
      restoredInAnyOrder(prepare, [
        ['a', 'one\n'],
        ['b', 'bee\n'],
      ]),
    );
  });

  it('F16 nothing is undecided when also what the model put under the old name was', () => {
    const prepare = () => {
      rename('a', 'b', 'one\n');
      write('a', undefined, 'new\n');
      write('b', 'mine\none\n', 'mine\n1\n');
    };
    isOver(restoredInAnyOrder(prepare, [['a', 'one\n'], ['b']]));
  });

  it('F16 nothing is undecided when files that went round in a ring were restored', () => {
    const prepare = () => {
      rename('a', 'tmp', 'one\n');
      rename('c', 'a', 'sea\n');
      rename('b', 'c', 'bee\n');
      rename('tmp', 'b', 'one\n');
    };
    isOver(
      restoredInAnyOrder(prepare, [
        ['a', 'one\n'],
        ['b', 'bee\n'],
        ['c', 'sea\n'],
      ]),
    );
  });

  it('F16 where only the old name was restored the new one is a file of the model', () => {
    rename('a', 'b', 'one\n');
    restore(['a', 'one\n']);
    assert.deepEqual(shown(), ['created b ']);
  });

  it('F16 where only the new name was restored the old one can be brought back', () => {
    rename('a', 'b', 'one\n');
    restore(['b']);
    assert.deepEqual(shown(), ['deleted a one|']);
  });

  it('F16 an edit of a later turn that is restored leaves the file renamed', () => {
    rename('a', 'b', 'one\n');
    write('b', 'one\n', '1\n');
    restore(['b', 'one\n']);
    assert.deepEqual(shown(), ['edited b one| from a']);
  });

  it('F14 a proposal that was kept under the old name takes nothing from the renamed file', () => {
    rename('a', 'b', 'one\n');
    putDecided(files, { uri: name('a').uri, after: 'new\n' });
    assert.deepEqual(shown(), ['edited b one| from a']);
  });
});
