import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ConversationStore, createConversationStore } from '../../../src/conversation/store/store.ts';
import { type Checkpoints, createCheckpoints } from '../../../src/edits/checkpoints/checkpoints.ts';
import type { ImageRef } from '../../../src/shared/messages.ts';
import { createImageStore, type ImageStore } from '../../../src/storage/image-store.ts';
import type { StorageFs } from '../../../src/storage/storage-fs.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { appendAll, turnOf } from './store-samples.ts';

/** Stands in all that a conversation leaves, and nowhere else. */
export const canary = (id: string) => `canary of ${id}`;

export interface Machine {
  dir: string;
  root: string;
  images: ImageStore;
  checkpoints: Checkpoints;
  change(turnId: string, name: string, text: string): Promise<void>;
  store: ConversationStore;
}

const opened: Machine[] = [];

/** A folder for a test, which no machine holds open when it goes. */
export function withMachines(use: (temp: string) => Promise<void>): Promise<void> {
  return withTempDir(async (temp) => {
    try {
      await use(temp);
    } finally {
      for (const { store, checkpoints } of opened.splice(0))
        await Promise.allSettled([store.dispose(), checkpoints.close()]);
    }
  });
}

/** The storage of a machine, and a folder whose files the turns change. */
export async function openMachine(temp: string, fs?: StorageFs): Promise<Machine> {
  const [dir, root] = [path.join(temp, 'storage'), path.join(temp, 'ws')];
  const images = createImageStore(dir);
  const clock = { epochMs: () => 5, after: () => () => undefined };
  const newId = () => `id-${Math.random()}`;
  const { workspace } = openFolders({ ws: root });
  const [folder] = workspace.roots();
  assert.ok(folder);
  const fileOf = (name: string) => path.join(root, name);
  const checkpoints = createCheckpoints({
    dir: path.join(dir, 'checkpoints'),
    workspace,
    shown: ({ path: name }) => name,
    files: {
      read: ({ path: name }) => readFile(fileOf(name)).catch(() => undefined),
      named: async (place) => place,
      missingFolders: async () => [],
      async put(changes) {
        for (const { place, bytes } of changes) await writeFile(fileOf(place.path), bytes ?? '');
        return [];
      },
    },
    clock,
    newId,
  });
  const journal = checkpoints.journal(() => undefined);
  const change = async (turnId: string, name: string, text: string) => {
    const place = { root: folder, path: name };
    await journal.willChange(turnId, place, await readFile(fileOf(name)));
    await writeFiles(root, { [name]: text });
    await journal.didChange(turnId, place, Buffer.from(text));
  };
  const store = createConversationStore({ dir, clock, newId, images, ...(fs && { fs }) });
  const machine = { dir, root, images, checkpoints, change, store };
  opened.push(machine);
  return machine;
}

/** One turn with an image, a text too large for a line, a changed and restored file; and a line that came to harm. */
export async function converse(
  { dir, root, images, checkpoints, change, store }: Machine,
  id: string,
  n: number,
): Promise<void> {
  await writeFiles(root, { [`${id}.txt`]: canary(id), [`shared${n}.txt`]: 'what two turns found' });
  const hash = await images.add(`data:image/png;base64,${Buffer.from(canary(id)).toString('base64')}`);
  const both = await images.add('data:image/png;base64,AAAA');
  await images.toFile(hash, 'png');
  const [question, ...rest] = turnOf(n, `${canary(id)} ${'x'.repeat(1_100_000)}`, canary(id));
  assert.ok(question?.type === 'userMessage');
  const ref = { mediaType: 'image/png', width: 1, height: 1, bytes: 1 } as const satisfies Omit<ImageRef, 'hash'>;
  const attachments = [hash, both].map((one) => ({
    id: one,
    kind: 'image' as const,
    label: canary(id),
    text: '',
    image: { ...ref, hash: one },
  }));
  await appendAll(store, id, [{ type: 'created', conversationId: id, at: 1 }, { ...question, attachments }, ...rest]);
  await change(`t${n}`, `${id}.txt`, 'changed');
  await change(`t${n}`, `shared${n}.txt`, `changed by ${n}`);
  await checkpoints.restore([`t${n}`], async () => 'all');
  await change(`t${n}`, `${id}.txt`, 'changed again');
  await store.dispose();
  await appendFile(path.join(dir, 'conversations', `${id}.jsonl`), `{"damaged ${canary(id)}\n`);
  await store.read(id);
}
