import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { cellText, notebookOfText } from '../../../../src/edits/notebook/cell-text.ts';
import { notebookJson } from '../../../../src/edits/notebook/notebook-json.ts';
import { fileText } from '../../../../src/edits/pending/compared-text.ts';
import { hunksOf } from '../../../../src/edits/pending/hunks.ts';
import {
  type PendingFile,
  putDecided,
  putRenamed,
  putWritten,
  undoneFile,
} from '../../../../src/edits/pending/pending-files.ts';
import { currentText } from '../../../../src/edits/pending/pending-text.ts';

interface CellInFile {
  cell_type: string;
  source: string | string[];
  id?: string;
  metadata: object;
  outputs?: object[];
  execution_count?: number | null;
}

const code = (source: string, more: Partial<CellInFile> = {}): CellInFile => ({
  cell_type: 'code',
  execution_count: null,
  metadata: {},
  outputs: [],
  source: source === '' ? [] : source.split(/(?<=\n)/),
  ...more,
});

const notebook = (cells: readonly CellInFile[]) => ({
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3' } },
  cells,
  nbformat: 4,
  nbformat_minor: 5,
});

/** As Jupyter, a program that writes one line, and VS Code write it. */
const layouts: Record<string, (value: object) => string> = {
  Jupyter: (value) => `${JSON.stringify(value, undefined, 1)}\n`,
  'one line': (value) => JSON.stringify(value),
  'four blanks': (value) => JSON.stringify(value, undefined, 4),
  'tabs of Windows': (value) => `${JSON.stringify(value, undefined, '\t')}\n`.replaceAll('\n', '\r\n'),
};

const sources = fc.array(fc.constantFrom('a = 1', '%%%% code', '%%%%% x', '', '    return "\\u00e9\\n"', '%time f()'), {
  maxLength: 4,
});
const cells = fc.array(
  fc.record({ source: sources, id: fc.constantFrom('x', 'y'), isMarkdown: fc.boolean(), isRun: fc.boolean() }).map(
    ({ source, id, isMarkdown, isRun }): CellInFile =>
      isMarkdown
        ? { cell_type: 'markdown', id, metadata: {}, source: source.join('\n') }
        : code(source.join('\n'), {
            id,
            ...(isRun && {
              outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n', '2'] }],
              execution_count: 7,
            }),
          }),
  ),
  { maxLength: 5 },
);

