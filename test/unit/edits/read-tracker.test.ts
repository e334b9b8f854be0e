import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createReadTracker, trackReads } from '../../../src/edits/apply/read-tracker.ts';
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

  it('H18 knows which lines of a file were never shown, also after an edit', () =>
    withTempDir(async (folder) => {
      const text = 'one\ntwo\nthree\nfour\n';
      await writeFiles(folder, { 'a.txt': text });
      const parts = openFolders({ ws: folder });
      const tracker = createReadTracker();
      const tracked = trackReads(readFile.create(parts), { ...parts, tracker });
      const [root] = parts.workspace.roots();
      assert.ok(root);
      const place = { root, path: 'a.txt' };
      const unseenAfter = async (startLine: number, endLine: number) => {
        await runTool(tracked, { path: 'a.txt', startLine, endLine });
        return tracker.firstUnseen(place);
      };
      assert.equal(await unseenAfter(1, 1), 2);
      assert.equal(await unseenAfter(3, 4), 2);
      tracker.noteEdited(place, `${text}five\n`);
      assert.equal(tracker.firstUnseen(place), 1, 'lines may have moved');
      assert.equal(await unseenAfter(1, 2), 3, 'the file is another one than was noted');
      assert.equal(await unseenAfter(3, 4), undefined);
      tracker.noteEdited(place, 'one\n');
      assert.equal(tracker.firstUnseen(place), undefined);
    }));

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
