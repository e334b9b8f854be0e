import { inOneLine } from '../agent/invisible.ts';
import { isGitPath, isSecretPath } from './file-class.ts';
import { pathOnDisk, realPlaceOf } from './path-guard.ts';
import { readText } from './read-text.ts';
import { displayPath, type Files, type Place, type Search, type Workspace } from './workspace.ts';

const maxFiles = 2000;
/** A larger folder is attached as a list: its files can be read when they are needed, and cost nothing until then. */
const maxCharacters = 40_000;

export interface FolderText {
  text: string;
  files: number;
  more: boolean;
  whole: boolean;
}

/**
 * Returns every file of a folder when they are few and short, and otherwise their names. Files that may hold secrets
 * are only named.
 */
export async function folderText(
  deps: { workspace: Workspace; files: Files; search: Search },
  folder: Place,
  signal: AbortSignal,
): Promise<FolderText> {
  const { workspace, files, search } = deps;
  const found: Place[] = [];
  let more = false;
  const onFile = (place: Place) => {
    more = found.length >= maxFiles;
    if (!more) found.push(place);
    return !more;
  };
  await search.files(folder, onFile, signal);
  found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const names = found.map((place) => inOneLine(displayPath(workspace, place)));
  const listing = [...names, ...(more ? [`[more than ${maxFiles} files]`] : [])].join('\n');
  const texts = more ? undefined : await textsOf(files, workspace, found);
  const counted = { files: found.length, more };
  if (texts === undefined) return { text: listing, whole: false, ...counted };
  const blocks = texts.map((text, index) => `==> ${names[index]} <==\n${text ?? '[not shown]'}`);
  return { text: blocks.join('\n\n'), whole: true, ...counted };
}

async function textsOf(
  files: Files,
  workspace: Workspace,
  places: readonly Place[],
): Promise<(string | undefined)[] | undefined> {
  const texts: (string | undefined)[] = [];
  let room = maxCharacters;
  for (const place of places) {
    const real = await realPlaceOf(place);
    if (real === undefined || [place.path, real.path].some((one) => isSecretPath(one) || isGitPath(one))) {
      texts.push(undefined);
      continue;
    }
    // A character may take four bytes; what is longer even so cannot fit.
    const read = await readText({ workspace, files }, place, { max: room * 4, checked: await pathOnDisk(real) });
    room -= read.text?.length ?? 0;
    if (room < 0 || (read.text === undefined && read.not === 'small')) return undefined;
    texts.push(read.text);
  }
  return texts;
}
