import assert from 'node:assert/strict';
import { applyPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { applyEdits, type EditBlock } from '../../../src/edits/match/apply-edits.ts';

const words = ['window', 'buffer', 'handler', 'promise', 'message', 'counter', 'résumé', '変数', 'naïve'];
const lineBody = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom(...words), fc.nat(99))
  .map(([one, other, number]) => `${one}(${other}, ${number});`);
const indent = fc.constantFrom('', '  ', '    ');
/** Unlike all others, so that only one place can be meant. */
const line = fc.tuple(indent, lineBody);

/** A file, the run of its lines that an edit shows, and what takes the place of those in the middle. */
const edit = fc
  .record({
    lines: fc.array(line, { minLength: 3, maxLength: 16 }),
    fresh: fc.array(line, { maxLength: 3 }),
    from: fc.nat(15),
    shown: fc.integer({ min: 1, max: 6 }),
    above: fc.nat(3),
    gone: fc.nat(2),
    blanks: fc.subarray([2, 4, 6, 8]),
  })
  .map(({ lines, fresh, from, shown, above, gone, blanks }) => {
    const own = lines.flatMap(([space, body], at) => {
      const text = `${space}${body} ${'abcdefghijklmnopqrst'.charAt(at)}${at}`;
      return blanks.includes(at) ? [text, ''] : [text];
    });
    const start = from % own.length;
    const run = own.slice(start, start + shown);
    const added = fresh.map(([space, body], at) => `${space}new.${body} ${at}`);
    const kept = Math.min(above, run.length);
    const after = [...run.slice(0, kept), ...added, ...run.slice(kept + gone)];
    return { own, start, run, after };
  })
  .filter(({ run, after }) => run.join('\n') !== after.join('\n') && run.some((text) => text !== ''));

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** Blank lines at the ends of a block say little, unless it is a diff. */
const framed = edit.filter(({ run, after }) => [run, after].every((side) => side.at(0) !== '' && side.at(-1) !== ''));

function resultOf({ own, start, run, after }: Edit, all = own): string[] {
  return [...all.slice(0, start), ...after, ...all.slice(start + run.length)];
}

function rightOrRefused(text: string, block: EditBlock, wanted: string): boolean {
  const result = applyEdits(text, [block]);
  if (result.ok) assert.equal(result.text, wanted);
  return result.ok;
}

