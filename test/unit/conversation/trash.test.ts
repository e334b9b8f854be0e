import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { groupConversations } from '../../../src/conversation/groups.ts';
import { applyRetention } from '../../../src/conversation/store/retention.ts';
import { ConversationInUseError } from '../../../src/conversation/store/store.ts';
import type { ConversationSummary } from '../../../src/conversation/summary.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { appendAll, openStore, storeOne, turnOf } from './store-samples.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noErrors = (error: unknown) => {
  throw error;
};

describe('deleting conversations', () => {
  it('F6 is undone whole, as often as it is done', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir, () => 5);
      const events = await storeOne(store, 'c');
      for (let round = 0; round < 3; round++) {
        await store.remove('c');
        assert.deepEqual(await store.list(), []);
        assert.equal(await store.restore('c'), true);
        assert.deepEqual(await store.read('c'), events);
      }
      assert.equal(await store.restore('c'), false);
      assert.equal(await store.restore('../c'), false);
    });
  });

  it('F6 E01 lists what was deleted, the last first, with its title, also for a later window and when its first message is large', async () => {
    await withTempDir(async (dir) => {
      let now = 5;
      const store = openStore(dir, () => now);
      await storeOne(store, 'c');
      const [question, ...rest] = turnOf(3);
      assert.ok(question?.type === 'userMessage');
      await appendAll(store, 'large', [{ ...question, text: `The large one\n${'x'.repeat(300_000)}` }, ...rest]);
      const titles = new Map((await store.list()).map(({ id, title }) => [id, title]));
      await store.remove('c');
      now = 9;
      await store.remove('large');
      const later = openStore(dir, () => 20);
      const removed = await later.listRemoved();
      assert.deepEqual(
        removed.map(({ summary: { id, title }, removedAtMs }) => [id, title, removedAtMs]),
        [
          ['large', titles.get('large'), 9],
          ['c', titles.get('c'), 5],
        ],
      );
      assert.equal(await later.restore('large'), true);
      assert.deepEqual(
        (await later.listRemoved()).map(({ summary }) => summary.id),
        ['c'],
      );
      await storeOne(later, 'c', 7);
      assert.deepEqual(await later.listRemoved(), [], 'its place is taken');
    });
  });

  it('E10 undo never overwrites a conversation that has the place', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      await storeOne(store, 'c');
      await store.remove('c');
      const other = await storeOne(store, 'c', 7);
      assert.equal(await store.restore('c'), false);
      assert.deepEqual(await store.read('c'), other);
    });
  });

  it('E07 another window that goes on with a deleted conversation brings all of it back', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openStore(dir), openStore(dir)];
      const events = await storeOne(one, 'c');
      await two.remove('c');
      await appendAll(one, 'c', turnOf(2));
      assert.deepEqual(await two.read('c'), [...events, ...turnOf(2)]);
    });
  });

  it('E07 is refused while another window runs a turn of it', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openStore(dir), openStore(dir)];
      const events = await storeOne(one, 'c');
      const [question, started, ...rest] = turnOf(2);
      assert.ok(question && started);
      await appendAll(one, 'c', [question, started]);
      await assert.rejects(two.remove('c'), ConversationInUseError);
      await appendAll(one, 'c', rest);
      assert.deepEqual(await two.read('c'), [...events, ...turnOf(2)]);
      await two.remove('c');
      assert.deepEqual(await one.list(), []);
    });
  });

  it('E19 empties the trash with the large texts that nobody names any more, and erases everything', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir, () => 1000);
      const large = { type: 'titleChanged', title: 'x'.repeat(2 * 1024 * 1024) } as const;
      const shared = { type: 'titleChanged', title: 'y'.repeat(2 * 1024 * 1024) } as const;
      await storeOne(store, 'kept');
      await appendAll(store, 'kept', [shared]);
      await storeOne(store, 'gone');
      await appendAll(store, 'gone', [large, shared]);
      await store.remove('gone');
      assert.equal(await store.emptyTrash(1000), 0);
      assert.equal(await store.emptyTrash(1001), 1);
      const conversations = path.join(dir, 'conversations');
      assert.equal((await nodeFs.readdir(path.join(conversations, 'blobs'))).length, 1);
      assert.equal((await store.read('kept'))?.length, 7);
      await store.remove('kept');
      await storeOne(store, 'other');
      await store.list();
      await store.eraseAll();
      const left = await nodeFs.readdir(dir, { recursive: true, withFileTypes: true });
      assert.deepEqual(
        left.filter((entry) => !entry.isDirectory()),
        [],
      );
      assert.deepEqual(await store.list(), []);
    });
  });
});

