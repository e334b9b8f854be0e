import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ToolError } from '../../agent/tool.ts';
import { detectEncoding } from '../decode-text.ts';
import { createIgnoreRules } from '../ignore-rules.ts';
import type {
  Files,
  Place,
  Search,
  SearchScope,
  TextMatch,
  TextQuery,
  UnsearchedFile,
  Workspace,
} from '../workspace.ts';
import { ripgrepEncoding } from './ripgrep-encoding.ts';
import { maxSearchedFileBytes } from './walk-search.ts';

const maxRecordLength = 2 * maxSearchedFileBytes;

export interface RipgrepDeps {
  executable: string;
  workspace: Workspace;
  files: Files;
}

/**
 * Implements `Search` with ripgrep, for roots on the local disk. The arguments are a fixed list without shell or
 * configuration file, and everything from a model is behind `--`. The process ends at the first refusal of a
 * callback. Of a file that is too large the beginning is searched, because leaving it out costs ripgrep a check of
 * every size. All files are read in the one encoding of the settings; where it depends on the file, `walk-search.ts`
 * is used.
 */
export function createRipgrepSearch({ executable, workspace, files }: RipgrepDeps): Search {
  /**
   * For a subfolder ripgrep would read ignore files above the workspace to see those above the subfolder. It reads
   * neither there, and the workspace's own ones filter the results.
   */
  const createFilter = async (under: SearchScope): Promise<(path: string) => boolean | Promise<boolean>> => {
    if (under.withIgnored || under.path === '' || (await files.stat(under))?.kind === 'file') return () => true;
    const rules = createIgnoreRules(files, under.root, workspace.excludes(under.root));
    if (await rules.ignoresDeep(under.path, true)) return () => true;
    return async (path) => !(await rules.ignoresDeep(path, false));
  };
  const common = (under: SearchScope) => [
    ...(under.withIgnored ? ['--no-ignore'] : []),
    ...['--no-config', '--hidden', '--no-require-git', '--no-messages'],
    ...['--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global', '--no-ignore-parent'],
    ...['--glob', '!.git', ...workspace.excludes(under.root).flatMap((pattern) => ['--iglob', excludeGlob(pattern)])],
  ];
  return {
    async files(under, onFile, signal) {
      const passes = await createFilter(under);
      const args = ['--files', '--null', ...common(under), '--', target(under)];
      await runRipgrep({ executable, args, folder: under.root.fsPath, separator: '\0', signal }, (path) => {
        const place = { root: under.root, path: cleanPath(path) };
        const passed = passes(place.path);
        if (typeof passed === 'boolean') return !passed || onFile(place);
        return passed.then((yes) => !yes || onFile(place));
      });
    },
    async text(under, query, { wants, onMatch }, signal) {
      const passes = await createFilter(under);
      const begun = new Map<string, UnsearchedFile>();
      for (const { encoding, reads } of readingsOf(workspace.codec.settledEncoding(under.root), files)) {
        const options = ['--encoding', encoding, ...queryArgs(query), ...common(under)];
        const args = ['--json', ...options, '--', query.pattern, target(under)];
        let current: Place | undefined;
        const stopped = await runRipgrep(
          { executable, args, folder: under.root.fsPath, separator: '\n', signal },
          async (line) => {
            const event = parseEvent(line);
            if (event?.type === 'begin') {
              const place = { root: under.root, path: cleanPath(event.path) };
              current = wants(place) && (await passes(place.path)) && (await reads(place)) ? place : undefined;
            }
            if (event?.type !== 'match' || current === undefined) return true;
            if (event.offset <= maxSearchedFileBytes) return toMatches(current, event).every(onMatch);
            begun.set(current.path, { place: current, because: 'begun' });
            return true;
          },
        );
        if (stopped) break;
      }
      return [...begun.values()];
    },
  };
}

interface Reading {
  encoding: string;
  reads(place: Place): Promise<boolean>;
}

function readingsOf(settled: string | undefined, files: Files): readonly Reading[] {
  const encoding = ripgrepEncoding(settled ?? 'utf8') ?? 'auto';
  if (encoding === 'auto') return [{ encoding, reads: async () => true }];
  return [
    { encoding, reads: async (place) => !(await isMarkedUtf8(files, place)) },
    { encoding: 'auto', reads: (place) => isMarkedUtf8(files, place) },
  ];
}

