import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toolSpecs } from '../../../src/tools/all-tools.ts';
import { callsOf } from './read-calls.ts';

const path = 'src/a.ts';
const expected: Record<string, readonly [args: object, title: string][]> = {
  read_file: [
    [{ path }, 'Read src/a.ts'],
    [{ path, startLine: 5 }, 'Read src/a.ts from 5'],
    [{ path, endLine: 9 }, 'Read src/a.ts 1–9'],
    [{ path, startLine: 5, endLine: 9 }, 'Read src/a.ts 5–9'],
  ],
  list_directory: [
    [{}, 'List .'],
    [{ path: 'src' }, 'List src'],
  ],
  find_files: [[{ pattern: '*.ts' }, 'Find *.ts']],
  search_text: [
    [{ query: 'a "b"' }, 'Search "a \\"b\\""'],
    [{ query: 'b', path: 'src' }, 'Search "b" in src'],
  ],
  get_symbols: [
    [{ path }, 'Symbols src/a.ts'],
    [{ query: 'run' }, 'Symbols run'],
    [{ path, query: 'run' }, 'Symbols run in src/a.ts'],
  ],
  go_to_definition: [[{ path, line: 3, symbol: 'run' }, 'Definition of run (src/a.ts:3)']],
  find_references: [[{ path, line: 3, symbol: 'run' }, 'References to run (src/a.ts:3)']],
  get_problems: [
    [{}, 'Problems'],
    [{ path }, 'Problems in src/a.ts'],
  ],
  get_changes: [
    [{}, 'Changes'],
    [{ staged: true }, 'Staged changes'],
    [{ against: 'main' }, 'Changes since main'],
    [{ staged: true, against: 'main' }, 'Staged changes since main'],
  ],
  run_command: [[{ command: 'npm test' }, 'Run npm test']],
  process: [
    [{ action: 'list' }, 'Background processes'],
    [{ action: 'read', id: 'p1' }, 'Read process p1'],
    [{ action: 'send', id: 'p1', text: 'y' }, 'Answer process p1'],
    [{ action: 'stop', id: 'p1' }, 'Stop process p1'],
  ],
  edit_file: [[{ path, edits: [] }, 'Edit src/a.ts']],
  create_file: [[{ path, content: '' }, 'Create src/a.ts']],
  delete_file: [[{ path }, 'Delete src/a.ts']],
  write_plan: [[{ text: '1. a' }, 'Write the plan']],
  load_skill: [
    [{ name: 'parcels' }, 'Load parcels'],
    [{ name: 'parcels', file: 'scales.md' }, 'Load parcels/scales.md'],
  ],
  answer_comment: [[{ id: 'c1', text: 'Done.' }, 'Answer comment c1']],
  ask_subagent: [[{ task: 'who calls parseDate' }, 'Subagent: who calls parseDate']],
  load_tools: [[{ names: ['list_issues', 'get_issue'] }, 'Load list_issues, get_issue']],
  rename_file: [[{ path, newPath: 'b.ts' }, 'Rename src/a.ts to b.ts']],
  fetch_url: [
    [{ url: 'http://Example.com/a#b' }, 'Fetch example.com/a'],
    [{ url: 'https://me@example.com/' }, 'Fetch https://me@example.com/'],
  ],
  ask_user: [[{ question: 'Which?' }, 'Ask: Which?']],
  update_plan: [
    [
      {
        items: [
          { text: 'a', state: 'done' },
          { text: 'b', state: 'active' },
        ],
      },
      'Plan: 1 of 2 done',
    ],
  ],
};

describe('the line that a card shows of a call', () => {
  for (const tool of toolSpecs) {
    const { name, title } = tool;
    const cases = expected[name];
    it(`F13 ux 2.9 says what ${name} is about`, () => {
      for (const [args, line] of cases ?? []) assert.equal(title(args), line);
      for (const args of cases === undefined ? callsOf(tool, path, 'words') : []) {
        assert.match(title(args), /^\p{Lu}.*(?:src\/a\.ts|words)/u, 'a capital letter, and what the call names');
      }
    });
  }
});
