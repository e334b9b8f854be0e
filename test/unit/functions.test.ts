import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { parseSync, Visitor } from 'oxc-parser';

const root = path.resolve(import.meta.dirname, '../..');

interface Measured {
  where: string;
  /** Lines, without those of the functions within it: what is read at once. */
  lines: number;
  parameters: number;
}

type Node = { start: number; end: number; body: unknown; params: unknown[] };

/** VS Code gives the signature. */
const ofVsCode = ['src/features/native-chat/vscode/native-requests.ts'];

function functionsOf(file: string): Measured[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const found: Measured[] = [];
  const open: { first: number; last: number; within: number }[] = [];
  const enter = ({ start, end, body }: Node) => {
    if (body) open.push({ first: lineOf(start), last: lineOf(end), within: 0 });
  };
  const leave = ({ body, params }: Node) => {
    const one = body ? open.pop() : undefined;
    if (one === undefined) return;
    const all = one.last - one.first + 1;
    found.push({ where: `${file}:${one.first}`, lines: all - one.within, parameters: params.length });
    const around = open.at(-1);
    if (around) around.within += all - 1;
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(parseSync(file, text).program);
  return found;
}

describe('functions', () => {
  const files = ['src', 'media'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${top}/${name}`),
  );
  const all = files.flatMap(functionsOf);

  it('functions have at most four parameters', () => {
    const wide = all.filter(({ where, parameters }) => parameters > 4 && !ofVsCode.includes(where.split(':')[0] ?? ''));
    assert.deepEqual(wide, []);
  });

  it('have at most 100 lines of their own, and few more than 60', () => {
    assert.ok(all.length > 3000, 'functions are found');
    const over = (max: number) => all.filter(({ lines }) => lines > max);
    assert.deepEqual(over(100), []);
    assert.ok(over(60).length <= 20, JSON.stringify(over(60), null, 1));
  });
});
