import * as nodeFs from 'node:fs/promises';
import path from 'node:path';
import { dayMs } from '../base/clock.ts';
import { removeTree } from '../base/remove-tree.ts';
import { ignoreMissing, isMissing, type StorageFs } from './storage-fs.ts';

export interface StoragePath {
  /** It may have `{id}` for the id of a conversation, `*` for any part of a name, `**` for everything below. */
  at: string;
  /**
   * Erasing takes what goes with a conversation. A process's files go once it has ended; the others stay with the
   * machine, or until the user has decided.
   */
  goesWith: 'conversation' | 'process' | 'machine' | 'decision';
  // It is removed when nobody has changed it for so long.
  days?: number;
}

/**
 * Lists everything that is written outside of the workspace. A test compares it with what is found on the disk. Beside
 * each file may be a `.tmp` that a write left which was cut short.
 */
export const storagePaths: Readonly<Record<'machine' | 'workspace' | 'temporary', readonly StoragePath[]>> = {
  machine: [
    { at: 'conversations/{id}.jsonl', goesWith: 'conversation' },
    { at: 'conversations/{id}.lease', goesWith: 'process', days: 1 },
    { at: 'conversations/{id}.lease.takeover', goesWith: 'process', days: 1 },
    { at: 'conversations/{id}.lease.ask', goesWith: 'process', days: 1 },
    { at: 'conversations/index.json', goesWith: 'conversation' },
    // Large texts and images, which several conversations may name.
    { at: 'conversations/blobs/*.blob', goesWith: 'conversation' },
    { at: 'conversations/plans/{id}.json', goesWith: 'conversation' },
    { at: 'conversations/plans/{id}.json.damaged', goesWith: 'conversation' },
    { at: 'conversations/quarantine/{id}.jsonl.*.damaged', goesWith: 'conversation' },
    { at: 'trash/{id}.*.jsonl', goesWith: 'conversation' },
    { at: 'trash/quarantine/{id}.*.damaged', goesWith: 'conversation' },
    // Its lines are erased in place, because other windows have it open.
    { at: 'checkpoints/manifest.jsonl', goesWith: 'machine' },
    // Bounded by their size together.
    { at: 'checkpoints/blobs/*.blob', goesWith: 'conversation' },
    { at: 'checkpoints/quarantine/*', goesWith: 'conversation', days: 30 },
    // Attached, and not sent yet: a message in the queue may wait for days.
    { at: 'images/*', goesWith: 'conversation', days: 30 },
    { at: 'sandbox/{id}/output/*.txt', goesWith: 'conversation' },
    ...['home', 'tmp', 'settings'].map(
      (name): StoragePath => ({ at: `sandbox/{id}/${name}/**`, goesWith: 'conversation', days: 30 }),
    ),
    ...['made-*', 'snapshots-*/**', 'trial-*/**'].map(
      (name): StoragePath => ({ at: `sandbox/${name}`, goesWith: 'process' }),
    ),
    // Each may be the only copy of a task's work, so no age takes it.
    { at: 'worktrees/patches/*.patch', goesWith: 'conversation' },
    { at: 'worktrees/*/**', goesWith: 'decision' },
    { at: 'ledger/ledger-*.jsonl', goesWith: 'machine' },
    { at: 'ledger/ledger-*.sums', goesWith: 'machine' },
    { at: 'ledger/quarantine/*', goesWith: 'machine', days: 365 },
    { at: 'ledger/under-way/*.json', goesWith: 'process', days: 1 },
    { at: 'ledger/under-way.lease', goesWith: 'process', days: 1 },
    { at: 'ledger/under-way.lease.takeover', goesWith: 'process', days: 1 },
    { at: 'models/*.json', goesWith: 'machine' },
    { at: 'models/*.json.*', goesWith: 'machine', days: 30 },
  ],
  workspace: [
    { at: 'undecided-edits.json', goesWith: 'decision' },
    { at: 'proposals.json', goesWith: 'decision' },
    { at: 'edit-outcomes.json', goesWith: 'decision' },
    { at: '*.damaged', goesWith: 'conversation', days: 30 },
    { at: 'unsent/*.json', goesWith: 'decision' },
    { at: 'unsent/*.json.*', goesWith: 'conversation', days: 30 },
  ],
  temporary: [{ at: 'svc-*/**', goesWith: 'process' }],
};

// No write takes this long, so an older file that was never renamed into place was cut short.
const cutShortMs = dayMs;

/** Removes what nobody has changed for as long as the table says. What cannot be removed does not stop the others. */
export async function sweepStorage(
  dir: string,
  places: readonly StoragePath[],
  nowMs: number,
  fs: StorageFs = nodeFs,
): Promise<void> {
  let failure: unknown;
  for (const { at, days = Number.POSITIVE_INFINITY } of places) {
    for (const { file, isCutShort } of await findPlaces(dir, at.replace('{id}', '*'), fs)) {
      try {
        const { mtimeMs } = await fs.stat(file);
        if (mtimeMs < nowMs - (isCutShort ? cutShortMs : days * dayMs)) await remove(file, at, fs);
      } catch (error) {
        // Another window may have moved or removed it meanwhile.
        if (!isMissing(error)) failure ??= error;
      }
    }
  }
  if (failure !== undefined) throw failure;
}

/** Removes what belongs to conversations: to all of them, or to one what has its id in its name. */
export async function eraseStorage(dir: string, places: readonly StoragePath[], id?: string, fs: StorageFs = nodeFs) {
  for (const { at, goesWith } of places) {
    if (goesWith !== 'conversation' || (id !== undefined && !at.includes('{id}'))) continue;
    for (const { file } of await findPlaces(dir, at.replace('{id}', id ?? '*'), fs)) await remove(file, at, fs);
  }
}

export function isNamed(places: readonly StoragePath[], relative: string): boolean {
  const names = relative.split('/');
  return places.some(({ at }) => {
    const parts = at.replace('{id}', '*').split('/');
    const isFolder = parts.at(-1) === '**';
    if (isFolder ? parts.length > names.length : parts.length !== names.length) return false;
    return parts.every((part, n) => part === '**' || fits(part, names[n] ?? '', !isFolder && n === parts.length - 1));
  });
}

async function findPlaces(dir: string, at: string, fs: StorageFs): Promise<{ file: string; isCutShort: boolean }[]> {
  const [part = '', ...rest] = at.split('/');
  const isFile = rest.length === 0;
  const below = rest[0] === '**' ? '' : rest.join('/');
  const found: { file: string; isCutShort: boolean }[] = [];
  for (const entry of (await fs.readdir(dir, { withFileTypes: true }).catch(ignoreMissing)) ?? []) {
    const file = path.join(dir, entry.name);
    if (!fits(part, entry.name, isFile) || (!isFile && !entry.isDirectory())) continue;
    if (below === '') found.push({ file, isCutShort: !fits(part, entry.name, false) });
    else found.push(...(await findPlaces(file, below, fs)));
  }
  return found;
}

async function remove(file: string, at: string, fs: StorageFs): Promise<void> {
  await (at.endsWith('**') ? removeTree(file) : fs.rm(file, { recursive: true, force: true }));
}

function fits(part: string, name: string, canBeCutShort: boolean): boolean {
  const inner = part.replaceAll('.', '\\.').replaceAll('*', '.+');
  return new RegExp(`^${inner}${canBeCutShort ? '(\\..+\\.tmp)?' : ''}$`, 's').test(name);
}