async function isMarkedUtf8(files: Files, place: Place): Promise<boolean> {
  for await (const chunk of files.read(place)) return detectEncoding(chunk).encoding === 'utf8';
  return false;
}

function queryArgs({ regex, caseSensitive, multiline }: TextQuery): string[] {
  // What its default engine cannot do, as lookaround, a slower one may.
  return [
    '--crlf',
    ...(multiline ? ['--multiline'] : []),
    ...(regex ? ['--engine', 'auto'] : ['--fixed-strings']),
    caseSensitive ? '--case-sensitive' : '--ignore-case',
  ];
}

function excludeGlob(pattern: string): string {
  return pattern.startsWith('**/') || pattern.startsWith('/') ? `!${pattern}` : `!/${pattern}`;
}

function target(under: Place): string {
  return under.path === '' ? '.' : `./${under.path}`;
}

function cleanPath(path: string): string {
  const normal = path.includes('\\') ? path.replaceAll('\\', '/') : path;
  return normal.startsWith('./') ? normal.slice(2) : normal;
}

interface RipgrepRun {
  executable: string;
  args: readonly string[];
  folder: string | undefined;
  separator: string;
  signal: AbortSignal;
}

type OnRecord = (record: string) => boolean | Promise<boolean>;

/**
 * Runs to the end, to the first `false` of `onRecord`, or to the signal, without waiting for the process to exit.
 * Resolves with whether there was such a `false`. Exit code 2 means a query that rg refuses.
 */
export async function runRipgrep(
  { executable, args, folder, separator, signal }: RipgrepRun,
  onRecord: OnRecord,
): Promise<boolean> {
  if (signal.aborted) return true;
  const child = spawn(executable, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const failed = new Promise<never>((_, reject) => child.on('error', reject));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  const kill = () => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  const wantsMore = (record: string) => !signal.aborted && onRecord(record);
  try {
    const stopped = await Promise.race([failed, readRecords(child.stdout, separator, wantsMore)]);
    const code = stopped ? null : await Promise.race([failed, ended]);
    if (code === 2 && !signal.aborted && complaint !== '') {
      throw new ToolError(`The search was refused: ${complaint.trim()}`);
    }
    return stopped;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

async function readRecords(stream: Readable, separator: string, wantsMore: OnRecord): Promise<boolean> {
  let rest = '';
  let isTooLong = false;
  for await (const chunk of stream.setEncoding('utf8')) {
    const text: string = chunk;
    // A record of megabytes is not scanned again with every piece of it.
    if (!text.includes(separator)) {
      isTooLong ||= rest.length > maxRecordLength;
      rest = isTooLong ? '' : rest + text;
      continue;
    }
    // What is left of one that was too long is no record.
    rest = isTooLong ? text.slice(text.indexOf(separator) + separator.length) : rest + text;
    isTooLong = false;
    const records = rest.split(separator);
    rest = records.pop() ?? '';
    for (const record of records) {
      const more = wantsMore(record);
      if (!(typeof more === 'boolean' ? more : await more)) return true;
    }
    // Else a pipe that is full is read to its end before anything else in this process has its turn.
    await setImmediate();
  }
  return false;
}

type RipgrepEvent =
  | { type: 'begin'; path: string }
  | { type: 'match'; line: number; offset: number; text: string; byteColumn: number };

function parseEvent(line: string): RipgrepEvent | undefined {
  if (!line.startsWith('{"type":"begin"') && !line.startsWith('{"type":"match"')) return undefined;
  const { type, data } = JSON.parse(line) as {
    type: string;
    data: {
      path: { text?: string };
      line_number: number;
      absolute_offset: number;
      lines: { text?: string; bytes?: string };
      submatches: { start: number }[];
    };
  };
  if (type === 'begin')
    return data.path.text === undefined ? { type: 'begin', path: '' } : { type, path: data.path.text };
  const text = data.lines.text ?? Buffer.from(data.lines.bytes ?? '', 'base64').toString('utf8');
  return {
    type: 'match',
    line: data.line_number,
    offset: data.absolute_offset,
    text: text.replace(/\r?\n$/, ''),
    byteColumn: data.submatches[0]?.start ?? 0,
  };
}

function toMatches(place: Place, { line, text, byteColumn }: Extract<RipgrepEvent, { type: 'match' }>): TextMatch[] {
  const column = Buffer.from(text).subarray(0, byteColumn).toString('utf8').length;
  return text.split(/\r?\n/).map((text, at) => ({ place, line: line + at, column: at === 0 ? column : 0, text }));
}
