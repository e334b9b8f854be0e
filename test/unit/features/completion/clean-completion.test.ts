import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { type CleanAsk, cleanCompletion } from '../../../../src/features/completion/core/clean-completion.ts';
import { textSent } from '../../../../src/features/completion/core/completion-request.ts';
import { damaged, refusals } from '../../../bench/completion/damages.ts';
import { cutPlaces, readFolder } from '../../../bench/completion/places.ts';
import { judge } from '../../../bench/completion/run.ts';
import { createRandom } from '../../../bench/seeded-random.ts';

const at = (before: string, after = '', more: Partial<CleanAsk> = {}): CleanAsk => ({
  before,
  after,
  languageId: 'typescript',
  isCut: false,
  ...more,
});
const fenced = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

const rows: Record<string, { place: CleanAsk; answer: string; text: string }> = {
  'a fence and words around it': {
    place: at('const x = '),
    answer: `Here it is:\n${fenced('5;')}\nThat is all.`,
    text: '5;',
  },
  'text of a document with a code block in it': {
    place: at('# Install\n\n', '\n', { languageId: 'markdown' }),
    answer: 'Run this:\n\n```sh\nnpm i\n```',
    text: 'Run this:\n\n```sh\nnpm i\n```',
  },
  'a code block of a document': {
    place: at('Run this:\n\n', '\n', { languageId: 'markdown' }),
    answer: '```sh\nnpm i\n```',
    text: '```sh\nnpm i\n```',
  },
  'two code blocks of a document': {
    place: at('Run this:\n\n', '\n', { languageId: 'markdown' }),
    answer: '```sh\nnpm i\n```\n\nor\n\n```sh\npnpm i\n```',
    text: '```sh\nnpm i\n```\n\nor\n\n```sh\npnpm i\n```',
  },
  'a document in a fence': {
    place: at('# Install\n\n', '\n', { languageId: 'markdown' }),
    answer: '```markdown\nRun this:\n\n```sh\nnpm i\n```\n```',
    text: 'Run this:\n\n```sh\nnpm i\n```',
  },
  'bare text': { place: at('const x = '), answer: '5;', text: '5;' },
  'the mark, and the line up to it again': {
    place: at('  const x = ', '\n'),
    answer: fenced('  const x = ⟦here⟧5;'),
    text: '5;',
  },
  'the beginning of a word again': { place: at('const na', ' = 1;'), answer: fenced('name'), text: 'me' },
  'lines above and below again': {
    place: at('f();\nfunction a() {\n  return ', ';\n}\n\ng();\n'),
    answer: fenced('function a() {\n  return 1;\n}\n\ng();'),
    text: '1',
  },
  'a bracket that is closed already': { place: at('f(', ');\n'), answer: fenced('x, y)'), text: 'x, y' },
  'a bracket that is needed': { place: at('f(g(', ');\n'), answer: fenced('x)'), text: 'x)' },
  'the end of a comment and what it is about': {
    place: at('/**\n * Errors\n ', '\n'),
    answer: fenced('*/\nclass A {\n  /**\n   * b\n   */'),
    text: '*/\nclass A {\n  /**\n   * b\n   */',
  },
  'a comment that lost its indentation': {
    place: at('class A {\n  ', '\n  b() {}\n}\n'),
    answer: fenced('/**\n * b\n */'),
    text: '/**\n   * b\n   */',
  },
  'the end of a comment that lost its blank': {
    place: at('/**\n * a\n ', '\nclass A {}\n'),
    answer: fenced('* b\n*/'),
    text: '* b\n */',
  },
  'a type in a comment, and its end again': {
    place: at('  /**\n   * @returns {', '\n   */\n  a() {}\n'),
    answer: fenced('string}\n   */'),
    text: 'string}',
  },
  'lines of a condition that stand as deep': {
    place: at('(function (f) {\n  a ? b() :\n  ', '\n})();\n'),
    answer: fenced('c ? d() :\n  e();'),
    text: 'c ? d() :\n  e();',
  },
  'a text of several lines': {
    place: at('if (a) {\n  ', '\n}\n'),
    answer: fenced('throw new Error(`This\nis wrong`);'),
    text: 'throw new Error(`This\nis wrong`);',
  },
  'a chain behind a bracket that ends as deep': {
    place: at('const a = b\n  .map((c) => {\n    return c;\n  ', '\n'),
    answer: fenced("})\n  .join(' ');"),
    text: "})\n  .join(' ');",
  },
  'a declaration behind a statement of two lines': {
    place: at('const a = (b) =>\n  new B(b);', '\n'),
    answer: fenced('\n\nconst c = (d) =>\n  new D(d);'),
    text: '\n\nconst c = (d) =>\n  new D(d);',
  },
  'the next bracket, which stands less deep': {
    place: at('function a() {\n  if (b) {\n    if (c) {\n      d();\n    }', '\n}\n'),
    answer: fenced('  }'),
    text: '\n  }',
  },
  'lost indentation': {
    place: at('class A {\n    ', '\n}\n'),
    answer: fenced('a() {\n    return 1;\n}'),
    text: 'a() {\n        return 1;\n    }',
  },
  'blanks for tabs': {
    place: at('class A {\n\tb() {\n\t\tc();\n\t}\n\n\t', '\n}\n'),
    answer: fenced('a() {\n        return 1;\n    }'),
    text: 'a() {\n\t\treturn 1;\n\t}',
  },
  'a line break that was left out': {
    place: at('class A {\n  b() {\n    c();', '\n  }\n}\n'),
    answer: fenced('    d();'),
    text: '\n    d();',
  },
  'more than 25 lines': {
    place: at('a;\n', ''),
    answer: fenced(Array.from({ length: 40 }, (_, line) => `line${line};`).join('\n')),
    text: Array.from({ length: 25 }, (_, line) => `line${line};`).join('\n'),
  },
  'a line that the limit cut': { place: at('a;\n', '', { isCut: true }), answer: '```ts\nb;\nconst ', text: 'b;' },
  'words in a comment': {
    place: at('// ', ''),
    answer: 'Here is what it does: it waits.',
    text: 'Here is what it does: it waits.',
  },
};

