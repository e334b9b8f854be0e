import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createConversationStore } from '../../src/conversation/store/store.ts';
import type { DurableEvent } from '../../src/shared/events.ts';
import { noCost } from '../../src/spend/price.ts';
import { encodeLine } from '../../src/storage/log-line.ts';
import { withTempDir } from '../support/temp-dir.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';
import type { Round } from './statistics.ts';

const count = 5000;
const totalBytes = 200 * 1000 * 1000;
const withoutIndex = 10_000;

/**
 * P16: the list of 5,000 conversations, 200 MB, beside only asking the file system for them; and of 10,000 whose index is
 * lost, beside reading their files.
 */
export const historyList: Part = {
  ids: ['P16'],
  measure: async ({ rounds, progress }) =>
    withTempDir(async (dir) => {
      progress('P16: writing 5,000 conversations');
      await writeConversations(path.join(dir, 'conversations'), count, totalBytes);
      const open = () => createConversationStore({ dir, clock: systemClock, newId: () => 'bench' });
      progress('P16: listing them');
      await open().list();
      const found: Round[] = [];
      const atOnce: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        found.push({
          'readdir and stat': await timed(() => statAll(path.join(dir, 'conversations'))),
          ours: await timed(() => open().list()),
        });
        atOnce.push({ ours: await timed(() => open().listCached()) });
      }
      return [
        figure('list of 5,000 conversations, 200 MB', found, [
          { by: 'alone', goal: 100 },
          { by: 'ratio', anchor: 'readdir and stat' },
        ]),
        figure('the same as it was last time, shown first', atOnce, [{ by: 'alone', goal: 100 }]),
        ...(await withTempDir((other) => measureWithoutIndex(other, rounds, progress))),
      ];
    }),
};

async function measureWithoutIndex(dir: string, rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  progress('P16: writing 10,000 conversations');
  const folder = path.join(dir, 'conversations');
  await writeConversations(folder, withoutIndex, withoutIndex * 10_000);
  const first: Round[] = [];
  const whole: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const files = await timed(() => readAll(folder));
    await rm(path.join(folder, 'index.json'), { force: true });
    const start = performance.now();
    let firstMs = Number.NaN;
    const store = createConversationStore({ dir, clock: systemClock, newId: () => 'bench' });
    const all = await timed(() =>
      store.list(() => {
        if (Number.isNaN(firstMs)) firstMs = performance.now() - start;
      }),
    );
    first.push({ 'reading the files': files, ours: firstMs });
    whole.push({ 'reading the files': files, ours: all });
  }
  return [
    figure('first of 10,000 conversations without an index', first, [{ by: 'alone', goal: 100 }]),
    figure('all of them', whole, [{ by: 'ratio', anchor: 'reading the files' }]),
  ];
}

function figure(what: string, rounds: readonly Round[], comparisons: Figure['comparisons']): Figure {
  return { id: 'P16', what, unit: 'ms', rounds, ours: 'ours', comparisons };
}

async function timed(run: () => Promise<unknown[]>): Promise<number> {
  const start = performance.now();
  const { length } = await run();
  const ms = performance.now() - start;
  if (length < count) throw new Error(`only ${length} of ${count} conversations were found`);
  return ms;
}

async function statAll(dir: string): Promise<unknown[]> {
  return Promise.all((await readdir(dir)).map((name) => stat(path.join(dir, name))));
}

async function readAll(dir: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const name of await readdir(dir)) found.push(await readFile(path.join(dir, name)));
  return found;
}

async function writeConversations(dir: string, count: number, bytes: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const text = 'A sentence of an answer that somebody may look for again. '.repeat(bytes / count / 58);
  for (let n = 0; n < count; n++) {
    const id = `c${n}`;
    const lines = eventsOf(id, n, text).map((event) => encodeLine(JSON.stringify(event), 'd'));
    const file = path.join(dir, `${id}.jsonl`);
    await writeFile(file, Buffer.concat(lines));
    // As old as its last message: files of a history are not all of one moment.
    await utimes(file, n, n);
  }
}

function eventsOf(id: string, n: number, text: string): DurableEvent[] {
  const cost = { ...noCost, totalTokens: 1000, microUsd: 330, charge: 'yes' as const, requests: 1 };
  return [
    { type: 'created', conversationId: id, at: n, workspace: 'file:///work' },
    { type: 'titleChanged', title: `What does the function number ${n} do?` },
    { type: 'userMessage', id: 'u', at: n, text: 'Explain it.', attachments: [] },
    { type: 'turnStarted', turnId: 't', at: n, model: 'svc/glm-5.3' },
    { type: 'stepPartial', turnId: 't', step: 0, model: 'svc/glm-5.3', text, reasoning: '' },
    { type: 'turnEnded', turnId: 't', at: n, outcome: 'finished', cost },
  ];
}
