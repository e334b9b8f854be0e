import type { ToolDialect } from '../../agent/dialect/dialect.ts';
import { eachOf, folderIn, pathNames, readNamed } from './named-arguments.ts';

export const readDialect: ToolDialect = {
  names: 'read view viewfile openfile cat readfilerange readfiles readmanyfiles',
  translate: (args) => eachOf('read_file', args, 'files paths filepaths', 'path'),
};

export const listDialect: ToolDialect = {
  names: 'ls listdir listfiles',
  translate(args) {
    const given = readNamed(args);
    if (!given.is('recursive')) return [{ name: 'list_directory', arguments: args }];
    const folder = folderIn(given);
    return [{ name: 'find_files', arguments: { pattern: folder === '' ? '**' : `${folder}/**` } }];
  },
};

export const findDialect: ToolDialect = {
  names: 'glob filesearch findpath find',
  translate(args) {
    const given = readNamed(args);
    const pattern = given.text('pattern globpattern glob query filepattern name');
    const only = given.text(pathNames);
    if (pattern === undefined)
      return [{ name: 'find_files', arguments: only?.includes('*') ? { pattern: only } : args }];
    const folder = folderIn(given);
    // A bare name is searched below the folder, as the other tools do it.
    const below = folder === '' ? '' : `${folder}/${pattern.includes('/') ? '' : '**/'}`;
    return [{ name: 'find_files', arguments: { pattern: below + pattern } }];
  },
};

// A class is one sign.
export function replaceOutsideClasses(pattern: string, replace: (sign: string) => string): string {
  return pattern.replace(/\\r\??(?:\\n)?|\\.|\[(?:\\.|[^\]\\]){0,200}\]|\./g, replace);
}

const metacharacter = /[\\^$.*+?()[\]{}|]/;
const queryNames = 'pattern query regex searchpattern';
const globNames = 'glob include includepattern filepattern fileglob';
const flagNames = 'fixedstrings literal isregexp isregex multiline i casesensitive matchcase ignorecase type';
const aroundNames = 'a b c context contextlines';

export const searchDialect: ToolDialect = {
  names: 'grep rg ripgrep grepsearch searchfiles searchfilecontent searchbyregex searchcodebase',
  translate(args) {
    const given = readNamed(args);
    const [one, ...queries] = eachOf('search_text', args, 'queries', 'query');
    if (queries.length > 0 && one !== undefined) return [one, ...queries];
    const pattern = given.text(queryNames);
    if (pattern === undefined) return [{ name: 'search_text', arguments: args }];
    const overLines = () => replaceOutsideClasses(pattern, (sign) => (sign === '.' ? '[\\s\\S]' : sign));
    const query = given.is('multiline') ? overLines() : pattern;
    const isText = given.is('fixedstrings literal') || given.value('isregexp isregex') === false;
    const isCaseSensitive = given.value('i') === false || given.is('casesensitive matchcase');
    const around = aroundNames.split(' ').map((name) => Number(given.value(name)));
    const context = Math.max(0, ...around.filter((lines) => lines > 0));
    const type = given.text('type');
    const path = given.text(pathNames);
    const glob = given.text(globNames) ?? (type ? `**/*.${extensions[type] ?? type}` : undefined);
    return [
      {
        name: 'search_text',
        arguments: {
          query,
          ...(path !== undefined && path !== '.' && { path }),
          ...(glob !== undefined && { glob }),
          ...(!isText && metacharacter.test(query) && { regex: true }),
          ...(isCaseSensitive && { caseSensitive: true }),
          ...(context > 0 && { context }),
          ...given.without([queryNames, globNames, flagNames, aroundNames, pathNames].join(' ')),
        },
      },
    ];
  },
};

const extensions: Readonly<Record<string, string>> = {
  ...{ js: '{js,mjs,cjs,jsx}', ts: '{ts,tsx,mts,cts}', py: '{py,pyi}', rust: 'rs', ruby: 'rb', c: '{c,h}' },
  ...{ cpp: '{cpp,cc,cxx,h,hpp}', markdown: '{md,markdown}', yaml: '{yaml,yml}' },
};

export const problemsDialect: ToolDialect = {
  names: 'geterrors diagnostics getdiagnostics',
  translate: (args) => eachOf('get_problems', args, 'filepaths paths files', 'path'),
};
