import { isHeader } from './parse-diff.ts';
import { type PatchChunk, readChunks, sidesOfChunk } from './patch-chunks.ts';

export interface Block {
  search: string;
  replace: string;
}

export type PatchedFile =
  | { kind: 'add'; path: string; content: string }
  | { kind: 'delete'; path: string }
  | { kind: 'update'; path: string; movedTo?: string; blocks: readonly Block[] };

/** `problem` is a sentence for the model; nothing of the patch is applied then. */
export type Patch = { ok: true; files: readonly PatchedFile[] } | { ok: false; problem: string };

export function readPatch(text: string): Patch {
  const start = text.indexOf('*** Begin Patch');
  const isUnified = /^--- \S.*\r?\n\+\+\+ \S/m.test(text) && !/^(?:---|\+\+\+) \/dev\/null/m.test(text);
  if (start < 0 && isUnified) return readPatch(fromUnified(linesOf(text.trimEnd())));
  if (start < 0) return { ok: false, problem: 'Not run: a patch begins with `*** Begin Patch`.' };
  if (!/^[ \t]*\*\*\* End Patch\s*$/m.test(text)) {
    return {
      ok: false,
      problem: 'Not run: the patch has no `*** End Patch`, so it may not be whole. Send all of it again.',
    };
  }
  const lines = linesOf(text.slice(start, text.lastIndexOf('*** End Patch'))).slice(1);
  const files: PatchedFile[] = [];
  const starts = lines.flatMap((line, at) => (/^\s*\*\*\* (?:Add|Delete|Update) File: /.test(line) ? [at] : []));
  for (const [index, at] of starts.entries()) {
    const [, action = '', path = ''] = /^\s*\*\*\* (Add|Delete|Update) File: (.*)$/.exec(lines[at] ?? '') ?? [];
    const body = lines.slice(at + 1, starts[index + 1] ?? lines.length);
    if (body.at(-1) === '') body.pop();
    const file = readFile(action, path.trim(), body);
    if (typeof file === 'string') return { ok: false, problem: `Not run: ${file}` };
    files.push(file);
  }
  return files.length === 0 ? { ok: false, problem: 'Not run: the patch names no file.' } : { ok: true, files };
}

function fromUnified(lines: readonly string[]): string {
  const rows = lines.flatMap((line, at) => {
    if (!isHeader(lines, at)) return [line];
    const path = /^\+\+\+ ([^\t]+)/.exec(line)?.[1] ?? '';
    const bare = lines[at - 1]?.startsWith('--- a/') ? path.replace(/^b\//, '') : path;
    return bare === '' ? [] : [`*** Update File: ${bare}`];
  });
  return ['*** Begin Patch', ...rows, '*** End Patch'].join('\n');
}

const chunkHead = '*** Chunks of a patch, which are placed in the file in their order';

function asBlock(lines: readonly string[], [only, ...others]: readonly PatchChunk[]): Block {
  const mayEndFile = only?.line === undefined && only?.rows.at(-1)?.startsWith('+');
  const isPlain = others.length === 0 && only?.anchors.length === 0 && !only.isAtEnd && !mayEndFile;
  const [search = [], replace = []] = sidesOfChunk(only?.rows ?? []);
  if (isPlain && search.some((line) => line.trim() !== ''))
    return { search: search.join('\n'), replace: replace.join('\n') };
  return { search: [chunkHead, ...lines].join('\n'), replace: '' };
}

/** Returns the chunks that a block stands for, if it is one of a patch. */
export function chunksOf({ search }: Block): readonly PatchChunk[] | undefined {
  const [head, ...lines] = search.split('\n');
  const chunks = head === chunkHead ? readChunks('the file', lines) : undefined;
  return typeof chunks === 'string' ? undefined : chunks;
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}

function readFile(action: string, path: string, body: readonly string[]): PatchedFile | string {
  if (action === 'Delete') return { kind: 'delete', path };
  if (action === 'Add') {
    if (!body.every((line) => line.startsWith('+'))) return `each line of the new file ${path} begins with "+".`;
    return { kind: 'add', path, content: body.map((line) => `${line.slice(1)}\n`).join('') };
  }
  const [, movedTo] = /^\*\*\* Move to: (.*)$/.exec(body[0] ?? '') ?? [];
  const rest = movedTo === undefined ? body : body.slice(1);
  const moved = movedTo !== undefined && { movedTo: movedTo.trim() };
  if (rest.length === 0 && moved) return { kind: 'update', path, ...moved, blocks: [] };
  const chunks = readChunks(path, rest);
  return typeof chunks === 'string' ? chunks : { kind: 'update', path, ...moved, blocks: [asBlock(rest, chunks)] };
}

/** Returns undefined when there are no hunks, and a sentence for the model when one cannot be read. */
export function readHunks(diff: string): Block[] | string | undefined {
  const lines = linesOf(diff.replace(/\n$/, ''));
  const first = lines.findIndex((line) => /^@@ -\d/.test(line));
  if (first < 0) return undefined;
  const hunks = lines.slice(first);
  const chunks = readChunks('the file', hunks);
  return typeof chunks === 'string' ? `Not run: ${chunks}` : [asBlock(hunks, chunks)];
}

const begins = /^\s*(?:[<-]{5,9}\s*(?:SEARCH|ORIGINAL)\b.*|<{5,9}\s*)$/;
const divides = /^\s*={5,9}\s*$/;
const ends = /^\s*(?:[>+]{5,9}\s*(?:REPLACE|UPDATED)\b.*|>{5,9}\s*)$/;
const disorder = 'Not run: the SEARCH and REPLACE markers are out of order. Use edits: [{search, replace}].';

/**
 * Returns undefined when there are no SEARCH and REPLACE markers, and a sentence for the model when they are out of
 * order.
 */
export function readSearchBlocks(text: string): Block[] | string | undefined {
  const lines = linesOf(text);
  if (!lines.some((line) => begins.test(line))) return undefined;
  const blocks: Block[] = [];
  let state: 'outside' | 'search' | 'replace' = 'outside';
  let [search, replace]: [string[], string[]] = [[], []];
  for (const line of lines) {
    if (begins.test(line)) {
      if (state !== 'outside') return disorder;
      [state, search, replace] = ['search', [], []];
    } else if (divides.test(line) && state !== 'outside') {
      if (state === 'replace') return disorder;
      state = 'replace';
    } else if (ends.test(line)) {
      if (state !== 'replace') return disorder;
      state = 'outside';
      blocks.push({ search: withoutStartLine(search).join('\n'), replace: replace.join('\n') });
    } else if (state !== 'outside') (state === 'search' ? search : replace).push(line);
  }
  return state === 'outside' ? blocks : disorder;
}

function withoutStartLine(lines: readonly string[]): readonly string[] {
  if (!/^:(?:start|end)_line:/.test(lines[0] ?? '')) return lines;
  const end = lines.findIndex((line) => /^-{5,9}$/.test(line));
  return end >= 0 && end <= 3 ? lines.slice(end + 1) : lines.slice(1);
}
