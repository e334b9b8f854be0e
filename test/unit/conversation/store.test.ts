import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  ConversationInUseError,
  type ConversationStore,
  createConversationStore,
} from '../../../src/conversation/store/store.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { noCost } from '../../../src/spend/price.ts';
import { encodeLine } from '../../../src/storage/log-line.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { answering, converse, model, stepFinished } from './samples.ts';

let ids = 0;
function openStore(dir: string, damage: { id: string; damaged: number }[] = [], fs?: StorageFs): ConversationStore {
  return createConversationStore({
    dir,
    ...(fs && { fs }),
    // Heartbeats are tested with the lease; here none is due.
    clock: { epochMs: () => Date.now(), after: () => () => undefined },
    newId: () => `window-${++ids}`,
    onDamage: (one) => void damage.push(one),
  });
}

function turn(n: number, text = `answer ${n}`): DurableEvent[] {
  return [
    { type: 'userMessage', id: `u${n}`, at: n * 10, text: `question ${n}`, attachments: [] },
    { type: 'turnStarted', turnId: `t${n}`, at: n * 10 + 1, model },
    stepFinished(`t${n}`, { text }),
    {
      type: 'turnEnded',
      turnId: `t${n}`,
      at: n * 10 + 5,
      outcome: 'finished',
      cost: { ...noCost, totalTokens: 1000, microUsd: 330, charge: 'yes', requests: 1 },
    },
  ];
}

async function appendAll(store: ConversationStore, id: string, events: readonly DurableEvent[]): Promise<void> {
  await Promise.all(events.map((event) => store.append(id, event)));
}

async function writeConversation(dir: string, id: string, turns: number, at = 1): Promise<DurableEvent[]> {
  const store = openStore(dir);
  const events: DurableEvent[] = [
    { type: 'created', conversationId: id, at, workspace: 'file:///work' },
    { type: 'titleChanged', title: `Title of ${id}` },
    ...Array.from({ length: turns }, (_, n) => turn(at + n)).flat(),
  ];
  await appendAll(store, id, events);
  await store.dispose();
  return events;
}

