import type { ToolDialect } from '../../agent/dialect/dialect.ts';
import { byPlainName, eachOf, folderIn, pathNames, textOf, without } from './words.ts';

export const readDialect: ToolDialect = {
  names: ['read', 'view', 'viewfile', 'openfile', 'cat', 'readfilerange', 'readfiles'],
  translate: (args) => eachOf('read_file', args, ['files', 'paths', 'filepaths'], 'path'),
};

export const listDialect: ToolDialect = {
  names: ['ls', 'listdir', 'listfiles'],
  translate(args) {
    const plain = byPlainName(args);
    if (plain.get('recursive') !== true && plain.get('recursive') !== 'true')
      return [{ name: 'list_directory', arguments: args }];
    const folder = folderIn(plain);
    return [{ name: 'find_files', arguments: { pattern: folder === '' ? '**' : `${folder}/**` } }];
  },
};

const patternNames = ['pattern', 'globpattern', 'glob', 'query', 'filepattern', 'name'];

export const findDialect: ToolDialect = {
  names: ['glob', 'filesearch', 'findpath', 'find'],
  translate(args) {
    const plain = byPlainName(args);
    const pattern = textOf(plain, patternNames);
    const folder = folderIn(plain);
    if (pattern === undefined || folder === '')
      return [{ name: 'find_files', arguments: pattern === undefined ? args : { pattern } }];
    // A name alone is looked for below the folder, as the other tools do it.
    return [
      { name: 'find_files', arguments: { pattern: `${folder}/${pattern.includes('/') ? '' : '**/'}${pattern}` } },
    ];
  },
};

/** A pattern with one of these is a regular expression. */
const metacharacter = /[\\^$.*+?()[\]{}|]/;

export const searchDialect: ToolDialect = {
  names: ['grep', 'rg', 'ripgrep', 'grepsearch', 'searchfiles', 'searchfilecontent', 'searchbyregex', 'searchcodebase'],
  translate(args) {
    const plain = byPlainName(args);
    if (plain.get('multiline') === true) return 'Nothing here searches over several lines: search for one of them.';
    const [one, ...queries] = eachOf('search_text', args, ['queries'], 'query');
    if (queries.length > 0 && one !== undefined) return [one, ...queries];
    const query = textOf(plain, ['pattern', 'query', 'regex', 'searchpattern']);
    if (query === undefined) return [{ name: 'search_text', arguments: args }];
    const isText =
      plain.get('fixedstrings') === true ||
      plain.get('literal') === true ||
      plain.get('isregexp') === false ||
      plain.get('isregex') === false;
    const around = ['a', 'b', 'c', 'context', 'contextlines']
      .map((name) => Number(plain.get(name)))
      .filter((lines) => lines > 0);
    const isCaseSensitive =
      plain.get('i') === false || plain.get('casesensitive') === true || plain.get('matchcase') === true;
    const type = textOf(plain, ['type']);
    const glob =
      textOf(plain, ['glob', 'include', 'includepattern', 'filepattern', 'fileglob']) ??
      (type && `**/*.${extensions[type] ?? type}`);
    const rest = without(args, [...known, ...pathNames]);
    const path = textOf(plain, pathNames);
    return [
      {
        name: 'search_text',
        arguments: {
          query,
          ...(path !== undefined && path !== '.' && { path }),
          ...(glob !== undefined && { glob }),
          ...(!isText && metacharacter.test(query) && { regex: true }),
          ...(isCaseSensitive && { caseSensitive: true }),
          ...(around.length > 0 && { context: Math.max(...around) }),
          ...rest,
        },
      },
    ];
  },
};

/** Arguments that the translation has read. */
const known = [
  ...['pattern', 'query', 'regex', 'searchpattern', 'fixedstrings', 'literal', 'isregexp', 'isregex', 'multiline'],
  ...['a', 'b', 'c', 'context', 'contextlines', 'i', 'casesensitive', 'matchcase', 'ignorecase', 'type'],
  ...['glob', 'include', 'includepattern', 'filepattern', 'fileglob'],
];

/** Types of ripgrep that are no extension. */
const extensions: Readonly<Record<string, string>> = {
  js: '{js,mjs,cjs,jsx}',
  ts: '{ts,tsx,mts,cts}',
  py: '{py,pyi}',
  rust: 'rs',
  ruby: 'rb',
  cpp: '{cpp,cc,cxx,h,hpp}',
  c: '{c,h}',
  markdown: '{md,markdown}',
  yaml: '{yaml,yml}',
};

export const problemsDialect: ToolDialect = {
  names: ['geterrors', 'diagnostics', 'getdiagnostics'],
  translate: (args) => eachOf('get_problems', args, ['filepaths', 'paths', 'files'], 'path'),
};
