import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { say } from './say.js';
import { words } from './words.js';

const ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'x ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

test('every number has its word, written out', () => {
  assert.equal(words.length, 100);
  words.forEach((word, at) => {
    const [ten, one] = [Math.floor(at / 10), at % 10];
    assert.equal(word, at < 20 ? ones[at] : one === 0 ? tens[ten] : `${tens[ten]}-${ones[one]}`);
  });
  assert.equal(say(142), '142');
  assert.ok(readFileSync('words.js', 'utf8').includes('ninety-seven'));
});
