import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { maxResultBytes } from '../agent/run-tool.ts';
import { ToolError, type ToolOutput, toolRecord } from '../agent/tool.ts';
import { encodingName, unicodeEncoding } from '../files/decode-text.ts';
import { meantPath, nearPathsHint } from '../files/near-paths.ts';
import { type LinesRead, readLines } from '../files/read-lines.ts';
import { type ReadPlace, resolveReadPlace } from '../files/read-place.ts';
import { partWithHits } from '../files/search/last-hits.ts';
import type { Files, Search, Workspace } from '../files/workspace.ts';
import type { Outputs } from './command/outputs.ts';
import { readDialect } from './dialect/reads.ts';
import { listing } from './list-directory.ts';

/** Without an end this many lines are returned: most files whole, and no surprise on the bill for the others. */
const defaultLines = 400;
const headerBytes = 1024;
const lineOverheadBytes = 9;

interface ReadDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  outputs?: Outputs;
}

/**
 * Lines of `read_file` carry their number: it costs an eighth more tokens, and without it models count, badly, and
 * cite wrong lines. A document with unsaved changes is read as the user sees it.
 */
export const readFile = toolRecord({
  name: 'read_file',
  description: `Reads a text file, with line numbers. Without endLine at most ${defaultLines} lines.`,
  parameters: z.object({
    path: z.string(),
    startLine: z.optional(z.int().check(z.minimum(1))),
    endLine: z.optional(z.int().check(z.minimum(1))),
  }),
  dialect: readDialect,
  kind: 'read',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Read file'),
    icon: 'file',
    subject: ['path'],
    gathers: 'files',
    opens: true,
  }),
  title({ path, startLine, endLine }) {
    if (endLine !== undefined) return l10n.t('Read {0} {1}–{2}', path, startLine ?? 1, endLine);
    return startLine === undefined ? l10n.t('Read {0}', path) : l10n.t('Read {0} from {1}', path, startLine);
  },
  plan:
    (deps: ReadDeps) =>
    async ({ path: typed, startLine: from, endLine: to }, { signal, turnId }) => {
      const startLine = from ?? 1;
      const endLine = to ?? startLine + defaultLines - 1;
      if (endLine < startLine) throw new ToolError('endLine must not be smaller than startLine.');
      const output = deps.outputs?.find(turnId, typed);
      const path = output === undefined ? await meantPath(deps, typed, signal) : typed;
      const target = output ?? (await resolveReadPlace(deps, path, 'file'));
      const hits = partWithHits(deps.workspace, turnId, target.place, defaultLines);
      const part = from === undefined && to === undefined ? hits : undefined;
      return {
        approval: target.approval,
        meant: path,
        run: () => readPart({ ...deps, signal, part }, target, startLine, endLine),
      };
    },
});

async function readPart(
  deps: ReadDeps & { signal: AbortSignal; part: ReturnType<typeof partWithHits> },
  target: ReadPlace,
  startLine: number,
  endLine: number,
): Promise<ToolOutput> {
  const { place, shown } = target;
  await target.confirm();
  // Other agents' tools for files show folders as well. One that is asked about was asked about as a file.
  if (target.approval === undefined && (await deps.files.stat(place))?.kind === 'directory')
    return { forModel: await listing(deps.workspace, deps.files, place, shown) };
  const { chunks, sizeBytes, unsaved } = await open(deps, target);
  const maxBytes = maxResultBytes - headerBytes;
  const { codec } = deps.workspace;
  const said = await codec.encodingOf(place);
  // What is open comes as UTF-8 here, whatever it is on disk.
  const source = unsaved ? { encoding: 'utf8', open: true } : said;
  const found = await readLines(
    chunks,
    { first: startLine, last: endLine, maxBytes, lineOverheadBytes },
    codec,
    source,
  );
  const read = unsaved && found.kind === 'text' ? { ...found, encoding: said.encoding } : found;
  if (read.kind === 'binary') {
    throw new ToolError(`${shown} is not text (${read.what}, ${sizeBytes} bytes), so it cannot be read.`);
  }
  // Of a file that would be cut, what was just searched for is wanted more than its beginning.
  const { part } = deps;
  if (part !== undefined && (read.total > endLine || read.totalIsLess)) {
    const { forModel, ...rest } = await readPart({ ...deps, part: undefined }, target, part.first, part.last);
    return { forModel: forModel.replace('\n', ' (the part that the search found)\n'), ...rest };
  }
  if (read.total === 0) return { forModel: `${shown} is empty.` };
  if (startLine > read.total) throw new ToolError(`${shown} has only ${read.total} lines.`);
  const summary = `${header(shown, read, startLine)}${notesOn(read, unsaved)}`;
  const forUser = [linesShown(shown, read, startLine), ...notesShown(read, unsaved)].join('\n');
  return { forModel: `${summary}\n${number(read.lines, startLine)}`, forUser };
}

