import type { Part, ToolPart } from '../../../src/shared/chat/chat-state.ts';
import type { ToolFace } from '../../../src/shared/tool-face.ts';

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

type FaceOf = (tool: string) => Pick<ToolFace, 'gathers'>;

/** The runs of at least three, in order. A call that failed or was asked about stays a line of its own. */
export function findReadRuns(parts: readonly Part[], faceOf: FaceOf): ReadRun[] {
  const runs: ReadRun[] = [];
  let start = 0;
  while (start < parts.length) {
    let end = start;
    while (isQuietRead(parts[end], faceOf)) end++;
    if (end - start >= shortestRun) runs.push(describeRun(parts.slice(start, end), start, faceOf));
    start = end + 1;
  }
  return runs;
}

function isQuietRead(part: Part | undefined, faceOf: FaceOf): boolean {
  if (part?.type !== 'tool' || part.state !== 'done' || part.approval || part.question) return false;
  return faceOf(part.name).gathers !== 'nothing';
}

function describeRun(run: readonly Part[], start: number, faceOf: FaceOf): ReadRun {
  const tools = run.filter((part): part is ToolPart => part.type === 'tool');
  const read = tools.filter(({ name }) => faceOf(name).gathers === 'files');
  return {
    start,
    count: run.length,
    files: new Set(read.map((part) => pathOf(part))).size,
    searches: tools.length - read.length,
  };
}

/** Identifies the file, so that one that is read twice counts once. */
function pathOf(part: ToolPart): string {
  return /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(part.arguments)?.[1] ?? part.title;
}
