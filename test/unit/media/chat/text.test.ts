import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createPromptHistory } from '../../../../media/chat/composer/prompt-history.ts';
import {
  formatAbout,
  formatDuration,
  formatSeconds,
  formatShortCount,
} from '../../../../media/chat/controls/format.ts';
import { decodeEntities } from '../../../../media/chat/markdown/entities.ts';
import { visibleText } from '../../../../media/chat/markdown/visible-text.ts';

describe('text that hides something', () => {
  it('X18 shows direction marks, zero-width characters and tags', () => {
    assert.equal(visibleText('a\u202eb'), 'a␣U+202Eb');
    assert.equal(visibleText('a\u200bb\ufeff'), 'a␣U+200Bb␣U+FEFF');
    assert.equal(visibleText('x\u{e0041}'), 'x␣U+E0041');
    assert.equal(visibleText('a\u0000\u001b[31m'), 'a␣U+0000␣U+001B[31m');
  });

  it('leaves line ends, tabs, emoji families and scripts that join as they are', () => {
    for (const text of ['a\n\tb', '👨‍👩‍👧', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', 'ok']) assert.equal(visibleText(text), text);
  });

  it('leaves the flags that are written with tags as they are, and shows tags in every other place', () => {
    const flag = (tags: string) =>
      `\u{1f3f4}${[...tags].map((tag) => String.fromCodePoint(0xe0000 + tag.charCodeAt(0))).join('')}\u{e007f}`;
    for (const nation of ['gbeng', 'gbsct', 'gbwls']) {
      const text = `a ${flag(nation)} b ${flag(nation)}`;
      assert.equal(visibleText(text), text);
    }
    assert.match(visibleText(flag('gbxyz')), /␣U\+E0067␣U\+E0062/);
    assert.match(visibleText(`${flag('gbeng')}\u{e0041}`), /␣U\+E0041$/);
  });

  it('a joiner between plain letters is shown', () => {
    assert.equal(visibleText('pay\u200dpal'), 'pay␣U+200Dpal');
  });

  it('shown text has no direction mark left in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => !/[\u202a-\u202e\u2066-\u2069]/.test(visibleText(`${text}\u202e`)),
      ),
    );
  });
});

describe('entities', () => {
  it('entities are read as HTML would, once', () => {
    assert.equal(decodeEntities('a &lt;b&gt; &amp;amp; &#65;&#x42; &nbsp;'), 'a <b> &amp; AB \u00a0');
    assert.equal(decodeEntities('&unknown; &constructor; &#0; &#xD800;'), '&unknown; &constructor; \ufffd \ufffd');
  });
});

describe('durations', () => {
  it('durations read like those of the cost line', () => {
    assert.equal(formatDuration(210, 'en'), '0.2 s');
    assert.equal(formatDuration(8210, 'en'), '8.2 s');
    assert.equal(formatDuration(59_999, 'en'), '1 min 0 s');
    assert.equal(formatDuration(125_000, 'en'), '2 min 5 s');
    assert.equal(formatSeconds(12), '12 s');
  });
});

describe('prompt history', () => {
  const prompts = ['first', 'second'];
  it('walks back and forth and ends at an empty box', () => {
    const history = createPromptHistory();
    assert.equal(history.move(-1, '', prompts), 'second');
    assert.equal(history.move(-1, 'second', prompts), 'first');
    assert.equal(history.move(-1, 'first', prompts), undefined);
    assert.equal(history.move(1, 'first', prompts), 'second');
    assert.equal(history.move(1, 'second', prompts), '');
  });

  it('the prompt history leaves text of the user alone', () => {
    const history = createPromptHistory();
    assert.equal(history.move(-1, 'my own words', prompts), undefined);
    assert.equal(history.move(1, '', prompts), undefined);
  });
});

describe('counts that are estimates', () => {
  it('U1 take little room and claim no more digits than they have', () => {
    const short = [0, 842, 999, 1000, 18_213, 999_949, 999_950, 1_260_000].map((count) =>
      formatShortCount(count, 'en'),
    );
    assert.deepEqual(short, ['0', '842', '999', '1k', '18.2k', '999.9k', '1M', '1.3M']);
    assert.deepEqual(
      [7, 842, 18_213].map((count) => formatAbout(count, 'en')),
      ['7', '842', '18,200'],
    );
    assert.equal(formatShortCount(18_213, 'de'), '18,2k');
  });
});
