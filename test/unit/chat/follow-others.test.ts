import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { followOthers } from '../../../src/chat/follow-others.ts';
import { createOpenConversations } from '../../../src/chat/open-conversations.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { answering, converse, model } from '../conversation/samples.ts';
import { storeOne } from '../conversation/store-samples.ts';
import { message } from './live-window.ts';

const after = (ms: number, run: () => void) => {
  // Pauses between looks, shortened; heartbeats never come due here.
  const timer = setTimeout(run, Math.min(ms, 20));
  return () => clearTimeout(timer);
};

let ids = 0;
/** A window on a real store. Its turns stream a word and wait for `finish`, or for being stopped. */
function openWindow(dir: string) {
  const gate = { open: Promise.withResolvers<void>() };
  const newId = () => `id-${++ids}`;
  const noTimer = () => () => undefined;
  const store = createConversationStore({
    dir,
    clock: { epochMs: () => Date.now(), after: noTimer },
    newId,
    onAsked: (id) => conversations.get(id)?.stop(),
  });
  const play = async (input: TurnInput): Promise<TurnResult> => {
    input.emit({ type: 'stepPartial', turnId: input.turnId, step: 0, model, text: 'Half an', reasoning: '' });
    input.signal.addEventListener('abort', () => gate.open.resolve());
    await gate.open.promise;
    const done = await answering('Half an answer')(input);
    return input.signal.aborted ? { ...done, outcome: 'stopped' } : done;
  };
  const conversations = createOpenConversations({
    live: new Map(),
    read: store.open,
    build: (id, stored, queued, onIdle) =>
      converse(
        Array.from({ length: 9 }, () => play),
        { id, ...stored, queued, onIdle, newId, append: (event: DurableEvent) => store.append(id, event) },
      ).conversation,
    newId,
    queues: { load: () => [], save: () => undefined },
  });
  let refresh: () => void = () => undefined;
  const others = followOthers({
    // The watching of a folder is the system's; here a test says when to look.
    store: {
      ...store,
      watchUse(onChange) {
        refresh = onChange;
        return () => undefined;
      },
    },
    conversations,
    after,
    onError: (error) => {
      throw error;
    },
  });
  return { store, conversations, others, refresh: () => refresh(), finish: () => gate.open.resolve() };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor('the condition', condition, { pollMs: 1 });
}

describe('a conversation in two windows', () => {
  it('E07 ux 2.2 is read only where it does not run, follows live, and is free again at the end', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openWindow(dir), openWindow(dir)];
      await storeOne(one.store, 'c');
      const [here, there] = [await one.conversations.acquire('c'), await two.conversations.acquire('c')];
      assert.ok(here && there);
      assert.equal(there.readOnly, false);
      const turn = here.send(message('In window one'));
      const seen = () => two.conversations.get('c');
      await until(async () => {
        two.refresh();
        return seen()?.readOnly === true && JSON.stringify(seen()?.state().items).includes('Half an');
      });
      assert.equal(seen()?.state().running?.turnId !== undefined, true);
      await assert.rejects(async () => seen()?.send(message('In window two')), /another window/);
      assert.equal(seen()?.enqueue(message('In window two')), undefined);
      one.finish();
      await turn;
      await until(async () => {
        two.refresh();
        return seen()?.readOnly === false;
      });
      assert.deepEqual(seen()?.state().items, here.state().items);
      two.finish();
      await seen()?.send(message('Now in window two'));
      await until(async () => {
        one.refresh();
        return JSON.stringify(one.conversations.get('c')?.state().items).includes('Now in window two');
      });
      for (const window of [one, two]) window.others.dispose();
      await Promise.all([one.store.dispose(), two.store.dispose()]);
      assert.deepEqual(await readdir(path.join(dir, 'conversations')), ['c.jsonl']);
    });
  });

  it('E07 is taken over: the other window stops, all of it is stored, and this one goes on', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openWindow(dir), openWindow(dir)];
      await storeOne(one.store, 'c');
      const here = await one.conversations.acquire('c');
      const turn = here?.send(message('In window one'));
      await until(() => one.store.inUseElsewhere('c').then((used) => !used && here?.running === true));
      await until(() => two.store.inUseElsewhere('c'));
      const there = await two.conversations.acquire('c');
      assert.equal(there?.readOnly, true);
      const taken = two.others.takeOver('c');
      await until(async () => {
        one.refresh();
        return here?.running === false;
      });
      assert.equal(await taken, true);
      assert.equal((await turn)?.stopReason, 'stopped');
      const now = two.conversations.get('c');
      assert.equal(now?.readOnly, false);
      two.finish();
      assert.equal((await now?.send(message('In window two')))?.stopReason, 'finished');
      const text = JSON.stringify(now?.state().items);
      assert.ok(text.includes('In window one') && text.includes('Half an answer') && text.includes('In window two'));
      for (const window of [one, two]) window.others.dispose();
      await Promise.all([one.store.dispose(), two.store.dispose()]);
    });
  });
});
