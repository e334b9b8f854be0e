import assert from 'node:assert/strict';
import { editRequestMessages, lastLineOf } from '../../../../src/features/inline/core/edit-request.ts';
import { chooseScope, shiftScope } from '../../../../src/features/inline/core/edit-scope.ts';

const at = (line: number, character = 0) => ({ start: { line, character }, end: { line, character } });

describe('an inline edit', () => {
  it('F23 is about the selected lines, not about one that the selection only touches', () => {
    const selected = (character: number) => ({ start: { line: 2, character: 4 }, end: { line: 5, character } });
    assert.deepEqual(chooseScope(selected(3), []), { first: 2, last: 5 });
    assert.deepEqual(chooseScope(selected(0), []), { first: 2, last: 4 });
  });

  it('F23 is without a selection about the smallest symbol around the cursor, else about the line', () => {
    const outline = [
      { line: 1, endLine: 50 },
      { line: 10, endLine: 20 },
      { line: 12, endLine: 12 },
    ];
    assert.deepEqual(chooseScope(at(11), outline), { first: 9, last: 19 });
    assert.deepEqual(chooseScope(at(60), outline), { first: 60, last: 60 });
    assert.deepEqual(chooseScope(at(300), [{ line: 1, endLine: 900 }]), { first: 300, last: 300 });
  });

  it('F23 an inline edit follows its lines while others change', () => {
    const scope = { first: 10, last: 12 };
    assert.deepEqual(shiftScope(scope, 2, 2, 3), { first: 12, last: 14 });
    assert.deepEqual(shiftScope(scope, 20, 21, 1), scope);
    assert.deepEqual(shiftScope(scope, 11, 11, 2), { first: 10, last: 13 });
    assert.deepEqual(shiftScope(scope, 9, 20, 1), { first: 9, last: 9 });
  });

  it('F23 sends the part, what is around it, what is reported in it and the instruction', () => {
    const many = Array.from({ length: 1000 }, (_, line) => `line ${line}`);
    const [, user] = editRequestMessages({
      path: 'a.ts',
      languageId: 'typescript',
      before: many,
      scope: 'const a = 1;',
      after: ['end'],
      instruction: 'Make it two',
      problems: ['12: unused'],
      files: [{ name: 'b.ts', text: 'export const b = 2;' }],
      definitions: [{ name: 'c.ts:3', text: 'const c = 3;' }],
    });
    assert.ok(user?.role === 'user');
    assert.match(
      user.text,
      /\[…\]\nline 850\n[\s\S]*line 999\n<{7} marked part begins\nconst a = 1;\n>{7} marked part ends\nend\n/,
    );
    assert.match(
      user.text,
      /^Another file, not to be edited: b\.ts\nexport const b = 2;\n\nDefined elsewhere, not to be edited: c\.ts:3\nconst c = 3;\n\nFile: a\.ts/,
    );
    assert.match(user.text, /12: unused[\s\S]*Instruction: Make it two$/);
  });

  it('F23 the preview of an inline edit shows the last line that came', () => {
    assert.equal(lastLineOf('```ts\nconst a = 1;\n  con'), 'con');
    assert.equal(lastLineOf('```ts\n'), '');
  });
});
