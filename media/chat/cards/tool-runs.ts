import type { Part, ToolPart } from '../../../src/shared/chat/chat-state.ts';

/** Consecutive finished calls that only looked at things: drawn as one line until somebody wants to see them. */
export interface ReadRun {
  /** Index of the first call among the parts of its answer, and how many follow each other. */
  start: number;
  count: number;
  /** Distinct files that were read, and searches made. */
  files: number;
  searches: number;
}

const shortestRun = 3;
const reads = new Set(['read_file']);
const searches = new Set([
  'list_directory',
  'find_files',
  'search_text',
  'get_symbols',
  'find_references',
  'go_to_definition',
]);

/** The runs of at least three, in order. A call that failed or was asked about stays a line of its own. */
export function findReadRuns(parts: readonly Part[]): ReadRun[] {
  const runs: ReadRun[] = [];
  let start = 0;
  while (start < parts.length) {
    let end = start;
    while (isQuietRead(parts[end])) end++;
    if (end - start >= shortestRun) runs.push(describeRun(parts, start, end));
    start = end + 1;
  }
  return runs;
}

function isQuietRead(part: Part | undefined): boolean {
  if (part?.type !== 'tool' || part.state !== 'done' || part.approval || part.question) return false;
  return reads.has(part.name) || searches.has(part.name);
}

function describeRun(parts: readonly Part[], start: number, end: number): ReadRun {
  const tools = parts.slice(start, end).filter((part): part is ToolPart => part.type === 'tool');
  const read = tools.filter(({ name }) => reads.has(name));
  return {
    start,
    count: end - start,
    files: new Set(read.map((part) => pathOf(part))).size,
    searches: tools.length - read.length,
  };
}

/** The same file read twice is one file. */
function pathOf(part: ToolPart): string {
  return /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(part.arguments)?.[1] ?? part.title;
}
