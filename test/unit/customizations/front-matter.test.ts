import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { splitFrontMatter } from '../../../src/customizations/front-matter.ts';
import { flag } from '../../../src/customizations/header.ts';

const values = (header: string) => Object.fromEntries(splitFrontMatter(`---\n${header}\n---\nBody`).values);

describe('front matter', () => {
  it('F21 reads keys and quotes, and leaves text that has none as it is', () => {
    assert.deepEqual(splitFrontMatter('\ufeff---\r\ndescription: "Write a: test"\r\nmode: agent\r\n---\r\nBody\r\n'), {
      values: new Map([
        ['description', 'Write a: test'],
        ['mode', 'agent'],
      ]),
      body: 'Body\n',
    });
    assert.deepEqual(splitFrontMatter('---\n---\nBody'), { values: new Map(), body: 'Body' });
    assert.deepEqual(splitFrontMatter('---\na: b\n---'), { values: new Map([['a', 'b']]), body: '' });
    for (const text of ['', 'Body', '---', '--- \nno end', 'a\n---\nb: c\n---\n', '---x\na: b\n---\n']) {
      assert.deepEqual(splitFrontMatter(text), { values: new Map(), body: text });
    }
  });

  it('F34 reads lists, texts of several lines, and passes over what is nested', () => {
    assert.deepEqual(values(`a: [x, "y, z", '']\nb:\n  - one\n  - 'two'\nc:\n- three`), {
      a: ['x', 'y, z'],
      b: ['one', 'two'],
      c: ['three'],
    });
    assert.deepEqual(values('a: >\n  one\n  two\nb: |-\n  one\n  two\nc: one\n  two'), {
      a: 'one two',
      b: 'one\ntwo',
      c: 'one two',
    });
    assert.deepEqual(values('hooks:\n  start:\n    - rm: x\nname: n'), { hooks: '', name: 'n' });
    assert.deepEqual(values('a:b\n1: x\nurl: http://x/?a:b\n__proto__: x\n# c: d'), { url: 'http://x/?a:b' });
  });

  it('F34 reads what stands before a comment, and escapes within quotes (anthropics/claude-code#94301)', () => {
    assert.deepEqual(
      values(
        `a: true # note\nb: "x # y" # z\nc: [p, "q # r"] # s\nd:\n  - one # two\n  - #no\ne: C# and F#\nf: |\n  # kept\ng: it's # gone\n"h": "a \\"b\\" c"\ni: 'don''t'`,
      ),
      {
        ...{ a: 'true', b: 'x # y', c: ['p', 'q # r'], d: ['one', ''], e: 'C# and F#', f: '# kept', g: "it's" },
        ...{ h: 'a "b" c', i: "don't" },
      },
    );
  });

  it('F34 a flag that cannot be read counts as its careful value', () => {
    const header = splitFrontMatter('---\na: true # why\nb: maybe\nc: [true]\nd: Yes\ne: off\n---\n').values;
    const read = (careful: boolean) => ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => flag(header, key, careful));
    assert.deepEqual(read(true), [true, true, true, true, false, undefined]);
    assert.deepEqual(read(false), [true, false, false, true, false, undefined]);
  });

  it('F34 takes a head of more than 200 lines or 8 kB for text', () => {
    assert.equal(values(`${'\n'.repeat(150)}a: b`).a, 'b');
    assert.deepEqual(values(`${'\n'.repeat(200)}a: b`), {});
    assert.deepEqual(values(`a: ${'x'.repeat(8200)}`), {});
  });

  it('F21 reading front matter loses nothing of the body', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a: b', ' x', '- y', 'c: >', '', 'd: [', '---x')),
        fc.string(),
        (head, body) => {
          const plain = body.replace(/\r\n?/g, '\n');
          assert.equal(splitFrontMatter(`---\n${head.join('\n')}\n---\n${body}`).body, plain);
        },
      ),
    );
  });
});