describe('conversation store', () => {
  it('gives back after a restart what was appended', async () => {
    await withTempDir(async (dir) => {
      const events = await writeConversation(dir, 'c1', 3);
      assert.deepEqual(await openStore(dir).read('c1'), events);
    });
  });

  it('F5 carries a whole conversation over a reload', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      const append = (event: DurableEvent) => store.append('conversation-1', event);
      const before = converse([answering('one'), answering('two')], { append });
      await before.conversation.send({ text: 'first', attachments: [], model });
      await before.conversation.send({ text: 'second', attachments: [], model });
      await store.dispose();
      const after = converse([], { events: (await openStore(dir).read('conversation-1')) ?? [] });
      assert.deepEqual(after.conversation.state(), before.conversation.state());
    });
  });

  it('answers undefined for a conversation that does not exist or an id that is none', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      assert.equal(await store.read('nothing'), undefined);
      assert.equal(await store.read('../../etc/passwd'), undefined);
      await assert.rejects(store.append('../x', { type: 'titleChanged', title: 'x' }), RangeError);
    });
  });

  it('E03 lists the same without its index, newest first', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'old', 1, 100);
      await writeConversation(dir, 'new', 2, 500);
      const first = await openStore(dir).list();
      assert.deepEqual(
        first.map((row) => [row.id, row.title, row.messages, row.microUsd, row.workspace]),
        [
          ['new', 'Title of new', 2, 660, 'file:///work'],
          ['old', 'Title of old', 1, 330, 'file:///work'],
        ],
      );
      const index = path.join(dir, 'conversations', 'index.json');
      assert.deepEqual(await openStore(dir).list(), first);
      for (const broken of ['', '{"version":1,"rows":[{"si', '{"version":9}', '[]']) {
        await nodeFs.writeFile(index, broken);
        assert.deepEqual(await openStore(dir).list(), first);
      }
      await nodeFs.rm(index);
      assert.deepEqual(await openStore(dir).list(), first);
    });
  });

  it('P16 gives the newest rows after fifty files, then more of them, and all as ever at the end', async () => {
    await withTempDir(async (dir) => {
      const count = 200;
      await nodeFs.mkdir(path.join(dir, 'conversations'));
      for (let n = 0; n < count; n++) {
        const id = `c${(n * 7) % count}`;
        const at = (n * 13) % count;
        const events = [{ type: 'created', conversationId: id, at, workspace: 'file:///work' }, ...turn(at)];
        const lines = events.map((event) => encodeLine(JSON.stringify(event), 'd'));
        const file = path.join(dir, 'conversations', `${id}.jsonl`);
        await nodeFs.writeFile(file, Buffer.concat(lines));
        await nodeFs.utimes(file, 1000 + at, 1000 + at);
      }
      let files = 0;
      const counting = {
        ...nodeFs,
        open: (...args: Parameters<typeof nodeFs.open>) => {
          if (String(args[0]).endsWith('.jsonl')) files += 1;
          return nodeFs.open(...args);
        },
      };
      const parts: { ids: string[]; files: number }[] = [];
      const store = openStore(dir, [], counting);
      const all = await store.list((some) => void parts.push({ ids: some.map(({ id }) => id), files }));
      const ids = all.map(({ id }) => id);
      assert.equal(new Set(ids).size, count);
      assert.deepEqual(
        all.map(({ updatedAt }) => updatedAt),
        all.map(({ updatedAt }) => updatedAt).toSorted((a, b) => b - a),
      );
      assert.ok((parts[0]?.files ?? count) <= 50 && files >= count, `first rows after ${parts[0]?.files} files`);
      assert.deepEqual(
        parts.map((part) => part.ids.length),
        [50, 150],
      );
      for (const part of parts) assert.deepEqual(part.ids, ids.slice(0, part.ids.length));
      // All is known from now on.
      assert.deepEqual(await store.list(() => assert.fail('nothing had to be read')), all);
    });
  });

  it('E18 reads no conversation again whose file did not change', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'a', 1, 100);
      await writeConversation(dir, 'b', 1, 200);
      await openStore(dir).list();
      const opened: string[] = [];
      const fs = {
        ...nodeFs,
        open: async (...args: Parameters<typeof nodeFs.open>) => {
          opened.push(path.basename(String(args[0])));
          return nodeFs.open(...args);
        },
      };
      await appendAll(openStore(dir), 'b', turn(300));
      const clock = { epochMs: () => 0, after: () => () => undefined };
      const rows = await createConversationStore({ dir, clock, newId: () => 'x', fs }).list();
      assert.deepEqual(opened, ['b.jsonl']);
      assert.equal(rows[0]?.messages, 2);
    });
  });

  it('E01 keeps and lists a conversation whatever byte of it is damaged', async () => {
    await withTempDir(async (dir) => {
      const events = await writeConversation(dir, 'c', 2);
      const file = path.join(dir, 'conversations', 'c.jsonl');
      const whole = await nodeFs.readFile(file);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 2), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          await nodeFs.writeFile(file, bytes);
          const damage: { id: string; damaged: number }[] = [];
          const store = openStore(dir, damage);
          assert.ok(((await store.read('c')) ?? []).length >= events.length - 2);
          assert.deepEqual(
            (await store.list()).map((row) => row.id),
            ['c'],
          );
          assert.deepEqual(await nodeFs.readFile(file), bytes);
          assert.ok(damage.length > 0);
        }),
        { numRuns: 50 },
      );
    });
  });

  it('E01 says how many records nobody can read: of a broken line, and of one that is no event', async () => {
    await withTempDir(async (dir) => {
      const events = await writeConversation(dir, 'c', 1);
      const damage: { id: string; damaged: number }[] = [];
      const store = openStore(dir, damage);
      await store.append('c', { at: 5 } as unknown as DurableEvent);
      await store.append('c', [] as unknown as DurableEvent);
      const file = path.join(dir, 'conversations', 'c.jsonl');
      await nodeFs.writeFile(file, `${await nodeFs.readFile(file, 'utf8')}half a line\n`);
      assert.equal((await openStore(dir, damage).read('c'))?.length, events.length);
      assert.deepEqual(damage, [{ id: 'c', damaged: 3, later: 0 }]);
    });
  });

  it('E01 a folder named like a conversation hides nothing but itself: list, search, removal, erasing', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'good', 1);
      await nodeFs.mkdir(path.join(dir, 'conversations', 'x.jsonl'));
      const store = openStore(dir);
      for (let look = 0; look < 2; look++) {
        const titles = (await store.list()).map(({ title }) => title).toSorted();
        assert.deepEqual(titles, ["Can't be read: x.jsonl", 'Title of good']);
      }
      const hits: string[] = [];
      const { signal } = new AbortController();
      for await (const { summary } of store.search('question', await store.list(), signal)) hits.push(summary.id);
      assert.deepEqual(hits, ['good']);
      await store.remove('good');
      assert.equal(await store.emptyTrash(Number.POSITIVE_INFINITY), 1);
      await store.remove('x');
      assert.deepEqual(await store.listRemoved(), []);
      await store.eraseAll();
      assert.deepEqual(await store.list(), []);
      await store.dispose();
    });
  });

  it('E04 tells of events of later versions, leaves them in the file and goes on without them', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'c', 1);
      const damage: { id: string; damaged: number }[] = [];
      const store = openStore(dir, damage);
      const later = { type: 'pinned', at: 5 } as unknown as DurableEvent;
      await store.append('c', later);
      await appendAll(store, 'c', turn(7));
      const events = (await store.read('c')) ?? [];
      assert.equal(events.filter((event) => event.type === 'userMessage').length, 2);
      assert.deepEqual(damage, [{ id: 'c', damaged: 0, later: 1 }]);
      assert.match(await nodeFs.readFile(path.join(dir, 'conversations', 'c.jsonl'), 'utf8'), /"pinned"/);
    });
  });

  it('E07 refuses events of another window while a turn runs, and writes them after it', async () => {
    await withTempDir(async (dir) => {
      const [one, two] = [openStore(dir), openStore(dir)];
      const [question, started, ...rest] = turn(1);
      assert.ok(question && started);
      await appendAll(one, 'c', [{ type: 'created', conversationId: 'c', at: 1 }, question, started]);
      const [questionOfTwo, ...restOfTwo] = turn(2);
      assert.ok(questionOfTwo);
      await assert.rejects(two.append('c', questionOfTwo), ConversationInUseError);
      await appendAll(one, 'c', rest);
      await appendAll(two, 'c', restOfTwo);
      const events = (await one.read('c')) ?? [];
      assert.deepEqual(
        events.flatMap((event) => ('turnId' in event ? event.turnId : event.type)),
        ['created', 'userMessage', 't1', 't1', 't1', 'userMessage', 't2', 't2', 't2'],
      );
      const left = await nodeFs.readdir(path.join(dir, 'conversations'));
      assert.deepEqual(left, ['c.jsonl']);
      await Promise.all([one.dispose(), two.dispose()]);
    });
  });

  it('E07 two windows that run 250 turns each in one conversation lose nothing and never mix two turns', async function () {
    this.timeout(120_000);
    const window = fileURLToPath(new URL('take-turns.ts', import.meta.url));
    await withTempDir(async (dir) => {
      await openStore(dir).append('c', { type: 'created', conversationId: 'c', at: 1 });
      const exits = await Promise.all(['0', '1000'].map((first) => once(fork(window, [dir, first, '250']), 'exit')));
      assert.deepEqual(
        exits.map(([code]) => Number(code)),
        [0, 0],
      );
      const events = (await openStore(dir).read('c')) ?? [];
      assert.equal(events.length, 1 + 2 * 250 * 4);
      const asked = events.flatMap((event) => (event.type === 'userMessage' ? [event.id] : []));
      assert.equal(new Set(asked).size, 500);
      let open: string | undefined;
      for (const event of events) {
        if (!('turnId' in event)) continue;
        if (event.type === 'turnStarted') assert.equal(open, undefined, `${event.turnId} began within ${open}`);
        else assert.equal(event.turnId, open);
        open = event.type === 'turnEnded' ? undefined : event.turnId;
      }
    });
  });

  it('E07 takes what this window has just written for no change of another one', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'c', 1);
      const slow = {
        sizeOver: Number.POSITIVE_INFINITY,
        asked: Promise.withResolvers<void>(),
        go: Promise.withResolvers<void>(),
      };
      const fs: StorageFs = {
        ...nodeFs,
        // Answers at once, but for the first look at a file that has grown.
        stat: (async (file: string) => {
          const stat = statSync(file);
          if (stat.size <= slow.sizeOver) return stat;
          slow.sizeOver = Number.POSITIVE_INFINITY;
          slow.asked.resolve();
          await slow.go.promise;
          return stat;
        }) as StorageFs['stat'],
      };
      const store = openStore(dir, [], fs);
      await store.open('c');
      slow.sizeOver = statSync(path.join(dir, 'conversations/c.jsonl')).size;
      const written = store.append('c', { type: 'titleChanged', title: 'Another title' });
      await slow.asked.promise;
      const changed = store.changedElsewhere('c');
      await nextTurn();
      slow.go.resolve();
      assert.equal(await changed, false);
      await written;
      await writeConversation(dir, 'c', 1, 20);
      assert.equal(await store.changedElsewhere('c'), true);
      await store.dispose();
    });
  });

  it('E15 keeps events that a full disk refuses and stores each once, in order, later', async () => {
    await withTempDir(async (dir) => {
      let full = false;
      const fs = {
        ...nodeFs,
        open: async (...args: Parameters<typeof nodeFs.open>) => {
          if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
          return nodeFs.open(...args);
        },
      };
      const clock = { epochMs: () => Date.now(), after: () => () => undefined };
      const store = createConversationStore({ dir, clock, newId: () => 'w', fs });
      await store.append('c', { type: 'created', conversationId: 'c', at: 1 });
      full = true;
      const refused = await Promise.allSettled(turn(1).map((event) => store.append('c', event)));
      assert.ok(refused.every((one) => one.status === 'rejected'));
      full = false;
      await appendAll(store, 'c', turn(2));
      assert.deepEqual(await store.read('c'), [
        { type: 'created', conversationId: 'c', at: 1 },
        ...turn(1),
        ...turn(2),
      ]);
      await store.dispose();
    });
  });

  it('moves a removed conversation to the trash whole', async () => {
    await withTempDir(async (dir) => {
      await writeConversation(dir, 'c', 1);
      const before = await nodeFs.readFile(path.join(dir, 'conversations', 'c.jsonl'));
      const store = openStore(dir);
      await store.remove('c');
      assert.deepEqual(await store.list(), []);
      assert.equal(await store.read('c'), undefined);
      const [name = ''] = await nodeFs.readdir(path.join(dir, 'trash'));
      assert.deepEqual(await nodeFs.readFile(path.join(dir, 'trash', name)), before);
      await store.remove('c');
    });
  });

  it('E21 opens what a killed window left, the turn interrupted, and the next window goes on at once', async function () {
    this.timeout(60_000);
    const window = fileURLToPath(new URL('converse-until-killed.ts', import.meta.url));
    await withTempDir(async (dir) => {
      for (let round = 0; round < 8; round++) {
        const child = fork(window, [dir, String(round)]);
        let last = -1;
        child.on('message', (n) => {
          last = Number(n);
          if (last === 3 + round) child.kill('SIGKILL');
        });
        await once(child, 'exit');
        const events = (await openStore(dir).read('c')) ?? [];
        const ended = events.filter((event) => event.type === 'turnEnded');
        assert.deepEqual(
          ended.map((event) => [event.turnId, event.outcome]),
          Array.from({ length: round + 1 }, (_, n) => [`t${n}`, 'interrupted']),
        );
        const partials = events.filter((event) => event.type === 'stepPartial');
        assert.equal(partials.length, round + 1);
        assert.ok((partials.at(-1)?.text.length ?? 0) >= 'word '.length * last);
      }
    });
  });

  it('E22 parses any JSON without throwing and without touching prototypes', () => {
    const types = fc.constantFrom('created', 'userMessage', 'turnStarted', 'stepFinished', 'notice', 'turnEnded', 'x');
    fc.assert(
      fc.property(fc.jsonValue(), types, fc.dictionary(fc.string(), fc.jsonValue()), (value, type, fields) => {
        parseDurableEvent(value);
        parseDurableEvent({ ...fields, type });
        parseDurableEvent(JSON.parse(`{"type":"titleChanged","title":"t","__proto__":{"polluted":true}}`));
        assert.equal(({} as { polluted?: boolean }).polluted, undefined);
      }),
    );
  });
});
