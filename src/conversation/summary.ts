import { isObject } from '../base/parse-json.ts';
import type { DurableEvent } from '../shared/events.ts';
import { liveEvents } from './store/durable-events.ts';

export interface ConversationSummary {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  workspace?: string;
  model: string;
  messages: number;
  totalTokens: number;
  microUsd: number;
  pinned: boolean;
  forkedFrom?: string;
  worktreeFiles?: number;
  worktreeFolder?: string;
}

export interface IndexRow {
  size: number;
  mtimeMs: number;
  summary: ConversationSummary;
}

const version = 2;
const texts = ['id', 'title', 'model'] as const;
const counts = ['createdAt', 'updatedAt', 'messages', 'totalTokens', 'microUsd'] as const;
const optionalTexts = ['workspace', 'forkedFrom', 'worktreeFolder'] as const;

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

/** The check is written by hand, because a schema takes several times as long over thousands of rows. */
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

export function formatIndex(rows: readonly IndexRow[]): string {
  return JSON.stringify({ version, rows } satisfies { version: number; rows: readonly IndexRow[] });
}

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
