import { inOneLine } from '../agent/invisible.ts';
import { ToolError } from '../agent/tool.ts';
import { decodeText } from './decode-text.ts';
import { isGitPath, isSecretPath } from './protected-path.ts';
import { displayPath, type Files, type Place, type Search, type Workspace } from './workspace.ts';

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
 * A folder as one text (F7): every file when they are few and short, else their names. Files that may hold secrets are
 * only named (X16).
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
    const text = workspace.unsavedText(place) ?? (await readSmall(files, place, room));
    if (text === 'too large') return undefined;
    room -= text?.length ?? 0;
    if (room < 0) return undefined;
    texts.push(text);
  }
  return texts;
}

async function readSmall(files: Files, place: Place, maxBytes: number): Promise<string | undefined | 'too large'> {
  try {
    const stat = await files.stat(place);
    if (stat?.kind !== 'file') return undefined;
    // A character may take four bytes; what is longer even so cannot fit.
    if (stat.sizeBytes > maxBytes * 4) return 'too large';
    const chunks: Uint8Array[] = [];
    for await (const chunk of files.read(place)) chunks.push(chunk);
    const text = decodeText(Buffer.concat(chunks));
    return text?.includes('\0') ? undefined : text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
