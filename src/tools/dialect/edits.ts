import { plainName } from '../../agent/argument-habits.ts';
import type { Arguments, OwnCall, ToolDialect } from '../../agent/dialect/dialect.ts';
import { type Patch, readPatch, readSearchBlocks } from './patches.ts';
import { byPlainName, eachOf, pathNames, textOf, without } from './words.ts';

const lazy =
  'Not run: nothing here fills in `existing code`. Use edit_file with edits: [{search, replace}], search copied from the file.';
const byLine =
  'Not run: nothing is inserted by line number here. Use edit_file: search the line, replace it with itself and the new lines.';
const perPlace = 'Not run: give one block for each place, with enough lines to tell them apart, or replaceAll.';

const oldNames = ['oldstring', 'oldstr', 'oldtext', 'old', 'search', 'find', 'original', 'searchtext'];
const newNames = ['newstring', 'newstr', 'newtext', 'new', 'replace', 'replacement', 'replacewith', 'updated'];
const listNames = ['edits', 'replacements', 'changes', 'diffs', 'blocks', 'edit'];
/** Other agents' words about an edit that change nothing of it. */
const leftOut = ['expectedreplacements', 'instruction', 'instructions', 'command', 'startline', 'endline'];

export const editDialect: ToolDialect = {
  names: [
    ...[
      'edit',
      'multiedit',
      'replace',
      'strreplace',
      'strreplacefile',
      'searchreplace',
      'searchandreplace',
      'findandreplace',
    ],
    ...[
      'replaceinfile',
      'replacestringinfile',
      'multireplacestringinfile',
      'singlefindandreplace',
      'applydiff',
      'applypatch',
    ],
    ...['strreplaceeditor', 'strreplacebasededit', 'editor', 'insertedit', 'inserteditintofile', 'editexistingfile'],
  ],
  translate(args, called) {
    const plain = byPlainName(args);
    const patch = textOf(plain, ['patch', 'input', 'patchtext']);
    if (called === 'applypatch' || patch?.includes('*** Begin Patch')) return patchCalls(readPatch(patch ?? ''));
    const command = textOf(plain, ['command']);
    if (command === 'view') return [{ name: 'read_file', arguments: without(args, ['command']) }];
    if (command === 'create') return createDialect.translate(without(args, ['command']), 'createfile');
    if (command === 'undo_edit') return 'Not run: edit the text back with edit_file.';
    if (command === 'insert' || plain.has('insertline')) return byLine;
    const diff = textOf(plain, ['diff']);
    if (diff !== undefined) return diffCalls(args, diff);
    const isLazy = ['codeedit', 'code'].some((name) => plain.has(name)) && !oldNames.some((name) => plain.has(name));
    if (isLazy) return lazy;
    if (Number(plain.get('expectedreplacements') ?? 1) > 1) return perPlace;
    return callsOf(without(args, leftOut));
  },
};

function diffCalls(args: Arguments, diff: string): readonly OwnCall[] | string {
  const blocks = readSearchBlocks(diff);
  if (typeof blocks === 'string') return blocks;
  if (blocks === undefined) return 'Not run: give edits: [{search, replace}], search copied from the file.';
  return [{ name: 'edit_file', arguments: { ...without(args, ['diff', ...leftOut]), edits: blocks } }];
}

/** One call for each file. */
function callsOf(args: Arguments): OwnCall[] {
  const [listName, list] = Object.entries(args).find(([name]) => listNames.includes(plainName(name))) ?? [];
  const entries = listName === undefined ? [args] : Array.isArray(list) ? list : [list];
  if (!entries.every((entry) => typeof entry === 'object' && entry !== null))
    return [{ name: 'edit_file', arguments: args }];
  const shared = listName === undefined ? {} : without(args, [plainName(listName)]);
  const byPath = new Map<string, object[]>();
  for (const entry of entries as Arguments[]) {
    const plain = byPlainName({ ...shared, ...entry });
    const path = textOf(plain, pathNames) ?? '';
    const block = blockOf(plain);
    byPath.set(path, [...(byPath.get(path) ?? []), block]);
  }
  return [...byPath].map(([path, edits]) => ({
    name: 'edit_file',
    arguments: { ...(path !== '' && { path }), edits },
  }));
}

function blockOf(plain: ReadonlyMap<string, unknown>): { search?: unknown; replace?: unknown; replaceAll?: true } {
  const first = (names: readonly string[]) => names.map((name) => plain.get(name)).find((value) => value !== undefined);
  const isAll = ['replaceall', 'allowmultiple', 'alloccurrences', 'all'].some(
    (name) => String(plain.get(name)) === 'true',
  );
  const [search, replace] = [first(oldNames), first(newNames)];
  return {
    ...(search !== undefined && { search }),
    ...(replace !== undefined && { replace }),
    ...(isAll && { replaceAll: true as const }),
  };
}

function patchCalls(patch: Patch): readonly OwnCall[] | string {
  if (!patch.ok) return patch.problem;
  return patch.files.flatMap((file): OwnCall[] => {
    if (file.kind === 'add') return [{ name: 'create_file', arguments: { path: file.path, content: file.content } }];
    if (file.kind === 'delete') return [{ name: 'delete_file', arguments: { path: file.path } }];
    return [
      ...(file.blocks.length > 0 ? [{ name: 'edit_file', arguments: { path: file.path, edits: file.blocks } }] : []),
      ...(file.movedTo === undefined
        ? []
        : [{ name: 'rename_file', arguments: { path: file.path, newPath: file.movedTo } }]),
    ];
  });
}

export const createDialect: ToolDialect = {
  names: ['write', 'writefile', 'writetofile', 'createnewfile', 'newfile', 'savefile'],
  translate(args) {
    const plain = byPlainName(args);
    if (plain.get('mode') === 'append' || plain.get('append') === true) {
      return 'Not run: nothing is appended here. Use edit_file: search the last lines, replace them with themselves and the new ones.';
    }
    const [, content] = [...plain].find(([name]) => contentNames.includes(name)) ?? [];
    const text =
      Array.isArray(content) && content.every((line) => typeof line === 'string') ? content.join('\n') : content;
    const path = textOf(plain, pathNames);
    return [
      {
        name: 'create_file',
        arguments: { ...(path !== undefined && { path }), ...(text !== undefined && { content: text }) },
      },
    ];
  },
};

const contentNames = ['content', 'contents', 'filetext', 'text', 'filecontent', 'code', 'contentlines'];

export const deleteDialect: ToolDialect = {
  names: ['removefile', 'deletepath', 'deletefiles'],
  translate: (args) => eachOf('delete_file', args, ['paths', 'files', 'filepaths'], 'path'),
};
