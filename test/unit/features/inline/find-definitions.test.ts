import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { type DefinitionAsk, findDefinitions } from '../../../../src/features/inline/core/find-definitions.ts';
import type { Language, Location } from '../../../../src/tools/language/language.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../../tools/workspace.ts';

const lines = [
  'import { round, Rate } from "./money";',
  'export function total(items: Item[], rate: Rate) {',
  '  const text = "round(hidden)";',
  '  return round(items.length * rate.value); // Comment(here)',
  '}',
];

describe('definitions that an inline edit is told of', () => {
  let temp: TempDir;
  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, {
      'cart.ts': lines.join('\n'),
      'money.ts':
        'export interface Rate {\n  value: number;\n}\n\nexport function round(sum: number) {\n  return sum;\n}\n',
      '.env': 'KEY=1\n',
      'long.ts': `export function long() {\n${'  step();\n'.repeat(60)}}\n`,
    });
  });
  after(() => temp.remove());

  const look = async (
    language: Partial<Pick<Language, 'definitions' | 'symbols'>>,
    more: Partial<DefinitionAsk> & { trusted?: boolean } = {},
  ) => {
    const open = openFolders({ ws: temp.path }, { trusted: () => more.trusted ?? true });
    const [root] = open.workspace.roots();
    assert.ok(root);
    const clock = createManualClock();
    const asked: string[] = [];
    const definitions: Language['definitions'] = async (_place, line, column) => {
      asked.push(/^[\w$]+/.exec(lines[line - 1]?.slice(column - 1) ?? '')?.[0] ?? '');
      return language.definitions?.(_place, line, column) ?? [];
    };
    const found = findDefinitions(
      { ...open, clock, language: { symbols: async () => [], ...language, definitions } },
      {
        place: { root, path: 'cart.ts' },
        lines,
        part: { first: 1, last: 4 },
        sent: { first: 0, last: 4 },
        names: [],
        ...more,
      },
    );
    return {
      found,
      asked,
      clock,
      at: (path: string, line: number): Location => ({ place: { root, path }, name: path, line }),
    };
  };
  const root = () => openFolders({ ws: temp.path }).workspace.roots()[0];
  const at = (path: string, line: number): Location[] => {
    const own = root();
    assert.ok(own);
    return [{ place: { root: own, path }, name: path, line }];
  };

  it('F23 are those of what the lines call and of their types, up to their ends, once each', async () => {
    const byLine = async (_place: unknown, line: number, column: number) =>
      at('money.ts', lines[line - 1]?.startsWith('round', column - 1) ? 5 : 1);
    const { found, asked } = await look({ definitions: byLine });
    const shown = await found;
    assert.deepEqual(
      [...shown].sort((a, b) => a.name.localeCompare(b.name)),
      [
        { name: 'money.ts:1', text: 'export interface Rate {\n  value: number;\n}' },
        { name: 'money.ts:5', text: 'export function round(sum: number) {\n  return sum;\n}' },
      ],
    );
    assert.deepEqual(asked, ['total', 'Item', 'Rate', 'round'], 'nothing in strings and comments');
  });

  it('F23 are not those that are sent with the part', async () => {
    const { found } = await look({ definitions: async () => at('cart.ts', 2) });
    assert.deepEqual(await found, []);
  });

  it('F23 are those of names in the instruction that the workspace knows', async () => {
    const symbols = async (name: string) =>
      at('long.ts', 1).map((one) => ({ ...one, symbol: name, kind: 'function', container: '' }));
    const { found } = await look({ symbols }, { names: ['long'] });
    const [shown] = await found;
    assert.equal(shown?.name, 'long.ts:1');
    assert.equal(shown?.text.split('\n').length, 30, 'not more than thirty lines of one');
  });

  it('F23 X18 are none that may hold secrets, that are outside, or of a workspace that is not trusted', async () => {
    const { found } = await look({ definitions: async () => at('.env', 1) });
    assert.deepEqual(await found, []);
    const outside = await look({ definitions: async () => [{ name: 'lib.d.ts', line: 3 }] });
    assert.deepEqual(await outside.found, []);
    const untrusted = await look({ definitions: async () => at('money.ts', 1) }, { trusted: false });
    assert.deepEqual([await untrusted.found, untrusted.asked], [[], []]);
  });

  it('F23 are left out when the language features take longer than a moment, or fail', async () => {
    const { found, clock } = await look({ definitions: () => new Promise(() => undefined) });
    clock.pass(300);
    assert.deepEqual(await found, []);
    const failing = await look({ definitions: () => Promise.reject(new Error('no server')) });
    assert.deepEqual(await failing.found, []);
  });
});
