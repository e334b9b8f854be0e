import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cleanCommitMessage,
  commitRequestMessages,
  describeNewFiles,
  isFilledTemplate,
  typedPrefix,
} from '../../../../src/features/inline/core/commit-message.ts';

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

  it('F24 follows no style of what git wrote itself', () => {
    const recent = ["Merge branch 'work' into main", 'Merge pull request #4 from a/b', 'Merge carts of two windows'];
    const [, user] = commitRequestMessages({ changes: 'a', recent, prefix: '' });
    assert.ok(user?.role === 'user');
    assert.doesNotMatch(user.text, /Merge branch|pull request/);
    assert.match(user.text, /Merge carts of two windows/);
  });

  it('F24 begins with what git put there during a merge, without the lines that git takes out again', () => {
    assert.equal(typedPrefix("Merge branch 'a'\n\n# Conflicts:\n#\tb.ts\n"), "Merge branch 'a'");
    assert.equal(typedPrefix('# Please write\n#\n# a message'), '');
    for (const typed of ['', 'feat: ', '#12 ', '#12: cart\n\nBecause.\n']) assert.equal(typedPrefix(typed), typed);
  });

  it('F24 fills in a template of Git instead of putting the message behind it (microsoft/vscode-copilot-release#514)', () => {
    const template = '# Ticket first\nJIRA-000: \n\nWhy:\n\nHow tested:\n';
    const box = typedPrefix(template);
    for (const text of [box, 'JIRA-1234: carts\n\nWhy: they leak\nHow tested:'])
      assert.equal(isFilledTemplate(template, text), true);
    for (const text of ['', 'feat: ', 'JIRA-000: carts', 'Why:\nJIRA-000:\nHow tested:']) {
      assert.equal(isFilledTemplate(template, text), false, text);
    }
    for (const none of ['', '# only comments\n']) assert.equal(isFilledTemplate(none, 'feat: cart'), false);
    const [, user] = commitRequestMessages({ changes: 'a', recent: [], prefix: '', form: box });
    assert.ok(user?.role === 'user' && user.text.includes(`filled in, with all of its lines:\n${box}`));
    assert.doesNotMatch(user.text, /must begin with exactly/);
  });

  it('F24 gets the beginnings of new files, and says what is left out', () => {
    const long = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    const text = describeNewFiles([
      { path: 'a.ts', text: 'one\r\ntwo\r\n' },
      { path: 'b.ts', text: long },
      { path: 'c.min.js', text: 'x'.repeat(20_000) },
    ]);
    assert.match(text, /^New file a\.ts\n\+one\n\+two\n\nNew file b\.ts\n\+line 0\n/);
    assert.match(text, /\+line 59\n\[40 more lines of b\.ts\]\n\nNew file c\.min\.js\n\[1 more lines of c\.min\.js\]$/);
    const many = Array.from({ length: 20 }, (_, at) => ({ path: `${at}.ts`, text: 'a' }));
    assert.match(describeNewFiles(many), /\[8 more new files\]$/);
    assert.ok(describeNewFiles(Array.from({ length: 12 }, () => ({ path: 'a', text: long }))).length < 10_000);
    const wide = Array.from({ length: 60 }, () => 'x'.repeat(300)).join('\n');
    const shared = describeNewFiles([
      ...Array.from({ length: 5 }, (_, at) => ({ path: `w${at}`, text: wide })),
      { path: 'z', text: 'z' },
    ]);
    assert.match(shared, /New file w4\n\+xxx[\s\S]*New file z\n\+z$/, 'none is left out because others are long');
    assert.equal(describeNewFiles([]), '');
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
    it(`F24 a commit message is taken ${name}`, () => assert.equal(cleanCommitMessage(answer, ''), expected));
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
