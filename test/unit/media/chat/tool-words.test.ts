import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { subjectOf } from '../../../../media/chat/cards/tool-words.ts';

describe('what a call is about', () => {
  it('ux 2.2 is known as soon as its argument is whole, and never guessed', () => {
    const whole = '{"path": "src/a \\"b\\".ts", "edits": [{"search": "\\"path\\": \\"other\\"", "replace": ""}]}';
    assert.equal(subjectOf(whole), 'src/a "b".ts');
    assert.equal(subjectOf(whole.slice(0, 18)), undefined);
    assert.equal(subjectOf('{"timeoutSeconds":5,"command":"npm test"'), 'npm test');
    assert.equal(subjectOf('{"edits":[{"search":"\\"path\\": \\"x\\""}]'), undefined);
    assert.equal(subjectOf('{"path": 42}'), undefined);
    assert.equal(subjectOf(''), undefined);
  });
});
