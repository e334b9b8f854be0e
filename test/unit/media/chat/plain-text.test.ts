import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainText } from '../../../../media/chat/markdown/plain-text.ts';

describe('media/chat/plain-text', () => {
  const cases: Record<string, [markdown: string, says: string]> = {
    'drops emphasis, of words and inside of words': [
      '**Keep** _it_ ~~or~~ snake_case_name?',
      'Keep it or snake_case_name?',
    ],
    'keeps code as it is': ['Is `a ** b` or ``x`y`` meant?', 'Is a ** b or x`y meant?'],
    'keeps the words of links and images': ['[the **old** one](https://a.b) ![cat](c.png)', 'the old one cat'],
    'keeps lists, quotes and code as lines': [
      'Which?\n\n1. `one`\n2. **two**\n\n> three\n\n```ts\nfour()\n```',
      'Which?\n\none\ntwo\n\nthree\n\nfour()',
    ],
    'reads signs that were written as entities': ['a &amp; b', 'a & b'],
    'leaves HTML as text': ['<b onclick="x()">bold</b>', '<b onclick="x()">bold</b>'],
    'leaves what is no markdown': ['2 * 3 * 4 = 24?', '2 * 3 * 4 = 24?'],
  };
  for (const [name, [markdown, says]] of Object.entries(cases))
    it(`F18 markdown as plain text: ${name}`, () => assert.equal(plainText(markdown), says));

  it('F18 gives the text itself where it is nested too deep to read', () => {
    const nested = '>'.repeat(20_000);
    assert.equal(plainText(nested), nested);
  });
});
