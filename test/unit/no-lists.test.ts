import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import {
  type Expression,
  type Node,
  type ObjectExpression,
  parseSync,
  type SwitchStatement,
  Visitor,
} from 'oxc-parser';
import { eventTraits } from '../../src/shared/event-traits.ts';
import { failureKinds } from '../../src/shared/failure/kinds.ts';
import { toolSpecs } from '../../src/tools/all-tools.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface Entries {
  keys: ReadonlySet<string>;
  /** Each has members of its own, so a `switch`, a comparison or a type over some of them reads those, and is no list. */
  haveMembers: boolean;
}

const records: Record<string, Entries> = {
  'failure kinds': { keys: new Set(failureKinds), haveMembers: false },
  'tool names': { keys: new Set(toolSpecs.map(({ name }) => name)), haveMembers: false },
  'event types': {
    keys: new Set(Object.keys(eventTraits)),
    haveMembers: true,
  },
};

/** Files that still hold so many. A number only ever becomes smaller. */
const still: Record<string, number> = {
  // Each refusal has a remedy of its own, which is code; a kind without one is a failure like any other.
  'src/service/step/degrade.ts': 1,
};

interface List {
  where: string;
  record: string;
  names: string[];
}

const textOf = (node: Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** `how`: an object that names every key is a record, which the compiler keeps whole; only lists of values leave one out. */
function listsOf(file: string, text: string): List[] {
  const found: List[] = [];
  const note = (at: number, names: (string | undefined)[], how: 'values' | 'object' | 'narrowing' = 'values') => {
    const all = [...new Set(names)];
    for (const [record, { keys, haveMembers }] of Object.entries(records)) {
      const isWhole = how === 'object' && all.length === keys.size;
      if (all.length < 2 || isWhole || (how === 'narrowing' && haveMembers)) continue;
      if (!all.every((name) => name !== undefined && keys.has(name))) continue;
      found.push({ where: `${file}:${text.slice(0, at).split('\n').length}`, record, names: all.map(String) });
    }
  };
  new Visitor({
    ArrayExpression: ({ start, elements }) => note(start, elements.map(textOf)),
    ObjectExpression: ({ start, properties }) => note(start, properties.map(keyOf), 'object'),
    TSUnionType: ({ start, types }) =>
      note(
        start,
        types.map((one) => (one.type === 'TSLiteralType' ? textOf(one.literal) : undefined)),
        'narrowing',
      ),
    SwitchStatement(node) {
      const tests = node.cases.flatMap(({ test }) => (test === null ? [] : [textOf(test)]));
      // Without a default the compiler asks for each.
      if (tests.length === node.cases.length) return;
      note(node.start, tests, 'narrowing');
      for (const group of sharedCases(node)) note(node.start, group);
    },
    LogicalExpression: ({ start, left, right }) => note(start, [comparedWith(left), comparedWith(right)], 'narrowing'),
  }).visit(parseSync(file, text).program);
  return found;
}

function keyOf(property: ObjectExpression['properties'][number]): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined;
  return property.key.type === 'Identifier' ? property.key.name : textOf(property.key);
}

function comparedWith(side: Expression | { type: 'PrivateIdentifier' }): string | undefined {
  return side.type === 'BinaryExpression' ? textOf(side.right) : undefined;
}

/** Cases with one constant answer for all of them. */
function sharedCases({ cases }: SwitchStatement): (string | undefined)[][] {
  const groups: (string | undefined)[][] = [];
  let open: (string | undefined)[] = [];
  for (const { test, consequent } of cases) {
    if (test !== null) open.push(textOf(test));
    const [first] = consequent;
    if (first === undefined) continue;
    if (test !== null && first.type === 'ReturnStatement' && first.argument?.type === 'Literal') groups.push(open);
    open = [];
  }
  return groups;
}

describe('lists beside the records', () => {
  const files = ['src', 'media'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`),
  );

  it('what is known of a failure kind, a tool, an event stands in its record, nowhere else', () => {
    const found = Map.groupBy(
      files.flatMap((file) => listsOf(file, readFileSync(path.join(root, file), 'utf8'))),
      ({ where }) => where.slice(0, where.indexOf(':')),
    );
    const more = [...found].filter(([file, lists]) => lists.length > (still[file] ?? 0)).map(([, lists]) => lists);
    assert.deepEqual(more, []);
    const fewer = Object.entries(still).filter(([file, count]) => (found.get(file) ?? []).length < count);
    assert.deepEqual(fewer, [], 'lower the number of what is gone');
  });

  const planted: Record<string, string> = {
    'an array': "const again = ['timeout', 'stalled'];",
    'a set': "const again = new Set(['timeout', 'stalled']);",
    'an object': "const words = { read_file: 'Read', run_command: 'Run' };",
    'a switch with a default': "switch (kind) { case 'timeout': return one(); case 'stalled': return two(); default: }",
    'cases with one answer': "switch (event.type) { case 'created': case 'forked': return true; default: }",
    'a comparison': "if (name === 'edit_file' || name === 'create_file') go();",
    'a type': "type Again = 'timeout' | 'stalled';",
    'a set of event types': "const redraws = new Set(['turnStarted', 'turnEnded']);",
  };
  for (const [how, text] of Object.entries(planted)) {
    it(`refuses ${how}`, () => assert.equal(listsOf('planted.ts', text).length, 1));
  }

  const other: Record<string, string> = {
    'a single name': "const again = ['timeout'];",
    'names among others': "const words = ['timeout', 'patience'];",
    'a whole switch': "switch (kind) { case 'timeout': return one(); case 'stalled': return two(); }",
    'members of events that are read':
      "switch (event.type) { case 'created': return event.at; case 'forked': return event.from; default: }",
    'a type of events': "type Text = Extract<ChatEvent, { type: 'textDelta' | 'reasoningDelta' }>;",
  };
  for (const [how, text] of Object.entries(other)) {
    it(`lets ${how} pass`, () => assert.deepEqual(listsOf('planted.ts', text), []));
  }
});
