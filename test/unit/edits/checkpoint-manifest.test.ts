import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { openManifest } from '../../../src/edits/checkpoints/checkpoint-manifest.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const after = (turn: number, name: string) => ({
  ...{ type: 'after', turnId: `t${turn}`, root: 'file:///ws', path: name },
  hash: `h${turn}`,
});

describe('the list of checkpoints', () => {
  it('P13 F16 is read once, and then where it has grown, however long it is', () =>
    withTempDir(async (dir) => {
      const file = path.join(dir, 'manifest.jsonl');
      const writer = openManifest(file);
      await Promise.all(Array.from({ length: 5000 }, (_, turn) => writer.append(after(turn, `f${turn % 50}.ts`))));
      let read = 0;
      const open: typeof nodeFs.open = async (...given) => {
        const handle = await nodeFs.open(...given);
        const own = handle.read.bind(handle) as (...args: unknown[]) => Promise<{ bytesRead: number }>;
        const counted = async (...args: unknown[]) => {
          const result = await own(...args);
          read += result.bytesRead;
          return result;
        };
        return Object.assign(handle, { read: counted });
      };
      const reader = openManifest(file, { ...nodeFs, open });
      assert.equal((await reader.last('file:///ws', 'f7.ts'))?.turnId, 't4957');
      assert.ok(read > 300_000, `${read} bytes at first`);
      read = 0;
      await writer.append(after(9000, 'f7.ts'));
      assert.equal((await reader.last('file:///ws', 'f7.ts'))?.turnId, 't9000', 'what another window wrote');
      assert.deepEqual(
        (await reader.inTurns(['t9000', 't3', 't9000'])).map(({ turnId }) => turnId),
        ['t3', 't9000'],
      );
      assert.equal((await reader.all()).length, 5001);
      assert.ok(read < 500, `${read} bytes later`);
      await writer.close();
    }));

  it('P13 F16 a line that is not whole yet is read once it is', () =>
    withTempDir(async (dir) => {
      const file = path.join(dir, 'manifest.jsonl');
      const writer = openManifest(file);
      await writer.append(after(1, 'a.ts'));
      await writer.append(after(2, 'a.ts'));
      const whole = await nodeFs.readFile(file);
      await nodeFs.writeFile(file, whole.subarray(0, -5));
      const reader = openManifest(file);
      assert.equal((await reader.last('file:///ws', 'a.ts'))?.turnId, 't1');
      await nodeFs.writeFile(file, whole);
      assert.equal((await reader.last('file:///ws', 'a.ts'))?.turnId, 't2');
      await writer.close();
    }));
});
