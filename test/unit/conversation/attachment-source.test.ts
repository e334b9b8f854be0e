import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAsAttached, mostAttachedCharacters } from '../../../src/conversation/attachment-source.ts';

describe('the source of an attachment', () => {
  it('ux 2.4 of a whole file has changed with any letter, not with its line ends', () => {
    assert.equal(isAsAttached({ text: 'a\nb\n' }, 'a\r\nb\r\n'), true);
    assert.equal(isAsAttached({ text: 'a\nb\n' }, '// new\na\nb\n'), false);
    assert.equal(isAsAttached({ text: '' }, 'now it has text'), false);
  });

  it('ux 2.4 of some lines may move within its file', () => {
    assert.equal(isAsAttached({ text: 'a\nb', startLine: 1 }, '// new\na\nb\n'), true);
    assert.equal(isAsAttached({ text: 'a\nb', startLine: 1 }, 'a\n// new\nb\n'), false);
  });

  it('ux 2.4 of a file that was cut counts as far as it was sent', () => {
    const text = 'x'.repeat(mostAttachedCharacters);
    assert.equal(isAsAttached({ text }, `${text} and more`), true);
    assert.equal(isAsAttached({ text }, `y${text}`), false);
  });
});
