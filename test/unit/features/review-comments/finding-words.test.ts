import assert from 'node:assert/strict';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { fixDiff, plainMarkdown } from '../../../../src/features/review-comments/core/finding-words.ts';

describe('words of a finding', () => {
  const hostile = [
    '![](https://x/?k)',
    '[a](command:evil)',
    'https://x.example www.x.example a@b.example',
    '<img src=x onerror=1> <b>',
    '# Big',
    '1. one',
    '- two',
    '    code',
    '> said',
    '| a | b |',
    '&lt;b&gt; &#106;',
    '``` `` ~~~',
    '\\*a\\* _b_ ~~c~~',
    '[a]: https://x',
    '$(trash) $x$',
  ];

  it('F33 X18 as Markdown they are exactly themselves: no link, picture, tag, heading or list', () => {
    for (const text of [...hostile, hostile.join('\n')]) {
      const html = marked.parse(plainMarkdown(text), { async: false });
      const lines = text.split('\n').map((line) => line.trim());
      const escaped = (line: string) =>
        line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
      assert.equal(html, lines.map((line) => `<p>${escaped(line)}</p>\n`).join(''));
    }
  });

  it('F33 code in backticks is shown as code, and what is in it does nothing', () => {
    assert.equal(
      marked.parse(plainMarkdown('Use `a[0] <b>` not `https://x`.'), { async: false }),
      '<p>Use <code>a[0] &lt;b&gt;</code> not <code>https://x</code>.</p>\n',
    );
  });

  it('F33 a fix is shown as the lines that go and come', () => {
    const anchor = { first: 1, count: 1, quote: ['a'], above: [], below: [] };
    assert.equal(fixDiff({ anchor, replacement: ['b', 'c'] }), '-a\n+b\n+c');
  });
});
