import type { InstructionFile } from '../agent/instructions.ts';
import { ToolError } from '../agent/tool.ts';
import { resolveText } from './files/path-guard.ts';
import { readText } from './files/read-text.ts';
import {
  childPlace,
  displayPath,
  type Files,
  type Place,
  type Workspace,
  type WorkspaceRoot,
} from './files/workspace.ts';

/** Places of rules by the customs of assistants; a folder stands for the text files in it. */
const sources = [
  'AGENTS.md',
  '.github/copilot-instructions.md',
  '.clinerules',
  '.roo/rules',
  '.kilocode/rules',
  '.continue/rules',
  'CLAUDE.md',
] as const;
const promptFolder = '.github/prompts';
/** Longer ones are no instructions. */
const maxBytes = 256 * 1024;
const maxFilesInFolder = 30;

export interface FoundFile {
  place: Place;
  /** As the model writes it. */
  path: string;
  text: string;
}

export interface InstructionDeps {
  workspace: Workspace;
  files: Files;
  /** Every `AGENTS.md` below the roots, those of dependencies left out. */
  nested(root: WorkspaceRoot): Promise<readonly Place[]>;
}

/** All instruction files, general before particular. None in Restricted Mode. Unreadable ones are left out. */
export async function findInstructions(deps: InstructionDeps): Promise<readonly (FoundFile & InstructionFile)[]> {
  const { workspace } = deps;
  if (!workspace.isTrusted()) return [];
  const found: (FoundFile & InstructionFile)[] = [];
  const isOne = workspace.roots().length === 1;
  for (const root of workspace.roots()) {
    for (const source of sources) {
      for (const file of await readSource(deps, { root, path: source })) {
        found.push({ ...file, folder: '', ...(isOne ? {} : { root: root.name }) });
      }
    }
    for (const place of await deps.nested(root)) {
      if (!place.path.includes('/')) continue;
      const file = await readOne(deps, place);
      const parent = { root, path: place.path.slice(0, place.path.lastIndexOf('/')) };
      if (file !== undefined) found.push({ ...file, folder: displayPath(workspace, parent) });
    }
  }
  return found;
}

/** `.github/prompts/*.prompt.md` of all roots. None in Restricted Mode. */
export async function findPrompts(deps: Omit<InstructionDeps, 'nested'>): Promise<readonly FoundFile[]> {
  if (!deps.workspace.isTrusted()) return [];
  const found: FoundFile[] = [];
  for (const root of deps.workspace.roots()) {
    found.push(...(await readFolder(deps, { root, path: promptFolder }, /\.prompt\.md$/i)));
  }
  return found;
}

type ReadDeps = Pick<InstructionDeps, 'workspace' | 'files'>;

async function readSource(deps: ReadDeps, place: Place): Promise<FoundFile[]> {
  const kind = await kindOf(deps, place);
  if (kind === 'directory') return readFolder(deps, place, /\.(md|txt)$/i);
  const file = kind === 'file' ? await readOne(deps, place) : undefined;
  return file === undefined ? [] : [file];
}

async function readFolder(deps: ReadDeps, place: Place, names: RegExp): Promise<FoundFile[]> {
  if ((await kindOf(deps, place)) !== 'directory') return [];
  const entries = await orNothing(() => deps.files.list(place));
  const wanted = (entries ?? [])
    .map(({ name }) => name)
    .filter((name) => names.test(name))
    .sort()
    .slice(0, maxFilesInFolder);
  const read = await Promise.all(wanted.map((name) => readOne(deps, childPlace(place, name))));
  return read.filter((file) => file !== undefined);
}

async function kindOf({ files }: ReadDeps, place: Place): Promise<string | undefined> {
  return (await orNothing(() => files.stat(place)))?.kind;
}

/** Through the same guard as every read: a link may not lead out of the workspace or to secrets. */
async function readOne({ workspace, files }: ReadDeps, named: Place): Promise<FoundFile | undefined> {
  return orNothing(async () => {
    const path = displayPath(workspace, named);
    const { place, checked } = await resolveText(workspace, path);
    const { text } = await readText({ workspace, files }, place, { most: maxBytes, checked });
    return text === undefined ? undefined : { place, path, text };
  });
}

async function orNothing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
