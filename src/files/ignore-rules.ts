import { usualBytes } from '../base/read-regular.ts';
import { decodeText } from './decode-text.ts';
import { createGlob } from './glob.ts';
import { parseIgnoreFile } from './ignore-pattern.ts';
import {
  childPlace,
  type Files,
  type Place,
  readSmallFile,
  type SearchScope,
  type WorkspaceRoot,
} from './workspace.ts';

/**
 * Applies to one root and leaves out git's data, the user's excludes, and what every `.gitignore` from the root down
 * excludes.
 */
export interface IgnoreRules {
  /**
   * Reads the ignore files from the root down to this folder. Must be called before `ignores` is asked about its
   * entries.
   */
  enter(folder: string): Promise<void>;
  ignores(path: string, isDirectory: boolean): boolean;
  ignoresDeep(path: string, isDirectory: boolean): Promise<boolean>;
}

/** A folder that is itself ignored was asked for by name, so only the ignore files in it count. */
export async function ignoreRulesUnder(
  files: Files,
  under: SearchScope,
  excludes: readonly string[],
): Promise<IgnoreRules> {
  if (under.withIgnored) return createIgnoreRules(undefined, under.root, excludes);
  const rules = createIgnoreRules(files, under.root, excludes);
  const asked = under.path !== '' && (await rules.ignoresDeep(under.path, true));
  return asked ? createIgnoreRules(files, under.root, excludes, under.path) : rules;
}

export function createIgnoreRules(
  files: Files | undefined,
  root: WorkspaceRoot,
  excludes: readonly string[],
  top = '',
): IgnoreRules {
  const excluded = excludes.map((pattern) => createGlob(pattern)).filter((glob) => glob !== undefined);
  // A promise while its file is read; `undefined` when the folder has none.
  const loading = new Map<string, Promise<void>>();
  const loaded = new Map<string, ReturnType<typeof parseIgnoreFile> | undefined>();

  const ancestorsOf = (folder: string) => foldersTo(folder).filter((ancestor) => ancestor.length >= top.length);
  const load = async (folder: string) => {
    const text = files && (await readText(files, childPlace({ root, path: folder }, '.gitignore')));
    loaded.set(folder, text === undefined ? undefined : parseIgnoreFile(text));
  };
  const enter: IgnoreRules['enter'] = async (folder) => {
    for (const ancestor of ancestorsOf(folder)) {
      let promise = loading.get(ancestor);
      if (promise === undefined) {
        promise = load(ancestor);
        loading.set(ancestor, promise);
      }
      await promise;
    }
  };
  const ignores: IgnoreRules['ignores'] = (path, isDirectory) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === '.git' || excluded.some((matches) => matches(path))) return true;
    // The ignore file that is nearest decides.
    for (const folder of ancestorsOf(parentOf(path)).reverse()) {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      const verdict = loaded.get(folder)?.(relative.split('/'), isDirectory);
      if (verdict !== undefined) return verdict === 'ignored';
    }
    return false;
  };
  const ignoresDeep: IgnoreRules['ignoresDeep'] = async (path, isDirectory) => {
    for (const folder of ancestorsOf(parentOf(path))) {
      if (folder !== '' && ignores(folder, true)) return true;
      await enter(folder);
    }
    return path !== '' && ignores(path, isDirectory);
  };
  return { enter, ignores, ignoresDeep };
}

function foldersTo(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function readText(files: Files, place: Place): Promise<string | undefined> {
  const bytes = await readSmallFile(files, place, usualBytes);
  return bytes && decodeText(bytes);
}
