import * as z from 'zod/mini';
import { orElse } from '../../base/or-else.ts';
import { isObject } from '../../base/parse-json.ts';
import { parseDurableEvent } from '../../shared/event-schema.ts';
import { readDataUrl } from '../../shared/image.ts';
import { imageHashes } from './durable-events.ts';

const format = 'svc-assistant.conversation';
const version = 1;

const envelope = z.object({
  format: z.literal(format),
  version: z.number(),
  events: z.array(z.unknown()),
  images: orElse(z.optional(z.record(z.string(), z.string())), undefined),
});

export type ImportProblem = 'not-json' | 'not-a-conversation' | 'later-version' | 'empty';

export type ImportResult =
  | { records: Record<string, unknown>[]; id: string; images: string[] }
  | { problem: ImportProblem };

export function exportJson(records: readonly unknown[], images: Readonly<Record<string, string>> = {}): string {
  const lines = records.map((record) => JSON.stringify(record)).join(',\n');
  const entries = Object.entries(images).map(([hash, url]) => `${JSON.stringify(hash)}:${JSON.stringify(url)}`);
  const pictures = entries.length === 0 ? '' : `,"images":{\n${entries.join(',\n')}\n}`;
  return `{"format":"${format}","version":${version},"events":[\n${lines}\n]${pictures}}\n`;
}

export function imagesNamed(records: readonly unknown[]): string[] {
  const hashes = records.flatMap((record) => {
    const event = parseDurableEvent(record);
    return event === undefined ? [] : imageHashes(event);
  });
  return [...new Set(hashes)];
}

/**
 * Reads what `exportJson` wrote, from untrusted sources: it must have a message that this version can read. Records
 * of later versions are kept. `id` is the original one, empty when it is unknown. Never throws.
 */
export function importJson(text: string): ImportResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Some other file, or half of one.
    return { problem: 'not-json' };
  }
  const parsed = envelope.safeParse(value);
  if (!parsed.success) return { problem: 'not-a-conversation' };
  if (parsed.data.version !== version) return { problem: 'later-version' };
  const all = parsed.data.events.filter(isRecord);
  if (all.length < parsed.data.events.length) return { problem: 'not-a-conversation' };
  // A worktree stays with the conversation that it was made for: tools would write into the folder that a file names.
  const records = all.filter(({ type }) => type !== 'worktreeChanged');
  const events = records.flatMap((record) => parseDurableEvent(record) ?? []);
  if (!events.some((event) => event.type === 'userMessage')) return { problem: 'empty' };
  const created = events.find((event) => event.type === 'created');
  // Stored under the hash of what they are, so one that is called something else is never found.
  const images = Object.values(parsed.data.images ?? {}).filter((url) => readDataUrl(url) !== undefined);
  return { records, id: created?.type === 'created' ? created.conversationId : '', images };
}

export function withId(records: readonly Record<string, unknown>[], id: string): Record<string, unknown>[] {
  return records.map((record) => (record.type === 'created' ? { ...record, conversationId: id } : record));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value.type === 'string';
}
