import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { specifyTool } from '../agent/tool.ts';

/** All that the model is told of our tools; every request pays for it. What a call does stands in the file of each tool. */

/** Lines that `read_file` gives when no end is asked for: most files whole, and no surprise on the bill for the others. */
export const defaultLines = 400;

export const readFile = specifyTool({
  name: 'read_file',
  description: `Reads a text file, with line numbers. Without endLine at most ${defaultLines} lines.`,
  parameters: z.object({
    path: z.string(),
    startLine: z.optional(z.int().check(z.minimum(1))),
    endLine: z.optional(z.int().check(z.minimum(1))),
  }),
  access: 'read',
  title({ path, startLine, endLine }) {
    if (endLine !== undefined) return l10n.t('Read {0} {1}–{2}', path, startLine ?? 1, endLine);
    return startLine === undefined ? l10n.t('Read {0}', path) : l10n.t('Read {0} from {1}', path, startLine);
  },
});

export const listDirectory = specifyTool({
  name: 'list_directory',
  description: 'Lists one folder; ignored entries are left out. Without path: the workspace.',
  parameters: z.object({ path: z.optional(z.string()) }),
  access: 'read',
  title: ({ path }) => l10n.t('List {0}', path ?? '.'),
});

export const findFiles = specifyTool({
  name: 'find_files',
  description: 'Finds files by glob, e.g. `src/**/*.test.ts`, or by part of their name.',
  parameters: z.object({ pattern: z.string().check(z.minLength(1)) }),
  access: 'read',
  title: ({ pattern }) => l10n.t('Find {0}', pattern),
});

export const searchText = specifyTool({
  name: 'search_text',
  description: 'Searches the text of files for a line that holds query (plain text, any case).',
  parameters: z.object({
    query: z.string().check(z.minLength(1)),
    path: z.optional(z.string().check(z.describe('file or folder'))),
    glob: z.optional(z.string()),
    regex: z.optional(z.boolean()),
    caseSensitive: z.optional(z.boolean()),
  }),
  access: 'read',
  title: ({ query, path }) =>
    path === undefined
      ? l10n.t('Search {0}', JSON.stringify(query))
      : l10n.t('Search {0} in {1}', JSON.stringify(query), path),
});

export const getSymbols = specifyTool({
  name: 'get_symbols',
  description: 'Outline of a file (path), or where symbols named like query are defined.',
  parameters: z.object({ path: z.optional(z.string()), query: z.optional(z.string()) }),
  access: 'read',
  title: ({ path, query }) =>
    path && query ? l10n.t('Symbols {0} in {1}', query, path) : l10n.t('Symbols {0}', query || path || ''),
});

export const goToDefinition = specifyTool({
  name: 'go_to_definition',
  description: 'Where the symbol used on a line is defined.',
  parameters: z.object({ path: z.string(), line: z.int(), symbol: z.string() }),
  access: 'read',
  title: ({ path, line, symbol }) => l10n.t('Definition of {0} ({1}:{2})', symbol, path, line),
});

export const findReferences = specifyTool({
  name: 'find_references',
  description: 'Every use of the symbol on a line.',
  parameters: z.object({ path: z.string(), line: z.int(), symbol: z.string() }),
  access: 'read',
  title: ({ path, line, symbol }) => l10n.t('References to {0} ({1}:{2})', symbol, path, line),
});

export const getProblems = specifyTool({
  name: 'get_problems',
  description: 'Errors and warnings of the editor for a file, a folder, or all that it has checked.',
  parameters: z.object({ path: z.optional(z.string()) }),
  access: 'read',
  title: ({ path }) => (path === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', path)),
});

export const getChanges = specifyTool({
  name: 'get_changes',
  description: 'Git diff of uncommitted changes; staged: only those; against: since that branch or commit.',
  parameters: z.object({ staged: z.optional(z.boolean()), against: z.optional(z.string()) }),
  access: 'read',
  title({ staged, against }) {
    if (!against) return staged ? l10n.t('Staged changes') : l10n.t('Changes');
    return staged ? l10n.t('Staged changes since {0}', against) : l10n.t('Changes since {0}', against);
  },
});

/** How long `run_command` waits when the model does not say. */
export const defaultTimeoutSeconds = 120;

export const runCommand = specifyTool({
  name: 'run_command',
  description: `Runs a shell command in the workspace once the user agrees. Every call starts a fresh shell without input. Ends after timeoutSeconds (${defaultTimeoutSeconds}).`,
  parameters: z.object({
    command: z.string(),
    cwd: z.optional(z.string()),
    timeoutSeconds: z.optional(z.int()),
  }),
  access: 'execute',
  title: ({ command }) => l10n.t('Run {0}', command),
});

export const editFile = specifyTool({
  name: 'edit_file',
  description:
    'Replaces parts of a text file. Each search is copied from the file as it is now, without line numbers, with enough lines to be there only once, or replaceAll.',
  parameters: z.object({
    path: z.string(),
    edits: z
      .array(z.object({ search: z.string(), replace: z.string(), replaceAll: z.optional(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(100)),
  }),
  access: 'write',
  title: ({ path }) => l10n.t('Edit {0}', path),
});

export const createFile = specifyTool({
  name: 'create_file',
  description: 'Creates a text file, with the folders it needs. Not for files that exist.',
  parameters: z.object({ path: z.string(), content: z.string() }),
  access: 'write',
  title: ({ path }) => l10n.t('Create {0}', path),
});

export const deleteFile = specifyTool({
  name: 'delete_file',
  description: 'Moves one file to the trash.',
  parameters: z.object({ path: z.string() }),
  access: 'write',
  title: ({ path }) => l10n.t('Delete {0}', path),
});

export const renameFile = specifyTool({
  name: 'rename_file',
  description: 'Renames or moves one file. References to it are not changed.',
  parameters: z.object({ path: z.string(), newPath: z.string() }),
  access: 'write',
  title: ({ path, newPath }) => l10n.t('Rename {0} to {1}', path, newPath),
});

export const askUser = specifyTool({
  name: 'ask_user',
  description: 'Asks the user when only they can decide, and waits. Not for permission: tools ask for that themselves.',
  parameters: z.object({
    question: z.string().check(z.minLength(1), z.maxLength(2000)),
    options: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(6))),
  }),
  access: 'ask',
  title: ({ question }) => l10n.t('Ask: {0}', question),
});

export const updatePlan = specifyTool({
  name: 'update_plan',
  description:
    'Shows the user your plan for work of several steps. Send the whole list each time; at most one item is active.',
  parameters: z.object({
    items: z
      .array(
        z.object({
          text: z.string().check(z.minLength(1), z.maxLength(200)),
          state: z.enum(['pending', 'active', 'done']),
        }),
      )
      .check(z.minLength(1), z.maxLength(30)),
  }),
  access: 'ask',
  title: ({ items }) =>
    l10n.t('Plan: {0} of {1} done', items.filter(({ state }) => state === 'done').length, items.length),
});
