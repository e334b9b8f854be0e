import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseReplacement, type Replaced } from '../../../src/inline/replacement.ts';

const textOf = (answer: string, scope: string, more: Partial<Replaced> = {}) => {
  const found = parseReplacement(answer, { scope, ...more });
  return 'text' in found ? found.text : `problem: ${found.problem}`;
};
const fenced = (text: string) => `\`\`\`\n${text}\n\`\`\``;

describe('the replacement in an answer', () => {
  it('F23 is the code block, with the indentation of the part that it replaces', () => {
    assert.equal(textOf('```ts\nif (a) {\n  b();\n}\n```\n', '    a();\n    b();'), '    if (a) {\n      b();\n    }');
    assert.equal(textOf('Sure:\n```\n  x\n```\nThat is all.', '  a'), '  x');
    assert.equal(textOf('```\n```', 'a'), '');
    assert.equal(textOf('```ts\r\na\r\nb\r\n```\r\n', 'c\r\nd'), 'a\nb');
  });

  it('F23 is written with tabs where tabs are used, with spaces where spaces are', () => {
    assert.equal(
      textOf(fenced('if (a) {\n    if (b) {\n        c();\n    }\n}'), 'if (a) {\n\tc();\n}'),
      'if (a) {\n\tif (b) {\n\t\tc();\n\t}\n}',
    );
    assert.equal(textOf(fenced('if a:\n\tb()'), 'if a:\n    c()'), 'if a:\n    b()');
    assert.equal(
      textOf(fenced('f() {\n  g();\n}'), 'f() {}', { around: ['h() {', '\ti();', '}'] }),
      'f() {\n\tg();\n}',
    );
    assert.equal(textOf(fenced('f() {\n  g();\n}'), 'f() {\n    h();\n}'), 'f() {\n  g();\n}', 'both are spaces');
    assert.equal(
      textOf(fenced('/**\n * a\n */\nf() {\n\tg();\n}'), 'f() {\n\th();\n}'),
      '/**\n * a\n */\nf() {\n\tg();\n}',
    );
  });

  it('F23 takes code blocks inside of the text along', () => {
    assert.equal(textOf('```md\na\n```js\nb\n```\nc\n```', 'a', { holdsFences: true }), 'a\n```js\nb\n```\nc');
    assert.equal(textOf('```md\na\n```\nb\n```\nc\n```', 'a', { holdsFences: true }), 'a\n```\nb\n```\nc');
    assert.equal(
      textOf('```py\ndef f():\n    """\n    ```\n    f()\n    ```\n    """\n```', 'def f(): ...'),
      'def f():\n    """\n    ```\n    f()\n    ```\n    """',
    );
    assert.equal(textOf('````\n```\na\n```\n````', 'a'), '```\na\n```');
  });

  it('F23 is nothing when there are several blocks: nobody can tell which one is meant', () => {
    assert.equal(textOf('First:\n```ts\na\n```\nThen:\n```ts\nb\n```\n', 'a'), 'problem: several');
  });

  for (const answer of ['', 'I would rename it.', '```ts\nconst a = 1;', '`a`']) {
    it(`F23 no replacement is found in ${JSON.stringify(answer)}`, () =>
      assert.equal(textOf(answer, 'a'), 'problem: none'));
  }

  for (const line of [
    '// ... rest of the code',
    '// ...',
    '# ... existing code ...',
    '  /* … */',
    '// rest of the function remains unchanged',
    '// The rest of the implementation stays the same',
    '... rest unchanged ...',
    '{/* existing props */}',
    '<!-- ... other fields ... -->',
    '-- (unchanged)',
    '// remaining methods unchanged',
    '# (same as before)',
    '// [...]',
  ]) {
    it(`F23 is nothing when lines are left out by ${JSON.stringify(line)}`, () => {
      assert.equal(textOf(fenced(`a();\n${line}`), 'a();\nb();\nc();'), 'problem: elided');
      assert.equal(textOf(fenced(`a();\n${line}`), `b();\n${line}`), `a();\n${line}`, 'it is in the file');
    });
  }

  for (const line of [
    '// the rest of the array is sorted by price',
    '// Existing callers pass cents.',
    'const { a, ...rest } = all;',
    'def f(): ...',
    '...',
    '...rest,',
    '// TODO ...',
    '# Unchanged files are skipped.',
    'return same;',
    '// unchanged since the last call: nothing to do',
  ]) {
    it(`F23 the line ${JSON.stringify(line)} of an answer is taken for code`, () =>
      assert.equal(textOf(fenced(`a();\n${line}`), 'a();\nb();'), `a();\n${line}`));
  }

  it('F23 is any text that an answer quotes whole', () => {
    const line = fc.string({ maxLength: 20 }).filter((text) => !/[\r\n]|`{3}|~{3}|^[<>]{7}/.test(text));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const text = lines.join('\n');
        assert.equal(textOf(fenced(text), text), text);
      }),
    );
  });
});
