import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { runRipgrep } from '../../files/search/ripgrep-search.ts';
import type { DurableEvent } from '../../shared/events.ts';
import { isMissing, type StorageFs } from '../../storage/storage-fs.ts';
import type { ConversationSummary } from '../summary.ts';
import { liveEvents } from './durable-events.ts';

export interface SearchHit {
  summary: ConversationSummary;
  snippet?: string;
}

export interface SearchDeps {
  dir: string;
  read(id: string): Promise<DurableEvent[]>;
  fileOf(id: string): string;
  fs: Pick<StorageFs, 'readFile' | 'stat'>;
  ripgrep?(): Promise<string | undefined>;
}

const batchSize = 8;
const maxGlanceBytes = 32 * 1024 * 1024;
const snippetBefore = 30;
const snippetLength = 140;
/** A stored line that contains this text names a file of its own, because the payload was too large for a line. */
const elsewhere = '","b":"';

/**
 * Yields hits as they are found, in the order of `among`. Words are compared without case, and one unreadable
 * conversation does not end the search. A file is parsed only when its bytes contain the words.
 */
export async function* searchConversations(
  deps: SearchDeps,
  query: string,
  among: readonly ConversationSummary[],
  signal: AbortSignal,
): AsyncGenerator<SearchHit> {
  const words = wordsOf(query);
  if (words.length === 0) return;
  const named = await idsWith(deps, words, signal).catch(() => undefined);
  const summaries = named === undefined ? among : among.filter(({ id }) => named.has(id));
  for (let at = 0; at < summaries.length && !signal.aborted; at += batchSize) {
    const batch = summaries.slice(at, at + batchSize);
    for (const hit of await Promise.all(batch.map((summary) => searchOne(deps, summary, words)))) {
      if (signal.aborted) return;
      if (hit !== undefined) yield hit;
    }
    // Else thousands of titles that have the words are passed on before anything else in this process has its turn.
    await setImmediate();
  }
}

/** Asks ripgrep for the longest word, because reading thousands of files would keep this process busy. */
async function idsWith(
  { dir, ripgrep }: SearchDeps,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  const executable = await ripgrep?.();
  if (executable === undefined) return undefined;
  const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
  const patterns = [asWritten(longest), elsewhere].flatMap((text) => ['-e', text]);
  const places = ['--no-ignore', '--hidden', '--max-depth', '1', '--glob', '*.jsonl', '--', '.'];
  const args = ['--no-config', '--text', '--fixed-strings', '--ignore-case', '--files-with-matches', '--null'];
  const ids = new Set<string>();
  await runRipgrep(
    { executable, args: [...args, ...patterns, ...places], folder: dir, separator: '\0', signal },
    (file) => ids.add(path.basename(file, '.jsonl')) !== undefined,
  );
  return ids;
}

async function searchOne(
  deps: SearchDeps,
  summary: ConversationSummary,
  words: readonly string[],
): Promise<SearchHit | undefined> {
  const title = summary.title.toLowerCase();
  if (words.every((word) => title.includes(word))) return { summary };
  try {
    if (!(await mayHave(deps, summary.id, words))) return undefined;
    const texts = textsOf(await deps.read(summary.id));
    const lower = texts.map((text) => text.toLowerCase());
    if (!words.every((word) => title.includes(word) || lower.some((text) => text.includes(word)))) return undefined;
    const best = Math.max(0, ...lower.map((text) => countOf(text, words)));
    const found = lower.findIndex((text) => countOf(text, words) === best);
    return { summary, snippet: snippetOf(texts[found] ?? '', words) };
  } catch {
    // Gone since it was listed, or not readable: there is nothing to show of it.
    return undefined;
  }
}

async function mayHave(deps: SearchDeps, id: string, words: readonly string[]): Promise<boolean> {
  const file = deps.fileOf(id);
  try {
    if ((await deps.fs.stat(file)).size > maxGlanceBytes) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  const text = await deps.fs.readFile(file, 'utf8');
  if (text.includes(elsewhere)) return true;
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(asWritten(word)));
}

const asWritten = (word: string) => JSON.stringify(word).slice(1, -1);

function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().split(/\s+/))].filter((word) => word !== '');
}

function textsOf(events: readonly DurableEvent[]): string[] {
  return liveEvents(events).flatMap((event) =>
    event.type === 'steered'
      ? event.messages.map(({ text }) => text)
      : event.type === 'userMessage' || event.type === 'stepFinished' || event.type === 'stepPartial'
        ? [event.text]
        : [],
  );
}

function countOf(text: string, words: readonly string[]): number {
  return words.filter((word) => text.includes(word)).length;
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places) - snippetBefore);
  const cut = text.slice(start, start + snippetLength).toWellFormed();
  const line = cut.replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${start + snippetLength < text.length ? '…' : ''}`;
}
