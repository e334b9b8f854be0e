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
  if (start < 0) return { ok: false, problem: 'Not run: a patch begins with `*** Begin Patch`.' };
  if (!/^\*\*\* End Patch\s*$/m.test(text)) {
    return {
      ok: false,
      problem: 'Not run: the patch has no `*** End Patch`, so it may not be whole. Send all of it again.',
    };
  }
  const lines = linesOf(text.slice(start, text.lastIndexOf('*** End Patch'))).slice(1);
  const files: PatchedFile[] = [];
  const starts = lines.flatMap((line, at) => (/^\*\*\* (?:Add|Delete|Update) File: /.test(line) ? [at] : []));
  for (const [index, at] of starts.entries()) {
    const [, action = '', path = ''] = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(lines[at] ?? '') ?? [];
    const body = lines.slice(at + 1, starts[index + 1] ?? lines.length);
    if (body.at(-1) === '') body.pop();
    const file = readFile(action, path.trim(), body);
    if (typeof file === 'string') return { ok: false, problem: `Not run: ${file}` };
    files.push(file);
  }
  return files.length === 0 ? { ok: false, problem: 'Not run: the patch names no file.' } : { ok: true, files };
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
  const blocks = readChunks(path, movedTo === undefined ? body : body.slice(1));
  if (typeof blocks === 'string') return blocks;
  return { kind: 'update', path, ...(movedTo !== undefined && { movedTo: movedTo.trim() }), blocks };
}

function readChunks(path: string, lines: readonly string[]): Block[] | string {
  const blocks: Block[] = [];
  let anchor: string[] = [];
  let [old, next]: [string[], string[]] = [[], []];
  let hasChange = false;
  let problem: string | undefined;
  const close = () => {
    // What only adds stands behind its anchor.
    const around = old.length === 0 ? anchor : [];
    if (hasChange && old.length + around.length === 0)
      problem = `a chunk of ${path} only adds lines and does not say where.`;
    if (hasChange) blocks.push({ search: [...around, ...old].join('\n'), replace: [...around, ...next].join('\n') });
    [old, next, hasChange] = [[], [], false];
  };
  for (const line of lines) {
    if (line.startsWith('@@')) {
      close();
      const [named = ''] = line.slice('@@'.length).split('@@');
      anchor = named.trim() === '' || /^ -\d/.test(named) ? [] : [named.replace(/^ /, '')];
    } else if (line.startsWith('*** End of File') || line.startsWith('\\ ')) continue;
    else if (line.startsWith('-')) [hasChange] = [true, old.push(line.slice(1))];
    else if (line.startsWith('+')) [hasChange] = [true, next.push(line.slice(1))];
    else if (line.startsWith(' ') || line === '') {
      old.push(line.slice(1));
      next.push(line.slice(1));
    } else return `a line of the chunk for ${path} begins with none of " ", "-", "+": ${line.slice(0, 60)}`;
  }
  close();
  return problem ?? blocks;
}

/** Returns undefined when there are no hunks, and a sentence for the model when one cannot be read. */
export function readHunks(diff: string): Block[] | string | undefined {
  const lines = linesOf(diff.replace(/\n$/, ''));
  const first = lines.findIndex((line) => /^@@ -\d/.test(line));
  if (first < 0) return undefined;
  const blocks = readChunks('the file', lines.slice(first));
  return typeof blocks === 'string' ? `Not run: ${blocks}` : blocks;
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
