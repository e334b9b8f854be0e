import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseRetryAfter } from '../../../src/service/failure/classify.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const parse = (headers: Record<string, string>) => parseRetryAfter(new Headers(headers), now);

describe('parseRetryAfter', () => {
  const rows: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': '1000000000' }, 1e12],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'x', 'retry-after': '9' }, 9000],
  ];
  for (const [headers, expected] of rows) {
    it(`W78 ${JSON.stringify(headers)} is ${expected} ms`, () => assert.equal(parse(headers), expected));
  }

  it('W78 whatever the header holds, the result is undefined or a number ≥ 0', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,40}$/), (text) => {
        const result = parse({ 'retry-after': text });
        assert.ok(result === undefined || (Number.isFinite(result) && result >= 0));
      }),
    );
  });
});
