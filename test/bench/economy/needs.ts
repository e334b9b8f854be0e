import type { HistoryMessage, ToolCall } from '../../../src/shared/messages.ts';
import { type Session, textOf } from './session.ts';

/** Something that a step of the recording uses and that an earlier message had told. */
export interface Need {
  kind: 'names' | 'edits';
  /** The name, or the lines that an edit searches for, each with the last message that told it and all that hold it. */
  parts: { text: string; source: number; holders: readonly number[] }[];
}

/** By the index of the answer that has them. */
export type Needs = ReadonlyMap<number, readonly Need[]>;

/**
 * What the calls of each answer use of what was told before: names (identifiers that are no plain words, and paths) in paths,
 * patterns, commands and the text that an edit searches for; and of an edit each line of that text.
 */
export function needsOf({ messages }: Session): Needs {
  const needs = new Map<number, Need[]>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    const before = messages.slice(0, index);
    const found = [...namesNeeded(message.toolCalls, before), ...editsNeeded(message.toolCalls, before)];
    if (found.length > 0) needs.set(index, found);
  }
  return needs;
}

function namesNeeded(calls: readonly ToolCall[], before: readonly HistoryMessage[]): Need[] {
  const names = new Set(calls.flatMap(usedTexts).flatMap(namesIn));
  return [...names].flatMap((text): Need[] => {
    const source = before.findLastIndex((message) => message.role === 'tool' && textOf(message).includes(text));
    return source < 0 ? [] : [{ kind: 'names', parts: [{ text, source, holders: holdersOf(text, before) }] }];
  });
}

function editsNeeded(calls: readonly ToolCall[], before: readonly HistoryMessage[]): Need[] {
  const reportedMs = before.map((message) => message.role === 'tool' || hasEdit(message));
  return calls.flatMap((call): Need[] => {
    const lines = searchesOf(call).flatMap((text) => text.split('\n').map((line) => line.trim()));
    const parts = [...new Set(lines)].flatMap((text) => {
      if (text === '') return [];
      const source = before.findLastIndex((message, index) => reportedMs[index] && textOf(message).includes(text));
      return source < 0 ? [] : [{ text, source, holders: holdersOf(text, before) }];
    });
    return parts.length === 0 ? [] : [{ kind: 'edits', parts }];
  });
}

function holdersOf(text: string, before: readonly HistoryMessage[]): number[] {
  return before.flatMap((message, index) => (textOf(message).includes(text) ? [index] : []));
}

function hasEdit(message: HistoryMessage): boolean {
  return message.role === 'assistant' && message.toolCalls.some(({ name }) => writing.has(name));
}

const writing = new Set(['edit_file', 'create_file']);

/** Strings of a call that must be right: not the text that is written. */
function usedTexts(call: ToolCall): string[] {
  const { content: _content, edits: _edits, ...rest } = parsed(call.arguments);
  const texts = Object.values(rest).filter((value) => typeof value === 'string');
  return [...texts.map((text) => text.replace(hereText, '')), ...searchesOf(call)];
}

/** A file that is written by a command: in a shell, and in PowerShell. */
const hereText = /<<-?\s*['"]?(\w+)['"]?.*\n[\s\S]*?\n\s*\1\b|@(['"])\n[\s\S]*?\n\2@/g;

function searchesOf(call: ToolCall): string[] {
  const { edits } = parsed(call.arguments);
  if (!Array.isArray(edits)) return [];
  return edits.flatMap(({ search, oldText }: { search?: unknown; oldText?: unknown }) => {
    const text = search ?? oldText;
    return typeof text === 'string' ? [text] : [];
  });
}

function parsed(args: string): Record<string, unknown> {
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}

const name = /[\w$./-]*\/[\w$./-]+|[A-Za-z_$][\w$]*/g;

/** Paths, and identifiers with a capital inside, a digit or an underscore: whoever uses those has read them. */
function namesIn(text: string): string[] {
  return [...text.matchAll(name)]
    .map(([found]) => found)
    .filter((found) => {
      return found.length > 4 && (/\/\w/.test(found) || /[a-z][A-Z]|_\w|\d/.test(found));
    });
}
