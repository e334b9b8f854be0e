import { posix } from 'node:path';
import { ignoreToolError } from '../agent/tool.ts';
import { isSecretPath } from '../files/file-class.ts';
import { pathOnDisk, realPlaceOf, resolveText } from '../files/path-guard.ts';
import { readText, type TextRead } from '../files/read-text.ts';
import {
  childPlace,
  displayPath,
  type Files,
  type Place,
  type Workspace,
  type WorkspaceRoot,
} from '../files/workspace.ts';
import type { Customization, FoundFile } from './customization.ts';
import { type LocationSetting, locationsOf } from './editor-locations.ts';
import { cleanText } from './header.ts';
import { type Kind, kinds, type Source } from './kinds.ts';

const maxBytes = 256 * 1024;
const max = { files: 200, folders: 2000 };
const maxOfUser = 200;
const deepest = 5;
const atOnce = 32;

export interface UserFolder {
  root: WorkspaceRoot & { fsPath: string };
  shown: string;
}

export interface CustomizationDeps {
  workspace: Workspace;
  files: Files;
  /** Returns every `AGENTS.md` below the root, without those of dependencies. */
  nested(root: WorkspaceRoot): Promise<readonly Place[]>;
  home?: UserFolder | undefined;
  editor?: UserFolder | undefined;
  setting?(name: string): LocationSetting;
}

interface Side {
  root: WorkspaceRoot;
  read(place: Place): Promise<FoundFile | undefined>;
  list(place: Place): Promise<readonly { name: string; isFolder: boolean }[]>;
  kindOf(place: Place): Promise<string | undefined>;
}

/**
 * Returns all files in the order of their kinds, the user's own before those of the workspace. Returns none in
 * Restricted Mode, and none of the user's where no folder is on this disk. A file that cannot be used has no text, and says why.
 */
export async function findCustomizations(deps: CustomizationDeps): Promise<readonly Customization[]> {
  const { workspace, home, editor } = deps;
  if (!workspace.isTrusted()) return [];
  const roots = workspace.roots();
  const isHere = roots.length === 0 || roots.some(({ fsPath }) => fsPath !== undefined);
  const sides: { side: Side; of: (kind: Kind) => readonly Source[] | undefined }[] = [
    ...(isHere && home ? [{ side: userSide(deps, home), of: sourcesFor('home', deps) }] : []),
    ...(isHere && editor ? [{ side: userSide(deps, editor), of: (kind: Kind) => kind.editor }] : []),
    ...roots.map((root) => ({ side: workspaceSide(deps, root), of: sourcesFor('workspace', deps) })),
  ];
  // Somebody waits for it before each turn: all sources at once, in the order of their kinds.
  const sources = sides.flatMap(({ side, of }) =>
    Object.entries(kinds).flatMap(([name, kind]) =>
      (of(kind) ?? []).map(async (source) => ({ name, files: await readSource(side, source) })),
    ),
  );
  const [read, nested] = await Promise.all([Promise.all(sources), nestedFiles(deps, roots)]);
  let users = 0;
  const found = read.flatMap(({ name, files }) =>
    files.flatMap((file) => (file.isUsers && ++users > maxOfUser ? [] : customizationsOf(name, file, ''))),
  );
  const all = [...found, ...nested];
  const own = new Set(all.map(({ path }) => path));
  return Promise.all(
    all.map(async (one) => {
      const side = sides.find(({ side }) => side.root === one.place.root)?.side;
      return side === undefined || kinds[one.kind]?.imports !== true ? one : withImports(side, one, new Set(own));
    }),
  );
}

/** Puts the text of a file in the place of the first line that imports it, unless it is in `known`. */
async function withImports<One extends Pick<Customization, 'place' | 'text'>>(
  side: Side,
  one: One,
  known: Set<string>,
): Promise<One> {
  const lines: string[] = [];
  let isCode = false;
  for (const line of one.text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, target] = (!isCode && /^(?:[-*] )?@([^\s@]\S*)\s*$/.exec(line)) || [];
    const path = target && posix.join(posix.dirname(one.place.path), target);
    const file = path && (await side.read({ root: side.root, path }).catch(ignoreToolError));
    if (!file || file.fault || known.has(file.path) || known.size > max.files) lines.push(line);
    else {
      known.add(file.path);
      lines.push((await withImports(side, { ...file, text: cleanText(file.text) }, known)).text);
    }
  }
  return { ...one, text: lines.join('\n') };
}

function sourcesFor(side: 'home' | 'workspace', { setting }: CustomizationDeps): (kind: Kind) => readonly Source[] {
  return (kind) => {
    const usual = kind[side] ?? [];
    if (kind.setting === undefined || setting === undefined) return usual;
    const { off, [side]: named } = locationsOf(setting(kind.setting.name), kind.setting.form);
    const added = named.filter(({ at }) => !usual.some((source) => source.at === at));
    return [...usual.filter(({ at }) => !off.has(at)), ...added];
  };
}

