import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAsAttached, isSameSource, maxAttachedCharacters } from '../../../src/conversation/attachment-source.ts';
import type { Attachment } from '../../../src/shared/messages.ts';

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

  it('F7 is the same for two snapshots of a place, and for texts that say the same', () => {
    const of = (change: Partial<Attachment>) => ({ id: Math.random().toString(), label: 'a', text: '', ...change });
    const lines = { uri: 'file:///a', startLine: 1, endLine: 2 };
    assert.equal(isSameSource(of({ ...lines, text: 'old' }), of({ ...lines, text: 'new' })), true);
    assert.equal(isSameSource(of({ uri: 'file:///a' }), of({ uri: 'file:///a', kind: 'file' })), true);
    assert.equal(isSameSource(of(lines), of({ ...lines, endLine: 3 })), false);
    assert.equal(isSameSource(of({ kind: 'changes', text: 'x' }), of({ kind: 'changes', text: 'y' })), true);
    assert.equal(isSameSource(of({ kind: 'terminal', text: 'x' }), of({ kind: 'terminal', text: 'y' })), false);
  });

  it('ux 2.4 of a file that was cut counts as far as it was sent', () => {
    const text = 'x'.repeat(maxAttachedCharacters);
    assert.equal(isAsAttached({ text }, `${text} and more`), true);
    assert.equal(isAsAttached({ text }, `y${text}`), false);
  });
});
