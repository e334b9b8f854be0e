import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { loosenArguments } from '../../../src/agent/loose-arguments.ts';
import { inSchemaForm, parseArguments } from '../../../src/agent/parse-arguments.ts';
import { defineTool } from '../../../src/agent/tool.ts';
import { leadingMembers, parseLooseJson } from '../../../src/base/loose-json.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

type Args = Record<string, unknown>;
const specOf = (name: string) => {
  const spec = toolSpecs.find((one) => one.name === name);
  assert.ok(spec, name);
  return spec;
};
const parse = (name: string, raw: string) => parseArguments(specOf(name), raw);

describe('closers of a form at the end of an argument (vllm-project/vllm#53227, #37186)', () => {
  const tails = [
    '\n</parameter>',
    '</parameter>',
    '\n</param',
    '\n</parameter>\n</invoke>',
    '</arg_value>',
    '</｜DSML｜ parameter>',
    '<|close|>argument<|sep|>',
    '\n</tool_call>',
    '<|im_end|>',
    '<|tool_call_end|>',
    ...['<|call|>', '<eos>', '<|user|>', '<|eot_id|>', '<|return|>', '[e~['],
    '<eos>\n<eos>',
  ];
  for (const tail of tails)
    it(`W59 ${JSON.stringify(tail)} is taken off where a call reads, and refused by name where it writes`, () => {
      const read = parse('read_file', JSON.stringify({ path: `src/a.ts${tail}` }));
      assert.deepEqual(read.ok && read.value, { path: 'src/a.ts' });
      for (const [name, args] of [
        ['create_file', { path: 'src/a.ts', content: `const a = 1;${tail}` }],
        ['edit_file', { path: 'src/a.ts', edits: [{ search: 'a', replace: `const a = 1;${tail}` }] }],
        ['run_command', { command: `ls${tail}` }],
      ] as const) {
        const written = parse(name, JSON.stringify(args));
        assert.ok(!written.ok, name);
        assert.ok(written.sentence.includes(JSON.stringify(tail.trim())), written.sentence);
        assert.equal(written.unreadable, false);
      }
    });

  for (const content of [
    '<tool>\n<parameter name="a">1\n</parameter>\n',
    'The closer is </parameter>, and then more.',
    'a < b\n</p',
    '<section>\n  <p>Hi</p>\n</section>\n',
    'The call ends with <tool_call> and </tool_call>',
    'const open = "<|open|>argument";\nconst close = "<|close|>argument<|sep|>',
  ])
    it(`W59 ${JSON.stringify(content).slice(0, 60)} is written as it is`, () => {
      const written = parse('create_file', JSON.stringify({ path: 'a.md', content }));
      assert.deepEqual(written.ok && written.value, { path: 'a.md', content });
    });
});

