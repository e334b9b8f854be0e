import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { countCodeBlocks, createLiveMarkdown } from '../../../../media/chat/markdown/markdown.ts';
import { plainText } from '../../../../media/chat/markdown/plain-text.ts';

const pieces = fc.constantFrom(
  'word ',
  'two words\n',
  '\n',
  '\n\n',
  '# Title\n',
  '- item\n',
  '  - nested\n',
  '1. one\n',
  '2.5 is a number\n',
  '1.',
  '```ts\n',
  '```\n',
  '~~~\n',
  '``',
  '`code` ',
  '**bold',
  '** ',
  '> quote\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  '---\n',
  '===\n',
  '<b>html</b> ',
  '<div>\n',
  '</div>\n',
  '[ref] ',
  '[ref]: https://example.com\n',
  '[a](https://example.com) ',
  '![i](https://example.com/i.png) ',
  '    indented\n',
  '\t',
  'tail  \n',
  '\\',
  '```markdown\n',
  '\\[\n',
  '\\]\n',
  '$$\n',
  '$a*b$ ',
  '+ c\n',
);

function rawOf(text: string): string[] {
  return createLiveMarkdown()
    .update(text)
    .map(({ token }) => meaningOf(token));
}

/** What is drawn of a token: everything but the exact extent of its source. */
function meaningOf(token: Token): string {
  return JSON.stringify(token, (key, value: unknown) => (key === 'raw' ? undefined : value));
}

/** The library reads a list item whose mark has a tab behind it as text when a line of `---` follows, and as an item until then. */
const markBeforeTab = /^\s*(?:[*+-]|\d{1,9}[.)])\t/m;

