import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { expandCommand, readCommand, slashCommands } from '../../../src/conversation/composing/slash-commands.ts';

describe('slash commands', () => {
  it('F21 each that is listed does something', () => {
    for (const name of slashCommands.keys()) {
      const read = readCommand(`/${name}`, []);
      assert.ok(read.do !== 'send' || read.text !== `/${name}`, `/${name} has no prompt`);
    }
  });

  it('F21 stand for a prompt, what was written after them, and what they are about', () => {
    const read = readCommand('/explain only the loop', []);
    assert.ok(read.do === 'send');
    assert.match(read.text, /^Explain this code: .*\n\nonly the loop$/s);
    assert.equal(read.subject, 'selection');
    const review = readCommand('  /review ', []);
    assert.ok(review.do === 'send');
    assert.equal(review.subject, 'changes');
  });

  it('F21 of the workspace stand in for commands that are prompts, and bring their own subject', () => {
    const prompts = [
      { name: 'explain', body: 'Explain like a pirate.' },
      { name: 'new', body: 'Not reached' },
    ];
    assert.deepEqual(readCommand('/explain', prompts), { do: 'send', text: 'Explain like a pirate.' });
    assert.deepEqual(readCommand('/new later', prompts), { do: 'new', rest: 'later' });
  });

  it('F34 what was typed goes where the text has a place for it, as its own tool documents it', () => {
    const prompts = [
      { name: 'all', body: 'Fix $ARGUMENTS now.' },
      { name: 'each', body: 'Move $1 to $2.' },
      { name: 'cont', body: 'See {{{ input }}}' },
      { name: 'cost', body: 'It costs $10.' },
    ];
    const sent = (text: string) => expandCommand(text, prompts);
    assert.equal(sent('/all the $& bug'), 'Fix the $& bug now.');
    assert.equal(sent('/all'), 'Fix  now.');
    assert.equal(sent('/each a.ts b.ts'), 'Move a.ts to b.ts.');
    assert.equal(sent('/cont this'), 'See this');
    assert.equal(sent('/cost much'), 'It costs $10.\n\nmuch');
  });

  it('F34 what was typed is put in as it is (Gitlawb/openclaude#1966, earendil-works/pi#418)', () => {
    const prompts = [
      { name: 'all', body: 'Cost: $ARGUMENTS, $1.' },
      { name: 'one', body: 'Cost: $1, $2.' },
    ];
    assert.equal(expandCommand('/all 100$$ $&', prompts), 'Cost: 100$$ $&, 100$$.');
    assert.equal(expandCommand('/all $100', prompts), 'Cost: $100, $100.');
    assert.equal(expandCommand('/one $2 $ARGUMENTS', prompts), 'Cost: $2, $ARGUMENTS.');
  });

  it('F34 an amount in a text is no place for what was typed, and none keeps it away', () => {
    const prompts = [
      // code-yeongyu/oh-my-openagent#765
      { name: 'all', body: 'Do <r>$ARGUMENTS</r>.' },
      // anthropics/claude-code#92457
      { name: 'money', body: 'It made $1.42B, $1M and $1,000 of $0.' },
      // anomalyco/opencode#40463
      { name: 'price', body: 'For example `$138.00` or $25.' },
    ];
    assert.equal(expandCommand('/all', prompts), 'Do <r></r>.');
    assert.equal(expandCommand('/money ALPHA', prompts), 'It made $1.42B, $1M and $1,000 of $0.\n\nALPHA');
    assert.equal(expandCommand('/price 1111', prompts), 'For example `$138.00` or $25.\n\n1111');
  });

  it('F34 /init asks for a short AGENTS.md and for no other file', () => {
    const read = readCommand('/init', []);
    assert.ok(read.do === 'send');
    assert.match(read.text, /write AGENTS\.md at its top[\s\S]*At most 60 lines[\s\S]*Change no other file\.$/);
  });

  it('that send nothing keep what was written after them', () => {
    assert.deepEqual(readCommand('/compact and then\nmore', []), { do: 'compact', rest: 'and then\nmore' });
    assert.deepEqual(readCommand('/new', []), { do: 'new', rest: '' });
    assert.equal(expandCommand('/new', []), '');
  });

  it('S21 /image is refused, as the service makes no images', () => {
    assert.deepEqual(readCommand('/image a cat', []), { do: 'refuse' });
  });

  it('a text that begins with no slash command stays as it was typed', () => {
    for (const text of ['/unknown', '/etc/hosts is wrong', 'a /new day', '/explain,', '//', '/constructor']) {
      assert.deepEqual(readCommand(text, []), { do: 'send', text });
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readCommand(text, []);
        const isCommand = [...slashCommands.keys()].some((name) => text.trim().startsWith(`/${name}`));
        assert.ok(isCommand || (read.do === 'send' && read.text === text));
      }),
    );
  });
});