async function open(
  { workspace, files, search, signal }: ReadDeps & { signal: AbortSignal },
  { place, shown, checked }: ReadPlace,
): Promise<{ chunks: AsyncIterable<Uint8Array>; sizeBytes: number; unsaved: boolean }> {
  const text = workspace.unsavedText(place);
  if (text !== undefined) {
    const bytes = Buffer.from(text.toWellFormed());
    return { chunks: oneChunk(bytes), sizeBytes: bytes.length, unsaved: true };
  }
  const stat = await files.stat(place);
  if (stat === undefined) {
    throw new ToolError(`There is no file ${shown}.${await nearPathsHint({ workspace, search }, place, signal)}`);
  }
  if (stat.kind === 'directory') throw new ToolError(`${shown} is a folder: use list_directory.`);
  // A pipe or a device would never end.
  if (stat.kind !== 'file') throw new ToolError(`${shown} is no regular file.`);
  return { chunks: files.read(place, checked), sizeBytes: stat.sizeBytes, unsaved: false };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type TextRead = Extract<LinesRead, { kind: 'text' }>;

function header(shown: string, read: TextRead, first: number): string {
  const last = first + read.lines.length - 1;
  const total = read.totalIsLess ? `more than ${read.total}` : `${read.total}`;
  if (first === 1 && last === read.total && !read.totalIsLess)
    return `${shown}: ${total} ${read.total === 1 ? 'line' : 'lines'}`;
  const more = last < read.total || read.totalIsLess ? `; read on with startLine ${last + 1}` : '';
  return `${shown}: lines ${first}–${last} of ${total}${more}`;
}

function notesOn(read: TextRead, unsaved: boolean): string {
  const notes = [
    ...(unsaved ? ['unsaved text of the open editor'] : []),
    ...(isPlain(read) ? [] : [encodingName(read.encoding)]),
    ...(read.damaged ? ['has bytes that are no valid text, shown as \ufffd'] : []),
  ];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

function isPlain({ encoding }: TextRead): boolean {
  return unicodeEncoding(encoding) === 'utf8';
}

function linesShown(shown: string, read: TextRead, first: number): string {
  const { total, totalIsLess } = read;
  const last = first + read.lines.length - 1;
  if (totalIsLess) return l10n.t('{0}: lines {1}–{2} of more than {3}', shown, first, last, total);
  if (first > 1 || last < total) return l10n.t('{0}: lines {1}–{2} of {3}', shown, first, last, total);
  return total === 1 ? l10n.t('{0}: 1 line', shown) : l10n.t('{0}: {1} lines', shown, total);
}

function notesShown(read: TextRead, unsaved: boolean): string[] {
  return [
    ...(unsaved ? [l10n.t('This is the unsaved text of the open editor.')] : []),
    ...(isPlain(read) ? [] : [l10n.t('The encoding is {0}.', encodingName(read.encoding))]),
    ...(read.damaged ? [l10n.t("Bytes that aren't valid text are shown as {0}.", '\ufffd')] : []),
  ];
}

function number(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}\t${line}`).join('\n');
}
