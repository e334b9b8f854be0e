import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { csvHeader, csvLine } from '../../../src/spend/csv.ts';
import { ledgerEntry } from './ledger-samples.ts';

/** RFC 4180 as its readers read it. */
function parse(text: string): string[] {
  const fields: string[] = [];
  let rest = text.slice(0, -2);
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plain = /^[^",\r\n]*/.exec(rest);
    const [whole = '', inner] = quoted ?? plain ?? [];
    fields.push(inner === undefined ? whole : inner.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === '') return fields;
    assert.equal(rest[0], ',');
    rest = rest.slice(1);
  }
}

describe('spend as CSV', () => {
  it('S11 has one line for an attempt, with the money to the micro-dollar', () => {
    const columns = parse(csvHeader);
    const fields = parse(csvLine(ledgerEntry({ totalTokens: 12_345, microUsd: 4074, conversationId: 'c' })));
    assert.equal(fields.length, columns.length);
    assert.equal(fields[columns.indexOf('usd')], '0.004074');
    assert.equal(fields[columns.indexOf('total_tokens')], '12345');
    assert.equal(fields[columns.indexOf('charged')], 'yes');
    assert.match(fields[columns.indexOf('time')] ?? '', /^2026-11-20T\d\d:00:00\.000[+-]\d\d:\d\d$/);
  });

  it('any name comes back as it was, apart from the apostrophe that stops a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '"', ','),
        (text, first) => {
          const model = first + text;
          const line = csvLine(ledgerEntry({ model }));
          assert.ok(line.endsWith('\r\n'));
          const field = parse(line)[1] ?? '';
          assert.equal(/^[=+\-@\t\r\n]/.test(model) ? `'${model}` : model, field);
          assert.doesNotMatch(field, /^[=+\-@\t\r\n]/);
        },
      ),
    );
  });
});
