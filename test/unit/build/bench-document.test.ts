import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
    const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const known = new Set(
      [...read('docs/requirements.md').matchAll(/^\| (\w+) \| (?!\*Wanted)/gm)].map(([, id]) => id),
    );
    const rows = read('docs/performance.md').matchAll(/^\| (?!#)(\S+) \|/gm);
    const ids = [...rows].map(([, id]) => id);
    assert.ok(ids.length >= 15, String(ids.length));
    assert.deepEqual(
      ids.filter((id) => !known.has(id)),
      [],
    );
  });
});
