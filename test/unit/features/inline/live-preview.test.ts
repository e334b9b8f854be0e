import assert from 'node:assert/strict';
import fc from 'fast-check';
import { livePreview } from '../../../../src/features/inline/core/live-preview.ts';

describe('the live preview of an inline edit', () => {
  const scope = 'f() {\n  a();\n  b();\n  c();\n}';

  it('F23 shows what has come, whole lines only, and takes nothing as removed that the answer has not come to', () => {
    assert.deepEqual(livePreview('Sure:\n', scope), { removed: [], added: [] });
    assert.deepEqual(livePreview('```ts\nf() {\n', scope), { removed: [], added: [] });
    assert.deepEqual(livePreview('```ts\nf() {\n  x();\n  b', scope), {
      removed: [1],
      added: [{ after: 1, text: 'x();' }],
    });
    assert.deepEqual(livePreview('```ts\nf() {\n  b();\n  c();\n}\n```', scope), { removed: [1], added: [] });
    assert.deepEqual(livePreview('```ts\nf() {\n  a();\n  new1();\n  new2();\n  b();\n', scope), {
      removed: [],
      added: [{ after: 1, text: 'new1(); ⏎ new2();' }],
    });
  });

  it('F23 marks no line that only begins at another column, and none of a diff', () => {
    assert.deepEqual(livePreview('```ts\n      f() {\n        a();\n        x();\n', scope), {
      removed: [2],
      added: [{ after: 2, text: 'x();' }],
    });
    assert.deepEqual(livePreview('```diff\n@@ -1 +1 @@\n-  a();\n', scope), { removed: [], added: [] });
  });

  it('F23 shows nothing of lines above the part that the answer repeats, until it comes to the part', () => {
    const above = ['import a;', '', 'class A {'];
    assert.deepEqual(livePreview('```ts\nimport a;\n\n', scope, above), { removed: [], added: [] });
    const all = '```ts\nimport a;\n\nclass A {\nf() {\n  x();\n';
    assert.deepEqual(livePreview(all, scope, above), { removed: [1], added: [{ after: 1, text: 'x();' }] });
  });

  it('F23 never names a line outside of the part', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', ' c', '}')),
        fc.array(fc.constantFrom('a', 'b', 'x', '')),
        (old, fresh) => {
          const { removed, added } = livePreview(`\`\`\`\n${fresh.join('\n')}\n`, old.join('\n'));
          const last = Math.max(0, old.length - 1);
          for (const line of [...removed, ...added.map(({ after }) => after)])
            assert.ok(line >= 0 && line <= last, `${line}`);
        },
      ),
    );
  });
});
