import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readAnswer } from '../../../../src/features/inline/core/read-answer.ts';
import { generateAnswers, judge } from '../../../bench/answers/generate.ts';
import { readPart } from '../../../bench/answers/read-part.ts';

/** The part stands between lines that begin with `>`; what the answer makes of it, or why nothing. */
function read(file: string, answer: string, more: { path?: string; holdsFences?: boolean } = {}): string {
  const marked = file.split('\n');
  const first = marked.findIndex((line) => line.startsWith('>'));
  const last = marked.findLastIndex((line) => line.startsWith('>'));
  const lines = marked.map((line) => (line.startsWith('>') ? line.slice(1) : line));
  const result = readAnswer(answer, { lines, first, last, path: 'src/a.ts', holdsFences: false, ...more });
  return 'lines' in result ? result.lines.join('\n') : `problem: ${result.problem}`;
}
const whole = (part: string) => part.replace(/^/gm, '>');
const fenced = (text: string, info = '') => `\`\`\`${info}\n${text}\n\`\`\``;

const file = [
  'import { one } from "one";',
  '',
  'export class Shop {',
  '  open() {',
  '    this.isOpen = true;',
  '  }',
  '',
  '>  total(items) {',
  '>    let sum = 0;',
  '>    for (const item of items) {',
  '>      sum += item.price;',
  '>    }',
  '>    return sum;',
  '>  }',
  '',
  '  close() {',
  '    this.isOpen = false;',
  '  }',
  '}',
].join('\n');
const bare = file.replaceAll(/^>/gm, '').split('\n');
const fresh = ['  total(items) {', '    return items.reduce((sum, { price }) => sum + price, 0);', '  }'];
const wanted = fresh.join('\n');

