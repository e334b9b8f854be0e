import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { applyEdits, type EditBlock } from '../../../src/edits/match/apply-edits.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const text = [
  'import { a } from "./a";',
  '',
  'export function first(x: number) {',
  '    if (x > 1) {',
  '        log("one");',
  '        return a(x);',
  '    }',
  '    // Nothing to do otherwise.',
  '    return 0;',
  '}',
  '',
  'export function second() {',
  '    return 1;',
  '}',
  '',
].join('\n');

function applied(file: string, ...blocks: EditBlock[]): string {
  const result = applyEdits(file, blocks);
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.message}`);
  return result.text;
}

function refused(file: string, ...blocks: EditBlock[]) {
  const result = applyEdits(file, blocks);
  assert.ok(!result.ok, 'it was applied');
  assert.ok(!('text' in result));
  return result;
}

const doubled = text.replace('log("one");\n', 'log("one");\n        log("two");\n');

describe('applyEdits finds what a model meant', () => {
  it('replaces an exact block', () => {
    assert.equal(applied(text, { search: 'return 1;', replace: 'return 2;' }), text.replace('return 1;', 'return 2;'));
  });

  it('gives lines without indentation that of the file', () => {
    const search = 'if (x > 1) {\nlog("one");';
    assert.equal(applied(text, { search, replace: `${search}\nlog("two");` }), doubled);
  });

  it('takes a whole block that is shifted to the right', () => {
    const search = '      if (x > 1) {\n          log("one");';
    assert.equal(applied(text, { search, replace: `${search}\n          log("two");` }), doubled);
  });

  it('turns tabs into the blanks of the file, also in new lines', () => {
    const search = '\tif (x > 1) {\n\t\tlog("one");';
    assert.equal(applied(text, { search, replace: `${search}\n\t\tlog("two");` }), doubled);
  });

  it('turns blanks into the tabs of the file, also in new and deeper lines', () => {
    const file = text.replaceAll('    ', '\t');
    const search = '  if (x > 1) {\n    log("one");';
    const replace = '  if (x > 1) {\n    if (y) {\n      log("one");\n    }';
    assert.equal(
      applied(file, { search, replace }),
      file.replace('\t\tlog("one");', '\t\tif (y) {\n\t\t\tlog("one");\n\t\t}'),
    );
  });

  it('gives a replacement written from column 0 the place of its search', () => {
    const search = '        log("one");\n        return a(x);';
    assert.equal(applied(text, { search, replace: 'log("one");\nlog("two");\nreturn a(x);' }), doubled);
  });

  it('ignores trailing blanks on either side and keeps those of the file', () => {
    const file = text.replace('return 0;', 'return 0;  ');
    const search = '    // Nothing to do otherwise.   \n    return 0;\n}';
    assert.equal(
      applied(file, { search, replace: '    // Nothing to do otherwise.\n    return 0;\n}\n// end' }),
      file.replace('0;  \n}\n', '0;  \n}\n// end\n'),
    );
  });

  it('E12 keeps CRLF, BOM and a missing final newline when the block has none of them', () => {
    const file = `\uFEFF${text.trimEnd().replaceAll('\n', '\r\n')}`;
    assert.equal(
      applied(file, { search: 'log("one");\n        return a(x);', replace: 'log("one");\n        return b(x);' }),
      file.replace('a(x)', 'b(x)'),
    );
    assert.equal(applied(file, { search: '    return 1;\n}\n', replace: '    return 1;\n};\n' }), `${file};`);
  });

  it('E12 takes a block with CRLF for a file with LF', () => {
    assert.equal(
      applied(text, { search: '    }\r\n    // Nothing', replace: '    }\r\n    // Hardly anything' }),
      text.replace('Nothing', 'Hardly anything'),
    );
  });

  it('E12 keeps each line end of a file with both, and gives new lines those around them', () => {
    const file = 'a\nb\r\nc\r\nd\n';
    assert.equal(applied(file, { search: 'b\nc', replace: 'b\nx\nc' }), 'a\nb\r\nx\r\nc\r\nd\n');
  });

  it('reads typographic signs of the block as those of the file', () => {
    assert.equal(
      applied(text, { search: 'log(“one”);', replace: 'log(“one”, “two”);' }),
      text.replace('"one"', '"one", "two"'),
    );
  });

  it('keeps the typography of the file when the block is typed on a keyboard', () => {
    const file = 'It’s done – or so.\nNext line.\n';
    assert.equal(
      applied(file, { search: "It's done - or so.\nNext line.", replace: "It's done - or so.\nAnother line." }),
      'It’s done – or so.\nAnother line.\n',
    );
    assert.equal(
      applied(file, { search: "It's done - or so.", replace: "It's done - or not so." }),
      'It’s done – or not so.\nNext line.\n',
    );
  });

  it('X22 finds lines with invisible characters, which the model never saw, and leaves them alone', () => {
    const file = 'let a\u200b = 1;\nlet b\u202e = 2;\nlet c = 3;\n';
    assert.equal(
      applied(file, { search: 'let b = 2;\nlet c = 3;', replace: 'let b = 2;\nlet c = 4;' }),
      file.replace('3', '4'),
    );
  });

  it('takes off line numbers that were copied from a reading', () => {
    assert.equal(
      applied(text, {
        search: '5\t        log("one");\n6\t        return a(x);',
        replace: '5\t        log("one");\n        log("two");\n6\t        return a(x);',
      }),
      doubled,
    );
  });

  it('cuts a line in which blanks line something up where the block begins', () => {
    const file = '  const a   =   first(second);\n  next();\n';
    assert.equal(
      applied(file, { search: 'first(second);\nnext();', replace: 'first(third);\nnext();' }),
      file.replace('second', 'third'),
    );
  });

  it('keeps the blank lines around a line that comes behind an elision', () => {
    const search = '// ...\n\nfoo();\nbar();';
    const replace = search.replace('foo', 'new();\n\nfoo');
    assert.equal(applied('a\n\nfoo();\nbar();\n', { search, replace }), 'a\n\nnew();\n\nfoo();\nbar();\n');
  });

  it('takes no indentation for evidence where blank lines are others', () => {
    const file = 'if (x) {\n  a();\n\n  b();\n}\n    a();\n    b();\n';
    assert.equal(refused(file, { search: '  a();\n  b();', replace: '  c();\n  b();' }).reason, 'ambiguous');
  });

  it('takes off a stray fence within the code of a document, and asks in its text', () => {
    const file = '# T\n\n```ts\nconst a = 1;\n```\n\nText here.\n';
    const code = { search: 'const a = 1;', replace: '```ts\nconst a = 3;\n```' };
    assert.equal(applied(file, code), file.replace('1', '3'));
    const prose = { search: 'Text here.', replace: '```ts\nText there.\n```' };
    assert.equal(refused(file, prose).reason, 'fence');
    const fresh = { search: 'Text here.', replace: '```ts\nrun();\n```' };
    assert.equal(applied(file, fresh), file.replace('Text here.', fresh.replace));
  });

  it('takes off a fence whose signs underline a heading of the document, and keeps one that takes the place of another', () => {
    const file = 'Title\n\n~~~~~\n\n* one\n* two\n';
    const wrapped = { search: '~~~~~\n\n* one', replace: '```rst\n~~~~~\n\n* 1\n```' };
    assert.equal(applied(file, wrapped), file.replace('one', '1'));
    const tildes = '~~~js\nrun();\n~~~\n';
    const backticks = '```js\nrun();\n```\n';
    assert.equal(applied(`a\n${tildes}`, { search: tildes, replace: backticks }), `a\n${backticks}`);
  });

  it('reads a line of the file that looks elided as it stands, wherever else the lines around it are', () => {
    const file = 'a();\n// ... existing code ...\nb();\n{\n    a();\n    c();\n    b();\n}\n';
    const search = '    a();\n    // ... existing code ...\n    b();';
    const replace = search.replace('// ... existing code ...', 'd();');
    assert.equal(applied(file, { search, replace }), file.replace('// ... existing code ...', 'd();'));
  });

  it('says that the file reads like the replacement where its quotes are those already', () => {
    const file = 'a();\n\nb("x");\nc();\n';
    const block = { search: "a();\nb('x');\nc();", replace: 'a();\n\nb("x");\nc();' };
    assert.equal(refused(file, block).reason, 'no-change');
  });

  it('takes column 0 as meant where nothing else changes, and as lost where blank lines change too', () => {
    const file = 'class A\n    one\n    two\n  end\nend\n';
    const search = '    one\n    two\n';
    assert.equal(applied(file, { search, replace: 'one\ntwo\n' }), file.replace(search, 'one\ntwo\n'));
    const spread = file.replace(search, '    one\n\n    two\n');
    for (const replace of ['one\n\ntwo\n', 'one\n\n    two\n'])
      assert.equal(applied(file, { search, replace }), spread);
    assert.equal(applied(file, { search: search.trimStart(), replace: '    one\n\n    two\n' }), spread);
  });

  it('changes a line in which the file has other signs, and keeps those', () => {
    const file = 'open();\nsay(“hello”, one);\nend();\n';
    const search = 'open();\nsay("hello", one);\nend();';
    assert.equal(applied(file, { search, replace: search.replace('one', 'two') }), file.replace('one', 'two'));
  });

  it('F14 replaces what stands letter for letter by exactly what is given, blanks and tabs included', () => {
    const file = 'export async function go() {\n    await run();\n    getUser();\n}\n\nlast();\n';
    const cases: [search: string, replace: string][] = [
      ['await ', ''],
      ['export ', ''],
      ['    await run();\n    getUser();', '\tawait run();\n\tgetUser();'],
      ['await run();', 'await  run( );'],
      ['    await run();', 'await run();'],
      ['\n\nlast', '\nlast'],
      ['}\n', '}\n\n'],
      ['last();', 'last();\n'],
      ['{\n    await', '{ await'],
      ['run();\n    getUser();\n}', 'run(); getUser(); }'],
      ['function go()', 'function  go ()'],
    ];
    for (const [search, replace] of cases)
      for (const end of ['\n', '\r\n']) {
        const crlf = (text: string) => text.replaceAll('\n', end);
        assert.equal(
          applied(crlf(file), { search, replace }),
          crlf(file.replace(search, replace)),
          JSON.stringify(search),
        );
      }
  });

  it('F14 asks back for a comment in place of many lines, in any language (microsoft/vscode-copilot-release#12161)', () => {
    const rows = Array.from({ length: 30 }, (_, at) => `  step${at}();`);
    const file = ['function go() {', ...rows, '}', ''].join('\n');
    const whole = file.trimEnd();
    for (const comment of [
      '// Rest bleibt gleich',
      '// 其余代码保持不变',
      '# le reste ne change pas',
      '/* ここは同じ */',
    ]) {
      const { reason, message } = refused(file, {
        search: whole,
        replace: `function go() {\n  begin();\n  ${comment}\n}`,
      });
      assert.deepEqual([reason, message.includes(`\`${comment}\` comes where 30 lines go`)], ['elision', true]);
    }
    const shorter = 'function go() {\n  begin();\n}';
    assert.equal(applied(file, { search: whole, replace: shorter }), `${shorter}\n`);
  });

  it('F14 says of how many places replaceAll changed how many', () => {
    const file = 'getUser();\ngetUserById();\nawait getUser();\n';
    const told = (replace: string, search = 'getUser') => {
      const result = applyEdits(file, [{ search, replace, replaceAll: true }]);
      return result.ok ? [result.text, ...result.notes] : [result.message];
    };
    assert.deepEqual(told('fetchUser'), [
      'fetchUser();\ngetUserById();\nawait fetchUser();\n',
      'The block: 2 of 3 places, without those within a longer word.',
    ]);
    assert.deepEqual(told('fetchUser(', 'getUser('), [
      file.replaceAll('getUser(', 'fetchUser('),
      'The block: 2 of 2 places.',
    ]);
    assert.match(told('x', 'getUs').join(), /only as a part of `getUser`, line 1\./);
  });

  it('F14 says of a block that changes nothing what is true of the file', () => {
    const file = 'if (a) {\n\tgo();\n\tstop();\n}\n';
    assert.match(refused(file, { search: 'if (b) {', replace: 'if (a) {' }).message, /already reads like .* line 1/);
    const kept = { search: '    go();\n    stop();\n}', replace: '    // ... existing code ...\n}' };
    assert.match(refused(file, kept).message, /as it was understood, the lines stay as they are at line 2/);
    assert.equal(
      applied(file, { search: '\tgo();\n\tstop();', replace: '  go();\n  stop();' }),
      file.replaceAll('\t', '  '),
    );
    assert.match(refused('fooBar();\n', { search: 'foo', replace: 'x' }).message, /only as a part of `fooBar`, line 1/);
  });

  it('F14 leaves as many blank lines as the replacement has', () => {
    const file = 'a();\n\n\nb();\n';
    assert.equal(applied(file, { search: 'a();\n\nb();', replace: 'a();\nb();' }), 'a();\nb();\n');
    assert.equal(applied('a();\nx();\n', { search: 'a();\n', replace: 'b();\n\n\n' }), 'b();\n\n\nx();\n');
  });

  it('adds and takes away blank lines at the ends of a block, but for one line end more or less', () => {
    const near = 'a();\nb();\nc();\n';
    const far = 'a();\n\n\nb();\n\n\nc();\n';
    const cases: [string, string, string, string][] = [
      [near, 'b();', '\n\n\nb(1);', 'a();\n\n\nb(1);\nc();\n'],
      [near, 'b();', '\n\nb();', 'a();\n\n\nb();\nc();\n'],
      [near, '\nb();', '\n\n\nb(1);', 'a();\n\n\nb(1);\nc();\n'],
      [near, 'b();', 'b();\n\n', 'a();\nb();\n\n\nc();\n'],
      [near, 'b();', '\nb(1);', 'a();\nb(1);\nc();\n'],
      [near, 'b();', 'b(1);\n', 'a();\nb(1);\nc();\n'],
      [far, '\n\nb();', 'b(1);', 'a();\n\nb(1);\n\n\nc();\n'],
      [far, '\n\nb();', 'b();', 'a();\nb();\n\n\nc();\n'],
      [far, '\n\nb();', '\nb();', 'a();\n\nb();\n\n\nc();\n'],
      [far, 'b();\n\n\n', 'b();\n', 'a();\n\n\nb();\nc();\n'],
      [far, 'b();\n\n\n', 'b(1);', 'a();\n\n\nb(1);\nc();\n'],
    ];
    for (const [file, search, replace, wanted] of cases) {
      assert.equal(applied(file, { search, replace }), wanted, JSON.stringify({ search, replace }));
    }
  });

  it('gives lines behind the first of the file its indentation', () => {
    const block = { search: '  a();', replace: '  a();\n  c();' };
    assert.equal(applied('a();\nb();\n', block), 'a();\nc();\nb();\n');
  });

  it('takes off code fences around one side or both', () => {
    const edit = { search: '    return 1;', replace: '    return 2;' };
    const wrap = (side: string) => `\`\`\`ts\n${side}\n\`\`\``;
    const wanted = text.replace('return 1', 'return 2');
    assert.equal(applied(text, { search: wrap(edit.search), replace: wrap(edit.replace) }), wanted);
    assert.equal(applied(text, { search: wrap(edit.search), replace: edit.replace }), wanted);
    assert.equal(applied(text, { search: edit.search, replace: wrap(edit.replace) }), wanted);
  });

  it('leaves out a bracket behind the block that the replacement repeats, and says of another line that it stands twice', () => {
    const file = 'function f() {\n  a();\n  x();\n}\n\nfunction g() {\n  b();\n}\n';
    const wanted = file.replace('x', 'y');
    assert.equal(applied(file, { search: '  x();', replace: '  y();\n}' }), wanted);
    assert.equal(applied(file, { search: '  x();\n', replace: '  y();\n}\n' }), wanted);
    assert.equal(applied(file, { search: '  a();\n  x();', replace: '  c();\n  x();\n}' }), file.replace('a', 'c'));
    const said = applyEdits(file, [{ search: '  a();', replace: '  c();\n  x();' }]);
    assert.ok(said.ok);
    assert.equal(said.text, file.replace('a();', 'c();\n  x();'));
    assert.match(said.notes.join(), /ends like line 3 .* twice/);
    const nested = 'if (a) {\n  x();\n';
    assert.equal(
      applied(`${nested}}\n`, { search: '  x();', replace: '  if (b) {\n  y();\n}' }),
      `${nested.replace('  x();', '  if (b) {\n  y();\n}')}}\n`,
    );
    const open = 'if (a) {\nif (b) {\n  x();\n}\n';
    assert.equal(applied(open, { search: '  x();', replace: '  y();\n}' }), 'if (a) {\nif (b) {\n  y();\n}\n}\n');
  });

  it('finds a long block that lacks one line of the file, and keeps the line', () => {
    const steps = Array.from({ length: 12 }, (_, at) => `step${at}(value${at});`);
    const file = `head();\n${steps.join('\n')}\ntail();\n`;
    const shown = steps.filter((_, at) => at !== 5);
    const search = shown.join('\n');
    const block = { search, replace: search.replace('step9', 'other') };
    assert.equal(applied(file, block), file.replace('step9', 'other'));
    const result = applyEdits(file, [block]);
    assert.ok(result.ok);
    assert.deepEqual(result.notes, ['The block: line 7 was not in search and stays.']);
    assert.equal(refused(file, { search, replace: 'all();' }).reason, 'not-found');
    assert.equal(refused(file, { search, replace: search.replace('step6', 'other') }).reason, 'not-found');
    assert.equal(refused(file + file, block).reason, 'not-found');
    const two = steps.filter((_, at) => at !== 5 && at !== 7).join('\n');
    assert.equal(refused(file, { search: two, replace: `${two}\nmore();` }).reason, 'not-found');
  });

  it('gives new lines the form of letters that the file has', () => {
    const [one, two] = ['// cafe\u0301\na();\n', '// caf\u00e9\na();\n'];
    assert.equal(applied(one, { search: 'a();', replace: 'b("r\u00e9");' }), '// cafe\u0301\nb("re\u0301");\n');
    assert.equal(applied(two, { search: 'a();', replace: 'b("re\u0301");' }), '// caf\u00e9\nb("r\u00e9");\n');
    assert.equal(applied('a();\n', { search: 'a();', replace: 'b("re\u0301");' }), 'b("re\u0301");\n');
    const both = one + two.replace('a()', 'c()');
    assert.equal(applied(both, { search: 'a();', replace: 'b("re\u0301");' }), both.replace('a();', 'b("re\u0301");'));
  });

  it('keeps the shift of lines that are moved into a new block, wherever the sides begin', () => {
    const call = ['const a = g(one,', '          two);'];
    const at = (margin: string, ...lines: string[]) => lines.map((line) => margin + line).join('\n');
    const inner = at('    ', ...call);
    const file = `function f() {\n${inner}\n    go(a);\n}\n`;
    for (const margin of ['', '  ', '    ', '        ']) {
      const block = {
        search: at(margin, ...call),
        replace: at(margin, 'if (x) {', ...call.map((line) => `    ${line}`), '}'),
      };
      const wanted = at('    ', 'if (x) {', ...call.map((line) => `    ${line}`), '}');
      assert.equal(applied(file, block), file.replace(inner, wanted), JSON.stringify(margin));
    }
    const python = 'def f():\n    a = 1\n    go(a)\n';
    const block = { search: 'a = 1\ngo(a)', replace: 'if x:\n    a = 1\n    go(a)' };
    assert.equal(applied(python, block), 'def f():\n    if x:\n        a = 1\n        go(a)\n');
  });

  it('takes off tags, CDATA, markers, the path and unseen signs that stand around one side or both', () => {
    const file = 'function f() {\n  a();\n  x();\n}\n';
    const wanted = file.replace('x', 'y');
    const around: readonly (readonly [string, string])[] = [
      ['<![CDATA[', ']]>'],
      ['<![CDATA[\n', '\n]]>'],
      ['<code>\n', '\n</code>'],
      ['<new_string>', '</new_string>'],
      ['<<<<<<< SEARCH\n', '\n======='],
      ['=======\n', '\n>>>>>>> REPLACE'],
      ['src/a.ts\n', ''],
      ['\u200B', '\u200B'],
    ];
    for (const [before, after] of around) {
      const [search, replace] = ['  x();', '  y();'];
      const wrap = (side: string) => before + side + after;
      const blocks = [
        { search: wrap(search), replace: wrap(replace) },
        { search: wrap(search), replace },
        { search, replace: wrap(replace) },
      ];
      for (const block of blocks) {
        const result = applyEdits(file, [block], 'src/a.ts');
        assert.ok(result.ok, JSON.stringify(block));
        assert.equal(result.text, wanted);
        assert.equal(result.notes.length, 1);
      }
    }
    const whole = '<<<<<<< SEARCH\n  x();\n=======\n  y();\n>>>>>>> REPLACE\n';
    assert.equal(applied(file, { search: whole, replace: '' }), wanted);
    assert.equal(applied(file, { search: '  x();', replace: whole }), wanted);
  });

  it('P14 takes off what closes a call behind a replacement, and leaves what a page has itself', () => {
    const file = 'function f() {\n  a();\n  x();\n}\n';
    for (const end of [
      '</new_string>',
      '\n</new_string>',
      '\n</content>\n</invoke>\n',
      '</｜｜DSML｜｜parameter>',
      '\n</replace>\n<parameter name="replace_all">false</parameter>',
    ]) {
      const block = { search: '  x();\n', replace: `  y();${end}` };
      assert.equal(
        applied(file, block).replace('}\n', '').trimEnd(),
        'function f() {\n  a();\n  y();',
        JSON.stringify(end),
      );
    }
    const page = '<content>\n<p>one</p>\n';
    assert.equal(
      applied(page, { search: '<p>one</p>', replace: '<p>two</p>\n</content>' }),
      '<content>\n<p>two</p>\n</content>\n',
    );
    const feed = '<rss>\n<item>\n</rss>\n';
    assert.equal(
      applied(feed, { search: '<item>', replace: '<item>\n</content>' }),
      '<rss>\n<item>\n</content>\n</rss>\n',
    );
    const whole = { search: '  x();', replace: '  log("<new_string>a</new_string>");' };
    assert.equal(applied(file, whole), file.replace('  x();', whole.replace));
  });

  it('P14 reads tabs and a replacement that are written out only where the file shows that they are', () => {
    const file = 'func f() {\n\tx()\n\ty("a\\tb")\n}\n';
    for (const tab of ['\\t', '&#9;', '&#x09;']) {
      assert.equal(
        applied(file, { search: `${tab}x()\n`, replace: `${tab}x()\n${tab}z("\\t")\n` }),
        file.replace('x()\n', 'x()\n\tz("\\t")\n'),
      );
    }
    const escaped = { search: '\tx()\n\ty("a\\tb")', replace: '\\tz()\\n\\ty(\\"a\\\\tb\\")' };
    assert.equal(applied(file, escaped), file.replace('x()', 'z()'));
    const meant = { search: '\tx()', replace: '\tx("\\n")' };
    assert.equal(applied(file, meant), file.replace('x()', 'x("\\n")'));
    const blanks = 'a:\n  - x\n';
    assert.equal(
      applied(blanks, { search: '  - x', replace: '  - x\n\\t' }),
      'a:\n  - x\n  \\t\n'.replace('  \\t', '\\t'),
    );
  });

  it('P14 takes eight blanks for a tab, and a form feed for no depth', () => {
    const file = 'package a\n\nimport "b"\n\nfunc f() {\n\tx()\n}\n';
    const block = { search: 'func f() {\n        x()\n', replace: 'func f() {\n        x()\n        y()\n' };
    assert.equal(applied(file, block), file.replace('x()', 'x()\n\ty()'));
    const paged = file.replace('\tx()', '\f\tx()');
    assert.equal(
      applied(paged, { search: '\tx()\n}', replace: '\tx()\n\ty()\n}' }),
      paged.replace('x()\n', 'x()\n\ty()\n'),
    );
  });

  it('reads signs of the transport in a replacement only where none can be meant', () => {
    const file = 'if (a < b) {\n  x();\n}\n';
    const entity = { search: 'if (a < b) {\n  x();', replace: 'if (a &lt; b) {\n  y();' };
    assert.equal(applied(file, entity), file.replace('x', 'y'));
    assert.equal(applied(file, { search: '  x();', replace: '  y();\\n  z();' }), file.replace('x();', 'y();\n  z();'));
    const quoted = { search: 'x();', replace: 'y("&lt;\\n");' };
    assert.equal(applied(file, quoted), file.replace('x();', quoted.replace));
    const page = '<p>one</p>\n';
    assert.equal(applied(page, { search: 'one', replace: 'a &lt; b' }), '<p>a &lt; b</p>\n');
    assert.equal(applied(page, { search: 'one', replace: '<code>two</code>' }), '<p><code>two</code></p>\n');
    assert.equal(refused(file, { search: 'x();', replace: 'y();\n>>>>>>> REPLACE\nz();' }).reason, 'marker');
  });

  it('reads a diff with headers that name the file, and keeps lines of the search that it does not show', () => {
    const file = 'one\ntwo\nthree\nfour\nfive\n';
    const hunk = '@@ -3,2 +3,3 @@\n three\n+more\n four\n';
    const wanted = 'one\ntwo\nthree\nmore\nfour\nfive\n';
    for (const head of ['', '--- a/src/a.txt\n+++ b/src/a.txt\n']) {
      const result = applyEdits(file, [{ search: head + hunk, replace: '' }], 'src/a.txt');
      assert.equal(result.ok && result.text, wanted, `search: ${head}`);
      assert.equal(
        applied(file, { search: 'two\nthree\nfour\nfive', replace: head + hunk }),
        wanted,
        `replace: ${head}`,
      );
    }
  });

  it('leaves the fences of a document alone', () => {
    const file = '# Use\n\n```sh\nrun\n```\n';
    assert.equal(
      applied(file, { search: '```sh\nrun\n```', replace: '```sh\nrun --fast\n```' }),
      file.replace('run', 'run --fast'),
    );
  });

  it('does not mind blank lines that the search lacks or has too many of', () => {
    assert.equal(
      applied(text, { search: '}\nexport function second() {', replace: '}\nexport function third() {' }),
      text.replace('second', 'third'),
    );
    assert.equal(
      applied(text, {
        search: '    }\n\n    // Nothing to do otherwise.\n    return 0;',
        replace: '    }\n\n    // Nothing to do otherwise.\n    return -1;',
      }),
      text.replace('0;', '-1;'),
    );
  });

  it('does not join or tear lines when only one side ends in a line end', () => {
    const wanted = text.replace('return 1', 'return 2');
    assert.equal(applied(text, { search: '    return 1;\n', replace: '    return 2;' }), wanted);
    assert.equal(applied(text, { search: '    return 1;', replace: '    return 2;\n' }), wanted);
    assert.equal(applied(text, { search: '\n    return 1;\n', replace: '    return 2;' }), wanted);
  });

  it('removes whole lines when the replacement is empty', () => {
    assert.equal(
      applied(text, { search: '    // Nothing to do otherwise.', replace: '' }),
      text.replace('    // Nothing to do otherwise.\n', ''),
    );
    assert.equal(
      applied(text, { search: '\n    // Nothing to do otherwise.\n', replace: '' }),
      text.replace('    // Nothing to do otherwise.\n', ''),
    );
  });

  it('undoes escapes: a block encoded twice, entities, quotes', () => {
    const wanted = text.replace('"one"', '"two"');
    assert.equal(
      applied(text, {
        search: '        log(\\"one\\");\\n        return a(x);',
        replace: '        log(\\"two\\");\\n        return a(x);',
      }),
      wanted,
    );
    assert.equal(
      applied(text, { search: '    if (x &gt; 1) {', replace: '    if (x &gt;= 1) {' }),
      text.replace('x > 1', 'x >= 1'),
    );
    assert.equal(
      applied(text, {
        search: '        log(\\"one\\");\n        return a(x);',
        replace: '        log(\\"two\\");\n        return a(x);',
      }),
      wanted,
    );
  });

  it('puts a line back together whose escape was read as a line end', () => {
    const file = "const a = 'x\\ny';\nconst b = 1;\n";
    assert.equal(
      applied(file, { search: "const a = 'x\ny';\nconst b = 1;", replace: "const a = 'x\ny';\nconst b = 2;" }),
      file.replace('1', '2'),
    );
  });

  it('finds a block that begins and ends within lines', () => {
    assert.equal(
      applied(text, { search: 'first(x: number) {\n    if (x >', replace: 'first(x: string) {\n    if (x >' }),
      text.replace('number', 'string'),
    );
  });

  it('keeps elided lines as the file has them', () => {
    const search = 'export function first(x: number) {\n    // ... existing code ...\n    return 0;\n}';
    assert.equal(
      applied(text, { search, replace: search.replace('return 0', 'return -1') }),
      text.replace('return 0', 'return -1'),
    );
  });

  it('fills an elision of the replacement only where the brackets come out as they did', () => {
    const search = 'open(a, b)\nif (x) {\n  throw new Error(\n    "no",\n  )\n}\nsend()';
    const refusal = refused(search, { search, replace: 'open(\n  a,\n  b,\n  )\n// ...' });
    assert.equal(refusal.reason, 'elision');
  });

  it('fills an elision of the replacement from the search', () => {
    const search = '    if (x > 1) {\n        log("one");\n        return a(x);\n    }';
    const replace = '    if (x > 2) {\n        log("one");\n        // ... rest of the code ...\n    }';
    assert.equal(applied(text, { search, replace }), text.replace('x > 1', 'x > 2'));
  });

  it('sees in an elision at an end only that the file goes on', () => {
    const search = '// ... existing code ...\n    return 1;';
    assert.equal(applied(text, { search, replace: search.replace('1;', '2;') }), text.replace('return 1', 'return 2'));
  });

  it('forgives a comment in other words, or left out, that both sides show', () => {
    const shown = '    }\n    // Nothing else to do otherwise.\n    return 0;\n}';
    assert.equal(
      applied(text, { search: shown, replace: shown.replace('0', '7') }),
      text.replace('return 0', 'return 7'),
    );
    const without = '        return a(x);\n    }\n    return 0;\n}';
    assert.equal(
      applied(text, { search: without, replace: without.replace('a(x)', 'b(x)') }),
      text.replace('a(x)', 'b(x)'),
    );
  });

  it('applies several blocks in any order, each found in the text as given', () => {
    const blocks = [
      { search: '    return 1;', replace: '    return 2;' },
      { search: '    return 0;', replace: '    return 1;' },
    ];
    const wanted = text.replace('return 1', 'return 2').replace('return 0', 'return 1');
    assert.equal(applied(text, ...blocks), wanted);
    assert.equal(applied(text, ...blocks.reverse()), wanted);
  });

  it('lets blocks show the same lines as long as they change others', () => {
    const one = { search: 'log("one");\n        return a(x);', replace: 'log("1");\n        return a(x);' };
    const other = { search: '        return a(x);\n    }\n', replace: '        return a(x);\n    } // if\n' };
    assert.equal(applied(text, one, other), text.replace('"one"', '"1"').replace('    }\n', '    } // if\n'));
  });

  it('says which lines it changed and what it read otherwise', () => {
    const result = applyEdits(text, [{ search: 'log(“one”);', replace: 'log(“one”);\nlog(“two”);' }]);
    assert.ok(result.ok);
    assert.deepEqual(result.hunks, [{ startLine: 6, oldLines: 0, newLines: 1 }]);
    assert.deepEqual(result.notes, ['The block: ignored: typographic quotes.']);
  });
});

