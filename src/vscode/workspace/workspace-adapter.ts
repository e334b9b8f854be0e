import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { nodeFiles } from '../../files/node-files.ts';
import type { EntryKind, Files, Place, Workspace, WorkspaceRoot } from '../../files/workspace.ts';
import { createCodec } from './codec-adapter.ts';
import { placeIn, uriOfPlace } from './place-uri.ts';

/**
 * Reads the open folders, on this disk or from an extension; only those on this disk have an `fsPath`. Everything is
 * read at call time and nothing is cached.
 */
export function createWorkspace(
  roots: Workspace['roots'] = () => namedRoots(vscode.workspace.workspaceFolders ?? []),
): { workspace: Workspace; files: Files } {
  const workspace: Workspace = {
    isTrusted: () => vscode.workspace.isTrusted,
    roots,
    excludes: (root) => ['files', 'search'].flatMap((section) => excludedGlobs(section, vscode.Uri.parse(root.uri))),
    unsavedText(place) {
      // Asked for every file of a search.
      const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      if (unsaved.length === 0) return undefined;
      const uri = uriOfPlace(place).toString();
      return unsaved.find((document) => document.uri.toString() === uri)?.getText();
    },
    unsavedIn: (root) =>
      vscode.workspace.textDocuments.flatMap(({ isDirty, uri }) => (isDirty ? (placeIn(root, uri) ?? []) : [])),
    codec: createCodec(),
  };
  const filesOf = (place: Place) => (place.root.fsPath === undefined ? virtualFiles : nodeFiles);
  const files: Files = {
    stat: (place) => filesOf(place).stat(place),
    list: (place) => filesOf(place).list(place),
    read: (place, checked) => filesOf(place).read(place, checked),
  };
  return { workspace, files };
}

function namedRoots(folders: readonly vscode.WorkspaceFolder[]): WorkspaceRoot[] {
  const bases = folders.map(({ name }) => rootName(name));
  const taken = new Set<string>();
  return folders.map(({ uri }, index) => {
    const own = bases[index] ?? '';
    const isOnly = bases.filter((other) => other === own).length === 1;
    const parent = rootName(uri.path.split('/').at(-2) ?? '');
    // Folders with the same name are distinguished by their parent folders.
    const base = isOnly ? own : `${parent}-${own}`;
    let unique = base;
    for (let number = 2; taken.has(unique); number++) unique = `${base}-${number}`;
    taken.add(unique);
    return { name: unique, uri: uri.toString(), ...(uri.scheme === 'file' ? { fsPath: uri.fsPath } : {}) };
  });
}

/** Makes a folder's name valid as a single segment, because it becomes the first one of paths. */
function rootName(name: string): string {
  return name.replace(/[\\/:<>"|?*\p{Cc}]+/gu, '-').replace(/[. ]+$/, '') || 'folder';
}

/**
 * Returns the globs of a setting that hold always. Those with a `when` condition reduce clutter and do not say what may
 * be read.
 */
function excludedGlobs(section: string, scope: vscode.Uri): string[] {
  const globs = vscode.workspace.getConfiguration(section, scope).get<Record<string, unknown>>('exclude') ?? {};
  return Object.entries(globs).flatMap(([glob, on]) => (on === true ? [glob] : []));
}

/** In folders that an extension provides there are no links that could lead out of them. */
const virtualFiles: Files = {
  async stat(place) {
    try {
      const stat = await vscode.workspace.fs.stat(uriOfPlace(place));
      return { kind: kindOf(stat.type), sizeBytes: stat.size };
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
      throw unreadable(place, error);
    }
  },
  async list(place) {
    try {
      const entries = await vscode.workspace.fs.readDirectory(uriOfPlace(place));
      return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
    } catch (error) {
      throw unreadable(place, error);
    }
  },
  async *read(place) {
    try {
      yield await vscode.workspace.fs.readFile(uriOfPlace(place));
    } catch (error) {
      throw unreadable(place, error);
    }
  },
};

function kindOf(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if (type === vscode.FileType.File) return 'file';
  return type === vscode.FileType.Directory ? 'directory' : 'other';
}

function unreadable(place: Place, error: unknown): unknown {
  if (!(error instanceof vscode.FileSystemError)) return error;
  return new ToolError(`${place.path || place.root.name} cannot be read (${error.code}).`);
}
