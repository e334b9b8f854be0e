import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import { describe, it } from 'mocha';
import { createSaving } from '../../../src/conversation/store/saving.ts';
import { ConversationInUseError, createConversationStore } from '../../../src/conversation/store/store.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { createManualClock } from '../agent/scripted-client.ts';
import { answering, converse, model } from './samples.ts';

function failing(code: string): Error {
  return Object.assign(new Error(`${code}: the system says no`), { code });
}

/** A window whose disk takes what `disk.problem` lets it. */
function openWindow(dir: string) {
  const disk: { problem?: string } = {};
  const guarded = <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (disk.problem !== undefined) throw failing(disk.problem);
      return act(...args);
    };
  };
  const clock = createManualClock();
  let ids = 0;
  const store = createConversationStore({
    dir,
    clock: { epochMs: Date.now, after: () => () => undefined },
    newId: () => `w${++ids}`,
    fs: { ...nodeFs, writeFile: guarded(nodeFs.writeFile), open: guarded(nodeFs.open) as typeof nodeFs.open },
  });
  const changes: (string | undefined)[] = [];
  const saving = createSaving({ store, after: clock.after });
  saving.onDidChange(() => changes.push(saving.problem('c')?.reason));
  const append = (event: DurableEvent) =>
    store.append('c', event).then(
      () => saving.stored('c'),
      (error: unknown) => {
        saving.failed('c', error);
        throw error;
      },
    );
  const { conversation } = converse([answering('one'), answering('two'), answering('three')], { id: 'c', append });
  const ask = (text: string) => conversation.send({ text, attachments: [], model });
  return { disk, store, saving, changes, clock, conversation, ask };
}

async function until(condition: () => boolean): Promise<void> {
  await waitFor('the condition', condition, { pollMs: 1 });
}

describe('what cannot be saved', () => {
  for (const [code, reason] of [
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EROFS', 'read-only'],
    ['EACCES', 'read-only'],
    ['EIO', 'other'],
  ] as const) {
    it(`E15 ${code}: is told, kept in memory whole, and stored once when Retry finds room`, async () => {
      await withTempDir(async (dir) => {
        const { disk, store, saving, conversation, ask } = openWindow(dir);
        await ask('first');
        disk.problem = code;
        await ask('second');
        assert.equal(saving.problem('c')?.reason, reason);
        assert.match(saving.problem('c')?.detail ?? '', /the system says no/);
        assert.ok(JSON.stringify(conversation.state().items).includes('two'));
        await saving.retry();
        assert.equal(saving.problem('c')?.reason, reason);
        disk.problem = undefined;
        await saving.retry();
        assert.equal(saving.problem('c'), undefined);
        assert.equal(store.unsaved('c'), 0);
        await ask('third');
        const after = converse([], { id: 'c', events: (await store.read('c')) ?? [] });
        assert.deepEqual(after.conversation.state(), conversation.state());
        await store.dispose();
      });
    });
  }

  it('E15 is saved by itself when there is room again, and with the next message', async () => {
    await withTempDir(async (dir) => {
      const { disk, store, saving, changes, clock, ask } = openWindow(dir);
      disk.problem = 'ENOSPC';
      await ask('first');
      disk.problem = undefined;
      clock.advance(15_000);
      await until(() => saving.problem('c') === undefined);
      disk.problem = 'ENOSPC';
      await ask('second');
      disk.problem = undefined;
      await ask('third');
      assert.deepEqual([saving.problem('c'), store.unsaved('c')], [undefined, 0]);
      assert.equal(changes.at(-1), undefined);
      const questions = ((await store.read('c')) ?? []).flatMap((event) =>
        event.type === 'userMessage' ? [event.text] : [],
      );
      assert.deepEqual(questions, ['first', 'second', 'third']);
      saving.dispose();
      await store.dispose();
    });
  });

  it('E07 a conversation that another window writes names that as the reason', () => {
    const saving = createSaving({
      store: { unsaved: () => 1, saveAgain: async () => undefined },
      after: () => () => undefined,
    });
    saving.failed('c', new ConversationInUseError('in use'));
    assert.equal(saving.problem('c')?.reason, 'in-use');
  });
});
