import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createHeadTail } from '../../../src/tools/command/head-tail.ts';
import { createLineJoiner, createTerminalText } from '../../../src/tools/command/terminal-text.ts';

const whole = (text: string) => createTerminalText()(text);

describe('terminal text', () => {
  it('X40 takes out colours, titles, links, cursor moves and marks of the shell', () => {
    assert.equal(whole('\u001b[1;31mred\u001b[0m'), 'red');
    assert.equal(whole('\u001b]0;title\u0007a\u001b]8;;https://x.example\u001b\\b\u001b]8;;\u001b\\c'), 'abc');
    assert.equal(whole('\u001b]633;C\u0007out\u001b]633;D;0\u0007'), 'out');
    assert.equal(whole('\u009b31ma\u009dtitle\u009cb\u001bPq#0\u001b\\c\u001b(Bd\u001b7e'), 'abcde');
    assert.equal(whole('a\u0000b\u0007c\u007fd\u0085e\tf\ng\r\nh'), 'abcde\tf\ng\r\nh');
    assert.equal(whole('ab\u0008c'), 'ac');
  });

  it('X40 takes out every sequence that the grammar of ECMA-48 allows, and nothing of the text beside it', () => {
    const bytes = (from: number, to: number, maxLength: number) =>
      fc
        .array(fc.integer({ min: from, max: to }), { maxLength })
        .map((codes) => codes.map((code) => String.fromCharCode(code)).join(''));
    const one = (from: number, to: number) =>
      fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
    const plain = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '[', '~', '@', '\t', '\n', 'é', '語'),
      maxLength: 6,
    });
    const control = fc
      .tuple(fc.constantFrom('\u001b[', '\u009b'), bytes(0x30, 0x3f, 4), bytes(0x20, 0x2f, 2), one(0x40, 0x7e))
      .map((parts) => parts.join(''));
    const command = fc
      .tuple(
        fc.constantFrom('\u001b]', '\u001bP', '\u001bX', '\u001b^', '\u001b_', '\u009d', '\u0090'),
        bytes(0x20, 0x7e, 8),
        fc.constantFrom('\u001b\\', '\u0007', '\u009c'),
      )
      .map((parts) => parts.join(''));
    const short = fc
      .tuple(fc.constant('\u001b'), bytes(0x20, 0x2f, 2), fc.constantFrom('7', 'B', 'c', '=', '~'))
      .map((parts) => parts.join(''));
    const piece = fc.oneof(
      plain.map((text) => [text, text]),
      fc.oneof(control, command, short).map((text) => [text, '']),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const [written, shown] = [0, 1].map((side) => pieces.map((both) => both[side]).join(''));
        assert.equal(whole(String(written)), shown);
      }),
      { numRuns: 500 },
    );
  });

  it('X40 F31 for a terminal the look of the text stays, and nothing that does more', () => {
    const colored = (...chunks: string[]) => {
      const read = createTerminalText({ keepsColors: true });
      return chunks.map((chunk) => read(chunk)).join('');
    };
    assert.equal(colored('a\u001b[1;31mred\u001b[', '0mb\u001b[38:5:1mc'), 'a\u001b[1;31mred\u001b[0mb\u001b[38:5:1mc');
    // The clipboard, a title, the cursor, a mark of the shell, keys that are asked for, and what only looks like a colour.
    const harm = [
      '\u001b]52;c;aGk=\u0007',
      '\u001b]0;t\u0007',
      '\u001b[2J',
      '\u001b]633;D;0\u0007',
      '\u001b[>4;1m',
      '\u001b[6n',
      '\u001b[?1m',
    ];
    for (const sequence of harm) assert.equal(colored(`a${sequence}b`), 'ab', JSON.stringify(sequence));
    assert.equal(colored(`a\u001b[${'1;'.repeat(100)}mb`), 'ab');
  });

  it('X40 a title that nobody ends does not swallow the rest', () => {
    assert.ok(whole(`\u001b]0;${'x'.repeat(5000)}\nend`).endsWith('\nend'));
  });

  it('X40 leaves no control character and does not depend on where the output was cut', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '\u001b[31m',
          '\u001b]0;t\u0007',
          '\u001b]8;;u\u001b\\',
          '\r\n',
          '\u0008',
          '\u009b0m',
          'é',
          '👍',
          'abc',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
    );
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(200)), (parts, cuts) => {
        const text = parts.join('').toWellFormed();
        const read = createTerminalText();
        const points = [...Array.from(text)];
        let joined = '';
        let from = 0;
        for (const cut of cuts) {
          joined += read(points.slice(from, from + cut).join(''));
          from += cut;
        }
        joined += read(points.slice(from).join(''));
        assert.doesNotMatch(joined, /[^\P{Cc}\t\n\r]/u);
        // A backspace reaches only into its own piece.
        if (!text.includes('\u0008')) assert.equal(joined, whole(text));
      }),
    );
  });

  it('F15 of a line that was written over, the last form counts', () => {
    let out = '';
    const lines = createLineJoiner((text) => {
      out += text;
    });
    for (const part of ['1%\r', '2%', '\r100%\r\n', 'done\r', '\nopen']) lines.push(part);
    assert.equal(out, '100%\ndone\n');
    lines.flush();
    assert.equal(out, '100%\ndone\nopen');
  });

  it('H15 head and tail keep short text whole and bound long text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), (parts) => {
        const kept = createHeadTail(40, 60);
        for (const part of parts) kept.push(part);
        const text = parts.join('');
        if (text.length <= 100) assert.equal(kept.text(), text.toWellFormed());
        else {
          assert.ok(kept.text().length <= 100 + 60);
          assert.match(kept.text(), /characters left out/);
        }
      }),
    );
  });

  it('H15 head and tail are cut at a line end that is near, and not at one that would cost most of them', () => {
    const near = createHeadTail(40, 60);
    near.push(`${'a'.repeat(35)}\nfirst${'x'.repeat(200)}last\n${'z'.repeat(50)}`);
    assert.equal(near.text(), `${'a'.repeat(35)}\n[… 210 characters left out …]\n${'z'.repeat(50)}`);
    const far = createHeadTail(40, 60);
    far.push(`a\n${'b'.repeat(200)}\nz`);
    assert.equal(far.text(), `a\n${'b'.repeat(38)}\n[… 104 characters left out …]\n${'b'.repeat(58)}\nz`);
  });
});
