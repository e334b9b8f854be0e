import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { createConversationStore } from '../../src/conversation/store/store.ts';
import { createTimeline } from '../../src/conversation/timeline.ts';
import { openManifest } from '../../src/edits/checkpoints/checkpoint-manifest.ts';
import type { DurableEvent } from '../../src/shared/events.ts';
import { encodeLine } from '../../src/storage/log-line.ts';
import { anyRipgrep } from '../support/any-ripgrep.ts';
import { withTempDir } from '../support/temp-dir.ts';
import { turnOf } from '../unit/conversation/store-samples.ts';
import type { Figure } from './figure.ts';
import { timed } from './longest-block.ts';
import type { Part } from './part.ts';
import type { Round } from './statistics.ts';

const word = 'zebrafish';
const answer = 'An answer with **words** and `code` that somebody may look for again. '.repeat(10);

/** P16, P7 and P30: a word in many conversations, the opening of a long one, and a decision with a long list of checkpoints. */
export const longHistories: Part = {
  ids: ['P16', 'P7', 'P30'],
  measure: async ({ rounds, progress }, wanted) => {
    const figures: Figure[] = [];
    if (wanted.has('P16'))
      for (const count of [1000, 10_000]) figures.push(...(await searching(count, rounds, progress)));
    if (wanted.has('P7'))
      for (const count of [20, 1000, 10_000]) figures.push(...(await opening(count, rounds, progress)));
    if (wanted.has('P30')) for (const size of [0.5, 30]) figures.push(...(await deciding(size, rounds, progress)));
    return figures;
  },
};

async function searching(count: number, rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  const executable = await anyRipgrep();
  if (executable === undefined) throw new Error('no ripgrep: run the host tests once, which download an editor');
  return withTempDir(async (dir) => {
    progress(`P16: writing ${count} conversations`);
    const folder = path.join(dir, 'conversations');
    await mkdir(folder);
    for (let n = 0; n < count; n++) {
      const text = `${answer.repeat(14)}${n % (count / 10) === 7 ? word : ''}`;
      await writeFile(
        path.join(folder, `c${n}.jsonl`),
        linesOf(conversationOf(`c${n}`, [turnOf(n + 1, 'Why?', text)])),
      );
    }
    const ripgrep = async () => executable;
    const store = createConversationStore({ dir, clock: systemClock, newId: () => 'bench', ripgrep });
    const all = await store.list();
    const found: Round[] = [];
    const blocks: Round[] = [];
    const alone = ['--files-with-matches', '--fixed-strings', '--ignore-case', '--no-ignore', word, folder];
    for (let round = 0; round < rounds; round++) {
      progress(`P16: looking for a word in ${count}, round ${round + 1} of ${rounds}`);
      const { ms } = await timed(() => promisify(execFile)(executable, alone));
      let hits = 0;
      const ours = await timed(async () => {
        for await (const _ of store.search(word, all, new AbortController().signal)) hits += 1;
      });
      if (hits !== 10) throw new Error(`${hits} conversations were found instead of 10`);
      found.push({ ours: ours.ms, rg: ms });
      blocks.push({ ours: ours.block });
    }
    const what = `a word in ${count.toLocaleString('en')} conversations`;
    return [
      figure('P16', `${what}, until all are found`, found, [
        { by: 'alone', goal: 300 },
        { by: 'ratio', anchor: 'rg' },
      ]),
      figure('P16', `${what}: the longest block of the extension host`, blocks, [{ by: 'alone', goal: 20 }]),
    ];
  });
}

