import type { HistoryMessage } from '../shared/messages.ts';
import { summaryHeading } from './turns/turn-chains.ts';

const heading = 'Files read or changed:';
const maxListed = 50;

/**
 * Returns the paths of tool calls and attachments, oldest first: they decide which nested rules apply. Paths of
 * compacted messages are in the summary, which begins with `summaryHeading`.
 */
export function touchedPaths(history: readonly HistoryMessage[]): string[] {
  const paths = new Set<string>();
  for (const message of history) {
    if (message.role === 'user') {
      const isSummary = message.text.startsWith(summaryHeading);
      for (const path of isSummary ? listedPaths(message.text) : attachedPaths(message.text)) paths.add(path);
    }
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls) {
      for (const [, named = ''] of call.arguments.matchAll(pathArgument)) {
        const path = named.replace(/^(?:\.\/)+/, '');
        if (path !== '') paths.add(path);
      }
    }
  }
  return [...paths];
}

const pathArgument = /"(?:path|newPath)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

function attachedPaths(text: string): string[] {
  return [...text.matchAll(/^Attached: (.+)\n```/gm)].flatMap(([, label = '']) => {
    const path = label
      .split(' · ')
      .at(-1)
      ?.replace(/:\d+(?:[-–]\d+)?$/, '');
    return path === undefined || !path.includes('/') ? [] : [path];
  });
}

export function listPaths(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return [heading, ...paths.slice(-maxListed).map((path) => `- ${path}`)].join('\n');
}

/** Only the last list counts, because the model's own text may contain something similar. */
function listedPaths(summary: string): string[] {
  const lines = summary.split('\n');
  const start = lines.lastIndexOf(heading);
  if (start < 0) return [];
  const list = lines.slice(start + 1);
  const end = list.findIndex((line) => !line.startsWith('- '));
  return list.slice(0, end < 0 ? undefined : end).map((line) => line.slice(2));
}
