import assert from 'node:assert/strict';
import { completionTriggerAt } from '../../../../media/chat/composer/completion.ts';
import { droppedUris } from '../../../../media/chat/composer/drop.ts';

/** `|` is the cursor. */
const at = (text: string) => completionTriggerAt(text.replace('|', ''), text.indexOf('|'));

describe('where the composer can be completed', () => {
  it('F7 is behind a sign that begins a word, up to the cursor', () => {
    assert.deepEqual(at('see @src/a|bc'), { kind: 'context', query: 'src/a', start: 4, end: 10 });
    assert.deepEqual(at('(#|'), { kind: 'context', query: '', start: 1, end: 2 });
    assert.deepEqual(at('a\n@symbol:foo|'), { kind: 'context', query: 'symbol:foo', start: 2, end: 13 });
  });

  it('F21 is behind a slash at the very beginning', () => {
    assert.deepEqual(at('/ex|plain'), { kind: 'command', query: 'ex', start: 0, end: 3 });
    assert.equal(at('and/|or'), undefined);
    assert.equal(at('/explain |'), undefined);
  });

  it('leaves addresses, headings and paths alone', () => {
    for (const text of ['me@exam|ple.com', '# head|ing', 'a#b|', '@file |', '//|'])
      assert.equal(at(text), undefined, text);
  });

  it('F7 takes each dropped file once, and no web address', () => {
    const dropped: Record<string, string> = {
      'text/uri-list': '# comment\r\nfile:///w/a%20b.ts\r\nhttps://example.com/x\r\n',
      'application/vnd.code.uri-list': 'file:///w/a%20b.ts',
      resourceurls: '["vscode-remote://host/w/c.ts","command:evil"]',
      codefiles: '["/w/d e.ts"]',
    };
    assert.deepEqual(
      droppedUris((type) => dropped[type] ?? ''),
      ['file:///w/a%20b.ts', 'vscode-remote://host/w/c.ts', 'file:///w/d%20e.ts'],
    );
  });
});