async function opening(messages: number, rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  return withTempDir(async (dir) => {
    const turns = Array.from({ length: messages / 2 }, (_, n) => turnOf(n + 1, 'A question of some words.', answer));
    const file = path.join(dir, 'conversations', 'c.jsonl');
    await mkdir(path.dirname(file));
    await writeFile(file, linesOf(conversationOf('c', turns)));
    const found: Round[] = [];
    const blocks: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      progress(`P7: opening ${messages} messages, round ${round + 1} of ${rounds}`);
      const bare = await timed(async () => {
        for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) JSON.parse(line);
      });
      const { ms, block } = await timed(async () => {
        const store = createConversationStore({ dir, clock: systemClock, newId: () => 'bench' });
        const { events = [] } = (await store.open('c')) ?? {};
        const ignored = { onStorageError: () => undefined, onBug: () => undefined, append: async () => undefined };
        createTimeline({ ...ignored, id: 'c', events, clock: systemClock }).state();
      });
      found.push({ ours: ms, 'its lines parsed': bare.ms });
      blocks.push({ ours: block });
    }
    const what = `the host's part of opening ${messages.toLocaleString('en')} messages: read, checked, folded`;
    return [
      figure('P7', what, found, [{ by: 'ratio', anchor: 'its lines parsed' }]),
      figure('P7', `${what}: the longest block of the extension host`, blocks, [{ by: 'alone', goal: 30 }]),
    ];
  });
}

async function deciding(megabytes: number, rounds: number, progress: (text: string) => void): Promise<Figure[]> {
  return withTempDir(async (dir) => {
    progress(`P30: writing ${megabytes} MB of checkpoint lines`);
    const lines: Buffer[] = [];
    let bytes = 0;
    for (let n = 0; bytes < megabytes * 1e6; n++) {
      const of = {
        turnId: `turn-${Math.floor(n / 4)}`,
        root: 'file:///work',
        path: `src/folder-${n % 97}/file-${n % 991}.ts`,
      };
      const hash = String(n).padStart(64, '0');
      const records = [
        { type: 'before', ...of, shown: of.path, blob: hash, hash, at: n },
        { type: 'after', ...of, hash },
      ];
      for (const record of records) {
        const line = encodeLine(JSON.stringify(record), 'd');
        bytes += line.length;
        lines.push(line);
      }
    }
    const file = path.join(dir, 'manifest.jsonl');
    await writeFile(file, Buffer.concat(lines));
    const [first, next, blocks]: [Round[], Round[], Round[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      progress(`P30: ${megabytes} MB, round ${round + 1} of ${rounds}`);
      const manifest = openManifest(file);
      const once = await timed(() => manifest.inTurns(['turn-3']));
      first.push({ ours: once.ms, 'one read of the file': (await timed(() => readFile(file))).ms });
      blocks.push({ ours: once.block });
      const decision = { type: 'after', turnId: 'turn-3', root: 'file:///work', path: 'src/a.ts', hash: null };
      const { ms } = await timed(async () => {
        await manifest.append(decision);
        await manifest.inTurns(['turn-3']);
      });
      next.push({ ours: ms });
      await manifest.close();
    }
    const what = `the list of checkpoints at Keep or Undo, ${megabytes} MB of lines`;
    return [
      figure('P30', what, next, [{ by: 'alone', goal: 5 }]),
      figure('P30', `${what}: the first time in a window`, first, [{ by: 'ratio', anchor: 'one read of the file' }]),
      figure('P30', `${what}: the longest block of the first time`, blocks, [{ by: 'alone', goal: 30 }]),
    ];
  });
}

function figure(id: string, what: string, rounds: readonly Round[], comparisons: Figure['comparisons']): Figure {
  return { id, what, unit: 'ms', rounds, ours: 'ours', comparisons };
}

function conversationOf(id: string, turns: readonly (readonly DurableEvent[])[]): DurableEvent[] {
  return [
    { type: 'created', conversationId: id, at: 1 },
    { type: 'titleChanged', title: `About ${id}` },
    ...turns.flat(),
  ];
}

function linesOf(events: readonly DurableEvent[]): Buffer {
  return Buffer.concat(events.map((event) => encodeLine(JSON.stringify(event), 'd')));
}
