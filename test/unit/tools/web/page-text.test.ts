import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { htmlToText } from '../../../../src/tools/web/page-text.ts';

const never = () => new AbortController().signal;
const read = (html: string) => htmlToText(html, 'https://example.com/docs/a/page.html?x=1', never());

describe('the text of a page', () => {
  it('F38 keeps headings, lists, tables, code and links, and leaves out what is around it', async () => {
    const text =
      await read(`<!doctype html><html><head><title>at() – JS</title><style>p{}</style><script>var a='<p>no'</script></head>
<body><nav><a href="/a">Menu</a></nav><main><h1>at&#40;&#41;</h1><p>Takes an <em>integer</em> &amp; more. See
<a href="../b.html?q=1&amp;r=2">b</a>, <a href="c">c</a> and <a href="https://other.example.org/">other</a>.</p>
<pre><code class="language-js">if (a &lt; 3) {
    a.at(-1);
}</code></pre><ul><li>one<ul><li>two</li></ul></li></ul>
<table><tr><th>Name</th><th>Type</th></tr><tr><td>x</td><td>y</td></tr></table>
<img src="a.png" alt="picture"><svg><title>drawing</title></svg><template>template</template><iframe src="x">frame</iframe>
<p hidden>hidden</p><div style="display:none">invisible</div><!-- comment --></main><footer>Imprint</footer></body></html>`);
    for (const part of [
      '# at()',
      'Takes an *integer* & more.',
      '[b](https://example.com/docs/b.html?q=1&r=2)',
      '[c](https://example.com/docs/a/c)',
      '[other](https://other.example.org/)',
      '```js\nif (a < 3) {\n    a.at(-1);\n}\n```',
      '- one\n  - two',
      '| Name | Type |',
    ])
      assert.ok(text.includes(part), `${part}\n\n${text}`);
    for (const part of [
      'Menu',
      'no',
      'picture',
      'drawing',
      'template',
      'frame',
      'hidden',
      'invisible',
      'comment',
      'Imprint',
      'p{}',
    ])
      assert.doesNotMatch(text, new RegExp(`\\b${part}\\b`), part);
  });

  it('F38 gives words of what is no whole page', async () => {
    assert.match(await read('just words'), /^just words/);
    assert.match(await read('<p>one<p>two'), /one\n\ntwo/);
    assert.equal((await read('')).trim(), '');
    assert.equal(
      await read('<p>Gr&uuml;&szlig;e &#x1F600; &nope; &#0; &#xD800;').then((text) => text.includes('Grüße 😀')),
      true,
    );
  });

  it('F38 gives the words of rows that stand in no table', async () => {
    assert.equal(await read('<p>before</p><tr><td>one</td><td>two</td></tr><p>after'), 'before\n\none\n\ntwo\n\nafter');
  });

  it('F38 a sign that stands on the seam of two pieces is read as one', async () => {
    const piece = 32 * 1024;
    for (let shift = 0; shift < 12; shift++) {
      const text = await read(`${'a'.repeat(piece - shift)}<b>😀&amp;</b>`);
      assert.match(text, /^a+\*\*😀&\*\*\s*$/, String(shift));
    }
  });

  it('X53 others have their turn while a large page is read, and Stop ends it between two of them', async () => {
    const html = '<p>words and <b>more</b> words</p>'.repeat(32 * 1024);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await read(html);
    isOver = true;
    assert.ok(turns >= html.length / (32 * 1024), `${turns} turns`);

    const stop = new AbortController();
    const stopped = htmlToText(html, 'https://example.com/', stop.signal);
    let left = 3;
    const stopLater = () => {
      left -= 1;
      if (left === 0) stop.abort(new Error('stopped'));
      else setImmediate(stopLater);
    };
    setImmediate(stopLater);
    await assert.rejects(stopped, { message: 'stopped' });
  });
});
