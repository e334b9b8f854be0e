import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEditedMessage } from '../../../src/chat/edited-message.ts';
import { type ChatState, emptyChat } from '../../../src/shared/chat/chat-state.ts';
import type { Attachment } from '../../../src/shared/messages.ts';

const attachment = (id: string): Attachment => ({ id, label: id, text: id });
const state: ChatState = {
  ...emptyChat,
  items: [{ kind: 'user', id: 'm1', text: 'Hi', at: 0, attachments: [attachment('a'), attachment('b')] }],
};

describe('an edited message', () => {
  it('F3 U1 takes along what it keeps and what is attached now, as one array until something changes', () => {
    let added: readonly Attachment[] = [attachment('c')];
    const edited = createEditedMessage({ state: () => state, draft: { attachments: () => added } });
    assert.equal(edited.attachments(), added);
    edited.set({ messageId: 'm1', keep: ['b'] });
    assert.equal(edited.messageId(), 'm1');
    const first = edited.attachments();
    assert.deepEqual(
      first.map(({ id }) => id),
      ['b', 'c'],
    );
    assert.equal(edited.attachments(), first);
    added = [];
    assert.deepEqual(
      edited.attachments().map(({ id }) => id),
      ['b'],
    );
    edited.set(undefined);
    assert.deepEqual([edited.messageId(), edited.attachments()], [undefined, added]);
  });

  it('is none when there is no such message', () => {
    const edited = createEditedMessage({ state: () => state, draft: { attachments: () => [] } });
    edited.set({ messageId: 'gone', keep: [] });
    assert.equal(edited.messageId(), undefined);
  });
});
