import assert from 'node:assert/strict';
import { hunksAround } from '../../../src/edits/apply/unified-hunks.ts';

describe('hunks of a diff', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n+b\n@@ -20 +21,0 @@ f()\n-gone\n@@ -30,2 +30,2 @@\n-c\n+d\n';

  it('F24 are those that hold the lines, under the names of the file', () => {
    assert.equal(hunksAround(diff, { start: 31, end: 31 }), '--- a/x\n+++ b/x\n@@ -30,2 +30,2 @@\n-c\n+d\n');
    assert.match(hunksAround(diff, { start: 21, end: 21 }), /-gone\n$/);
  });

  it('F24 are all of them when none holds the lines', () => {
    assert.equal(hunksAround(diff, { start: 99, end: 99 }), diff);
    assert.equal(hunksAround('', { start: 1, end: 1 }), '');
  });
});
