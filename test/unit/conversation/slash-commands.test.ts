import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { commandNames, expandCommand, readCommand } from '../../../src/conversation/composing/slash-commands.ts';

describe('slash commands', () => {
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
        const isCommand = commandNames.some((name) => text.trim().startsWith(`/${name}`));
        assert.ok(isCommand || (read.do === 'send' && read.text === text));
      }),
    );
  });
});
