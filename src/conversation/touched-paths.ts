import type { HistoryMessage } from '../shared/messages.ts';
import { summaryHeading } from './turn-chains.ts';

const heading = 'Files read or changed:';
const maxListed = 50;

/**
 * Paths that the tool calls of a conversation name, oldest first: they decide which nested rules apply (F21). Those of what
 * was compacted stand in its summary, which begins with `summaryHeading`.
 */
export function touchedPaths(history: readonly HistoryMessage[]): string[] {
  const paths = new Set<string>();
  for (const message of history) {
    if (message.role === 'user' && message.text.startsWith(summaryHeading)) {
      for (const path of listedPaths(message.text)) paths.add(path);
    }
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls) {
      const path = /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(call.arguments)?.[1]?.replace(/^(?:\.\/)+/, '');
      if (path !== undefined && path !== '') paths.add(path);
    }
  }
  return [...paths];
}

/** A part of a summary that `touchedPaths` reads again; empty without any. The newest stay when there are many. */
export function listPaths(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return [heading, ...paths.slice(-maxListed).map((path) => `- ${path}`)].join('\n');
}

/** The last list: what the model wrote above may look like one. */
function listedPaths(summary: string): string[] {
  const lines = summary.split('\n');
  const start = lines.lastIndexOf(heading);
  if (start < 0) return [];
  const list = lines.slice(start + 1);
  const end = list.findIndex((line) => !line.startsWith('- '));
  return list.slice(0, end < 0 ? undefined : end).map((line) => line.slice(2));
}
