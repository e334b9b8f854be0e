import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createChangesNote } from '../../../../src/chat/meanwhile/changes-note.ts';
import type { ChangesSinceTurn } from '../../../../src/shared/events.ts';

describe('meanwhile/changes-note', () => {
  const undone = (...paths: string[]): ChangesSinceTurn => ({ undone: paths, changed: [] });
  /** Looks that are answered when the test says so. */
  const setUp = () => {
    const looks: PromiseWithResolvers<ChangesSinceTurn | undefined>[] = [];
    const seen = { changes: 0 };
    const note = createChangesNote({
      peek() {
        const peek = Promise.withResolvers<ChangesSinceTurn | undefined>();
        looks.push(peek);
        return peek.promise;
      },
      changed: () => seen.changes++,
    });
    return { note, looks, seen };
  };

  it('H18 U1 knows what the next message will tell, and says so once', async () => {
    const { note, looks, seen } = setUp();
    assert.equal(note.text(), '');
    for (const paths of [['a.ts'], ['a.ts']]) {
      const done = note.peek();
      looks.at(-1)?.resolve(undone(...paths));
      await done;
    }
    assert.match(note.text(), /taken back in a\.ts/);
    assert.equal(seen.changes, 1);
    const done = note.peek();
    looks.at(-1)?.resolve(undefined);
    await done;
    assert.deepEqual([note.text(), seen.changes], ['', 2]);
  });

  it('P10 looks once more for all that happens during a look', async () => {
    const first = Promise.withResolvers<ChangesSinceTurn>();
    let looks = 0;
    const peek = async () => (++looks === 1 ? first.promise : undone('b.ts'));
    const note = createChangesNote({ peek, changed: () => undefined });
    const done = note.peek();
    await Promise.all([note.peek(), note.peek()]);
    assert.equal(looks, 1);
    first.resolve(undone('a.ts'));
    await done;
    assert.equal(looks, 2);
    assert.match(note.text(), /taken back in b\.ts/);
  });

  it('H18 U1 counts nothing twice: what a message has told meanwhile is not told by the next', async () => {
    const { note, looks, seen } = setUp();
    const done = note.peek();
    note.forget();
    looks[0]?.resolve(undone('a.ts'));
    await done;
    assert.deepEqual([note.text(), seen.changes], ['', 0]);
  });
});