describe('the lines that an answer puts in the place of a part', () => {
  it('F23 are those of its code block, with the indentation of the part', () => {
    assert.equal(read(file, fenced(wanted, 'ts')), wanted);
    assert.equal(read(file, `Sure:\n${fenced(wanted)}\nThat is all.`), wanted);
    assert.equal(read(file, fenced(wanted).replaceAll('\n', '\r\n')), wanted);
    assert.equal(read('a\n>b\nc', fenced('')), '');
    const guard = '```ts\nif (a) {\n  b();\n}\n```\n';
    assert.equal(read(whole('    a();\n    b();'), guard), '    if (a) {\n      b();\n    }');
  });

  it('F23 are written with tabs where tabs are used, with blanks where blanks are', () => {
    const blanks = fenced('if (a) {\n    if (b) {\n        c();\n    }\n}');
    assert.equal(read(whole('if (a) {\n\tc();\n}'), blanks), 'if (a) {\n\tif (b) {\n\t\tc();\n\t}\n}');
    assert.equal(read(whole('if a:\n    c()'), fenced('if a:\n\tb()')), 'if a:\n    b()');
    assert.equal(read('>f() {}\nh() {\n\ti();\n}', fenced('f() {\n  g();\n}')), 'f() {\n\tg();\n}');
  });

  it('F23 go without the lines around the part that the answer repeats, be it one line or the whole file', () => {
    const lines = (from: number, to: number) => [...bare.slice(from, 7), ...fresh, ...bare.slice(14, to)];
    for (const [from, to] of [
      [5, 14],
      [7, 16],
      [3, 18],
      [0, 19],
    ] as const)
      assert.equal(read(file, fenced(lines(from, to).join('\n'))), wanted, `${from} to ${to}`);
    assert.equal(read(file, lines(0, 19).join('\n')), wanted, 'without a fence');
    assert.equal(read('f() {\n>  a();\n}', fenced('  b();\n}')), '  b();', 'a bracket too many');
    assert.equal(
      read('{\n>  if (a) {\n>    b();\n>  }\n}', fenced('  if (a) {\n    c();\n  }')),
      '  if (a) {\n    c();\n  }',
    );
  });

  it('F23 end with lines that stand at another depth below the part', () => {
    const below = 'f() {\n>  get();\n>  hold();\n  finish();\n}';
    const deeper = '  if (a) {\n    get();\n    finish();\n  }';
    assert.equal(read(below, fenced(deeper)), deeper);
    assert.equal(read(below, fenced('  get();\n    finish();')), '  get();\n    finish();');
    assert.equal(read(below, fenced('  take();\n  hold();\n  finish();')), '  take();\n  hold();', 'a repetition');
  });

  it('F23 are none where the answer changes lines outside of the part', () => {
    const other = [...bare.slice(0, 4), '    this.isOpen = 1;', ...bare.slice(5, 7), ...fresh, ...bare.slice(14)];
    assert.equal(read(file, fenced(other.join('\n'))), 'problem: wider');
    const top = 'import { a } from "a";\nconst shop = open(`';
    const html = `${top}\n>  <b>\n>    {{ name }}\n>  </b>\n\`);`;
    assert.equal(read(html, fenced(`${top.replace('"a"', '"b"')}\n  <i>\n    {{ name }}\n  </i>`)), 'problem: wider');
    const diff = ['@@ -4,3 +4,3 @@', '   open() {', '-    this.isOpen = true;', '+    this.isOpen = 1;', '   }'];
    assert.equal(read(file, fenced(diff.join('\n'), 'diff')), 'problem: wider');
  });

  it('F23 come out of a diff, of blocks with markers and of a patch', () => {
    const part = '  a();\n  b();\n  c();';
    const marked = `f() {\n${whole(part)}\n}`;
    const result = '  a();\n  x();\n  c();';
    const rows = '   a();\n-  b();\n+  x();\n   c();';
    assert.equal(read(marked, fenced(rows, 'diff')), result);
    assert.equal(
      read(marked, fenced(`--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,5 +1,5 @@\n f() {\n${rows}\n }`, 'ts')),
      result,
    );
    assert.equal(read(marked, fenced(`@@ -3 +3 @@\n-  b();\n+  x();`, 'diff')), result);
    assert.equal(read(marked, `<<<<<<< SEARCH\n  b();\n=======\n  x();\n>>>>>>> REPLACE`), result);
    assert.equal(read(marked, `*** Begin Patch\n*** Update File: src/a.ts\n@@\n${rows}\n*** End Patch`), result);
    assert.equal(read(marked, fenced(`<<<<<<< marked part begins\n${result}\n>>>>>>> marked part ends`)), result);
    assert.equal(read(marked, fenced(`${result}\n>>>>>>> REPLACE`)), result);
    assert.equal(read(marked, fenced('@@ -3 +3 @@\n-  gone();\n+  x();', 'diff')), 'problem: unclear');
  });

  it('F23 lose line numbers, tags, the path and an object around them', () => {
    const lines = fresh.map((line, at) => `${at + 8}\t${line}`).join('\n');
    assert.equal(read(file, fenced(lines)), wanted);
    assert.equal(read(file, fenced(`<replacement>\n${wanted}\n</replacement>`)), wanted);
    assert.equal(read(file, fenced(`src/a.ts\n${wanted}`)), wanted);
    assert.equal(read(file, fenced(JSON.stringify({ replacement: wanted }))), wanted);
    assert.equal(read(whole('a\nb'), fenced('1\ta\n2\tb')), '1\ta\n2\tb', 'numbers alone are what was asked for');
  });

  it('F23 move to where the part begins when they come from column 0, all of them or the first alone', () => {
    const dedented = fresh.map((line) => line.slice(2)).join('\n');
    assert.equal(read(file, fenced(dedented)), wanted);
    assert.equal(read(file, fenced(wanted.trimStart())), wanted);
    const flat = fenced('def f():\nif a:\nb()\nc()\nd()');
    assert.equal(read(whole('def f():\n    if a:\n        b()'), flat), 'problem: indentation');
    const open = '\tif (a) {\n\t\tfor {\n>\t\t\treturn b, true\n\t\t}\n\t}';
    const closing = '\t\t\treturn b, ok\n\t\t}\n\tdefer c()\n\tif (d) {\n\t\te()';
    assert.equal(read(open, fenced(closing.trimStart())), closing, 'what closes the block around is left of it');
    const body = '{\n>\t\t\tfirst(item)\n>\t\t\tlast(item)\n\t\t}\n}';
    const longer = '\t\t\tfirst(item)\n\t\t}\n\t\tmore(item)\n\t\tif (f) {\n\t\t\tg()';
    assert.equal(read(body, fenced(longer.replace(/^\t\t/gm, ''))), longer, 'a line that stays tells how far');
    const deeper = '    total(items) {\n      return 1;\n    }';
    assert.equal(read(file, fenced(deeper)), deeper, 'moved to the right it is meant so');
  });

  it('F23 begin where the lines around an empty place do', () => {
    assert.equal(
      read('function f() {\n>    \n}', fenced('return 1;')),
      '    return 1;',
      'or where the place itself does',
    );
    assert.equal(read('f() {\n>\n}', fenced('a();')), '\na();'.trim());
    assert.equal(read('f() {\n  a();\n>\n  b();\n}', fenced('x();\n\ny();')), '  x();\n\n  y();');
    assert.equal(read('f() {\n  a();\n>\n}', fenced('x();')), '  x();');
    assert.equal(read('def f():\n    a()\n>\ndef g():', fenced('def h():\n    b()')), 'def h():\n    b()');
  });

  for (const line of [
    '// ... rest of the code',
    '// ...',
    '# ... existing code ...',
    '  /* … */',
    '// rest of the function remains unchanged',
    '// The rest of the implementation stays the same',
    '# same loop as before',
    '...',
    '... rest unchanged ...',
    '{/* existing props */}',
    '<!-- ... other fields ... -->',
    '-- (unchanged)',
    '// remaining methods unchanged',
    '# (same as before)',
    '// [...]',
  ]) {
    it(`F23 are those of the part where ${JSON.stringify(line)} stands for them, or none`, () => {
      const part = whole('one();\ntwo();\nthree();\nfour();');
      assert.equal(
        read(part, fenced(`one();\n${line}\nfour();\nfive();`)),
        'one();\ntwo();\nthree();\nfour();\nfive();',
      );
      assert.equal(read(part, fenced(`other();\n${line}`)), 'problem: elided');
      assert.equal(read(whole(`b();\n${line}`), fenced(`a();\n${line}`)), `a();\n${line}`, 'it is in the file');
    });
  }

  it('F23 keep the body of a method that dots may stand for as well as for methods below', () => {
    const part = whole('  one() {\n    a();\n  }\n  two() {\n    b();\n  }');
    const answer = '  one() {\n    a();\n  }\n  more() {\n    c();\n  }\n  // ...';
    assert.equal(read(`class A {\n${part}\n}`, fenced(answer)), 'problem: elided');
  });

  for (const line of [
    '// the rest of the array is sorted by price',
    '// Existing callers pass cents.',
    'const { a, ...rest } = all;',
    'def f(): ...',
    '...rest,',
    '// TODO ...',
    '# Unchanged files are skipped.',
    'return same;',
    '// unchanged since the last call: nothing to do',
  ]) {
    it(`F23 take the line ${JSON.stringify(line)} of an answer for code`, () =>
      assert.equal(read(whole('a();\nb();'), fenced(`a();\n${line}`)), `a();\n${line}`));
  }

  it('F23 take code blocks inside of the text along', () => {
    const more = { holdsFences: true };
    assert.equal(read('>a', '```md\na\n```js\nb\n```\nc\n```', more), 'a\n```js\nb\n```\nc');
    const python = '```py\ndef f():\n    """\n    ```\n    f()\n    ```\n    """\n```';
    assert.equal(read('>def f(): ...', python), 'def f():\n    """\n    ```\n    f()\n    ```\n    """');
    assert.equal(read('>a', '````\n```\na\n```\n````'), '```\na\n```');
    assert.equal(
      read('>text\n>```\n>a\n>```', 'text\n```\nb\n```', more),
      'text\n```\nb\n```',
      'the fences of the text',
    );
  });

  it('F23 leave the fence around an answer out of a document that has fences elsewhere', () => {
    const doc = (part: string) => `# Guide\n\n\`\`\`sh\nnpm i\n\`\`\`\n\n${part.replace(/^/gm, '>')}\n\nThe end.`;
    const cases: [name: string, part: string, answer: string, wanted: string][] = [
      ['a plain fence', 'Install it with npm.', fenced('Install it with pnpm.'), 'Install it with pnpm.'],
      ['two paragraphs', 'One.\nTwo.\n\nThree.', fenced('Uno.\n\nDue.', 'markdown'), 'Uno.\n\nDue.'],
      ['a heading', '## Use it', '## Usage', '## Usage'],
      ['a list', '- one\n- two', '- eins\n- zwei', '- eins\n- zwei'],
      ['a list behind a word of its own', '- one\n- two', 'Here it is:\n\n- eins', 'problem: none'],
      ['a line from behind', 'Second part.', fenced('Last part.\n\nThe end.'), 'Last part.'],
      [
        'two bare paragraphs',
        'One is here.\nTwo is there.\n\nThree is far.',
        'One is here.\nTwo was there.\n\nThree was far.',
        'One is here.\nTwo was there.\n\nThree was far.',
      ],
      ['a bare word about them', 'One is here.\n\nTwo is there.', 'I would leave both of them out.', 'problem: none'],
      [
        'a bare heading above a paragraph',
        '## Use it\n\nInstall it.',
        '## Use it\n\nInstall it with npm.',
        '## Use it\n\nInstall it with npm.',
      ],
      [
        'a bare paragraph that is now a list',
        'Install npm.\nRun npm.',
        '- Install npm.\n- Run npm.',
        '- Install npm.\n- Run npm.',
      ],
      [
        'bare paragraphs in other words, their lines broken elsewhere',
        'The program reads its settings\nfrom a file.\n\nThen it runs each task of the list.',
        'A file has the settings, which the program reads.\n\nEach task of the list\nis run then.',
        'A file has the settings, which the program reads.\n\nEach task of the list\nis run then.',
      ],
      [
        'a bare heading, paragraph and list, all changed',
        '## Usage notes\n\nRun the program with npm.\n\n- one flag\n- two flags',
        '## Notes on usage\n\nWith npm the program is run.\n\n- one flag, or\n- two flags',
        '## Notes on usage\n\nWith npm the program is run.\n\n- one flag, or\n- two flags',
      ],
      [
        'a bare answer about a paragraph',
        'The program reads its settings from a file.',
        'That sentence about the program looks fine to me; what else should I change?',
        'problem: none',
      ],
      [
        'as many bare paragraphs of talk',
        'The program reads its settings.\n\nThen it runs.',
        'I could not find anything wrong with this part.\n\nShall I have a look at another one?',
        'problem: none',
      ],
      [
        'a fence of four signs around the beginning of a block',
        'Second part.',
        '````md\nSecond:\n\n```sh\n````',
        'Second:\n\n```sh',
      ],
      ['a fence around an underlined heading', 'Second part.', fenced('Second\n~~~~~~', 'rst'), 'Second\n~~~~~~'],
      ['a bare list that grows', '- one', '- one\n- two', '- one\n- two'],
      ['a bare numbered list', '1. one\n2. two', '1. eins\n2. zwei', '1. eins\n2. zwei'],
      ['a bare task list', '- [ ] one\n- [ ] two', '- [x] one\n- [ ] two', '- [x] one\n- [ ] two'],
      ['a bare table', '| a | b |\n|---|---|', '| a | c |\n|---|---|', '| a | c |\n|---|---|'],
      ['a bare line from before', 'Second part.', '# Guide\n\nSecond part, now.', 'problem: none'],
      [
        'a line from before and one from behind',
        'Second part.',
        fenced('npm i\n```\n\nSecond part, now.\n\nThe end.'),
        'problem: several',
      ],
      [
        'a fence of four signs around a fence',
        'Second part.',
        '````md\nSecond:\n\n```sh\nls\n```\n````',
        'Second:\n\n```sh\nls\n```',
      ],
    ];
    for (const [name, part, answer, wanted] of cases)
      assert.equal(read(doc(part), answer, { holdsFences: true }), wanted, name);
  });

  it('F23 are without the entities that a server made of their signs, also in lines that change', () => {
    const part = "rule('/<id>/', a);\nrule('/<id>/<page>', b);";
    const answer = part.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace('a)', 'a, 1)').replace('b)', 'b, 2)');
    assert.equal(read(part.replace(/^/gm, '>'), fenced(answer)), part.replace('a)', 'a, 1)').replace('b)', 'b, 2)'));
    const escaped = "text = escaped('&lt;b&gt;');";
    assert.equal(read(">text = '<b>';", fenced(escaped)), escaped, 'it may be what was asked for');
  });

  it('F23 are as reports on inline edits elsewhere say that they should be', () => {
    const method = 'class A {\n>  sum(list) {\n>    return list.reduce(add, 1);\n>  }\n\n  max() {}\n}';
    const cases: [report: string, file: string, answer: string, wanted: string][] = [
      [
        'microsoft/vscode-copilot-release#7855',
        method,
        'This method adds up all entries of the list. It begins with 1, which is wrong.',
        'problem: none',
      ],
      ['microsoft/vscode#282168', method, fenced('  sum(list) {\n    return list.reduce(add, 0);'), 'problem: partial'],
      ['vscodenpa/testissues#46092', method, fenced('    return list.reduce(add, 0);'), 'problem: partial'],
      [
        'microsoft/vscode-copilot-release#1575',
        method,
        fenced('class A {\n  sum(list) {\n    return list.reduce(add, 0);\n  }\n\n  max() {\n    return 1;\n  }\n}'),
        'problem: wider',
      ],
      [
        'microsoft/vscode-copilot-release#9719',
        method,
        fenced('  sum(list) {\n    return list.reduce(add, 0);\n  }\n\n  max() {}'),
        '  sum(list) {\n    return list.reduce(add, 0);\n  }',
      ],
    ];
    for (const [report, file, answer, wanted] of cases) assert.equal(read(file, answer), wanted, report);
    const readme = '# LongMem\n\n```sh\nnpm i\n```\n\nThe end.';
    const answer = `README.md\n${fenced(readme.replace('npm', 'pnpm'), 'markdown')}`;
    assert.equal(
      read(readme.replace(/^/gm, '>'), answer, { holdsFences: true }),
      readme.replace('npm', 'pnpm'),
      'Aider-AI/aider#22',
    );
  });

  it('F23 repeat no line of those around the part, at whatever depth', () => {
    const around = 'if (a) {\n>  one();\n>  two();\n}\nend();';
    const cases: [answer: string, wanted: string][] = [
      ['if (a) {\n  uno();\n  two();', '  uno();\n  two();'],
      ['  one();\n  due();\n}', '  one();\n  due();'],
      ['if (a) {\n  one();\n  due();\n}', '  one();\n  due();'],
      ['  one();\n  due();\n}\nend();', '  one();\n  due();'],
      [
        'one();\nif (b) {\n  if (c) {\n    two();\n  }\n}',
        '  one();\n  if (b) {\n    if (c) {\n      two();\n    }\n  }',
      ],
    ];
    for (const [answer, wanted] of cases) assert.equal(read(around, fenced(answer)), wanted, answer);
  });

  it('F23 come from an answer without a fence only where it is code of the part', () => {
    assert.equal(read(file, wanted), wanted);
    assert.equal(read(file, `Here is the code:\n${wanted}`), 'problem: none');
    for (const answer of ['', 'I would rename it.', '```ts\nconst a = 1;', '`a`']) {
      assert.equal(read('>a', answer), 'problem: none', answer);
    }
  });

  it('F23 are none when nobody can tell which of several blocks is meant, or when only some of the lines came', () => {
    assert.equal(read('>a', 'First:\n```ts\na\n```\nThen:\n```ts\nb\n```\n'), 'problem: several');
    assert.equal(read(file, fenced('    for (const item of items) {\n      sum += item.cost;')), 'problem: partial');
  });

  it('F23 are any text that an answer quotes whole', () => {
    const line = fc.string({ maxLength: 20 }).filter((text) => !/[\r\n]|`{3}|~{3}|^[<>]{7}/.test(text));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        fc.pre(lines.some((text) => text.trim() !== ''));
        assert.equal(read(whole(lines.join('\n')), fenced(lines.join('\n'))), lines.join('\n'));
      }),
      { examples: [[['@@']], [['@@', '']]] },
    );
  });
});

describe('answers in the forms that models give them, over what authors changed', () => {
  const folder = path.resolve(import.meta.dirname, '../../../fixtures/revisions');

  it('F23 are read rightly or not at all', () => {
    const side = (name: string, of: string) => readFileSync(path.join(folder, of, name), 'utf8');
    const names = readdirSync(path.join(folder, 'before')).sort();
    const corpus = names.map((name) => ({ name, before: side(name, 'before'), after: side(name, 'after') }));
    const cases = generateAnswers(1, corpus, 24);
    const verdicts = new Map<string, number>();
    for (const one of cases) {
      const verdict = judge(one, readPart(one));
      // Of lines alone, without any around them, nobody can tell what they are to replace.
      if (one.kind !== 'only the changed lines') verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      const shown = () => `${one.kind}, ${one.edit.source}:${one.edit.first + 1}\n${one.answer}`;
      if (one.kind !== 'only the changed lines') assert.notEqual(verdict, 'wrong', shown());
    }
    assert.ok((verdicts.get('right') ?? 0) >= 0.75 * cases.length, JSON.stringify([...verdicts]));
  });
});
