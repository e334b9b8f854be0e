import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { visibleName, visibleText } from '../../../media/chat/markdown/visible-text.ts';
import { inOneLine, stripInvisible } from '../../../src/agent/invisible.ts';
import { formatDiff } from '../../../src/edits/apply/edit-diff.ts';
import { writeOutInvisible } from '../../../src/shared/invisible-signs.ts';
import { judgeCommand } from '../../../src/tools/command/command-safety.ts';

function codePoints(pattern: RegExp): number[] {
  return Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && pattern.test(String.fromCodePoint(code)),
  );
}

/** Signs of numbers and syllables: format characters that are drawn (Prepended_Concatenation_Mark). */
const drawn = new Set([0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd]);

describe('what cannot be seen', () => {
  const unseen = codePoints(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u).filter(
    (code) => !drawn.has(code),
  );

  it('X46 every code point of the classes is taken from the model, shown in cards and diffs, and refused in commands', () => {
    assert.ok(unseen.length > 4000, `${unseen.length}`);
    const missed = unseen.filter((code) => {
      const text = `pay${String.fromCodePoint(code)}pal`;
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      // Separators of lines are ends of lines to a model, and blanks in a name.
      const breaks = /[\p{Zl}\p{Zp}]/u.test(text);
      return !(
        stripInvisible(text).text === (breaks ? text : 'paypal') &&
        stripInvisible(text).removed === (breaks ? 0 : 1) &&
        inOneLine(text) === (breaks ? 'pay pal' : 'paypal') &&
        visibleText(text) === `pay␣${name}pal` &&
        writeOutInvisible(text) === `pay⟦${name}⟧pal` &&
        formatDiff('', text).invisible === 1 &&
        judgeCommand(`echo ${text}`).refusal !== undefined
      );
    });
    assert.deepEqual(missed, []);
  });

  it('X46 control characters are shown in cards and diffs and refused in commands', () => {
    for (const code of codePoints(/\p{Cc}/u).filter((one) => ![9, 10, 13].includes(one))) {
      const text = `a${String.fromCodePoint(code)}b`;
      assert.match(visibleText(text), /^a␣U\+/);
      assert.match(writeOutInvisible(text), /^a⟦U\+/);
      assert.ok(judgeCommand(text).refusal);
    }
  });

  it('X25 X46 marks are piled up only as high as a script needs', () => {
    for (const sign of ['\u0301', '\u0336', '\u20dd', '\u{1e8d0}']) {
      const shown = visibleText(`rm a${sign.repeat(2000)}b`);
      assert.ok(Math.max(...(shown.match(/\p{M}+/gu) ?? []).map((marks) => [...marks].length)) <= 8, sign);
      assert.match(shown, /^rm a.*b$/u);
      assert.equal(shown.match(/␣U\+/g)?.length, 1992);
    }
    for (const word of ['Việt', 'שָׁלֽוֹם', 'བསྒྲུབས', 'กี่', 'क्ष्म्य', 'ཧཱུྂ༔'].map((each) => each.normalize('NFD')))
      assert.equal(visibleText(word), word);
  });

  it('X25 X46 two blanks that look alike are told apart in a name', () => {
    for (const code of codePoints(/[\p{Zs}\t]/u).filter((one) => one !== 0x20))
      assert.match(visibleName(`/a${String.fromCodePoint(code)}b c`), /^\/a␣U\+[\dA-F]{4}b c$/);
    assert.equal(visibleName('/a\n/b\r'), '/a␊/b␍');
  });

  it('X46 selectors carry at most two bits behind a sign, and only behind one that has forms', () => {
    const selectors = codePoints(/\p{Variation_Selector}/u);
    const pass = (base: string) =>
      selectors.filter((code) => stripInvisible(base + String.fromCodePoint(code)).removed === 0);
    for (const base of ['a', 'Z', ' ', '.', 'é', 'п', 'א', '\n']) assert.deepEqual(pass(base), [], base);
    for (const base of ['1', '#', '❤', '😀', '漢', '∪', 'က', '©']) assert.ok(pass(base).length <= 6, base);
    // A selector takes no other one.
    assert.equal(stripInvisible('❤\ufe0f\ufe0f\ufe0e').removed, 2);
    assert.equal(stripInvisible('漢\u{e0100}\u{e0101}').removed, 1);
    assert.equal(stripInvisible('ᠠ\u180b\u180c').removed, 1);
  });

  it('X46 text of scripts and emoji that need them stays as it is, everywhere', () => {
    const texts = [
      '👨‍👩‍👧',
      '🏳️‍🌈',
      '1️⃣',
      '❤︎',
      'می‌خواهم',
      'क्‍ष',
      '葛\u{e0100}',
      '∪\ufe00',
      'ᠠ\u180b',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '٠\u0600١',
      '한국어',
      'a\u00a0b',
    ];
    for (const text of texts) {
      assert.deepEqual(stripInvisible(text), { text, removed: 0 });
      assert.equal(visibleText(text), text);
      assert.equal(writeOutInvisible(text), text);
    }
  });
});