describe('live markdown', () => {
  it('P6 gives for a text that grew in pieces what it gives for the whole text', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        fc.pre(!markBeforeTab.test(parts.join('')));
        const live = createLiveMarkdown();
        let text = '';
        let grown: string[] = [];
        for (const part of parts) {
          text += part;
          grown = live.update(text).map(({ token }) => meaningOf(token));
        }
        assert.deepEqual(grown, rawOf(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('P6 gives the same wherever a text is cut, also in the middle of a mark', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), fc.array(fc.nat(200), { maxLength: 30 }), (parts, cuts) => {
        const text = parts.join('');
        fc.pre(!markBeforeTab.test(text));
        const live = createLiveMarkdown();
        for (const cut of cuts.toSorted((a, b) => a - b)) live.update(text.slice(0, cut));
        const grown = live.update(text).map(({ token }) => meaningOf(token));
        assert.deepEqual(grown, rawOf(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('P6 gives the same for a text that came letter by letter', () => {
    const text =
      'Intro\n\n1. a\n2. b\n   - c\n\n```js\nlet x = `y`;\n``\n```\n\n| a |\n|---|\n| b |\n\nend [r]\n\n[r]: https://e.org\n';
    const live = createLiveMarkdown();
    let grown: string[] = [];
    for (let length = 1; length <= text.length; length++) {
      grown = live.update(text.slice(0, length)).map(({ token }) => meaningOf(token));
    }
    assert.deepEqual(grown, rawOf(text));
  });

  it('P6 keeps settled blocks as they are while text follows', () => {
    const live = createLiveMarkdown();
    const first = live.update('One\n\nTwo\n\nThree\n')[0];
    const later = live.update('One\n\nTwo\n\nThree\n\nFour and more\n')[0];
    assert.equal(first, later);
    assert.equal(first?.live, false);
  });

  it('P6 looks at an open code block only where it grew', () => {
    const live = createLiveMarkdown();
    let text = 'See:\n\n```ts\n';
    live.update(text);
    const lexed: number[] = [];
    const lex = Lexer.prototype.lex;
    Lexer.prototype.lex = function (source: string) {
      lexed.push(source.length);
      return lex.call(this, source);
    };
    try {
      for (let line = 0; line < 400; line++) {
        text += `const value${line} = ${line};\n`;
        live.update(text);
      }
    } finally {
      Lexer.prototype.lex = lex;
    }
    assert.deepEqual(lexed, []);
    const last = live.update(text).at(-1);
    assert.equal(last?.token.type, 'code');
    assert.match(String(last?.token.raw), /value399/);
  });

  it('X49 looks for emphasis, code and links only as far as a draw may cost', () => {
    const inlineTokens = Lexer.prototype.inlineTokens;
    let cost = 0;
    let depth = 0;
    // What the search costs at worst: every sign may be looked for up to the end of its text.
    Lexer.prototype.inlineTokens = function (source, tokens) {
      if (depth === 0) cost += source.length * (source.match(/[*_~[`<!]|http/gi)?.length ?? 0);
      depth += 1;
      try {
        return inlineTokens.call(this, source, tokens);
      } finally {
        depth -= 1;
      }
    };
    try {
      for (const sign of ['_ab__cd', '*a**b', '[a](', '~~a~', '`a``', '<a ', '![a](', '!', 'http']) {
        const long = sign.repeat(3000);
        const many = `${sign.repeat(60)}\n\n`.repeat(1000);
        for (const text of [long, `# ${long}\n\n- ${long}\n\n> ${long}`, many, long.slice(0, 2000)]) {
          cost = 0;
          createLiveMarkdown().update(text);
          assert.ok(cost <= 10_000_000, `${sign}: ${cost}`);
        }
      }
      cost = 0;
      createLiveMarkdown().update('*a* and `b`');
      assert.ok(cost > 0, 'the counter counts');
    } finally {
      Lexer.prototype.inlineTokens = inlineTokens;
    }
  });

  it('X49 takes a fence of any length', () => {
    for (const mark of ['`', '~']) {
      const fence = mark.repeat(100_000);
      const live = createLiveMarkdown();
      live.update(`${fence}ts\na`);
      const [block] = live.update(`${fence}ts\na\n\`\`\`\n~~~\nb\n${fence}\n\nend`);
      assert.deepEqual(block?.token.type === 'code' && block.token.text, 'a\n```\n~~~\nb');
    }
  });

  it('gives references further up their meaning when the definition arrives', () => {
    const live = createLiveMarkdown();
    live.update('See [it][1].\n\nMore\n\nEnd\n');
    const blocks = live.update('See [it][1].\n\nMore\n\nEnd\n\n[1]: https://example.com\n');
    assert.match(JSON.stringify(blocks[0]?.token), /"type":"link"/);
  });

  it('shows text as it is when it nests too deep to be read', () => {
    const text = '>'.repeat(20_000);
    assert.equal(createLiveMarkdown().update(text)[0]?.token.raw, text);
  });

  it('treats both kinds of line end alike, also when they are cut in two', () => {
    const live = createLiveMarkdown();
    for (const text of ['a\r', 'a\r\n', 'a\r\n\r\n', 'a\r\n\r\nb']) live.update(text);
    assert.equal(live.update('a\r\n\r\nb').length, 2);
  });

  it('F1 reads a README in a fence with fences of its own as one block (openai/codex#44407)', () => {
    const readme = '# Shop\n\n```bash\nnpm install\n```\n\n- Then:\n\n```ts\nrun();\n```\nEnd.';
    const text = `Here it is:\n\n\`\`\`markdown\n${readme}\n\`\`\`\n\nSave it.\n\n\`\`\`sh\nls\n\`\`\`\n`;
    const live = createLiveMarkdown();
    for (let length = 1; length < text.length; length++) live.update(text.slice(0, length));
    const blocks = live.update(text).map(({ token }) => token);
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['paragraph', 'code', 'paragraph', 'code'],
    );
    assert.equal(blocks[1]?.type === 'code' && blocks[1].text, readme);
    assert.equal(countCodeBlocks(text), 2);
    assert.equal(plainText(text), `Here it is:\n\n${readme}\n\nSave it.\n\nls`);
    const [open] = createLiveMarkdown().update(`~~~md\n${readme.replaceAll('```', '~~~')}`);
    assert.equal(open?.token.type === 'code' && open.token.text, readme.replaceAll('```', '~~~'));
    for (const same of ['```markdown\n# A\n```\n\n```\nb\n```', '````md\n```ts\n````\n\n```\nb\n```'])
      assert.equal(countCodeBlocks(same), 2);
  });

  it('F1 leaves formulas as they are written (cline/cline#13426)', () => {
    for (const text of [
      'Then \\(a_1 * b_2 * c\\) holds.',
      '\\[ \\{x\\} = *y* \\]',
      'So:\n\\[\na\n+ b\n- c \\\\\n= d\n\\]\n\nEnd',
      '$$\n\\begin{a}\n# 1\n\\end{a}\n$$',
      'With $\\{a*b*c\\}$ and $$\\_x\\_$$.',
    ])
      assert.equal(plainText(text), text);
    assert.equal(plainText('**Energy \\(x*y**2\\)** and'), 'Energy \\(x*y**2\\) and');
    assert.equal(plainText('From **$5**/month to **$8**, `$a` or *$b*'), 'From $5/month to $8, $a or $b');
    assert.equal(plainText('\\[WIP\\] \\*a\\*'), '[WIP] *a*');
  });

  it('counts code blocks for the closing announcement', () => {
    assert.equal(countCodeBlocks('```\na\n```\n\ntext\n\n```ts\nb\n```\n'), 2);
  });
});
