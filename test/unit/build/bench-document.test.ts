import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { withMeasured } from '../../bench/document.ts';
import type { Line } from '../../bench/figure.ts';

const line = (over: Partial<Line>): Line => ({
  ...{ id: 'P8', what: 'activation', ours: '30 ms', anchor: 'empty', measured: '10 ms' },
  ...{ comparison: '3 × (3)', goal: '', met: '' },
  ...over,
});
const old = '| P8 | activation | 40 ms | empty: 9 ms | Nov 20 |';
const kept = '| P9 | memory | 2 MB | | Nov 20 |';
const page = (rows: readonly string[]) =>
  `before\n<!-- bench: P8 P9 -->\n| # | What | svc Assistant | Beside it | Measured |\n|---|---|---|---|---|\n${rows.join('\n')}\n<!-- /bench -->\nafter\n`;

describe('the document of what was measured', () => {
  it('takes what was measured now in the place of what it said, and leaves the rest with its day', () => {
    const lines = [line({}), line({ id: 'P1', what: 'nobody asked for' })];
    const fresh = '| P8 | activation | 30 ms | empty: 10 ms · 3 × (3) | Nov 24 |';
    assert.equal(withMeasured(page([old, kept]), lines, 'Nov 24'), page([fresh, kept]));
    assert.equal(withMeasured(page([kept]), lines, 'Nov 24'), page([fresh, kept]));
    assert.equal(withMeasured(page([old, kept]), [], 'Nov 24'), page([old, kept]));
  });

  it('says of each figure in docs/performance.md what measures it', () => {
    const document = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
    const bench = new URL('../../bench/', import.meta.url);
    const sources = readdirSync(bench).filter((name) => name.endsWith('.ts'));
    const known = new Set(
      sources.flatMap((name) => readFileSync(new URL(name, bench), 'utf8').match(/\bP\d+\b/g) ?? []),
    );
    const rows = document.split('\n').filter((row) => row.startsWith('| ') && !row.startsWith('| #'));
    assert.ok(rows.length >= 15, String(rows.length));
    for (const row of rows) assert.ok(known.has(row.split(' ')[1] ?? ''), row);
  });
});
