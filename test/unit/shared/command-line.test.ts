import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { commandForTerminal, isForTerminal } from '../../../src/shared/command-line.ts';

describe('code for a terminal', () => {
  it('F9 knows what is written for a shell, whatever the model calls it', () => {
    for (const name of ['sh', 'Bash', 'zsh', 'console', 'powershell', 'PowerShell'])
      assert.ok(isForTerminal(name), name);
    for (const name of ['', 'ts', 'python', 'shellcheck', 'constructor']) assert.ok(!isForTerminal(name), name);
  });

  it('F9 takes the one command out of a block, without the sign of the prompt and comments', () => {
    assert.equal(commandForTerminal('npm test\n'), 'npm test');
    assert.equal(commandForTerminal('# run the tests\n\n  $ npm test -- --grep "a b"\r\n'), 'npm test -- --grep "a b"');
    assert.equal(commandForTerminal('PS> Get-Item .'), 'Get-Item .');
    assert.equal(commandForTerminal('echo "$HOME" > out.txt'), 'echo "$HOME" > out.txt');
  });

  it('F9 X22 leaves alone what is more than one command, and what a terminal acts upon or nobody sees', () => {
    const refused = ['', '# only a comment', 'cd a\nrm -rf b', 'a \\\nb', 'a \\', 'a\rb', 'a\u2028b'];
    const hidden = ['a\u001b[2Jb', 'a\u0003', 'a\u0000', 'a\u202eb', 'a\u200bb', 'a\u{e0041}', 'a\u009b2J'];
    for (const code of [...refused, ...hidden]) assert.equal(commandForTerminal(code), undefined, JSON.stringify(code));
  });

  it('F9 X22 writes nothing into a terminal that would run by itself', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      '\u001b',
      '\u0003',
      '\u202e',
      '$ ',
      '#',
      '\\',
      '"',
    );
    fc.assert(
      fc.property(fc.string({ unit }), (code) => {
        assert.doesNotMatch(commandForTerminal(code) ?? '', /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
