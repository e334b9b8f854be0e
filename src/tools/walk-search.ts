import { ToolError } from '../agent/tool.ts';
import { decodeText, detectEncoding } from './decode-text.ts';
import { ignoreRulesUnder } from './ignore-rules.ts';
import { createRegexWorker, type LineHit } from './regex-worker.ts';
import { walk } from './walk.ts';
import type { Files, Place, Search, TextQuery, Workspace } from './workspace.ts';

/** Larger files are data: left out here, and searched up to there by `ripgrep-search.ts`. */
export const maxSearchedFileBytes = 5 * 1024 * 1024;
const headBytes = 8192;

export interface WalkSearchDeps {
  workspace: Workspace;
  files: Files;
  /** Where `regex-thread.ts`, or what it was built into, lies. */
  regexThread: string | URL;
}

/** `Search` without ripgrep: for folders that are not on this disk, and where no ripgrep is found. */
export function createWalkSearch({ workspace, files, regexThread }: WalkSearchDeps): Search {
  const filesUnder = async function* (under: Place, signal: AbortSignal): AsyncGenerator<Place, void> {
    if ((await files.stat(under))?.kind === 'file') {
      yield under;
      return;
    }
    yield* walk(files, await ignoreRulesUnder(files, under, workspace.excludes(under.root)), under, signal);
  };
  return {
    async files(under, onFile, signal) {
      for await (const place of filesUnder(under, signal)) {
        if (signal.aborted || !onFile(place)) return;
      }
    },
    async text(under, query, wants, onMatch, signal) {
      const matcher = createMatcher(query, regexThread);
      try {
        for await (const place of filesUnder(under, signal)) {
          if (signal.aborted) return;
          if (!wants(place)) continue;
          const text = await textOf(files, place);
          if (text === undefined || !matcher.mayMatch(text)) continue;
          const lines = text.split(/\r?\n/);
          for (const { line, column } of await matcher.match(lines)) {
            if (!onMatch({ place, line: line + 1, column, text: lines[line] ?? '' })) return;
          }
        }
      } finally {
        await matcher.close();
      }
    },
  };
}

interface Matcher {
  /** Cheap and never wrong about a no: most files end here, whole. */
  mayMatch(text: string): boolean;
  match(lines: readonly string[]): Promise<readonly LineHit[]> | readonly LineHit[];
  close(): Promise<void> | void;
}

/** Plain text cannot be slow and is looked for here; a pattern goes to a thread (X33). */
function createMatcher({ pattern, regex, caseSensitive }: TextQuery, regexThread: string | URL): Matcher {
  const flags = caseSensitive ? '' : 'i';
  if (regex) return { mayMatch: (text) => text !== '', ...createRegexWorker(regexThread, pattern, flags) };
  const literal = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `${flags}u`);
  return {
    mayMatch: (text) => literal.test(text),
    match: (lines) =>
      lines.flatMap((text, line) => {
        const column = text.search(literal);
        return column < 0 ? [] : [{ line, column }];
      }),
    close: () => undefined,
  };
}

/** `undefined` for what is not searched: binary, too large, gone or not readable. */
async function textOf(files: Files, place: Place): Promise<string | undefined> {
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of files.read(place)) {
      size += chunk.length;
      const isBinary = size === chunk.length && 'binary' in detectEncoding(chunk.subarray(0, headBytes));
      if (isBinary || size > maxSearchedFileBytes) return undefined;
      chunks.push(chunk);
    }
    const text = decodeText(Buffer.concat(chunks));
    return text?.includes('\0') ? undefined : text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
