import { isObject, parseJson } from '../../../base/parse-json.ts';

export interface ChangedFile {
  path: string;
  before?: string | undefined;
  after?: string | undefined;
}

const words = /(?:^|[^a-z])(?:tests?|specs?|testing|testdata|conftest|fixtures?|snapshots?|snap|e2e)(?:[^a-z]|$)/;

/**
 * Says whether a changed file belongs to what judges the work: it has the name of a test, the command names it, it is
 * the configuration of a program of the command, or its scripts changed. `line` is the command.
 */
export function judgesWork({ path, before, after }: ChangedFile, line: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const manifest = scriptsOf(before);
  if (manifest !== undefined || scriptsOf(after) !== undefined) return manifest !== scriptsOf(after);
  const spaced = path.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  const named = line.split(/[\s;&|"'=]+/).map((word) => word.replace(/^\.\//, ''));
  return words.test(spaced) || named.includes(path) || named.some((word) => isConfigurationOf(word, name));
}

/** `Makefile`, `.mocharc.json`, `vitest.config.ts`, `pytest.ini`: the program's own name, and a form of settings. */
function isConfigurationOf(word: string, name: string): boolean {
  const program = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  const bare = name.toLowerCase().replace(/^\./, '');
  return (
    program.length > 2 &&
    bare.startsWith(program) &&
    /^(?:file$|rc(?:\.|$)|\.(?:config|conf)\.|\.ini$|\.xml$)/.test(bare.slice(program.length))
  );
}

/** Returns what a manifest declares as commands, in one text; undefined where the file is no such manifest. */
function scriptsOf(text: string | undefined): string | undefined {
  const manifest = text?.trimStart().startsWith('{') ? parseJson(text) : undefined;
  if (!isObject(manifest)) return undefined;
  const { scripts, tasks } = manifest;
  return isObject(scripts) || isObject(tasks) ? JSON.stringify([scripts, tasks]) : undefined;
}
