import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as all from './src/index.js';

test('the queue works under its new name', () => {
  const ran = [];
  all.enqueue({ id: 'a', run: () => ran.push('a') });
  all.later('b', () => ran.push('b'));
  all.retry({ id: 'c', run: () => ran.push('c') }, 2);
  assert.equal(all.work(), 4);
  assert.deepEqual(ran, ['a', 'b', 'c', 'c']);
});

test('the old name is gone, and push of lists is left alone', () => {
  assert.equal('push' in all, false);
  assert.match(readFileSync('src/queue.js', 'utf8'), /waiting\.push\(job\)/);
  assert.deepEqual(all.collect([['x'], ['y', 'z']]), ['x', 'y', 'z']);
});
