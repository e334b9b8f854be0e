import { plainName } from '../../agent/argument-habits.ts';
import type { Arguments, ToolDialect, TranslatedCall } from '../../agent/dialect/dialect.ts';
import { type Block, type Patch, readHunks, readPatch, readSearchBlocks } from '../../edits/apply/patches.ts';
import { eachOf, pathNames, readNamed } from './named-arguments.ts';

const lazy =
  'Not run: nothing here fills in `existing code`. Use edit_file with edits: [{search, replace}], search copied from the file.';
const byLine =
  'Not run: nothing is changed by line number here. Use edit_file: search the lines, replace them with the new ones.';
const perPlace = 'Not run: give one block for each place, with enough lines to tell them apart, or replaceAll.';
const noBlocks = 'Not run: give edits: [{search, replace}], search copied from the file.';

const lists = 'edits replacements changes diffs blocks edit';
const oldNames = 'oldstring oldstr oldtext old search find original searchtext';
const leftOut = 'expectedreplacements instruction instructions explanation command start end startline endline';
const contentNames = 'content contents filetext text filecontent code contentlines';

export const editDialect: ToolDialect = {
  names:
    'edit multiedit replace strreplace strreplacefile searchreplace searchandreplace findandreplace replaceinfile replacestringinfile multireplacestringinfile singlefindandreplace applydiff applypatch strreplaceeditor strreplacebasededit editor insertedit inserteditintofile editexistingfile',
  translate(args, called) {
    const given = readNamed(args);
    const patch = given.text('patch input patchtext diff');
    if (called === 'applypatch' || patch?.includes('*** Begin Patch')) return patchCalls(readPatch(patch ?? ''));
    const command = given.text('command');
    if (command === 'view') return [{ name: 'read_file', arguments: given.without('command') }];
    if (command === 'create') return createDialect.translate(given.without('command'), 'createfile', () => []);
    if (command === 'undo_edit') return 'Not run: edit the text back with edit_file.';
    if (command === 'insert' || given.value('insertline') !== undefined) return byLine;
    const [key, diff] = Object.entries(args).find(([, value]) => isBlocks(value)) ?? ['diff', given.text('diff')];
    if (typeof diff === 'string') {
      const edits = readSearchBlocks(diff) ?? readHunks(diff) ?? noBlocks;
      return typeof edits === 'string' ? edits : [editOf({ ...given.without(`${plainName(key)} ${leftOut}`), edits })];
    }
    const hasOld = given.value(`${oldNames} ${lists}`) !== undefined;
    if (!hasOld && given.value('codeedit code') !== undefined) return lazy;
    if (!hasOld && given.value('content') !== undefined) return wholeOr(byLine, args);
    return Number(given.value('expectedreplacements') ?? 1) > 1 ? perPlace : callsOf(args);
  },
};

function isBlocks(value: unknown): boolean {
  return typeof value === 'string' && Array.isArray(readSearchBlocks(value));
}

function editOf(args: Arguments): TranslatedCall {
  return { name: 'edit_file', arguments: args };
}

function wholeOr(sentence: string, args: Arguments): readonly TranslatedCall[] | string {
  const given = readNamed(args);
  const isWhole = Number(given.value('start') ?? 1) === 1 && Number(given.value('end') ?? -1) === -1;
  return isWhole ? createDialect.translate(args, 'createfile', () => []) : sentence;
}

function callsOf(args: Arguments): TranslatedCall[] {
  const given = readNamed(args);
  const list = given.value(lists);
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  if (list === undefined || !entries.every((entry) => typeof entry === 'object' && entry !== null))
    return [editOf(given.without(leftOut))];
  const shared = readNamed(given.without(`${lists} ${leftOut}`));
  const byPath = Map.groupBy(entries as Arguments[], (entry) => readNamed({ ...shared.all, ...entry }).text(pathNames));
  return [...byPath].map(([path, blocks]) => {
    const edits = inSequence(blocks.map((block) => readNamed(block).without(`${pathNames} ${leftOut}`)));
    return editOf({ ...shared.without(pathNames), ...(path !== undefined && { path }), edits });
  });
}

/**
 * Other agents apply each block to the result of the ones before it. A block that occurs in such a result becomes a
 * part of that block here.
 */
function inSequence(blocks: readonly Arguments[]): Arguments[] {
  const made: Arguments[] = [];
  for (const block of blocks) {
    const [search, replace] = sidesOf(block);
    const into = made.findIndex((one) => search !== '' && sidesOf(one)[1].split(search).length === 2);
    const [key] = Object.entries(made[into] ?? {}).find(([, value]) => value === sidesOf(made[into] ?? {})[1]) ?? [];
    if (key === undefined) made.push(block);
    else made[into] = { ...made[into], [key]: sidesOf(made[into] ?? {})[1].replace(search, () => replace) };
  }
  return made;
}

function sidesOf(block: Arguments): [search: string, replace: string] {
  const given = readNamed(block);
  const replace = given.value('newstring newstr newtext new replace replacement replacewith updated');
  return [String(given.value(oldNames) ?? ''), String(replace ?? '')];
}

/** A file is changed first and moved afterwards. */
export function patchCalls(patch: Patch): readonly TranslatedCall[] | string {
  if (!patch.ok) return patch.problem;
  return patch.files.flatMap((file): TranslatedCall[] => {
    const { path } = file;
    if (file.kind === 'add') return [{ name: 'create_file', arguments: { path, content: file.content } }];
    if (file.kind === 'delete') return [{ name: 'delete_file', arguments: { path } }];
    const edits: readonly Block[] = file.blocks;
    return [
      ...(edits.length > 0 ? [editOf({ path, edits })] : []),
      ...(file.movedTo ? [{ name: 'rename_file', arguments: { path, newPath: file.movedTo } }] : []),
    ];
  });
}

export const createDialect: ToolDialect = {
  names: 'write writefile writetofile createnewfile newfile savefile',
  translate(args) {
    const given = readNamed(args);
    if (given.value('mode') === 'append' || given.is('append')) {
      return 'Not run: nothing is appended here. Use edit_file: search the last lines, replace them with themselves and the new ones.';
    }
    const content = given.value(contentNames);
    const isList = Array.isArray(content) && content.every((line) => typeof line === 'string');
    const path = given.text(pathNames);
    return [{ name: 'create_file', arguments: { path, content: isList ? content.join('\n') : content } }];
  },
};

export const deleteDialect: ToolDialect = {
  names: 'removefile deletepath deletefiles',
  translate: (args) => eachOf('delete_file', args, 'paths files filepaths', 'path'),
};
