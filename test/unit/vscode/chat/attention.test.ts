import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createListeners } from '../../../../src/base/listeners.ts';
import type { OpenConversations } from '../../../../src/chat/open-conversations.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import type { ChatPanes } from '../../../../src/vscode/chat/chat-panes.ts';
import { createWebview, person, reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { conversationWith, paneWith } from './panes.ts';

const { createAttention } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat/attention.ts')>(
  new URL('../../../../src/vscode/chat/attention.ts', import.meta.url),
);

describe('what waits for the user', () => {
  beforeEach(reset);

  function open({ visible = true } = {}) {
    let live: Conversation[] = [];
    const events = createListeners<[conversation: Conversation, events: readonly ChatEvent[]]>();
    const changes = createListeners();
    const conversations = { all: () => live, onEvents: events.add, onDidChange: changes.add };
    const panes = { showing: (shown: Conversation) => paneWith('bar', shown, { visible }) };
    const attention = createAttention(conversations as unknown as OpenConversations, panes as unknown as ChatPanes);
    const view = createWebview();
    const badge = () => view.badge && [view.badge.value, view.badge.tooltip];
    return {
      attention,
      badge,
      badgeOn: () => attention.badgeOn(view as unknown as Parameters<typeof attention.badgeOn>[0]),
      now(...conversations: Conversation[]) {
        live = conversations;
        changes.tell();
      },
      happens: (type: string, conversation = conversationWith('c')) =>
        events.tell(conversation, [{ type } as ChatEvent]),
    };
  }

  it('is counted on the view, in words that fit', () => {
    const { badge, badgeOn, now, attention } = open();
    now(conversationWith('a', { approvals: 1 }));
    assert.equal(badge(), undefined);
    badgeOn();
    assert.deepEqual(badge(), [1, '1 approval needed']);
    now(conversationWith('a', { approvals: 2 }), conversationWith('b', { asks: true }));
    assert.deepEqual(badge(), [3, '3 approvals needed']);
    now(conversationWith('b', { asks: true }));
    assert.deepEqual(badge(), [1, 'svc has a question for you.']);
    now();
    assert.equal(badge(), undefined);
    attention.dispose();
    now(conversationWith('a', { approvals: 1 }));
    assert.equal(badge(), undefined);
  });

  it('is said by a message only where the chat is out of sight, and the message leads there', async () => {
    open().happens('approvalRequested');
    assert.equal(person.messages.length, 0);
    const hidden = open({ visible: false });
    hidden.happens('textDelta');
    hidden.happens('approvalRequested');
    await Promise.resolve();
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      ['svc needs your approval to continue.'],
    );
    assert.deepEqual(person.ran, []);
    person.answer = () => 'Show Chat';
    hidden.happens('questionAsked');
    await new Promise(setImmediate);
    assert.equal(person.messages.at(-1)?.text, 'svc has a question for you.');
    assert.deepEqual(person.ran, [['svc.focusApproval']]);
  });
});