describe('cleaning a completion', () => {
  for (const [what, { place, answer, text }] of Object.entries(rows)) {
    it(`F40 reads ${what}`, () => assert.deepEqual(cleanCompletion(answer, place), { text }));
  }

  const file = Array.from({ length: 30 }, (_, line) => `const value${line} = compute(${line});`);
  const refused: Record<string, { place?: CleanAsk; answer: string; problem: string }> = {
    'only words': { answer: 'The value should be computed first.', problem: 'prose' },
    'two blocks': { answer: `Either\n${fenced('a')}\nor\n${fenced('b')}`, problem: 'prose' },
    nothing: { answer: ' \n', problem: 'empty' },
    'an empty fence': { answer: fenced(''), problem: 'empty' },
    'only the mark': { answer: fenced('⟦here⟧'), problem: 'empty' },
    'left-out code': { answer: fenced('a();\n// ... existing code ...\nb();'), problem: 'elided' },
    'the whole file': {
      place: at(`${file.slice(0, 15).join('\n')}\n`, `\n${file.slice(15).join('\n')}`),
      answer: fenced([...file.slice(0, 15), 'added();', ...file.slice(15)].join('\n')),
      problem: 'whole',
    },
  };
  for (const [what, { place = at('const x = '), answer, problem }] of Object.entries(refused)) {
    it(`F40 shows nothing of ${what}`, () => assert.deepEqual(cleanCompletion(answer, place), { problem }));
  }

  it('F40 brings back the text cut from 600 places of four packages out of damaged answers, and hardly ever another one', () => {
    const random = createRandom(7);
    const packages = ['jszip/lib', 'pako/lib', 'yaml/dist', 'commander/lib'];
    const folders = packages.map((name) => path.join('node_modules', name));
    const places = folders.flatMap((folder) => cutPlaces(random, readFolder(folder), 150));
    const verdicts = damaged(random, places).map((one) => judge(one).verdict);
    const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length;
    assert.equal(verdicts.length, 600);
    assert.ok(count('right') >= 0.97 * 600, `${count('right')} came back`);
    assert.ok(count('wrong') <= 0.005 * 600, `${count('wrong')} are wrong`);
    for (const place of places.slice(0, 100)) {
      for (const [name, make] of Object.entries(refusals)) {
        const answer = make(random, place.original, place);
        const isComment =
          name === 'only words' && /^\s*(?:\/\/|\*|\/\*)| \/\/ /.test(place.before.split('\n').at(-1) ?? '');
        if (answer === undefined || isComment) continue;
        assert.ok('problem' in cleanCompletion(answer, { ...place, isCut: false }), `${name} at ${place.source}`);
      }
    }
  });

  it('F40 sends 60 lines before and 30 after at most, and 6,000 and 3,000 characters, however long the lines are', () => {
    const many = textSent({ before: 'a\n'.repeat(500), after: 'b\n'.repeat(500) });
    assert.deepEqual([many.before.split('\n').length, many.after.split('\n').length], [61, 31]);
    const long = textSent({ before: `${'x'.repeat(400)}\n`.repeat(50) + 'y'.repeat(9000), after: 'z'.repeat(9000) });
    assert.deepEqual([long.before.length, long.after.length], [6000, 3000]);
  });
});
