import assert from 'node:assert/strict';
import type { Conversation, Message } from '../../../src/conversation/conversation.ts';
import { type ChatState, emptyChat } from '../../../src/shared/chat-state.ts';
import { createChatSession } from '../../../src/vscode/chat-session.ts';

async function startSession() {
  const sent: string[] = [];
  const take = ({ text }: Message) => sent.push(text) > 0;
  const create = (id: string) => {
    const conversation: Partial<Conversation> = {
      id,
      running: false,
      model: () => 'svc/kimi-k3',
      state: (): ChatState => emptyChat,
      queue: () => ({ items: [], paused: false }),
      onEvents: () => () => undefined,
      onQueue: () => () => undefined,
      send: async (message) => {
        take(message);
        return { conversationId: id } as Awaited<ReturnType<Conversation['send']>>;
      },
      enqueue: take,
    };
    return conversation as Conversation;
  };
  const session = await createChatSession({
    store: { read: async () => undefined } as unknown as Parameters<typeof createChatSession>[0]['store'],
    create,
    newId: () => 'conversation-1',
    memento: { get: () => undefined, update: async () => undefined, keys: () => [] },
    defaultModel: () => 'svc/kimi-k3',
  });
  return { session, sent };
}

describe('chat session', () => {
  it('keeps what the user is writing when something else is sent or queued', async () => {
    const { session, sent } = await startSession();
    session.setDraft('Half a thought');
    await session.send('Explain this');
    session.enqueue('And this');
    assert.deepEqual(sent, ['Explain this', 'And this']);
    assert.equal(session.draft(), 'Half a thought');
  });

  it('adds what could not be sent to what is being written, and shows it', async () => {
    const { session } = await startSession();
    let shown = 0;
    session.onReset(() => shown++);
    session.addToDraft('First');
    assert.equal(session.draft(), 'First');
    session.addToDraft('Second');
    assert.equal(session.draft(), 'First\n\nSecond');
    assert.equal(shown, 2);
  });
});