describe('retention', () => {
  it('F6 keeps everything unless it is told to, then moves old conversations to the trash, never pinned or open ones', async () => {
    await withTempDir(async (dir) => {
      let now = 100;
      const store = openStore(dir, () => now);
      for (const id of ['old', 'pinned', 'open']) await storeOne(store, id);
      await store.append('pinned', { type: 'pinChanged', pinned: true });
      now += 100 * dayMs;
      await storeOne(store, 'new', now / 10);
      const apply = (retentionDays: number | undefined) =>
        applyRetention({
          ...{ store, retentionDays, nowMs: now, isOpen: (id) => id === 'open', onError: noErrors },
          ...{ textsLeft: () => [], forgetTexts: noErrors },
        });
      await apply(undefined);
      assert.equal((await store.list()).length, 4);
      await apply(90);
      assert.deepEqual((await store.list()).map((row) => row.id).sort(), ['new', 'open', 'pinned']);
      now += 29 * dayMs;
      await apply(undefined);
      assert.equal(await store.restore('old'), true);
      await store.remove('old');
      now += 31 * dayMs;
      await apply(undefined);
      assert.equal(await store.restore('old'), false);
    });
  });
});

describe('retention', () => {
  it('tells of what could not be moved and goes on with the others', async () => {
    const errors: unknown[] = [];
    const moved: string[] = [];
    await applyRetention({
      store: {
        list: async () => ['held', 'free'].map((id) => ({ id, updatedAt: 0 }) as ConversationSummary),
        remove: async (id) => {
          if (id === 'held') throw new ConversationInUseError('It is in use.');
          moved.push(id);
        },
        emptyTrash: async () => 0,
        ...{ has: async () => false, listRemoved: async () => [] },
      },
      retentionDays: 30,
      nowMs: 90 * dayMs,
      isOpen: () => false,
      ...{ textsLeft: () => [], forgetTexts: () => assert.fail() },
      onError: (error) => errors.push(error),
    });
    assert.deepEqual(moved, ['free']);
    assert.deepEqual(errors.map(String), ['ConversationInUseError: It is in use.']);
  });

  it('F6 E10 forgets what was written in conversations that are gone: from the trash, or erased in another window', async () => {
    let forgotten: ReadonlySet<string> = new Set();
    const sweep = (trashed: readonly string[]) =>
      applyRetention({
        store: {
          list: async () => [],
          remove: assert.fail,
          emptyTrash: async () => 1,
          has: async (id) => id === 'stored',
          listRemoved: async () => trashed.map((id) => ({ summary: { id } as ConversationSummary, removedAtMs: 0 })),
        },
        retentionDays: undefined,
        nowMs: 0,
        isOpen: (id) => id === 'open',
        textsLeft: () => ['stored', 'open', 'trashed', 'gone'],
        forgetTexts: (ids) => {
          forgotten = ids;
        },
        onError: assert.ifError,
      });
    await sweep([]);
    assert.deepEqual([...forgotten], [], 'a disk that is away has no conversations either');
    await sweep(['trashed']);
    assert.deepEqual([...forgotten], ['gone']);
  });
});

describe('groups of the list', () => {
  it('follow the days of the calendar, with what is pinned first', () => {
    const now = new Date(2026, 10, 20, 9, 0);
    const row = (id: string, updatedAt: number, pinned = false) =>
      ({
        id,
        title: id,
        createdAt: 0,
        updatedAt,
        model: '',
        messages: 1,
        totalTokens: 0,
        microUsd: 0,
        pinned,
      }) satisfies ConversationSummary;
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
    const groups = groupConversations(
      [
        row('future', at(21, 1)),
        row('now', at(20, 0)),
        row('late', at(19, 23)),
        row('week', at(13, 0)),
        row('old', at(12, 23)),
        row('pin', 1, true),
      ],
      now,
    );
    assert.deepEqual(
      groups.map(({ name, conversations }) => [name, ...conversations.map(({ id }) => id)]),
      [
        ['pinned', 'pin'],
        ['today', 'future', 'now'],
        ['yesterday', 'late'],
        ['week', 'week'],
        ['older', 'old'],
      ],
    );
  });
});
