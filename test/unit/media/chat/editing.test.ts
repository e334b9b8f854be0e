import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { describe, it } from 'mocha';
import { createDraft, typedText } from '../../../../media/chat/composer/draft.ts';
import { createEditing, type Edited } from '../../../../media/chat/composer/editing.ts';

const message = {
  id: 'u1',
  text: 'old text',
  attachments: [
    { id: 'a', label: 'a.ts' },
    { id: 'b', label: 'b.ts' },
  ],
};

function start(stored?: Edited, text = '') {
  let saved: Edited | undefined = stored;
  const draft = createDraft({
    typed: typedText({ draft: text }),
    post: () => undefined,
    save: () => undefined,
    conversationId: () => 'c',
    now: () => 0,
    after: () => () => undefined,
  });
  const editing = createEditing(draft, signal(stored), () => {
    saved = editing.current.value;
  });
  return { draft, editing, saved: () => saved };
}

describe('editing an earlier message', () => {
  it('F3 puts it into the composer; giving up brings back what was being written', () => {
    const { draft, editing, saved } = start(undefined, 'half a thought');
    editing.begin(message);
    assert.equal(draft.text.value, 'old text');
    editing.begin({ id: 'u2', text: 'another', attachments: [] });
    assert.equal(draft.text.value, 'another');
    editing.cancel();
    assert.equal(draft.text.value, 'half a thought');
    assert.deepEqual([editing.current.value, saved()], [undefined, undefined]);
    editing.cancel();
    assert.equal(draft.text.value, 'half a thought');
  });

  it('F3 is sent with the attachments it keeps, and the earlier draft stands in the composer again', () => {
    const { draft, editing } = start(undefined, 'half a thought');
    assert.equal(editing.take(), undefined);
    editing.begin(message);
    editing.removeAttachment('a');
    draft.set('new text');
    const { rest, ...taken } = editing.take() ?? {};
    assert.deepEqual(taken, { messageId: 'u1', edited: { text: 'new text', keep: ['b'] } });
    assert.equal(rest?.text, 'half a thought');
    assert.equal(draft.text.value, 'half a thought');
  });

  it('F5 goes on after the page was loaded anew', () => {
    const first = start(undefined, 'half a thought');
    first.editing.begin(message);
    const again = start(first.saved(), 'old text, changed');
    again.editing.cancel();
    assert.equal(again.draft.text.value, 'half a thought');
  });

  it('F5 takes what was being written along when another conversation is shown', () => {
    const { draft, editing } = start(undefined, 'half a thought');
    editing.begin(message);
    draft.set('');
    editing.end();
    assert.equal(draft.text.value, 'half a thought');
    assert.equal(editing.current.value, undefined);
  });
});
