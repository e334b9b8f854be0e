import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createEmitter } from '../../../../src/base/emitter.ts';
import type { OpenConversations } from '../../../../src/chat/open-conversations.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import type { InteractionKind } from '../../../../src/shared/interaction.ts';
import type { ChatWidgets } from '../../../../src/vscode/chat-panel/chat-widgets.ts';
import { createWebview, focusWindow, person, reset, settings } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { conversationWith, paneWith } from './widgets.ts';

const { createAttention } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat-panel/attention.ts')>(
  new URL('../../../../src/vscode/chat-panel/attention.ts', import.meta.url),
);

function open({ how = 'unseen' as 'never' | 'unseen' | 'always' } = {}) {
  let live: Conversation[] = [];
  const events = createEmitter<[conversation: Conversation, events: readonly ChatEvent[]]>();
  const changes = createEmitter();
  const conversations = { all: () => live, onDidEmit: events.event, onDidChange: changes.event };
  const shown = createEmitter();
  let views: ReturnType<typeof paneWith>[] = [];
  const widgets = { all: () => views, onDidShow: shown.event } as unknown as ChatWidgets;
  const chosen = { onCompletion: () => how };
  const attention = createAttention({
    conversations: conversations as unknown as OpenConversations,
    widgets,
    settings: chosen,
  });
  const view = createWebview();
  const badge = () => view.badge && [view.badge.value, view.badge.tooltip];
  return {
    attention,
    badge,
    badgeOn: () => attention.badgeOn(view as unknown as Parameters<typeof attention.badgeOn>[0]),
    now(...conversations: Conversation[]) {
      live = conversations;
      changes.fire();
    },
    happens: (type: 'asked' | 'answered', kind: InteractionKind, conversation = conversationWith('c')) =>
      events.fire(conversation, [{ type, kind } as ChatEvent]),
    streams: (conversation = conversationWith('c')) => events.fire(conversation, [{ type: 'textDelta' } as ChatEvent]),
    /** Views of these conversations, which have just come into sight or are out of it. */
    shows(conversation: Conversation, { visible = true } = {}) {
      views = [...views, paneWith('view', conversation, { visible })];
      shown.fire();
    },
    ends(conversation: Conversation, { at = 10_001, outcome = 'finished' } = {}) {
      const cost = { microUsd: 8400, estimated: false };
      events.fire(conversation, [{ type: 'turnEnded', turnId: 't', at, outcome, cost } as ChatEvent]);
    },
  };
}

describe('what waits for the user', () => {
  beforeEach(reset);

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

  it('U4 U13 counts the offer to shorten a conversation before its message goes out', () => {
    const { attention, badge, badgeOn, now, happens } = open();
    const conversation = conversationWith('a');
    const asks = (isAsked: boolean) => {
      conversation.asksToCompact(isAsked);
      happens(isAsked ? 'asked' : 'answered', 'compact', conversation);
    };
    badgeOn();
    now(conversation);
    let changes = 0;
    attention.onDidChange(() => void changes++);
    asks(true);
    const notOpen = conversationWith('not open');
    notOpen.asksToCompact(true);
    happens('asked', 'compact', notOpen);
    assert.deepEqual(badge(), [1, 'svc has a question for you.']);
    assert.deepEqual([attention.waiting(), changes], [{ approvals: 0, questions: 1 }, 2]);
    asks(false);
    assert.deepEqual([badge(), attention.waiting(), changes], [undefined, { approvals: 0, questions: 0 }, 3]);
    attention.dispose();
    asks(true);
    assert.equal(badge(), undefined);
  });

  it('F46 is said by a message only where the chat is out of sight, and the message leads there', async () => {
    const conversation = conversationWith('c');
    const inSight = open();
    inSight.shows(conversation);
    inSight.happens('asked', 'approval', conversation);
    assert.equal(person.messages.length, 0);
    const hidden = open();
    hidden.streams();
    hidden.happens('asked', 'wait');
    hidden.happens('asked', 'approval');
    hidden.happens('asked', 'question');
    await new Promise(setImmediate);
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      ['svc needs your approval to continue.'],
      'and one at a time',
    );
    assert.deepEqual(person.ran, []);
  });

  it('F46 leads to what waits, or is not said again', async () => {
    const hidden = open();
    person.answer = () => 'Show Chat';
    hidden.happens('asked', 'cost');
    await new Promise(setImmediate);
    assert.equal(person.messages.at(-1)?.text, 'svc has a question for you.');
    assert.deepEqual(person.ran, [['svc.focusApproval']]);
    person.answer = () => "Don't Show Again";
    hidden.happens('asked', 'question');
    await new Promise(setImmediate);
    assert.equal(settings.get('svc.notifications.onCompletion')?.globalValue, 'never');
    open({ how: 'never' }).happens('asked', 'question');
    assert.equal(person.messages.length, 2);
  });

  it('F46 U13 an offer to shorten first is said like a question, and not once it is answered', () => {
    const conversation = conversationWith('c');
    const { shows, now, happens } = open();
    now(conversation);
    shows(conversation);
    happens('asked', 'compact', conversation);
    happens('answered', 'compact', conversation);
    assert.equal(person.messages.length, 0, 'it is seen');
    focusWindow(false);
    happens('asked', 'compact', conversation);
    happens('answered', 'compact', conversation);
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      ['svc has a question for you.'],
    );
  });

  it('F46 a window that is not in front shows nothing to anybody', () => {
    const conversation = conversationWith('c');
    const { shows, happens } = open();
    shows(conversation);
    focusWindow(false);
    happens('asked', 'approval', conversation);
    assert.equal(person.messages.length, 1);
  });
});