function customizationsOf(kind: string, file: FoundFile, folder: string): Customization[] {
  const { path: shown, place, isUsers, root } = file;
  const { fault } = file;
  const unread = fault && {
    name: '',
    description: '',
    text: '',
    ignored: [],
    entry: { when: 'never', fault } as const,
  };
  const all = unread ? [unread] : (kinds[kind]?.read(file) ?? []);
  return all.map((one) => ({ ...one, kind, path: shown, place, isUsers, folder, root }));
}

async function nestedFiles(deps: CustomizationDeps, roots: readonly WorkspaceRoot[]): Promise<Customization[]> {
  const found: Customization[] = [];
  for (const root of roots) {
    const side = workspaceSide(deps, root);
    for (const place of await deps.nested(root)) {
      if (!place.path.includes('/')) continue;
      const file = await side.read(place).catch(ignoreToolError);
      const parent = { root, path: place.path.slice(0, place.path.lastIndexOf('/')) };
      const { root: _holdsInFolder, ...plain } = file ?? {};
      if (file) found.push(...customizationsOf('agentsFile', plain as FoundFile, displayPath(deps.workspace, parent)));
    }
  }
  return found;
}

async function readSource(side: Side, source: Source): Promise<FoundFile[]> {
  const place = { root: side.root, path: source.at };
  const kind = await side.kindOf(place);
  if (kind === 'file') return readAll(side, [place]);
  if (kind !== 'directory' || source.names === undefined) return [];
  return readAll(side, await placesIn(side, place, { ...source, names: source.names }));
}

async function placesIn(
  side: Side,
  folder: Place,
  { names, reach, folders }: Source & { names: RegExp },
): Promise<Place[]> {
  if (reach === 'each') {
    const folders = (await side.list(folder)).filter(({ isFolder }) => isFolder).slice(0, max.folders);
    // Only this name is searched, and a missing file is not read.
    return folders.map(({ name }) => childPlace(childPlace(folder, name), 'SKILL.md'));
  }
  const found: Place[] = [];
  let level: Place[] = [folder];
  for (let depth = 0; level.length > 0 && depth <= (reach === 'below' ? deepest : 0); depth++) {
    const next: Place[] = [];
    for (const parent of level) {
      for (const { name, isFolder } of await side.list(parent)) {
        // What lies beside the folders that count does not.
        if (depth === 0 && folders !== undefined && !(isFolder && folders.test(name))) continue;
        if (isFolder) next.push(childPlace(parent, name));
        else if (names.test(name) && found.length < max.files) found.push(childPlace(parent, name));
      }
    }
    level = next.slice(0, max.files);
  }
  return found;
}

async function readAll(side: Side, places: readonly Place[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (let at = 0; at < places.length; at += atOnce) {
    const read = await Promise.all(
      places.slice(at, at + atOnce).map((place) => side.read(place).catch(ignoreToolError)),
    );
    found.push(...read.filter((file) => file !== undefined));
  }
  return found;
}

/** Reads through the same guard as every tool, because a link may not lead out of the workspace or to secrets. */
function workspaceSide({ workspace, files }: CustomizationDeps, root: WorkspaceRoot): Side {
  const isOne = workspace.roots().length === 1;
  return {
    root,
    ...searchWith(files),
    async read(named) {
      const shown = displayPath(workspace, named);
      const found = await resolveText(workspace, shown).catch(ignoreToolError);
      const read = found && (await readText({ workspace, files }, found.place, { max: maxBytes, ...found }));
      return withText(
        { place: found?.place ?? named, path: shown, isUsers: false, ...(isOne ? {} : { root: root.name }) },
        read,
      );
    },
  };
}

/** Accepts a file only if it lies in that very folder, whatever links are on the way, and cannot hold secrets. */
function userSide({ workspace, files }: CustomizationDeps, { root, shown }: UserFolder): Side {
  return {
    root,
    ...searchWith(files),
    async read(place) {
      const real = await realPlaceOf(place);
      const isOpen = real !== undefined && !isSecretPath(place.path) && !isSecretPath(real.path);
      const max = { max: maxBytes, checked: isOpen ? await pathOnDisk(real) : undefined };
      const read = isOpen ? await readText({ workspace, files }, place, max) : undefined;
      return withText({ place, path: `${shown}/${place.path}`, isUsers: true }, read);
    },
  };
}

function withText(file: Omit<FoundFile, 'text'>, read: TextRead | undefined): FoundFile | undefined {
  if (read?.text !== undefined) return { ...file, text: read.text };
  if (read?.not === 'there' || read?.not === 'a-file') return undefined;
  return { ...file, text: '', fault: read?.not === 'small' ? 'large' : 'closed' };
}

function searchWith(files: Files): Pick<Side, 'list' | 'kindOf'> {
  return {
    kindOf: async (place) => (await files.stat(place).catch(ignoreToolError))?.kind,
    async list(place) {
      const entries = (await files.list(place).catch(ignoreToolError)) ?? [];
      const named = entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      // A link may lead to a folder: what is in it is judged when it is read.
      return Promise.all(
        named.map(async ({ name, kind }) => {
          const isLink = kind === 'link';
          const is = isLink ? (await files.stat(childPlace(place, name)).catch(ignoreToolError))?.kind : kind;
          return { name, isFolder: is === 'directory' };
        }),
      );
    },
  };
}