describe('edits/pending/notebook', () => {
  it('F26 two ways to write one notebook are equal, and a changed cell is its changed line', () => {
    const own = notebook([code('a = 1\nb = 2', { id: 'x' }), code('c')]);
    const texts = Object.values(layouts).map((layout) => cellText(layout(own)));
    assert.deepEqual(new Set(texts).size, 1);
    const { cells: some, ...rest } = own;
    const other = {
      ...rest,
      cells: some.map(({ id: _, outputs: __, ...cell }) => ({ ...cell, source: [...cell.source].join('') })),
    };
    assert.equal(cellText(JSON.stringify(other)), texts[0]);
    const changed = cellText(JSON.stringify(notebook([code('a = 1\nb = 3'), code('c')])));
    assert.deepEqual(
      changed.split('\n').filter((line, at) => line !== texts[0]?.split('\n')[at]),
      ['b = 3'],
    );
  });

  it('F26 what is no notebook stays as it is', () => {
    for (const text of ['', '{', '{"cells": 3}', '[]', 'print(1)']) {
      assert.equal(cellText(text), text);
      assert.equal(notebookOfText(text), undefined);
    }
    assert.equal(notebookJson('print(1)', { now: '{}' }), undefined);
  });

  for (const [name, layout] of Object.entries(layouts)) {
    it(`F26 a cell that goes back changes no byte outside of it, in ${name}`, () => {
      const others = [code('first', { id: 'a' }), code('last', { id: 'z' })] as const;
      const file = (source: string, from = '') =>
        layout(notebook([others[0], code(source, { id: 'm' }), others[1]])) + from;
      const before = file('x = 1\ny = 2', '  ');
      const after = file('x = 1\ny = 3\nz', '  ');
      // Something else has changed as well, so that the file of before is not simply right.
      const now = after.replace('Python 3', 'Python 4');
      const text = cellText(before.replace('Python 3', 'Python 4'));
      assert.equal(notebookJson(text, { now, before }), before.replace('Python 3', 'Python 4'));
      assert.equal(notebookJson(text, { now }), before.replace('Python 3', 'Python 4'));
      assert.equal(notebookJson(cellText(before), { now: after, before }), before);
    });
  }

  it('F26 cells that came or went come and go alone', () => {
    const layout = layouts.Jupyter as (value: object) => string;
    const [a, b, c] = [code('a', { id: '1' }), code('b', { id: '2', outputs: [{ output_type: 'x' }] }), code('c')];
    const before = layout(notebook([a, b, c]));
    const without = layout(notebook([a, c]));
    assert.equal(notebookJson(cellText(before), { now: without, before }), before);
    assert.equal(notebookJson(cellText(without), { now: before }), without);
    assert.equal(notebookJson(cellText(layout(notebook([]))), { now: before }), layout(notebook([])));
    assert.equal(
      notebookJson(cellText(layout(notebook([a, b, code('d')]))), { now: without, before }),
      layout(notebook([a, b, code('d')])),
    );
  });

  it('F26 any notebook is written as told, whatever stands in the file', () => {
    const layout = fc.constantFrom(...Object.values(layouts));
    fc.assert(
      fc.property(cells, cells, cells, layout, layout, (wanted, own, old, ownLayout, oldLayout) => {
        const [now, before] = [ownLayout(notebook(own)), oldLayout(notebook(old))];
        const text = cellText(JSON.stringify(notebook(wanted)));
        for (const known of [before, undefined]) {
          const json = notebookJson(text, { now, before: known });
          assert.ok(json !== undefined);
          assert.equal(cellText(json), text);
        }
      }),
    );
  });

  const by = { conversationId: 'chat', turnId: 't', callId: '1' };
  const file = { uri: 'file:///n.ipynb', path: 'n.ipynb' };
  const json = (source: string, title = 'T') => JSON.stringify(notebook([code(source), code(title)]), undefined, 2);
  /** The file after Undo of everything, of which the disk has `now`. */
  const undone = (one: PendingFile | undefined, now?: string) => {
    const result = one && undoneFile(one, {});
    return one && result && fileText(one, currentText(result.text), now);
  };

  it('F26 an edit of a notebook is a hunk of its cell, and Undo keeps what the user changed in others', () => {
    const files = new Map<string, PendingFile>();
    putWritten(files, { ...file, before: json('a\nb'), after: json('a\nc'), by });
    putDecided(files, { uri: file.uri, after: JSON.stringify(JSON.parse(json('a\nc', 'mine'))) });
    const known = files.get(file.uri);
    assert.ok(known);
    assert.deepEqual(
      hunksOf(known.text).map(({ before, after, removed }) => [before.count, after.count, removed]),
      [[1, 1, ['b']]],
    );
    assert.equal(undone(known, json('a\nc', 'mine')), json('a\nb', 'mine'));
  });

  it('F26 a notebook that was deleted, renamed, or written as something else comes back byte for byte', () => {
    const before = json('a');
    for (const put of [
      (files: Map<string, PendingFile>) => putWritten(files, { ...file, before, by }),
      (files: Map<string, PendingFile>) =>
        putRenamed(files, { from: file, to: { uri: 'file:///m.ipynb', path: 'm.ipynb' }, text: before, by }),
      (files: Map<string, PendingFile>) => {
        putWritten(files, { ...file, before, after: json('b'), by });
        putWritten(files, { ...file, before: json('b'), after: '{"cells": [', by });
      },
    ]) {
      const files = new Map<string, PendingFile>();
      put(files);
      const [known] = [...files.values()];
      assert.equal(undone(known, known?.kind === 'edited' && !known.from ? '{"cells": [' : before), before);
    }
  });

  it('F26 a file that was no notebook at first is compared by lines', () => {
    const files = new Map<string, PendingFile>();
    putWritten(files, { ...file, before: '', after: json('a'), by });
    assert.equal(files.get(file.uri)?.byCells, undefined);
    assert.equal(undone(files.get(file.uri)), '');
  });
});