describe('applyEdits refuses rather than guesses', () => {
  it('takes no misspelt line for one that the block has changed elsewhere', () => {
    const file = 'received(value);\nother();\nexpected(result);\n';
    const block = { search: 'recieved(value);', replace: 'expected(result);' };
    assert.equal(refused(file, block).reason, 'no-change');
  });

  const twice = 'a();\nrun();\nb();\nc();\nrun();\n';

  it('names both places of a block that stands there twice', () => {
    const { reason, message } = refused(twice, { search: 'run();', replace: 'stop();' });
    assert.equal(reason, 'ambiguous');
    assert.match(message, /line 2 and at line 5/);
  });

  it('takes the context that makes such a block unique', () => {
    assert.equal(
      applied(twice, { search: 'c();\nrun();', replace: 'c();\nstop();' }),
      'a();\nrun();\nb();\nc();\nstop();\n',
    );
  });

  it('does not choose between two places by a guess at the indentation', () => {
    const file = 'if (a) {\n  run();\n}\n    run();\n';
    assert.equal(refused(file, { search: 'run();', replace: 'stop();' }).reason, 'ambiguous');
    assert.equal(refused(file, { search: '\trun();', replace: '\tstop();' }).reason, 'ambiguous');
  });

  it('shows of two long lines the part in which they differ', () => {
    const line = (word: string) => `${'x '.repeat(200)}${word}${' y'.repeat(200)}`;
    const result = applyEdits(`${line('here')}\n`, [{ search: line('gone'), replace: 'z' }]);
    const message = result.ok ? '' : result.message;
    assert.match(message, /reads `…[x ]+here[y ]+…` where the block has `…[x ]+gone[y ]+…`/);
    assert.ok(message.length < 400);
  });

  it('gives the nearest place and the first line that differs', () => {
    const { reason, message } = refused(text, { search: '        log("one");\n        return c(x);', replace: 'x' });
    assert.equal(reason, 'not-found');
    assert.match(message, /lines 5–6; line 6 reads `return a\(x\);` where the block has `return c\(x\);`/);
    assert.ok(message.length < 300);
  });

  it('names the place that is alike, not one that only has the same bracket', () => {
    const file = 'const a = [\n  first,\n];\nconst b = [\n  second,\n];\n';
    const { message } = refused(file, { search: '  secnodary,\n];', replace: 'x' });
    assert.match(message, /line 5 reads `second,` where the block has `secnodary,`/);
  });

  it('does not take another name or number for a slip', () => {
    refused(text, { search: '    return 3;', replace: '    return 4;' });
    refused(text, {
      search: 'export function third() {\n    return 1;',
      replace: 'export function third() {\n    return 4;',
    });
  });

  it('does not take a part of a word for the word', () => {
    refused('discount = 1;\n', { search: 'count = 1', replace: 'count = 2' });
  });

  it('refuses an elision that fits several spans', () => {
    const search = 'export function first(x: number) {\n    // ...\n}\n';
    const nested = `${text}export function last() {\n    return 2;\n}\n`;
    assert.equal(refused(nested, { search, replace: '' }).reason, 'ambiguous');
  });

  it('never writes an elision into the file', () => {
    const { reason } = refused(text, {
      search: '    return 1;',
      replace: '    start();\n    // ... existing code ...\n    end();',
    });
    assert.equal(reason, 'elision');
  });

  it('takes a spread or a stub for what it is', () => {
    assert.equal(
      applied('f({ a });\n', { search: 'f({ a });', replace: 'f({\n  a,\n  ...rest,\n});' }),
      'f({\n  a,\n  ...rest,\n});\n',
    );
    assert.equal(
      applied('x = 1\n', { search: 'x = 1', replace: 'x = 1\ndef f():\n    ...' }),
      'x = 1\ndef f():\n    ...\n',
    );
  });

  it('refuses new lines without indentation where it says what belongs to what', () => {
    const file = 'def f():\n    if x:\n        return 1\n    return 2\n';
    const search = 'if x:\nreturn 1\nreturn 2';
    assert.equal(refused(file, { search, replace: 'if x:\nlog()\nreturn 1\nreturn 2' }).reason, 'indentation');
    assert.equal(refused(file, { search: '    return 2', replace: 'if y:\nreturn 3' }).reason, 'indentation');
    assert.equal(refused(file, { search, replace: 'if x:\nreturn 3\nreturn 2' }).reason, 'indentation');
    assert.equal(applied(file, { search, replace: 'if x:\nreturn 1' }), file.replace('    return 2\n', ''));
  });

  it('refuses new lines without indentation in every language where the depth of a line has a meaning', () => {
    const yaml = 'on:\n  push:\n    branches: [main]\njobs:\n  test:\n    steps:\n      - run: a\n';
    const pug = 'ul\n  li\n    a(href="/") Home\n  li Two\n';
    const coffee = 'load = (name) ->\n  file = open name\n  file.read()\n';
    const haskell = 'main = do\n  name <- getLine\n  putStrLn name\n';
    for (const [path, file, search, replace] of [
      ['ci.yml', yaml, 'on:\n  push:\n    branches: [main]', 'on:\npush:\nbranches: [main, next]'],
      ['ci.yml', yaml, 'steps:\n- run: a', 'steps:\n- uses: b\n- run: a'],
      ['menu.pug', pug, 'ul\n  li\n    a(href="/") Home', 'ul\nli\na(href="/") Start'],
      ['menu.pug', pug, 'a(href="/") Home\nli Two', 'a(href="/") Home\nspan new\nli Two'],
      ['load.coffee', coffee, 'load = (name) ->\n  file = open name', 'load = (name) ->\ncheck name\nfile = open name'],
      ['Main.hs', haskell, 'main = do\n  name <- getLine', 'main = do\nputStr "? "\nname <- getLine'],
    ] as const) {
      const result = applyEdits(file, [{ search, replace }], path);
      assert.equal(result.ok ? result.text : result.reason, 'indentation', `${path}: ${replace}`);
    }
    const result = applyEdits(
      yaml,
      [{ search: 'branches: [main]', replace: 'branches: [main]\ntags: [v1]' }],
      'ci.yml',
    );
    assert.equal(
      result.ok && result.text,
      yaml.replace('[main]\n', '[main]\n    tags: [v1]\n'),
      'at one depth all is clear',
    );
  });

  it('refuses an empty search, no block, and a block that changes nothing', () => {
    assert.equal(refused(text, { search: ' \n', replace: 'x' }).reason, 'empty');
    assert.equal(refused(text).reason, 'empty');
    assert.equal(refused(text, { search: 'return 1;', replace: 'return 1;' }).reason, 'no-change');
  });

  it('refuses all blocks when one fails, and says which', () => {
    const result = refused(
      text,
      { search: 'return 1;', replace: 'return 2;' },
      { search: 'nowhere at all', replace: 'x' },
    );
    assert.equal(result.block, 1);
    assert.match(result.message, /^Block 2 .* None of the 2 blocks was applied\.$/);
  });

  it('refuses two blocks that change the same line', () => {
    const result = refused(
      text,
      { search: 'return 1;', replace: 'return 2;' },
      { search: 'return 1;', replace: 'return 3;' },
    );
    assert.equal(result.reason, 'overlap');
  });

  it('E11 refuses a block that was applied before, so that nothing comes twice', () => {
    for (const block of [
      { search: '    return 1;', replace: '    return 1;\n    // done' },
      { search: 'return 1;', replace: 'return 2;' },
      { search: 'log(', replace: 'log(now, ' },
      { search: 'log("one");', replace: 'if (y) {\n    log("one");\n}' },
    ]) {
      const once = applied(text, block);
      assert.equal(applyEdits(once, [block]).ok, false, `${block.search} → ${block.replace}`);
    }
  });

  it('X33 a long run of one sign in a block takes no time', async () => {
    const length = 60_000;
    const runs = ['```\n', '~~~\n', ''].flatMap((fence) =>
      [' ', '\t', '\n', '`', '~', ';', ','].map((sign) => `${fence}${sign.repeat(length)}x`),
    );
    const spent = await cpuMs(() => {
      for (const run of runs) {
        refused(text, { search: run, replace: 'y' });
        applied(text, { search: 'return 1;', replace: run });
      }
    });
    assert.ok(spent < 30_000, `${spent} ms`);
  });

  it('X33 a long line of many signs takes no time', async () => {
    const spent = await cpuMs(() => refused(`${'a&&b(c);'.repeat(30_000)}\n`, { search: "say('x')", replace: 'y' }));
    assert.ok(spent < 15_000, `${spent} ms`);
  });
});
