import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { createConversationStore } from '../../../src/conversation/store/store.ts';
import { exportJson, imagesNamed, importJson } from '../../../src/conversation/store/transfer.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { createImageStore } from '../../../src/storage/image-store.ts';
import { storagePaths, sweepStorage } from '../../../src/storage/storage-paths.ts';
import { withTempDir } from '../../support/temp-dir.ts';

const url = 'data:image/png;base64,iVBORw0KGgo=';

function open(dir: string) {
  const images = createImageStore(dir);
  let ids = 0;
  const clock = { epochMs: () => 5, after: () => () => undefined };
  const store = createConversationStore({ dir, clock, newId: () => `id${++ids}`, images });
  return { images, store };
}

/** `text`: makes the record longer than a line may be. */
function message(hash: string, text = ''): DurableEvent[] {
  const image = { hash, mediaType: 'image/png' as const, width: 1, height: 1, bytes: 8 };
  return [
    { type: 'created', conversationId: 'c', at: 1 },
    {
      type: 'userMessage',
      id: 'm',
      at: 1,
      text,
      attachments: [{ id: 'a', label: 'shot.png', text: '', kind: 'image', image }],
    },
  ];
}

async function send(store: ReturnType<typeof open>['store'], id: string, events: DurableEvent[]): Promise<void> {
  for (const event of events) await store.append(id, event);
}

const blobsIn = (dir: string) =>
  readdir(path.join(dir, 'conversations', 'blobs')).then(
    (names) => names,
    () => [],
  );

describe('stored images', () => {
  it('S24 E19 an image belongs to the conversations from when it is sent, and goes with the last one', async () => {
    await withTempDir(async (dir) => {
      const { images, store } = open(dir);
      const hash = await images.add(url);
      assert.deepEqual(await blobsIn(dir), []);
      await send(store, 'one', message(hash));
      await send(store, 'two', message(hash, 'x'.repeat(1_200_000)));
      await sweepStorage(dir, storagePaths.machine, Number.POSITIVE_INFINITY);
      assert.equal(await images.read(hash), url);
      const [, asked] = (await store.read('one')) ?? [];
      assert.equal(asked?.type === 'userMessage' && asked.attachments[0]?.image?.hash, hash);
      await store.remove('one');
      await store.emptyTrash(6);
      assert.equal(await images.read(hash), url, 'the other one names it, in a record that is a blob itself');
      await store.remove('two');
      assert.equal(await images.read(hash), url, 'it can be had back from the trash');
      await store.emptyTrash(6);
      assert.equal(await images.read(hash), undefined);
      assert.deepEqual(await blobsIn(dir), []);
      await store.dispose();
    });
  });

  it('S24 an image that was never sent is deleted when it has waited long enough', async () => {
    await withTempDir(async (dir) => {
      const { images } = open(dir);
      const [old, fresh] = [await images.add(url), await images.add(`${url}2`)];
      await utimes(path.join(dir, 'images', `${old}.blob`), 1, 1);
      await sweepStorage(dir, storagePaths.machine, Date.now());
      assert.equal(await images.read(old), undefined);
      assert.equal(await images.read(fresh), `${url}2`);
    });
  });

  it('E19 erasing everything erases images that wait, too', async () => {
    await withTempDir(async (dir) => {
      const { images, store } = open(dir);
      const hash = await images.add(url);
      const sent = await images.add(`${url}2`);
      await send(store, 'one', message(sent));
      await store.eraseAll();
      assert.equal(await images.read(hash), undefined);
      assert.equal(await images.read(sent), undefined);
    });
  });

  it('E20 an export brings its images; what is no image is left behind', async () => {
    await withTempDir(async (dir) => {
      const { images } = open(dir);
      const hash = await images.add(url);
      const records = message(hash);
      assert.deepEqual(imagesNamed([...records, ...records]), [hash]);
      const script = 'data:text/html;base64,PHNjcmlwdD4=';
      const result = importJson(exportJson(records, { [hash]: url, [`${hash}`.replace('a', 'b')]: url, x: script }));
      assert.ok('images' in result);
      assert.deepEqual(result.records, records);
      assert.ok(result.images.length > 0 && result.images.every((each) => each === url));
      const without = importJson(exportJson(records));
      assert.ok('images' in without && without.images.length === 0);
    });
  });
});