/** What a tool may be given, made by hand and not from its schema: the outside judge of what a call means. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a, b', '10', 'false', '[1]', '{"a":1}', 'x\ny', '\t', '"'),
);
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.ts`);
const line = fc.integer({ min: 1, max: 5000 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const full = text.filter((value) => value !== '');
const canonical: Record<string, fc.Arbitrary<Args>> = {
  read_file: fc.record({ path, startLine: some(line), endLine: some(line) }),
  list_directory: fc.record({ path: some(path) }),
  find_files: fc.record({ pattern: full }),
  search_text: fc.record({ query: full, path: some(path), glob: some(full), regex: some(fc.boolean()) }),
  go_to_definition: fc.record({ path, line, symbol: word }),
  get_changes: fc.record({ staged: some(fc.boolean()), against: some(word) }),
  ask_user: fc.record({ question: full, options: some(fc.array(full, { maxLength: 4 })) }),
  update_plan: fc.record({
    items: fc.array(fc.record({ text: full, state: fc.constantFrom('pending', 'active', 'done') }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  edit_file: fc.record({
    path,
    edits: fc.array(fc.record({ search: text, replace: text, replaceAll: some(fc.boolean()) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  create_file: fc.record({ path, content: text }),
  rename_file: fc.record({ path, newPath: path }),
  run_command: fc.record({ command: full, cwd: some(path), timeoutSeconds: some(line) }),
};
const anyCall = fc
  .constantFrom(...Object.keys(canonical))
  .chain((name) => (canonical[name] ?? fc.constant({})).map((args) => ({ name, args: present(args) as Args })));

function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, present(inner)]),
  );
}

const rename =
  (from: string, ...to: string[]) =>
  (args: Args, pick: (count: number) => number): Args =>
    Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key === from ? (to[pick(to.length)] ?? key) : key, value]),
    );
const each = (change: (args: Args) => Args, key: string) => (args: Args) => ({
  ...args,
  ...(Array.isArray(args[key]) && { [key]: (args[key] as Args[]).map(change) }),
});
const states: Record<string, string> = { active: 'in_progress', done: 'completed', pending: 'Pending' };
/** Ways in which models are known to miss a schema, each for the arguments that it is about. */
const habits: Record<string, (args: Args, pick: (count: number) => number) => Args> = {
  'another name of a path': rename('path', 'file_path', 'filename', 'Path', 'filePath'),
  underscores: (args) =>
    Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`), value]),
    ),
  'numbers as text': (args) => mapValues(args, (value) => (typeof value === 'number' ? `${value}` : value)),
  'booleans as text': (args) =>
    mapValues(args, (value) => (typeof value === 'boolean' ? (value ? 'True' : 'false') : value)),
  'lists and objects as text': (args) =>
    mapValues(args, (value) => (typeof value === 'object' ? JSON.stringify(value) : value)),
  'null for what is absent': (args) => ({ regex: null, offset: null, encoding: null, ...args }),
  'one entry for a list': (args) =>
    mapValues(args, (value) =>
      Array.isArray(value) && value.length === 1 && typeof value[0] === 'object' ? value[0] : value,
    ),
  'old_string and new_string': each(
    (edit) =>
      rename(
        'replace',
        'new_string',
        'new_str',
      )(
        rename('search', 'old_string', 'old_str')(edit, () => 0),
        () => 0,
      ),
    'edits',
  ),
  'status and content': each(
    (item) =>
      rename('text', 'content')(
        rename('state', 'status')({ ...item, state: states[String(item.state)] ?? '' }, () => 0),
        () => 0,
      ),
    'items',
  ),
  'todos for items': rename('items', 'todos', 'plan', 'steps'),
  'an edit without its list': ({ edits, ...args }) =>
    Array.isArray(edits) && edits.length === 1
      ? { ...args, ...(edits[0] as Args) }
      : { ...args, ...(edits !== undefined && { edits }) },
  'offset and limit': ({ startLine, endLine, ...args }) =>
    typeof startLine === 'number' && typeof endLine === 'number' && endLine >= startLine
      ? { ...args, offset: startLine, limit: endLine - startLine + 1 }
      : { ...args, ...(startLine !== undefined && { startLine }), ...(endLine !== undefined && { endLine }) },
  'lines behind the path': (args) => {
    const { startLine, endLine, line: at, ...rest } = args;
    if (typeof args.path !== 'string') return args;
    if (typeof at === 'number') return { ...rest, path: `${args.path}:${at}` };
    if (typeof startLine !== 'number') return args;
    return { ...rest, path: `${args.path}:${startLine}${endLine === undefined ? '' : `-${endLine}`}` };
  },
  'pattern for query': rename('query', 'pattern', 'searchTerm'),
  'a word about it': (args) => ({ ...args, description: 'I do this', explanation: 'because' }),
};
const mapValues = (args: Args, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, change(value)]));

const spellings: ((json: string) => string)[] = [
  (json) => json,
  (json) => JSON.stringify(json),
  (json) => json.replace(/(?<!{)}$/, ',}'),
  (json) => json.replace(/]/g, (end, at) => (isOutside(json, at) && json[at - 1] !== '[' ? ',]' : end)),
  (json) => json.replaceAll(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n').replaceAll(/(?<!\\)((?:\\\\)*)\\t/g, '$1\t'),
  (json) => `\n  ${json} \n`,
];

/** Counted from the beginning, in another way than the product does it. */
function isOutside(json: string, at: number): boolean {
  return (json.slice(0, at).replaceAll(/\\./gs, '').match(/"/g) ?? []).length % 2 === 0;
}

describe('agent/parse-arguments', () => {
  it('H19 what fits the schema is read as it stands', () => {
    fc.assert(
      fc.property(anyCall, ({ name, args }) => {
        const read = parse(name, JSON.stringify(args));
        assert.deepEqual(read, { ok: true, value: args, ignored: [], comments: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('H19 a call that misses the schema in known ways means what the strict call means', () => {
    const looseness = fc.record({
      which: fc.subarray(Object.keys(habits), { maxLength: 4 }),
      spelling: fc.constantFrom(...spellings),
      picks: fc.infiniteStream(fc.nat(100)),
    });
    const used = new Set<string>();
    fc.assert(
      fc.property(anyCall, looseness, ({ name, args }, { which, spelling, picks }) => {
        const pick = (count: number) => (picks.next().value ?? 0) % count;
        let loose = args;
        for (const habit of which) {
          const before = JSON.stringify(loose);
          loose = habits[habit]?.(loose, pick) ?? loose;
          if (JSON.stringify(loose) !== before) used.add(habit);
        }
        const raw = spelling(JSON.stringify(loose));
        const read = parse(name, raw);
        assert.ok(read.ok, `${raw}: ${read.ok || read.sentence}`);
        assert.deepEqual(read.value, args, raw);
        const own = JSON.parse(inSchemaForm([specOf(name)], { name, arguments: raw }).arguments);
        assert.deepEqual(parse(name, JSON.stringify(own)), { ...read }, 'read again, it is the same call');
        for (const comment of ['description', 'explanation']) delete own[comment];
        const shown = JSON.stringify(loose) === JSON.stringify(args) ? loose : args;
        assert.deepEqual(present(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null))), shown);
      }),
      { numRuns: 3000 },
    );
    assert.deepEqual([...used].sort(), Object.keys(habits).sort(), 'every habit was tried');
  });

  const refused: readonly (readonly [tool: string, raw: string, told: RegExp])[] = [
    ['read_file', '{"path":"a","file_path":"b"}', /`path` and `file_path` differ: give only `path`/],
    [
      'create_file',
      '{"path":"a","content":"b","encoding":"utf8"}',
      /no `encoding`.* takes \{path: string, content: string\}/,
    ],
    ['read_file', '{"path":"a","startLine":-5}', /`startLine` must be at least 1/],
    ['read_file', '{"path":"a:3","startLine":9}', /the line in `path` and `startLine` name different lines/],
    ['read_file', '{"path":"a","offset":3,"limit":5,"endLine":20}', /`limit` and `endLine` name different lines/],
    ['read_file', '{"path":"a","startLine":"ten"}', /`startLine` must be/],
    ['read_file', '{"path":"a","startLine":1.5}', /`startLine` must be/],
    ['read_file', '{"path":["a","b"]}', /`path` must be string/],
    ['edit_file', '{"path":"a.ts:12","search":"a","replace":"b"}', /`path` must be without line numbers/],
    [
      'edit_file',
      '{"path":"a","old_string":"x"}',
      /`edits` is required.*edits: \[\{search: string, replace: string, replaceAll\?: boolean\}\]/,
    ],
    ['edit_file', '{"path":"a","edits":[{"search":"x","replace":"y","line":3}]}', /no `edits\.0\.line`/],
    ['go_to_definition', '{"path":"a.ts:3-9","symbol":"x"}', /`path` must be without line numbers/],
    ['create_file', '{"path":"package.json","content":{"a":1}}', /`content` must be string/],
    ['run_command', '{"command":"npm test","timeout":60000}', /no `timeout`.*timeoutSeconds\?: integer/],
    ['run_command', '{"command":["npm","test"]}', /`command` must be string/],
    [
      'update_plan',
      '{"items":[{"text":"a","state":"cancelled"}]}',
      /`items\.0\.state` must be one of pending, active, done/,
    ],
    ['ask_user', '{"question":"Which?","options":"red, green"}', /`options` must be array/],
    ['search_text', '{"query":404}', /`query` must be string/],
    [
      'delete_file',
      '{"path":"a","__proto__":{"path":"x"},"constructor":1}',
      /no `__proto__`; there is no `constructor`/,
    ],
    ['list_directory', "{'path': 'a'}", /not valid JSON.*list_directory takes \{path\?: string\}/],
    ['list_directory', '{"path":"a"', /not valid JSON/],
    ['list_directory', '[{"path":"a"}]', /one JSON object/],
  ];
  for (const [name, raw, told] of refused) {
    it(`H19 does not guess what a call of ${name} means with the arguments ${raw}`, () => {
      const read = parse(name, raw);
      assert.match(read.ok ? JSON.stringify(read.value) : read.sentence, told);
      assert.ok(!read.ok);
      assert.equal(inSchemaForm([specOf(name)], { name, arguments: raw }).arguments, raw, 'kept as it was written');
    });
  }

  const readAs: readonly (readonly [tool: string, raw: string, args: Args])[] = [
    ['read_file', '{"path":"a","startLine":0,"endLine":0}', { path: 'a', startLine: 1 }],
    ['read_file', '{"path":"a","startLine":5,"endLine":-1}', { path: 'a', startLine: 5, endLine: 9_999_999 }],
    ['read_file', '{"path":"a","view_range":[3,9]}', { path: 'a', startLine: 3, endLine: 9 }],
    ['read_file', '{"path":"a","limit":"20"}', { path: 'a', endLine: 20 }],
    ['read_file', '{"path":"src/a.ts:12:5"}', { path: 'src/a.ts', startLine: 12 }],
    ['read_file', '{"path":"src/a.ts#L12-L15"}', { path: 'src/a.ts', startLine: 12, endLine: 15 }],
    ['read_file', '{"path":"C:\\\\ws\\\\a.ts:7"}', { path: 'C:\\ws\\a.ts', startLine: 7 }],
    ['ask_user', '{"question":"Which?","options":"red"}', { question: 'Which?', options: ['red'] }],
    [
      'edit_file',
      '{"file_path":"a","old_string":"x","new_string":"y","replace_all":"true"}',
      { path: 'a', edits: [{ search: 'x', replace: 'y', replaceAll: true }] },
    ],
    [
      'update_plan',
      '{"todos":[{"content":"a","status":"in_progress","activeForm":"doing a"}]}',
      { items: [{ text: 'a', state: 'active' }] },
    ],
    ['list_directory', '', {}],
  ];
  for (const [name, raw, args] of readAs) {
    it(`H19 reads a call of ${name} with the arguments ${raw}`, () => {
      const read = parse(name, raw);
      assert.deepEqual(read.ok ? read.value : read.sentence, args);
    });
  }

  it('H19 converts for a tool of others by its schema alone and keeps every argument', () => {
    const parameters = z.record(z.string(), z.unknown());
    parameters._zod.toJSONSchema = () => ({
      type: 'object',
      properties: {
        count: { type: 'integer' },
        on: { type: 'boolean' },
        name: { type: 'string' },
        of: { type: 'object', properties: { parent: {} } },
      },
    });
    const tool = defineTool<Args>({
      name: 'theirs',
      description: '',
      parameters,
      kind: 'other',
      access: 'execute',
      title: () => '',
      run: async () => ({ forModel: '' }),
    });
    const read = parseArguments(
      tool,
      '{"count":"3","on":"true","name":"10","file_path":"a.ts:3","extra":"4","of":{"parent":null}}',
    );
    assert.deepEqual(read, {
      ok: true,
      value: { count: 3, on: true, name: '10', file_path: 'a.ts:3', extra: '4', of: { parent: null } },
      ignored: [],
      comments: [],
    });
  });

  it('X32 arguments for a tool of others are nested only so deep', () => {
    const tool = defineTool<Args>({
      ...{
        name: 'other',
        kind: 'other',
        description: '',
        parameters: z.record(z.string(), z.unknown()),
        access: 'execute',
      },
      ...{ title: () => '', plan: async () => ({ run: async () => ({ forModel: '' }) }) },
    });
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    assert.ok(parseArguments(tool, nested(100)).ok);
    for (const depth of [101, 5000, 200_000]) {
      const raw = nested(depth);
      assert.deepEqual(parseArguments(tool, raw), {
        ok: false,
        sentence: 'Not run: the arguments are nested more than 100 levels deep.',
        unreadable: true,
      });
      const call = { name: 'other', arguments: raw };
      assert.equal(inSchemaForm([tool], call), call);
    }
  });

  it('H20 what stands whole at the beginning of broken arguments is found', () => {
    assert.deepEqual(leadingMembers('{"path":"a","content":"lon'), { path: 'a' });
    assert.deepEqual(leadingMembers('{"path":"a,b","edits":[{"search":"x","repl'), { path: 'a,b' });
    assert.deepEqual(leadingMembers("{'path': 'a', 'b': 1}"), {});
    assert.deepEqual(leadingMembers('no JSON, not at all'), {});
    fc.assert(
      fc.property(fc.dictionary(word, fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, at) => {
        const json = JSON.stringify(object);
        const found = leadingMembers(json.slice(0, at % json.length));
        for (const [key, value] of Object.entries(found)) assert.deepEqual(value, JSON.parse(json)[key]);
      }),
    );
  });

  it('H19 mending leaves JSON as it is, and what cannot be mended as broken as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(parseLooseJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
    for (const broken of ['{"a":1,,}', '[,]', '{,}', '{"a":,}', '{"a" 1}', '"a', '{"a":"b" "c"}']) {
      assert.throws(() => parseLooseJson(broken), SyntaxError, broken);
    }
  });

  it('F20 null is a value of a foreign tool where its schema says so, and left out elsewhere', () => {
    const schema = { properties: { parent: { type: ['string', 'null'] }, name: { type: 'string' } } };
    const read = loosenArguments({ parent: null, name: null }, schema, { ownNames: false, forgives: false });
    assert.deepEqual(read.value, { parent: null });
  });
});