describe('what ends out of sight', () => {
  beforeEach(reset);

  it('F46 is told once, with its price, and leads there', async () => {
    const { attention, ends } = open();
    person.answer = () => 'Show Chat';
    ends(conversationWith('c', { title: 'Fix the parser', paths: ['a.ts', 'b.ts'] }));
    await new Promise(setImmediate);
    assert.deepEqual(
      person.messages.map(({ text }) => text),
      ['Fix the parser: edited 2 files · $0.0084'],
    );
    assert.deepEqual(person.ran, [['svc.openConversation', 'c']]);
    assert.equal(attention.unseenEnds()[0]?.conversationId, 'c');
  });

  it('F46 five ends at once are one message', async () => {
    const { attention, ends } = open();
    // No answer comes before all have ended.
    for (const id of ['a', 'b', 'c', 'd', 'e']) ends(conversationWith(id));
    assert.equal(person.messages.length, 1);
    assert.equal(attention.unseenEnds()[0]?.conversationId, 'e');
  });

  it('F46 is not told when it is seen in any view, was short, or was stopped', () => {
    const { attention, ends, shows } = open();
    const seen = conversationWith('c');
    shows(seen, { visible: false });
    shows(seen);
    ends(seen);
    const other = conversationWith('other');
    ends(other, { at: 10_000 });
    ends(other, { outcome: 'stopped' });
    assert.deepEqual(person.messages, []);
    assert.equal(attention.unseenEnds()[0], undefined);
    ends(other, { outcome: 'failed' });
    assert.match(person.messages.map(({ text }) => text).join('\n'), /: stopped early · /);
  });

  it('F46 stands in the status bar until it is shown', () => {
    const { attention, ends, shows } = open();
    const conversation = conversationWith('c');
    let changes = 0;
    attention.onDidChange(() => void changes++);
    focusWindow(false);
    shows(conversation);
    ends(conversation);
    assert.equal(attention.unseenEnds()[0]?.conversationId, 'c');
    focusWindow(true);
    assert.equal(attention.unseenEnds()[0], undefined);
    assert.equal(changes, 2);
    attention.dispose();
  });

  it('F46 the setting turns messages off, and the status bar is left', () => {
    const { attention, ends } = open({ how: 'never' });
    ends(conversationWith('c'));
    assert.deepEqual(person.messages, []);
    assert.ok(attention.unseenEnds()[0]);
  });

  it('F46 the setting tells of every long answer', () => {
    const { attention, ends, shows } = open({ how: 'always' });
    const conversation = conversationWith('c');
    shows(conversation);
    ends(conversation);
    assert.equal(person.messages.length, 1);
    assert.equal(attention.unseenEnds()[0], undefined);
  });
});
