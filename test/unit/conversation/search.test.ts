import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { SearchHit } from '../../../src/conversation/store/search.ts';
import {
  type ConversationStore,
  type ConversationSummary,
  createConversationStore,
} from '../../../src/conversation/store/store.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { anyRipgrep } from '../../support/any-ripgrep.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { appendAll, openStore, storeOne, turnOf } from './store-samples.ts';

const ripgrep = await anyRipgrep();

async function search(store: ConversationStore, query: string, among?: ConversationSummary[]): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for await (const hit of store.search(query, among ?? (await store.list()), new AbortController().signal))
    hits.push(hit);
  return hits;
}

describe('search', () => {
  it('F6 finds every word in titles and texts, newest first, with the place it was found', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      await storeOne(store, 'title', 1, 'The Shipping Rules');
      await storeOne(store, 'answer', 2, 'Other');
      await appendAll(
        store,
        'answer',
        turnOf(3, 'Why?', `${'long '.repeat(100)}\nthe "rules" of\n\tSHIPPING follow ${'x '.repeat(100)}`),
      );
      await storeOne(store, 'neither', 4, 'Shipping only');
      const hits = await search(store, 'shipping RULES');
      assert.deepEqual(
        hits.map((hit) => hit.summary.id),
        ['answer', 'title'],
      );
      assert.match(hits[0]?.snippet ?? '', /^….*the "rules" of SHIPPING follow.*…$/);
      assert.equal(hits[1]?.snippet, undefined);
      assert.deepEqual(
        (await search(store, '"rules"')).map((hit) => hit.summary.id),
        ['answer'],
      );
      assert.deepEqual(await search(store, '  '), []);
      assert.deepEqual(await search(store, 'turnStarted'), []);
    });
  });

  it('F6 finds what is too large for a line and not what was rewound', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      await storeOne(store, 'c');
      await appendAll(store, 'c', turnOf(2, `needle ${'x'.repeat(2 * 1024 * 1024)}`));
      assert.equal((await search(store, 'needle')).length, 1);
      await store.append('c', { type: 'rewound', toMessageId: 'u2', at: 9 });
      assert.equal((await search(store, 'needle')).length, 0);
    });
  });

  it('P16 gives everything else its turn while it passes on hundreds of titles that have the words', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      await storeOne(store, 'c');
      const [summary] = await store.list();
      assert.ok(summary);
      let turns = 0;
      let next = setImmediate(function count() {
        turns += 1;
        next = setImmediate(count);
      });
      const all = Array.from({ length: 400 }, () => ({ ...summary, title: 'Shipping' }));
      const hits = await search(store, 'shipping', all);
      clearImmediate(next);
      assert.equal(hits.length, 400);
      assert.ok(turns >= 40, `${turns} turns`);
    });
  });

  it('F6 P16 reads only the files that ripgrep names, and finds the same without it', async function () {
    if (ripgrep === undefined) return this.skip();
    await withTempDir(async (dir) => {
      const read: string[] = [];
      const fs: StorageFs = {
        ...nodeFs,
        readFile: ((file: string, ...rest: []) => {
          read.push(path.basename(file));
          return nodeFs.readFile(file, ...rest);
        }) as typeof nodeFs.readFile,
        open: (file, flags, mode) => {
          read.push(path.basename(String(file)));
          return nodeFs.open(file, flags, mode);
        },
      };
      const parts = { dir, clock: { epochMs: Date.now, after: () => () => undefined }, newId: () => 'x' };
      const store = createConversationStore({ ...parts, fs, ripgrep: async () => ripgrep });
      const texts = [
        'a "quoted" C:\\way',
        'Größe İstanbul ΟΔΟΣ',
        'tab\there',
        '-e --files',
        'K and ſ',
        'plain',
        'NUL\0 tailpiece',
      ];
      for (const [n, text] of texts.entries()) await storeOne(store, `c${n}`, n + 1, text);
      await appendAll(store, 'c5', turnOf(9, `large ${'x'.repeat(2 * 1024 * 1024)}`));
      const all = await store.list();
      const gone = createConversationStore({ ...parts, ripgrep: async () => path.join(dir, 'no-rg') });
      const queries = [
        '"quoted"',
        'c:\\way',
        'GRÖSSE',
        'größe',
        'istanbul',
        'οδος',
        '-e',
        '--files',
        'plain',
        'tailpiece',
        'large',
      ];
      for (const query of queries) {
        read.length = 0;
        const hits = await search(store, query, all);
        assert.deepEqual(hits, await search(openStore(dir), query, all), query);
        assert.deepEqual(hits, await search(gone, query, all), query);
        // The one with what was too large for a line is always read.
        const [files, wanted] = [
          new Set(read.filter((name) => /^c\d/.test(name))),
          hits.map(({ summary }) => summary.id),
        ];
        assert.deepEqual(
          [...files].filter((name) => name !== 'c5.jsonl' && !wanted.includes(name.slice(0, 2))),
          [],
          query,
        );
      }
    });
  });

  it('F6 a search that is called off ends', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      for (let n = 1; n <= 30; n++) await storeOne(store, `c${n}`, n, 'same');
      const stop = new AbortController();
      const found: string[] = [];
      for await (const hit of store.search('same', await store.list(), stop.signal)) {
        found.push(hit.summary.id);
        if (found.length === 3) stop.abort();
      }
      assert.deepEqual(found, ['c30', 'c29', 'c28']);
    });
  });

  it('E01 E22 a search goes on over files of any content', async () => {
    await withTempDir(async (dir) => {
      const store = openStore(dir);
      await storeOne(store, 'good', 1, 'Plain');
      const hostile = path.join(dir, 'conversations', 'hostile.jsonl');
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.string({ minLength: 1 }), async (bytes, query) => {
          await nodeFs.writeFile(hostile, bytes);
          await search(store, query);
          assert.deepEqual(
            (await search(store, 'question 1')).map((hit) => hit.summary.id),
            ['good'],
          );
        }),
        { numRuns: 40 },
      );
    });
  });
});
