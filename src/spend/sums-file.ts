import type { FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { isMissing, type StorageFs } from '../storage/storage-fs.ts';
import { writeAtomically } from '../storage/write-atomically.ts';
import { type IdSet, restoreIdSet } from './id-set.ts';
import { createMonthSums, type MonthSums, type SpendRow } from './month-sums.ts';
import type { Totals } from './totals.ts';

/**
 * Says how far into a ledger file the sums count. `tail` is a checksum of the bytes before it and shows when the file
 * is another one.
 */
export interface Mark {
  offset: number;
  tail: number;
}

export interface Snapshot {
  mark: Mark;
  damaged: number;
  sums: MonthSums;
}

const tailBytes = 4096;
const firstBytes = 1024 * 1024;
const everything = { from: '', to: '~' };

/**
 * Reads the sums of a ledger file up to a mark from the file beside it. They are derived and never the truth: for
 * anything missing, damaged, or of another version or time zone this returns undefined, and the sums are made from
 * the lines again. Nothing can be added to sums without ids; `needsIds` is called once the mark is known.
 */
export async function readSums(
  file: string,
  cut: string,
  needsIds: (mark: Mark) => boolean,
  fs: StorageFs,
): Promise<Snapshot | undefined> {
  try {
    const handle = await fs.open(file, 'r');
    try {
      return await decode(handle, cut, needsIds);
    } finally {
      await handle.close();
    }
  } catch {
    // No file, or one that cannot be read. The lines may be readable all the same; if not, reading them reports it.
    return undefined;
  }
}

export async function writeSums(file: string, cut: string, snapshot: Snapshot, fs: StorageFs): Promise<void> {
  await writeAtomically(file, encode(snapshot, cut), fs);
}

export async function markAt(file: string, offset: number, fs: StorageFs): Promise<Mark | undefined> {
  if (offset === 0) return { offset, tail: 0 };
  try {
    const handle = await fs.open(file, 'r');
    try {
      const length = Math.min(tailBytes, offset);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset - length);
      return bytesRead === length ? { offset, tail: crc32(buffer) } : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The file has a preamble of fixed length (checksum and length of the text), the text, and the table of ids. The text
 * is lines of JSON: head, rows, conversations.
 */
function encode({ mark, damaged, sums }: Snapshot, cut: string): Buffer {
  const rows = sums.rows(everything).map(({ day, model, surface, totals }) => [day, model, surface, ...pack(totals)]);
  const conversations = [...sums.conversations()].map(([id, totals]) => [id, ...pack(totals)]);
  const ids = sums.ids();
  const table = ids?.bytes() ?? new Uint8Array();
  const head: Head = { mark, damaged, ids: ids?.size() ?? 0, table: table.length, tableCrc: crc32(table) };
  const text = Buffer.from([layout(cut), head, rows, conversations].map((part) => JSON.stringify(part)).join('\n'));
  return Buffer.concat([Buffer.from(preamble(text)), text, table]);
}

interface Head {
  mark: Mark;
  damaged: number;
  ids: number;
  table: number;
  tableCrc: number;
}

const preambleBytes = 24;

function preamble(text: Uint8Array): string {
  return `${hex(crc32(text))} ${String(text.length).padStart(preambleBytes - 10)}\n`;
}

async function decode(
  handle: FileHandle,
  cut: string,
  needsIds: (mark: Mark) => boolean,
): Promise<Snapshot | undefined> {
  const first = await readBytes(handle, 0, firstBytes);
  const length = Number(first.toString('latin1', 9, preambleBytes));
  if (!(length > 0)) return undefined;
  const end = preambleBytes + length;
  const text = (end <= first.length ? first : await readBytes(handle, 0, end)).subarray(preambleBytes, end);
  if (first.toString('latin1', 0, preambleBytes) !== preamble(text)) return undefined;
  const [writtenAs, headLine, rowsLine, conversationsLine] = linesOf(text);
  if (String(writtenAs) !== JSON.stringify(layout(cut))) return undefined;
  // The checksum fits and so does the layout: nobody but `encode` wrote this.
  const head = JSON.parse(String(headLine)) as Head;
  const rows = JSON.parse(String(rowsLine)) as PackedRow[];
  const ids = needsIds(head.mark) ? await readIds(handle, end, head) : undefined;
  if (ids === undefined && needsIds(head.mark)) return undefined;
  const sums = createMonthSums({
    ids,
    rows: rows.map((row): SpendRow => ({ day: row[0], model: row[1], surface: row[2], totals: unpack(row, 3) })),
    conversations: () => {
      const list = JSON.parse(String(conversationsLine)) as PackedConversation[];
      return new Map(list.map((row) => [row[0], unpack(row, 1)]));
    },
  });
  return { mark: head.mark, damaged: head.damaged, sums };
}

function linesOf(text: Buffer): [Buffer, Buffer, Buffer, Buffer] {
  const one = text.indexOf('\n');
  const two = text.indexOf('\n', one + 1);
  const three = text.indexOf('\n', two + 1);
  return [text.subarray(0, one), text.subarray(one + 1, two), text.subarray(two + 1, three), text.subarray(three + 1)];
}

async function readIds(handle: FileHandle, at: number, head: Head): Promise<IdSet | undefined> {
  const table = await readBytes(handle, at, head.table);
  return crc32(table) === head.tableCrc ? restoreIdSet(table, head.ids) : undefined;
}

async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

type Packed = [number, number, number, number, number, number, number, number];
type PackedRow = [day: string, model: string, surface: string, ...Packed];
type PackedConversation = [id: string, ...Packed];

function pack(totals: Totals): Packed {
  const { promptTokens, completionTokens, totalTokens, microUsd, requests, notCharged, possiblyCharged } = totals;
  const estimated = Number(totals.estimated);
  return [promptTokens, completionTokens, totalTokens, microUsd, estimated, requests, notCharged, possiblyCharged];
}

/** Reads by index, because destructuring costs thousands of iterators. `at` is where the numbers begin. */
function unpack(row: PackedRow | PackedConversation, at: 1 | 3): Totals {
  const number = (index: number) => Number(row[at + index]);
  return {
    promptTokens: number(0),
    completionTokens: number(1),
    totalTokens: number(2),
    microUsd: number(3),
    estimated: number(4) === 1,
    requests: number(5),
    notCharged: number(6),
    possiblyCharged: number(7),
  };
}

function layout(cut: string): string {
  return `3 ${endianness()} ${cut}`;
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
