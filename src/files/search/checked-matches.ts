import path from 'node:path';
import { ignoreToolError } from '../../agent/tool.ts';
import type { Codec } from '../codec.ts';
import { readableText } from '../decode-text.ts';
import { realRoot } from '../path-guard.ts';
import type { Files, Place, SearchScope, TextMatch, Workspace } from '../workspace.ts';
import { maxSearchedFileBytes } from './walk-search.ts';

export interface SearchRoot {
  place: SearchScope;
  checked?: string;
}

const maxBytes = 2 * maxSearchedFileBytes;

export async function searchRootOf(root: Place['root']): Promise<SearchRoot> {
  const place = { root, path: '' };
  const { name, fsPath } = root;
  return fsPath === undefined ? { place } : { place, checked: await realRoot({ name, fsPath }) };
}

/**
 * Keeps the matches that are in the very file at that path, reached without any link, and returns the text of each
 * file by its path. A program may replace a folder by a link during the search, and text behind it must not be shown.
 */
export async function checkedMatches(
  { files, workspace }: { files: Files; workspace: Workspace },
  under: SearchRoot,
  found: readonly TextMatch[],
): Promise<{ matches: TextMatch[]; texts: ReadonlyMap<string, string> }> {
  const texts = new Map<string, string>();
  const matches: TextMatch[] = [];
  for (const [name, inFile] of Map.groupBy(found, ({ place }) => place.path)) {
    const [{ place } = { place: under.place }] = inFile;
    const rest = path.relative(under.place.path, name);
    const checked = under.checked && path.join(under.checked, rest);
    // None where it is gone, or another file than the one that was searched.
    const text =
      workspace.unsavedText(place) ?? (await textOf(files, workspace.codec, place, checked).catch(ignoreToolError));
    if (text === undefined) continue;
    texts.set(name, text);
    const known = comparable(text);
    matches.push(...inFile.filter((match) => known.includes(comparable(match.text))));
  }
  return { matches, texts };
}

function comparable(text: string): string {
  return text.replace(/[\x80-\x9f\ufffd]/g, '');
}

async function textOf(files: Files, codec: Codec, place: Place, checked?: string): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of files.read(place, checked)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return readableText(codec, place, Buffer.concat(chunks));
}
