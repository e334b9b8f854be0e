import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createChatSession } from '../../../src/chat/chat-session.ts';
import { createDraftStore, createSideBarMemory, createTabViewMemory } from '../../../src/chat/view-memory.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createKept, createMemento } from '../vscode/memento.ts';
import { openWindow, storedConversation } from './live-window.ts';

async function startSession(memento = createMemento(), window = openWindow(), kept = createKept(memento)) {
  const start = (memory = createSideBarMemory(memento, createDraftStore(kept, 'sideBar'))) =>
    createChatSession({
      conversations: window.conversations,
      list: async () => [],
      memory,
      drafts: createDraftStore(kept),
      defaultModel: () => 'svc/kimi-k3',
    });
  return { ...window, memento, kept, session: await start(), start };
}

type Session = Awaited<ReturnType<typeof startSession>>['session'];

async function sendAndFinish(session: Session, finish: (id: string) => void, text: string) {
  const turn = session.send({ text });
  await Promise.resolve();
  finish(session.conversation().id);
  await turn;
  return session.conversation().id;
}

describe('chat session', () => {
  it('keeps what the user is writing when something else is sent or queued', async () => {
    const { session, finish } = await startSession();
    session.setDraft('Half a thought');
    await sendAndFinish(session, finish, 'Explain this');
    void session.send({ text: 'Longer' });
    void session.enqueue({ text: 'And this' });
    assert.deepEqual(
      session
        .conversation()
        .queue()
        .items.map(({ text }) => text),
      ['And this'],
    );
    assert.equal(session.draft(), 'Half a thought');
    session.conversation().stop();
  });

  it('F21 keeps a command as it was typed beside what is sent for it, also queued, restored and asked again', async () => {
    const { session, finish, memento, disk, queues } = await startSession();
    const written = { text: 'Explain this code.', typed: '/explain' };
    const turn = session.send(written);
    await Promise.resolve();
    void session.enqueue({ text: 'Review these changes.', typed: '/review' });
    const waiting = session.conversation().queue().items;
    assert.deepEqual(
      waiting.map(({ text }) => text),
      ['/review'],
    );
    assert.equal(session.conversation().editQueue(waiting[0]?.id ?? '', 'edit')?.text, 'Review these changes.');
    finish(session.conversation().id);
    await turn;
    const again = await startSession(memento, openWindow(disk, queues));
    const restored = again.session;
    const [item] = restored.state().items;
    assert.ok(item?.kind === 'user');
    assert.deepEqual([item.text, item.typed], [written.text, written.typed]);
    const edited = restored.rerun(item.id, { edited: { text: 'Plain', keep: [] } });
    while (!restored.conversation().running) await new Promise((done) => setImmediate(done));
    again.finish(restored.conversation().id);
    await edited;
    const plain = restored.state().items.findLast(({ kind }) => kind === 'user');
    assert.ok(plain?.kind === 'user');
    assert.deepEqual([plain.text, plain.typed], ['Plain', undefined]);
  });

  it('adds what could not be sent to what is being written, and tells it', async () => {
    const { session } = await startSession();
    const told: string[] = [];
    session.onDraftAdded((text) => told.push(text));
    session.addToDraft('First');
    assert.equal(session.draft(), 'First');
    session.addToDraft('Second');
    assert.equal(session.draft(), 'First\n\nSecond');
    assert.deepEqual(told, ['First', 'Second']);
  });

  it('F5 takes what is being written along into a new chat, also what the panel still says of the old one', async () => {
    const { session, finish } = await startSession();
    const old = await sendAndFinish(session, finish, 'Hello');
    session.setDraft('Half', old);
    session.newChat();
    assert.equal(session.draft(), 'Half');
    assert.equal(session.draftFrom(), old);
    session.setDraft('Half a thought', old);
    assert.equal(session.draft(), 'Half a thought');
    await session.open(old);
    assert.equal(session.draft(), '');
  });

  it('F5 keeps a draft with its conversation, and that of an unsent one for the next new chat', async () => {
    const { session, finish } = await startSession();
    const old = await sendAndFinish(session, finish, 'Hello');
    session.setDraft('To the old one', old);
    session.newChat();
    session.setDraft('', session.conversation().id);
    const empty = session.conversation().id;
    session.setDraft('To nobody yet', empty);
    await session.open(old);
    session.setDraft('To nobody yet, more', empty);
    assert.equal(session.draft(), '');
    session.setDraft('About the answer', old);
    session.newChat();
    assert.equal(session.draft(), 'About the answer\n\nTo nobody yet, more');
  });

  it('restores its conversation, its draft and what waited after the window closed', async () => {
    const { session, finish, memento, disk, queues } = await startSession();
    const id = await sendAndFinish(session, finish, 'Hello');
    void session.send({ text: 'Again' });
    void session.enqueue({ text: 'Later' });
    session.setDraft('Half', id);
    await session.conversation().stored();
    const { session: restored } = await startSession(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().id, id);
    assert.equal(restored.draft(), 'Half');
    assert.deepEqual(restored.conversation().queue(), {
      items: restored.conversation().queue().items,
      paused: true,
    });
    assert.equal(restored.conversation().queue().items.length, 1);
    session.conversation().stop();
  });

  it('F5 S24 gives back after a reload the model of the conversation, and images that were attached or wait', async () => {
    const { session, finish, memento, disk, queues } = await startSession();
    const picture = (id: string, letter: string): Attachment => {
      const image = { hash: letter.repeat(64), mediaType: 'image/png', width: 40, height: 30, bytes: 99 } as const;
      return { id, kind: 'image', label: `${id}.png`, text: '', image };
    };
    await sendAndFinish(session, finish, 'Hello');
    session.setModel('svc/glm-5.3');
    void session.send({ text: 'Again' });
    session.attach(picture('waiting', 'a'));
    void session.enqueue({ text: '' });
    session.attach(picture('attached', 'b'));
    await session.conversation().stored();
    const { session: restored } = await startSession(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().model(), 'svc/glm-5.3');
    assert.deepEqual(restored.attachments(), [picture('attached', 'b')]);
    const waiting = restored.conversation().queuedMessages();
    assert.deepEqual(
      waiting.map(({ text, attachments }) => [text, attachments]),
      [['', [picture('waiting', 'a')]]],
    );
    assert.equal(restored.conversation().queue().paused, true);
    session.conversation().stop();
  });

  it('shows one conversation in two views, each with its own draft', async () => {
    const { session, finish, kept, start } = await startSession();
    const id = await sendAndFinish(session, finish, 'Hello');
    const texts = createDraftStore(kept, 'tabs');
    const tab = await start(createTabViewMemory(texts, id));
    assert.equal(tab.conversation(), session.conversation());
    session.setDraft('In the side bar', id);
    tab.setDraft('In the tab', id);
    session.newChat();
    assert.deepEqual([session.draft(), tab.draft(), texts.get(id)], ['In the side bar', 'In the tab', 'In the tab']);
    tab.leave();
    assert.equal(texts.get(id), '');
    session.setDraft('', session.conversation().id);
    await session.open(id);
    assert.equal(session.draft(), 'In the tab');
  });

  it('shows the conversation that was asked for last, however long the first one took', async () => {
    const disk = new Map();
    const ids = [await storedConversation(disk, 'One'), await storedConversation(disk, 'Two')];
    const { session, conversations } = await startSession(createMemento(), openWindow(disk));
    await Promise.all(ids.map((id) => session.open(id)));
    assert.equal(session.conversation().id, ids[1]);
    assert.deepEqual(
      conversations.all().map(({ id }) => id),
      [ids[1]],
    );
  });

  it('opens an empty conversation when its own is closed for good', async () => {
    const { session, finish, conversations } = await startSession();
    const id = await sendAndFinish(session, finish, 'Hello');
    session.setDraft('Half', id);
    await conversations.close(id);
    assert.notEqual(session.conversation().id, id);
    assert.deepEqual([session.state().items, session.draft()], [[], 'Half']);
  });

  it('F5 gives back what is attached, with a view that closed, and what left the composer and was not sent', async () => {
    const { session, start, kept } = await startSession();
    const notes = { id: 'n', label: 'notes.md', text: 'some notes' };
    session.attach(notes);
    session.setDraft('', session.conversation().id);
    const release = session.hold('On its way');
    session.setDraft('The next thought', session.conversation().id);
    const afterCrash = await start();
    assert.equal(afterCrash.draft(), 'On its way\n\nThe next thought');
    assert.deepEqual(afterCrash.attachments(), [notes]);
    release();
    assert.equal((await start()).draft(), 'The next thought');
    const tab = await start(createTabViewMemory(createDraftStore(kept, 'tabs'), session.conversation().id));
    tab.attach({ ...notes, id: 'm' });
    tab.leave();
    session.newChat();
    assert.deepEqual(
      session.attachments().map(({ id }) => id),
      ['n'],
    );
    assert.deepEqual(createDraftStore(kept).attached('new'), [{ ...notes, id: 'm' }]);
  });

  it('F5 keeps a message as a draft until it is stored', async () => {
    const { session, finish, start } = await startSession();
    session.attach({ id: 'n', label: 'notes.md', text: 'some notes' });
    const sent = session.send({ text: 'Explain this' });
    const afterCrash = await start();
    assert.deepEqual([afterCrash.draft(), afterCrash.attachments().length], ['Explain this', 1]);
    await session.conversation().stored();
    await Promise.resolve();
    const later = await start();
    assert.deepEqual([later.draft(), later.attachments().length], ['', 0]);
    finish(session.conversation().id);
    await sent;
  });
});
