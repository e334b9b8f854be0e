import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Place, WorkspaceRoot } from '../../../src/files/workspace.ts';
import { findReferences } from '../../../src/tools/language/find-references.ts';
import { getProblems } from '../../../src/tools/language/get-problems.ts';
import { getSymbols } from '../../../src/tools/language/get-symbols.ts';
import { goToDefinition } from '../../../src/tools/language/go-to-definition.ts';
import { type Language, type Location, locateSymbol } from '../../../src/tools/language/language.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool } from '../../support/tool-context.ts';
import { openFolders, writeFiles } from './workspace.ts';

describe('language tools', () => {
  let temp: TempDir;
  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, {
      'src/a.ts': 'import { b } from "./b";\n\nexport const a = b + b2;\n',
      'src/b.ts': 'export const b = 1;\n',
      '.env': 'SECRET=needle\n',
      'README.md': 'text\n',
    });
  });
  after(() => temp.remove());

  const asked: { place: Place; line: number; column: number }[] = [];
  const deps = (language: Partial<Language>) => {
    const open = openFolders({ ws: temp.path });
    const [root] = open.workspace.roots();
    assert.ok(root !== undefined);
    const place = (path: string): Place => ({ root: root as WorkspaceRoot, path });
    const none: Language = {
      lines: async ({ path }) =>
        path === 'src/a.ts' ? ['import { b } from "./b";', '', 'export const a = b + b2;'] : [],
      isOpen: () => false,
      outline: async () => undefined,
      symbols: async () => [],
      definitions: async () => [],
      references: async () => [],
      problems: async () => [],
      watchEdits: () => async () => ({ before: [], after: [], changed: [], isComplete: true }),
    };
    return { ...open, language: { ...none, ...language }, place };
  };
  const at = (place: Place, line: number): Location => ({ place, name: place.path, line });

  it('F13 get_symbols gives the outline of a file with lines, or the symbols like a query in it', async () => {
    const outline = [
      { name: 'Cart', kind: 'class', line: 1, endLine: 20, depth: 0 },
      { name: 'add', kind: 'method', line: 3, endLine: 5, depth: 1 },
      { name: 'max', kind: 'constant', line: 22, endLine: 22, depth: 0 },
    ];
    const tool = getSymbols.create(deps({ outline: async () => outline }));
    assert.equal(
      (await runTool(tool, { path: 'src/a.ts' })).forModel,
      'src/a.ts:\n1–20 class Cart\n 3–5 method add\n22 constant max',
    );
    assert.equal((await runTool(tool, { path: 'src/a.ts', query: 'AD' })).forModel, 'src/a.ts:\n3–5 method add');
    assert.equal((await runTool(tool, { path: 'src/a.ts', query: 'zz' })).forModel, 'src/a.ts has no symbol like zz.');
    for (const none of [undefined, []]) {
      const knowsNone = getSymbols.create(deps({ outline: async () => none }));
      await assert.rejects(
        runTool(knowsNone, { path: 'README.md' }),
        /knows no symbols in README\.md: .* still starting/,
      );
    }
    await assert.rejects(runTool(tool, {}), /path, a query or both/);
  });

  it('F13 get_symbols finds symbols of the workspace, the exact name first, none outside', async () => {
    const { place, ...rest } = deps({});
    const symbols = [
      { ...at(place('src/a.ts'), 3), symbol: 'abc', kind: 'constant', container: '' },
      { name: 'lib.d.ts', line: 9, symbol: 'a', kind: 'variable', container: '' },
      { ...at(place('src/b.ts'), 1), symbol: 'A', kind: 'class', container: 'shop' },
    ];
    const tool = getSymbols.create({ ...rest, language: { ...rest.language, symbols: async () => symbols } });
    assert.equal((await runTool(tool, { query: 'a' })).forModel, 'src/b.ts:1 class A in shop\nsrc/a.ts:3 constant abc');
    assert.match((await runTool(getSymbols.create(deps({})), { query: 'zz' })).forModel, /^No symbol like zz is known/);
  });

  it('F13 go_to_definition finds the column of the name and shows the line of the definition', async () => {
    const { place, ...rest } = deps({});
    const definitions: Language['definitions'] = async (where, line, column) => {
      asked.push({ place: where, line, column });
      return [at(place('src/b.ts'), 1), { name: 'lib.es5.d.ts', line: 40 }];
    };
    const tool = goToDefinition.create({ ...rest, language: { ...rest.language, definitions } });
    const { forModel } = await runTool(tool, { path: 'src/a.ts', line: 3, symbol: 'b' });
    assert.equal(forModel, 'src/b.ts\n1: export const b = 1;\nlib.es5.d.ts:40 (outside the workspace)');
    assert.deepEqual([asked[0]?.line, asked[0]?.column], [3, 18]);
    await assert.rejects(runTool(tool, { path: 'src/a.ts', line: 3, symbol: 'zzz' }), /"zzz" does not stand on line 3/);
    await assert.rejects(runTool(tool, { path: '../x.ts', line: 3, symbol: 'b' }), /outside the workspace/);
  });

  it('F13 find_references groups lines by file, each once; X16 lines of secret files are not read', async () => {
    const { place, ...rest } = deps({});
    const references = async () => [
      at(place('src/a.ts'), 3),
      at(place('src/a.ts'), 1),
      at(place('src/a.ts'), 3),
      at(place('.env'), 1),
      at(place('gone.ts'), 7),
    ];
    const tool = findReferences.create({ ...rest, language: { ...rest.language, references } });
    assert.equal(
      (await runTool(tool, { path: 'src/a.ts', line: 1, symbol: 'b' })).forModel,
      'src/a.ts\n1: import { b } from "./b";\n3: export const a = b + b2;\n.env\n1:\ngone.ts\n7:',
    );
    const many = async () => Array.from({ length: 150 }, (_, index) => at(place('src/a.ts'), index + 1));
    const large = findReferences.create({ ...rest, language: { ...rest.language, references: many } });
    assert.match((await runTool(large, { path: 'src/a.ts', line: 1, symbol: 'b' })).forModel, /\n\[50 more\]$/);
  });

  describe('of a language server that still reads the project', () => {
    const use = { path: 'src/a.ts', line: 3, symbol: 'b' };
    const note = '[The editor may still be reading the project. As text the word is also here:]';
    const inBoth =
      'src/a.ts\n1: import { b } from "./b";\n3: export const a = b + b2;\nsrc/b.ts\n1: export const b = 1;';
    const inA = 'src/a.ts\n1: import { b } from "./b";\n3: export const a = b + b2;';
    const inB = 'src/b.ts\n1: export const b = 1;';
    const place = (path: string) => deps({}).place(path);
    const isOpen: Language['isOpen'] = ({ path }) => path !== 'src/b.ts';
    const entry = (line: number) => ({ name: 'b', kind: 'constant', line, endLine: line, depth: 0 });
    const symbol = (path: string) => ({ ...at(place(path), 1), symbol: 'b', kind: 'constant', container: '' });
    const rows: [what: string, tool: typeof goToDefinition, language: Partial<Language>, says: string][] = [
      [
        'no definition',
        goToDefinition,
        {},
        `No definition of b is known to this editor. Try search_text.\n${note}\n${inBoth}`,
      ],
      [
        'the line of the import as the definition',
        goToDefinition,
        { definitions: async () => [at(place('src/a.ts'), 1)], outline: async () => [entry(3)] },
        `src/a.ts\n1: import { b } from "./b";\n${note}\n${inB}`,
      ],
      [
        'a definition in the same file',
        goToDefinition,
        { definitions: async () => [at(place('src/a.ts'), 3)], outline: async () => [entry(3)] },
        'src/a.ts\n3: export const a = b + b2;',
      ],
      ['a definition elsewhere', goToDefinition, { definitions: async () => [at(place('src/b.ts'), 1)] }, inB],
      [
        'no reference',
        findReferences,
        {},
        `No reference to b is known to this editor. Try search_text.\n${note}\n${inBoth}`,
      ],
      [
        'references in open files alone',
        findReferences,
        { references: async () => [at(place('src/a.ts'), 1), at(place('src/a.ts'), 3)] },
        `${inA}\n${note}\n${inB}`,
      ],
      [
        'references in a file that is not open',
        findReferences,
        { references: async () => [at(place('src/b.ts'), 1)] },
        inB,
      ],
    ];
    for (const [what, tool, language, says] of rows)
      it(`F13 ${what}: what the text has besides is told where the answer may lack it`, async () => {
        assert.equal((await runTool(tool.create(deps({ isOpen, ...language })), use)).forModel, says);
      });

    it('F13 get_symbols tells where the text has a name that is known of open files alone, or of none', async () => {
      const told = async (...paths: string[]) => {
        const language = { isOpen, symbols: async () => paths.map(symbol) };
        return (await runTool(getSymbols.create(deps(language)), { query: 'b' })).forModel;
      };
      const none = await told();
      assert.ok(none.startsWith('No symbol like b is known.') && none.endsWith(`${note}\n${inBoth}`), none);
      assert.equal(await told('src/a.ts'), `src/a.ts:1 constant b\n${note}\n${inB}`);
      assert.equal(await told('src/b.ts'), 'src/b.ts:1 constant b');
    });
  });

  it('F13 get_problems gives errors first, one line each', async () => {
    const { place, ...rest } = deps({});
    const problem = (path: string, line: number, severity: 'error' | 'warning', message: string) => ({
      place: place(path),
      line,
      column: 2,
      severity,
      message,
      source: 'ts 2322',
    });
    const problems = async () => [
      problem('src/b.ts', 1, 'warning', 'Unused.'),
      problem('src/b.ts', 9, 'error', 'Wrong.\n  Very wrong.'),
      problem('src/a.ts', 3, 'error', 'Bad.'),
    ];
    const tool = getProblems.create({ ...rest, language: { ...rest.language, problems } });
    assert.equal(
      (await runTool(tool, {})).forModel,
      'src/a.ts:3:2 error (ts 2322): Bad.\nsrc/b.ts:9:2 error (ts 2322): Wrong. · Very wrong.\nsrc/b.ts:1:2 warning (ts 2322): Unused.',
    );
    const none = getProblems.create(deps({}));
    assert.equal((await runTool(none, { path: 'src/a.ts' })).forModel, 'No problems are reported for src/a.ts.');
  });

  it('F13 a name is found as a whole word, on the line or near it, also when the model wrote more than the name', () => {
    const lines = ['const ab = 1;', 'use($a, a_b, ab);', '', 'x.ab(é.ab)', 'größe = ab'];
    assert.deepEqual(locateSymbol(lines, 2, 'ab'), { line: 2, column: 14 });
    assert.deepEqual(locateSymbol(lines, 3, 'ab'), { line: 2, column: 14 });
    assert.deepEqual(locateSymbol(lines, 4, 'x.ab(1)'), { line: 4, column: 3 });
    assert.deepEqual(locateSymbol(lines, 5, 'größe'), { line: 5, column: 1 });
    assert.throws(() => locateSymbol(lines, 1, 'b'), /does not stand/);
    assert.throws(() => locateSymbol([], 1, 'b'), /does not stand/);
    assert.throws(() => locateSymbol(lines, 0, 'b'), /does not stand/);
    assert.throws(() => locateSymbol(lines, 1, ''), /must not be empty/);
  });
});