describe('applyEdits, for blocks in the form of a unified diff', () => {
  /** Before each line of a file that is a list, or of one that is not. */
  const bullet = fc.constantFrom('', '', '- ', '+ ', '* ', '  - ', '-', '+');
  const form = fc.record({
    where: fc.constantFrom('search', 'replace', 'each', 'plus', 'minus'),
    header: fc.constantFrom('', '@@ -1,2 +1,2 @@', '--- a/x\n+++ b/x\n@@ -1 +1 @@'),
    isBare: fc.boolean(),
    isWide: fc.boolean(),
    trimsBlank: fc.boolean(),
  });
  type Form = typeof form extends fc.Arbitrary<infer T> ? T : never;

  function patchOf(text: string, wanted: string) {
    return structuredPatch('a', 'b', text, wanted, '', '', { context: 3 });
  }

  function toBlock(rows: readonly string[], { where, header, isBare, isWide, trimsBlank }: Form): EditBlock {
    const marked = rows.map((row) => {
      const [sign, rest] = [row.charAt(0), row.slice(1)];
      if (sign === ' ' && (isBare || (trimsBlank && rest === ''))) return rest;
      return isWide ? `${sign} ${rest}` : row;
    });
    const side = (signs: string, from: readonly string[]) =>
      from.flatMap((text, at) => (signs.includes(rows[at]?.charAt(0) ?? '') ? [`${text}\n`] : [])).join('');
    const plain = rows.map((row) => row.slice(1));
    const whole = (header === '' ? '' : `${header}\n`) + side(' -+', marked);
    switch (where) {
      case 'search':
        return { search: whole, replace: '' };
      case 'replace':
        return { search: side(' -', plain), replace: whole };
      case 'plus':
        return { search: side(' -', plain), replace: side(' +', marked) };
      case 'minus':
        return { search: side(' -', marked), replace: side(' +', plain) };
      default:
        return { search: side(' -', marked), replace: side(' +', marked) };
    }
  }

  it('writes what a patch tool would, or nothing', () => {
    let applied = 0;
    let clear = 0;
    let clearApplied = 0;
    fc.assert(
      fc.property(edit, form, bullet, fc.constantFrom('\n', '\r\n'), (drawn, written, before, end) => {
        const mark = (text: string) => (text === '' ? text : before + text);
        const text = `${drawn.own.map(mark).join('\n')}\n`;
        const wanted = `${resultOf(drawn).map(mark).join('\n')}\n`;
        const patch = patchOf(text, wanted);
        const judged = applyPatch(text, patch);
        assert.equal(judged, wanted);
        fc.pre(patch.hunks.length === 1);
        const rows = patch.hunks[0]?.lines.filter((row) => !row.startsWith('\\')) ?? [];
        fc.pre(rows.some((row) => /^ \s*\S/.test(row)));
        const sign = written.where === 'plus' ? '+' : written.where === 'minus' ? '-' : undefined;
        fc.pre(sign === undefined || rows.some((row) => row.startsWith(sign)));
        const crlf = (side: string) => side.replaceAll('\n', end);
        const isApplied = rightOrRefused(crlf(text), toBlock(rows, written), crlf(wanted));
        if (isApplied) applied++;
        if (before === '' && !written.isBare && !written.isWide && /search|replace|each/.test(written.where)) {
          clear++;
          if (isApplied) clearApplied++;
        }
      }),
      { numRuns: 600 },
    );
    assert.ok(applied > 300, `${applied} applied`);
    assert.ok(clearApplied >= clear * 0.95, `${clearApplied} of ${clear} clear ones`);
  });

  it('reads each hunk of a diff as an edit of its own', () => {
    const text = `${Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')}\n`;
    const wanted = text.replace('line 3\n', 'third\n').replace('line 20\n', 'line 20\nmore\n').replace('line 27\n', '');
    const patch = patchOf(text, wanted);
    assert.ok(patch.hunks.length > 1);
    const diff = patch.hunks.flatMap(({ lines }) => ['@@ ... @@', ...lines]).join('\n');
    assert.ok(rightOrRefused(text, { search: diff, replace: '' }, wanted));
    assert.ok(rightOrRefused(text, { search: diff, replace: diff }, wanted));
  });

  it('leaves the lines of a list, of YAML and of a diff to be what they are', () => {
    const cases: [file: string, search: string, replace: string][] = [
      ['# To do\n\n- one\n- two\n', '- one\n- two', '- one\n- more\n- two'],
      ['# To do\n\nNothing.\n', 'Nothing.', 'Nothing.\n\n- one\n- two'],
      ['one\ntwo\n', 'one\ntwo', '- one\n- two'],
      ['steps:\n- run: a\n- run: b\n', '- run: b', '- run: b\n- run: c'],
      ['@@ -1,2 +1,2 @@\n a\n-b\n+c\n', ' a\n-b\n+c', ' a\n-b\n-bb\n+c\n+cc'],
      ['+ one\n+ two\n', '+ two', '+ two\n+ three'],
    ];
    for (const [file, search, replace] of cases) {
      assert.deepEqual([rightOrRefused(file, { search, replace }, file.replace(search, replace)), file], [true, file]);
    }
  });

  it('refuses signs that may as well be meant', () => {
    for (const [file, search, replace] of [
      ['5\n6\n', '5\n6', '+5\n6'],
      ['O2\nwall\n', 'O2\nwall', '-O2\nwall'],
      ['one\ntwo\n', 'one', 'one\n+ two'],
    ] as const) {
      const result = applyEdits(file, [{ search, replace }]);
      assert.equal(result.ok ? result.text : result.reason, 'diff');
    }
  });

  it('refuses a diff of lines that stand nowhere, also in a file of lists', () => {
    const file = '- one\n- two\n';
    for (const replace of ['-gone\n-- one\n+- first', '-gone\n - one\n+- more', '@@ -1 +1 @@\n-gone\n+come']) {
      const result = applyEdits(file, [{ search: '- one', replace }]);
      assert.equal(result.ok ? result.text : result.reason, 'diff');
      assert.match(result.ok ? '' : result.message, /without the signs/);
    }
  });
});

