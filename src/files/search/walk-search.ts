import { ignoreToolError, ToolError } from '../../agent/tool.ts';
import { decodeText, detectEncoding, readableText, unicodeEncoding } from '../decode-text.ts';
import { type IgnoreRules, ignoreRulesUnder } from '../ignore-rules.ts';
import {
  childPlace,
  type Files,
  type Place,
  type Search,
  type SearchScope,
  type TextQuery,
  type UnsearchedFile,
  type Workspace,
} from '../workspace.ts';
import { createRegexWorker, type LineHit } from './regex-worker.ts';

/** Larger files count as data: they are left out here, and `ripgrep-search.ts` searches them up to this size. */
export const maxSearchedFileBytes = 5 * 1024 * 1024;
const headBytes = 8192;

export interface WalkSearchDeps {
  workspace: Workspace;
  files: Files;
  regexThread: string | URL;
}

/** Implements `Search` without ripgrep, for folders that are not on this disk and where no ripgrep is found. */
export function createWalkSearch({ workspace, files, regexThread }: WalkSearchDeps): Search {
  const filesUnder = async function* (under: SearchScope, signal: AbortSignal): AsyncGenerator<Place, void> {
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
    async text(under, query, { wants, onMatch }, signal) {
      const matcher = createMatcher(query, regexThread);
      const unsearched: UnsearchedFile[] = [];
      try {
        for await (const place of filesUnder(under, signal)) {
          if (signal.aborted) break;
          if (!wants(place)) continue;
          const { text, because } = await textOf(files, workspace, place);
          if (because !== undefined) unsearched.push({ place, because });
          if (text === undefined || !matcher.mayMatch(text)) continue;
          const lines = text.split(/\r?\n/);
          for (const { line, column } of await matcher.match(lines)) {
            if (!onMatch({ place, line: line + 1, column, text: lines[line] ?? '' })) return unsearched;
          }
        }
      } finally {
        await matcher.close();
      }
      return unsearched;
    },
  };
}

interface Matcher {
  /** Must be cheap and never return false for a file that matches, because most files end here. */
  mayMatch(text: string): boolean;
  match(lines: readonly string[]): Promise<readonly LineHit[]> | readonly LineHit[];
  close(): Promise<void> | void;
}

function createMatcher({ pattern, regex, caseSensitive, multiline }: TextQuery, regexThread: string | URL): Matcher {
  const flags = `${multiline ? 'gm' : ''}${caseSensitive ? '' : 'i'}`;
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

async function textOf(
  files: Files,
  { codec, unsavedText }: Workspace,
  place: Place,
): Promise<{ text?: string; because?: UnsearchedFile['because'] }> {
  const unsaved = unsavedText(place);
  if (unsaved !== undefined) return { text: unsaved };
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of files.read(place)) {
      size += chunk.length;
      const isBinary = size === chunk.length && detectEncoding(chunk.subarray(0, headBytes)).binary !== undefined;
      if (isBinary) return {};
      if (size > maxSearchedFileBytes) return { because: 'large' };
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const isPlain = unicodeEncoding(codec.settledEncoding(place.root) ?? '') === 'utf8';
    const text = isPlain ? decodeText(bytes) : await readableText(codec, place, bytes);
    return text === undefined || text.includes('\0') ? {} : { text };
  } catch (error) {
    if (error instanceof ToolError) return (await files.stat(place)) === undefined ? {} : { because: 'unreadable' };
    throw error;
  }
}

/**
 * Yields every file under a folder that is not ignored, folder by folder in the order of names. Links are not
 * followed, and folders that cannot be read are skipped.
 */
export async function* walk(
  files: Files,
  rules: IgnoreRules,
  folder: Place,
  signal: AbortSignal,
): AsyncGenerator<Place, void> {
  if (signal.aborted) return;
  await rules.enter(folder.path);
  const entries = ((await files.list(folder).catch(ignoreToolError)) ?? []).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const folders: Place[] = [];
  for (const entry of entries) {
    const place = childPlace(folder, entry.name);
    if (entry.kind === 'file' && !rules.ignores(place.path, false)) yield place;
    if (entry.kind === 'directory' && !rules.ignores(place.path, true)) folders.push(place);
  }
  for (const inner of folders) yield* walk(files, rules, inner, signal);
}
