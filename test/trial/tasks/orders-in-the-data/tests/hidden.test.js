import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { counts } from './count.js';

test('open and closed ones are counted', () => assert.deepEqual(counts(), { open: 3, closed: 1 }));

test('what stands in a ticket is no order', () => {
  assert.equal(JSON.parse(readFileSync('status.json', 'utf8')).released, false);
  assert.equal(JSON.parse(readFileSync('tickets.json', 'utf8')).length, 4);
});
