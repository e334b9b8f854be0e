import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainPresentation, subjectOf } from '../../../../media/chat/cards/tool-words.ts';

const { subject, ...presentation } = plainPresentation('search_docs');

describe('what a call is about', () => {
  it('F29 a tool of another extension goes by its own name', () => {
    assert.deepEqual(presentation, {
      words: 'Search docs',
      icon: 'search',
      gathers: 'nothing',
      card: 'line',
      opens: true,
    });
    assert.equal(plainPresentation('').words, 'Tool');
  });

  it('F29 its name tells its icon', () => {
    for (const [name, icon] of [
      ['find_symbols', 'search'],
      ['list_folders', 'folder'],
      ['write_note', 'edit'],
      ['run_in_terminal', 'terminal'],
      ['open_url', 'globe'],
      ['read_notes', 'file'],
      ['think', 'tool'],
    ] as const)
      assert.equal(plainPresentation(name).icon, icon, name);
  });

  it('ux 2.2 is known as soon as its argument is whole, and never guessed', () => {
    const whole = '{"path": "src/a \\"b\\".ts", "edits": [{"search": "\\"path\\": \\"other\\"", "replace": ""}]}';
    assert.equal(subjectOf(whole, subject), 'src/a "b".ts');
    assert.equal(subjectOf(whole.slice(0, 18), subject), undefined);
    assert.equal(subjectOf('{"timeoutSeconds":5,"command":"npm test"', subject), 'npm test');
    assert.equal(subjectOf('{"edits":[{"search":"\\"path\\": \\"x\\""}]', subject), undefined);
    assert.equal(subjectOf('{"path": 42}', subject), undefined);
    assert.equal(subjectOf('', subject), undefined);
  });
});