describe('applyEdits, for blocks with a letter or two wrong', () => {
  const bare = (side: readonly string[]) => side.map((text) => text.trim());
  const flat = framed.map(({ own, start, run, after }) => ({
    own: bare(own),
    start,
    run: bare(run),
    after: bare(after),
  }));

  const slip = fc.record({
    row: fc.nat(5),
    at: fc.nat(40),
    way: fc.constantFrom('drop', 'double', 'other', 'swap'),
    inBoth: fc.boolean(),
  });

  function misspell(text: string, at: number, way: string): string {
    const spots = [...text.matchAll(/[a-z]{5,}/g)];
    const found = spots[at % Math.max(1, spots.length)];
    if (found === undefined) return text;
    const from = found.index + 1 + (at % 3);
    const [letter, next] = [text.charAt(from), text.charAt(from + 1)];
    const wrong = { drop: '', double: letter + letter, other: 'q', swap: next + letter }[way] ?? '';
    return text.slice(0, from) + wrong + text.slice(from + (way === 'swap' ? 2 : 1));
  }

  it('finds the line that is meant and keeps it as the file has it', () => {
    let applied = 0;
    let drawn = 0;
    fc.assert(
      fc.property(flat, slip, (one, { row, at, way, inBoth }) => {
        const which = row % one.run.length;
        const right = one.run[which] ?? '';
        const wrong = misspell(right, at, way);
        fc.pre(wrong !== right);
        const search = one.run.with(which, wrong).join('\n');
        const replace = one.after.map((text) => (inBoth && text === right ? wrong : text)).join('\n');
        drawn++;
        if (rightOrRefused(`${one.own.join('\n')}\n`, { search, replace }, `${resultOf(one).join('\n')}\n`)) applied++;
      }),
      { numRuns: 400 },
    );
    assert.ok(applied >= drawn * 0.85, `${applied} of ${drawn}`);
  });

  it('tells the model what it read otherwise', () => {
    const result = applyEdits('first();\nexpected(value);\n', [
      { search: 'expceted(value);', replace: 'expected(other);' },
    ]);
    assert.ok(result.ok);
    assert.deepEqual(result.notes, ['The block: line 2 reads `expected(value);`, search had `expceted(value);`.']);
  });

  it('takes no digit, no name of the file, no short word and no second place for a slip', () => {
    const file = 'const value = 1;\nconst values = getAll();\nlet min = width12;\nrunFirst();\nrunFirsta();\n';
    for (const search of [
      'let min = width13;',
      'const valued = getAll(;',
      'let max = width12;',
      'const values = setAll();\nsetAll',
      'runFirstb();',
      'const value = 2;',
    ]) {
      const result = applyEdits(file, [{ search, replace: 'other();' }]);
      assert.equal(result.ok, false, search);
    }
    assert.equal(applyEdits('getItems();\nsetOther();\n', [{ search: 'setItems();', replace: 'x' }]).ok, false);
    assert.equal(applyEdits('Tutorial\n', [{ search: 'torial', replace: 'x' }]).ok, false);
    const near = 'let counter = 1;\nuse(counters);\n';
    assert.equal(applyEdits(near, [{ search: 'use(counter);', replace: 'x' }]).ok, false);
  });

  it('takes two lines with letters wrong for other lines', () => {
    const file = 'expected(value);\nreceived(value);\n';
    assert.equal(applyEdits(file, [{ search: 'expceted(value);\nrecieved(value);', replace: 'x' }]).ok, false);
  });
});

