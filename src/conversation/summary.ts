import type { DurableEvent } from '../shared/events.ts';
import { liveEvents } from './store/durable-events.ts';

/** One row of the list of conversations. */
export interface ConversationSummary {
  id: string;
  title: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Where it was begun (an attribute, never a key). */
  workspace?: string;
  model: string;
  messages: number;
  totalTokens: number;
  microUsd: number;
  pinned: boolean;
  /** The conversation it was copied from. */
  forkedFrom?: string;
  /** Files changed in its worktree and not brought back; absent without one. */
  worktreeFiles?: number;
  /** Its worktree; absent without one. */
  worktreeFolder?: string;
}

/** A row of the list's cache: file size and time say whether it still holds. */
export interface IndexRow {
  size: number;
  mtimeMs: number;
  summary: ConversationSummary;
}

const version = 2;
const texts = ['id', 'title', 'model'] as const;
const counts = ['createdAt', 'updatedAt', 'messages', 'totalTokens', 'microUsd'] as const;
const optionalTexts = ['workspace', 'forkedFrom', 'worktreeFolder'] as const;

/** An index that is not one is an empty one; a row that is none is left out. */
export function parseIndex(text: string): Map<string, IndexRow> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value.version !== version || !Array.isArray(value.rows)) return new Map();
    return new Map(value.rows.filter(isRow).map((row) => [row.summary.id, row]));
  } catch {
    // Half an index, or none: it is made anew from the files.
    return new Map();
  }
}

/** By hand: a schema takes several times as long over thousands of rows. */
function isRow(row: unknown): row is IndexRow {
  if (!isObject(row) || typeof row.size !== 'number' || typeof row.mtimeMs !== 'number') return false;
  const { summary } = row;
  return (
    isObject(summary) &&
    typeof summary.pinned === 'boolean' &&
    texts.every((name) => typeof summary[name] === 'string') &&
    counts.every((name) => typeof summary[name] === 'number') &&
    optionalTexts.every((name) => summary[name] === undefined || typeof summary[name] === 'string') &&
    (summary.worktreeFiles === undefined || typeof summary.worktreeFiles === 'number')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function formatIndex(rows: readonly IndexRow[]): string {
  return JSON.stringify({ version, rows } satisfies { version: number; rows: readonly IndexRow[] });
}

/** `fallbackAt` is used for a conversation whose events carry no time. */
export function summarise(id: string, events: readonly DurableEvent[], fallbackAt: number): ConversationSummary {
  const summary: ConversationSummary = {
    id,
    title: '',
    createdAt: 0,
    updatedAt: 0,
    model: '',
    messages: 0,
    totalTokens: 0,
    microUsd: 0,
    pinned: false,
  };
  let titledByUser = false;
  for (const event of events) {
    if ('at' in event) {
      summary.createdAt ||= event.at;
      summary.updatedAt = Math.max(summary.updatedAt, event.at);
    }
    if (event.type === 'created') summary.workspace = event.workspace;
    else if (event.type === 'titleChanged') {
      if (event.by === 'user' || !titledByUser) summary.title = event.title;
      titledByUser ||= event.by === 'user';
    } else if (event.type === 'pinChanged') summary.pinned = event.pinned;
    else if (event.type === 'worktreeChanged') {
      summary.worktreeFiles = event.worktree?.files;
      summary.worktreeFolder = event.worktree?.folder;
    } else if (event.type === 'modelChanged') summary.model = event.model;
    else if (event.type === 'forked') {
      // What was copied was paid for there.
      summary.forkedFrom = event.from;
      summary.totalTokens = 0;
      summary.microUsd = 0;
    } else if (event.type === 'turnEnded') {
      summary.totalTokens += event.cost.totalTokens;
      summary.microUsd += event.cost.microUsd;
    }
  }
  return {
    ...summary,
    messages: liveEvents(events).filter((event) => event.type === 'userMessage').length,
    createdAt: summary.createdAt || fallbackAt,
    updatedAt: summary.updatedAt || fallbackAt,
  };
}

/** The first line of the first message that has one, at most 80 characters; else what was attached. */
export function titleOf(text: string, attachmentLabels: readonly string[]): string {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ??
    attachmentLabels[0] ??
    '';
  const characters = [...line.toWellFormed()];
  return characters.length <= 80 ? line.toWellFormed() : `${characters.slice(0, 79).join('')}…`;
}
