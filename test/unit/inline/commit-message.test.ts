import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanCommitMessage, commitRequestMessages } from '../../../src/inline/commit-message.ts';

describe('a commit message', () => {
  it('F24 is asked for with the earlier messages, what was typed and the changes', () => {
    const [system, user] = commitRequestMessages({
      changes: 'a.ts +1 −0\n\n+const a = 1;',
      recent: ['feat: add cart\n\nBecause.', 'fix: round'],
      prefix: 'feat(cart): ',
    });
    assert.equal(system?.role, 'system');
    assert.ok(user?.role === 'user');
    assert.match(user.text, /feat: add cart[\s\S]*fix: round/);
    assert.match(user.text, /must begin with exactly this: feat\(cart\):/);
    assert.match(user.text, /\+const a = 1;/);
  });

  it('F24 of a new repository is asked for without a style to follow', () => {
    const [, user] = commitRequestMessages({ changes: 'a', recent: [], prefix: '' });
    assert.ok(user?.role === 'user');
    assert.match(user.text, /no earlier messages/);
    assert.doesNotMatch(user.text, /must begin/);
  });

  for (const [name, answer, expected] of [
    ['as it is', 'Add a cart', 'Add a cart'],
    ['from a code block', '```text\nAdd a cart\n\nBecause.\n```', 'Add a cart\n\nBecause.'],
    ['from a code block with words before it', 'Here is the message:\n\n```\nAdd a cart\n```\nEnjoy!', 'Add a cart'],
    ['without a heading', 'Commit message: Add a cart', 'Add a cart'],
    ['without quotes', '"Add a cart"', 'Add a cart'],
    ['with a body that has backticks', 'Add `cart`\n\nUse `cart`.', 'Add `cart`\n\nUse `cart`.'],
    ['with Windows line ends and spaces at ends', 'Add a cart  \r\n\r\n\r\n\r\nBecause. ', 'Add a cart\n\nBecause.'],
    ['of nothing', ' \n', ''],
  ] as const) {
    it(`F24 is taken ${name}`, () => assert.equal(cleanCommitMessage(answer, ''), expected));
  }

  for (const [prefix, answer, expected] of [
    ['feat: ', 'feat: add a cart', 'feat: add a cart'],
    ['feat: ', 'fix(cart): add a cart', 'feat: add a cart'],
    ['feat: ', 'add a cart', 'feat: add a cart'],
    ['SHOP-12', 'Add a cart', 'SHOP-12 Add a cart'],
    ['SHOP-12\n\n', 'Add a cart', 'SHOP-12\n\nAdd a cart'],
  ] as const) {
    it(`F24 keeps ${JSON.stringify(prefix)} before ${JSON.stringify(answer)}`, () =>
      assert.equal(cleanCommitMessage(answer, prefix), expected));
  }

  it('F24 begins with what was typed, whatever was answered', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (answer, prefix) => {
        const message = cleanCommitMessage(answer, prefix);
        assert.ok(message === '' || prefix.trim() === '' || message.startsWith(prefix.trimEnd()));
      }),
    );
  });
});
