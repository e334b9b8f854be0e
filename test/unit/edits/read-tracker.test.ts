import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createReadTracker, type ReadTracker, trackReads } from '../../../src/edits/apply/read-tracker.ts';
import { readFile } from '../../../src/tools/read-file.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

describe('edits/read-tracker', () => {
  it('H18 knows a file that was read, also in part, until it changes', () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { 'a.txt': 'one\r\ntwo\r\n' });
      const parts = openFolders({ ws: folder });
      const tracker = createReadTracker();
      const tracked = trackReads(readFile.create(parts), { ...parts, tracker });
      const [root] = parts.workspace.roots();
      assert.ok(root);
      const place = { root, path: 'a.txt' };
      assert.equal(tracker.state(place, 'one\ntwo\n'), 'unread');
      await runTool(tracked, { path: 'a.txt', startLine: 2 });
      assert.equal(tracker.state(place, 'one\ntwo\n'), 'same');
      assert.equal(tracker.state(place, 'one\ntwo\nthree\n'), 'changed');
    }));

  it('H18 knows of each line whether it was seen as it is now (openclaw/openclaw#146096)', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const text = (...changes: [at: number, to: string | undefined][]) =>
      lines
        .flatMap((line, at) => changes.find(([one]) => one === at + 1)?.slice(1) ?? [line])
        .filter((line) => line !== undefined)
        .join('\n');
    const place = { root: { name: 'ws', uri: 'file:///ws' }, path: 'a.txt' };
    const seven: [number, string] = [7, 'seven'];
    const cases: [name: string, now: string, of: (tracker: ReadTracker) => void, unseen: number | undefined][] = [
      ['read whole', text(), () => undefined, undefined],
      ['changed by a command', text([15, 'x']), () => undefined, 15],
      [
        'changed by a command, then edited',
        text(seven, [15, 'x']),
        (tracker) => tracker.noteWritten(place, { before: text([15, 'x']), after: text(seven, [15, 'x']) }, 'edit'),
        15,
      ],
      [
        'a line taken away by a command, then edited',
        text(seven, [15, undefined]),
        (tracker) =>
          tracker.noteWritten(place, { before: text([15, undefined]), after: text(seven, [15, undefined]) }, 'edit'),
        15,
      ],
      [
        'edited',
        text(seven),
        (tracker) => tracker.noteWritten(place, { before: text(), after: text(seven) }, 'edit'),
        undefined,
      ],
      [
        'written whole',
        text(seven),
        (tracker) => tracker.noteWritten(place, { before: '', after: text(seven) }, 'edit'),
        undefined,
      ],
      [
        'the reading is not sent any more',
        text(seven),
        (tracker) => tracker.noteWritten(place, { before: text(), after: text(seven) }, 'dropped'),
        7,
      ],
      [
        'changed and read again there',
        text([15, 'x']),
        (tracker) => tracker.noteRead(place, text([15, 'x']), 'again', { first: 14, last: 16 }),
        undefined,
      ],
      [
        'changed and read again elsewhere',
        text([15, 'x']),
        (tracker) => tracker.noteRead(place, text([15, 'x']), 'again', { first: 1, last: 3 }),
        15,
      ],
    ];
    for (const [name, now, happens, unseen] of cases) {
      const tracker = createReadTracker();
      tracker.noteRead(place, text(), 'read');
      happens(tracker);
      assert.equal(
        tracker.firstUnseen(place, now, (callId) => callId !== 'dropped'),
        unseen,
        name,
      );
    }
  });

  it('H18 knows which lines of a file were never shown', () => {
    const place = { root: { name: 'ws', uri: 'file:///ws' }, path: 'a.txt' };
    const text = 'one\ntwo\n\nthree\nfour\n';
    const tracker = createReadTracker();
    const unseenAfter = (first: number, last: number) => {
      tracker.noteRead(place, text, 'read', { first, last });
      return tracker.firstUnseen(place, text, () => true);
    };
    assert.deepEqual([unseenAfter(1, 1), unseenAfter(4, 5), unseenAfter(2, 2)], [2, 2, undefined]);
  });

  it('H18 a file whose reading failed counts as unread', () =>
    withTempDir(async (folder) => {
      await writeFiles(folder, { 'a.txt': 'one\n' });
      const parts = openFolders({ ws: folder });
      const tracker = createReadTracker();
      const tracked = trackReads(readFile.create(parts), { ...parts, tracker });
      await assert.rejects(runTool(tracked, { path: 'a.txt', startLine: 9 }));
      await assert.rejects(runTool(tracked, { path: '../x' }));
      const [root] = parts.workspace.roots();
      assert.ok(root);
      assert.equal(tracker.state({ root, path: 'a.txt' }, 'one\n'), 'unread');
    }));
});
