import { inOneLine } from '../../agent/invisible.ts';
import { ToolError } from '../../agent/tool.ts';
import { readableText } from './decode-text.ts';
import { isGitPath, isSecretPath } from './file-class.ts';
import { displayPath, type Files, type Place, readSmallFile, type Search, type Workspace } from './workspace.ts';

const maxFiles = 2000;
/** A folder that is larger is attached as a list: its files can be read when they are needed, and cost nothing until then. */
const maxCharacters = 40_000;

export interface FolderText {
  text: string;
  files: number;
  /** There are more files than are listed. */
  more: boolean;
  /** The files' text is in it, not only their names. */
  whole: boolean;
}

/**
 * A folder as one text: every file when they are few and short, else their names. Files that may hold secrets are
 * only named.
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

/** Undefined when they are too long together; of one that is no text or may hold secrets there is none. */
async function textsOf(
  files: Files,
  workspace: Workspace,
  places: readonly Place[],
): Promise<(string | undefined)[] | undefined> {
  const texts: (string | undefined)[] = [];
  let room = maxCharacters;
  for (const place of places) {
    if (isSecretPath(place.path) || isGitPath(place.path)) {
      texts.push(undefined);
      continue;
    }
    const unsaved = workspace.unsavedText(place);
    const { text, isTooLarge } =
      unsaved === undefined ? await readShort({ workspace, files }, place, room) : { text: unsaved };
    room -= text?.length ?? 0;
    if (isTooLarge || room < 0) return undefined;
    texts.push(text);
  }
  return texts;
}

/** Without a text: it is too large to fit, is none, or cannot be read. */
async function readShort(
  { workspace, files }: { workspace: Workspace; files: Files },
  place: Place,
  maxCharacters: number,
): Promise<{ text?: string; isTooLarge?: boolean }> {
  try {
    const stat = await files.stat(place);
    // A character may take four bytes; what is longer even so cannot fit.
    if (stat?.kind === 'file' && stat.sizeBytes > maxCharacters * 4) return { isTooLarge: true };
    const bytes = await readSmallFile(files, place, maxCharacters * 4);
    const text = bytes && (await readableText(workspace.codec, place, bytes));
    return text === undefined || text.includes('\0') ? {} : { text };
  } catch (error) {
    if (error instanceof ToolError) return {};
    throw error;
  }
}