describe('applyEdits, for what nobody sees', () => {
  const unseen = fc.record({
    trails: fc.array(fc.constantFrom('', '', '  ', ' ', '\t'), { minLength: 40, maxLength: 40 }),
    file: fc.constantFrom('NFC', 'NFD'),
    search: fc.constantFrom('NFC', 'NFD'),
    replace: fc.constantFrom('NFC', 'NFD'),
    keepsTrails: fc.constantFrom('both', 'search', 'neither'),
    ends: fc.array(fc.constantFrom('\n', '\n', '\r\n'), { minLength: 40, maxLength: 40 }),
    shift: fc.constantFrom('', '', '  '),
  });

  it('keeps lines that stay to the byte: Unicode form, trailing blanks, line ends', () => {
    fc.assert(
      fc.property(framed, unseen, (one, { trails, file, search, replace, keepsTrails, ends, shift }) => {
        const trail = (text: string, at: number) => (text === '' ? '' : text + (trails[at] ?? ''));
        const all = one.own.map((text, at) => trail(text, at).normalize(file));
        const text = all.map((body, at) => body + (ends[at] ?? '\n')).join('');
        const shown = one.run.map((body, at) => (keepsTrails === 'neither' ? body : trail(body, one.start + at)));
        const known = new Map(one.run.map((body, at) => [body, keepsTrails === 'both' ? shown[at] : body]));
        const side = (lines: readonly (string | undefined)[], form: 'NFC' | 'NFD') =>
          lines.map((body) => (body === '' ? '' : shift + (body ?? '').normalize(form))).join('\n');
        const block = {
          search: side(shown, search),
          replace: side(
            one.after.map((body) => known.get(body) ?? body),
            replace,
          ),
        };
        // What stands letter for letter is replaced letter for letter, the blanks that the replacement leaves out
        // included; line ends are the file's, whatever a block has.
        if (keepsTrails === 'search' && text.replaceAll('\r\n', '\n').includes(block.search)) return;
        const result = applyEdits(text, [block]);
        if (!result.ok) return;
        const left = result.text.split(/(?<=\n)/);
        const stays = new Set(one.after);
        all.forEach((body, at) => {
          const own = one.own[at] ?? '';
          const isShown = at >= one.start && at < one.start + one.run.length;
          if (own === '' || (isShown && !stays.has(own))) return;
          assert.ok(
            left.some((found) => found.replace(/\r?\n$/, '') === body),
            `${JSON.stringify(body)} is gone`,
          );
        });
        assert.equal(left.length, resultOf(one).length);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps Markdown's line breaks on lines that are new or changed", () => {
    const file = 'Roses are red,  \nviolets are blue.\n\nEnd.\n';
    const search = '  Roses are red,  \n  violets are blue.';
    const replace = '  Roses are white,  \n  lilies too,  \n  violets are blue.';
    assert.ok(rightOrRefused(file, { search, replace }, file.replace('red,  ', 'white,  \nlilies too,  ')));
  });
});

describe('applyEdits, for all equal places', () => {
  it('does what replacing the text everywhere would', () => {
    const piece = fc.constantFrom('run();', 'stop();', ' ', '\n', '\n\n', '    ', 'a = ', '// run ', ' é ');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 2, maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (pieces, end) => {
        const text = pieces.join('');
        fc.pre(text.split('run();').length > 2);
        const crlf = (side: string) => side.replaceAll('\n', end);
        const result = applyEdits(crlf(text), [{ search: 'run();', replace: 'go(1);', replaceAll: true }]);
        assert.ok(result.ok, result.ok ? '' : result.message);
        assert.equal(result.text, crlf(text.replaceAll('run();', 'go(1);')));
      }),
    );
  });

  it('reaches whole lines whose indentation alone is another, and leaves words that only hold the text', () => {
    const file = 'if (a) {\n  run();\n  end();\n}\n    run();\n    end();\nrerun();\n';
    const block = { search: '\trun();\n\tend();', replace: '\tgo();\n\tend();', replaceAll: true };
    assert.ok(rightOrRefused(file, block, file.replaceAll(' run()', ' go()')));
    const name = { search: 'run', replace: 'go', replaceAll: true };
    assert.ok(rightOrRefused(file, name, file.replaceAll(' run', ' go')));
  });

  it('takes whole lines away, and changes nothing a second time', () => {
    const file = 'a\n  log();\nb\n  log();\nc\n';
    assert.ok(rightOrRefused(file, { search: '  log();\n', replace: '', replaceAll: true }, 'a\nb\nc\n'));
    const block = { search: 'log(', replace: 'log(now, ', replaceAll: true };
    const once = applyEdits(file, [block]);
    assert.ok(once.ok);
    assert.equal(applyEdits(once.text, [block]).ok, false);
  });

  it('is offered where a block fits several places', () => {
    const result = applyEdits('a();\nb();\na();\n', [{ search: 'a();', replace: 'c();' }]);
    assert.match(result.ok ? '' : result.message, /line 1 and at line 3.*replaceAll/);
  });
});

describe('applyEdits, for dots', () => {
  const dots = fc.constantFrom('...', '// ...', '# ...', '// ... existing code ...');

  it('keeps those that stand in the file, wherever the block shows them', () => {
    let applied = 0;
    let drawn = 0;
    fc.assert(
      fc.property(framed, dots, fc.nat(5), (one, marker, at) => {
        const which = at % one.run.length;
        const gone = one.run[which] ?? '';
        fc.pre(gone !== '' && one.run.filter((text) => text !== '').length > 1);
        const swap = (text: string) => (text === gone ? marker : text);
        const block = { search: one.run.map(swap).join('\n'), replace: one.after.map(swap).join('\n') };
        const text = `${one.own.map(swap).join('\n')}\n`;
        drawn++;
        if (rightOrRefused(text, block, `${resultOf(one).map(swap).join('\n')}\n`)) applied++;
      }),
    );
    assert.ok(applied >= drawn * 0.95, `${applied} of ${drawn}`);
  });

  it('keeps what several of them in a row hide, once', () => {
    const file = 'one();\ntwo();\nthree();\n// ...\nfour();\nfive();\n';
    const search = 'two();\n// ...\n// ...\nfive();';
    assert.ok(
      rightOrRefused(file, { search, replace: search.replace('two', 'second') }, file.replace('two', 'second')),
    );
  });

  it('loses no blank line beside those that hide lines', () => {
    const body = fc.array(fc.constantFrom('', 'x', 'y', ''), { minLength: 1, maxLength: 8 });
    const blanks = fc.constantFrom([], ['']);
    fc.assert(
      fc.property(body, blanks, blanks, fc.boolean(), (drawn, above, below, isShown) => {
        const hidden = drawn.map((text, at) => (text === '' ? '' : `  ${text}${at}();`));
        const text = ['function f() {', ...hidden, '  return end;', '}', ''].join('\n');
        const marked = ['function f() {', ...above, '  // ... existing code ...', ...below];
        const search = [...(isShown ? ['function f() {', ...hidden] : marked), '  return end;', '}'].join('\n');
        const replace = [...marked, '  return start;', '}'].join('\n');
        rightOrRefused(text, { search, replace }, text.replace('end;', 'start;'));
      }),
      { numRuns: 400 },
    );
  });
});
