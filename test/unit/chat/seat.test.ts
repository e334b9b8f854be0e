import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { createLeftDrafts } from '../../../src/chat/left-drafts.ts';
import { openSeat } from '../../../src/chat/seat.ts';
import { createDraftStore, createSideBarMemory, createTabViewMemory } from '../../../src/chat/view-memory.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createMemento, createValues } from '../vscode/memento.ts';
import { openWindow, storedConversation } from './live-window.ts';

async function startSeat(memento = createMemento(), window = openWindow(), values = createValues(memento)) {
  const start = (memory = createSideBarMemory(memento, createDraftStore(values, 'sideBar'))) =>
    openSeat({
      conversations: window.conversations,
      list: async () => [],
      memory,
      left: createLeftDrafts(createDraftStore(values)),
      defaultModel: () => 'svc/kimi-k3',
      newId: randomUUID,
    });
  return { ...window, memento, values, seat: await start(), start };
}

type TestSeat = Awaited<ReturnType<typeof startSeat>>['seat'];

async function sendAndFinish(seat: TestSeat, finish: (id: string) => void, text: string) {
  const turn = seat.send({ text });
  await Promise.resolve();
  finish(seat.conversation().id);
  await turn;
  return seat.conversation().id;
}

describe('chat seat', () => {
  it('keeps what the user is writing when something else is sent or queued', async () => {
    const { seat, finish } = await startSeat();
    seat.setDraft('Half a thought');
    await sendAndFinish(seat, finish, 'Explain this');
    void seat.send({ text: 'Longer' });
    void seat.enqueue({ text: 'And this' });
    assert.deepEqual(
      seat
        .conversation()
        .queue()
        .items.map(({ text }) => text),
      ['And this'],
    );
    assert.equal(seat.draft(), 'Half a thought');
    seat.conversation().stop();
  });

  it('F21 keeps a command as it was typed beside what is sent for it, also queued, restored and asked again', async () => {
    const { seat, finish, memento, disk, queues } = await startSeat();
    const written = { text: 'Explain this code.', typed: '/explain' };
    const turn = seat.send(written);
    await Promise.resolve();
    void seat.enqueue({ text: 'Review these changes.', typed: '/review' });
    const waiting = seat.conversation().queue().items;
    assert.deepEqual(
      waiting.map(({ text }) => text),
      ['/review'],
    );
    assert.equal(seat.conversation().editQueue(waiting[0]?.id ?? '', 'edit')?.text, 'Review these changes.');
    finish(seat.conversation().id);
    await turn;
    const again = await startSeat(memento, openWindow(disk, queues));
    const restored = again.seat;
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
    const { seat } = await startSeat();
    const told: string[] = [];
    seat.onDraftAdded((text) => told.push(text));
    seat.addToDraft('First');
    assert.equal(seat.draft(), 'First');
    seat.addToDraft('Second');
    assert.equal(seat.draft(), 'First\n\nSecond');
    assert.deepEqual(told, ['First', 'Second']);
  });

  it('F5 takes what is being written along into a new chat, also what the panel still says of the old one', async () => {
    const { seat, finish } = await startSeat();
    const old = await sendAndFinish(seat, finish, 'Hello');
    seat.setDraft('Half', old);
    seat.newChat();
    assert.equal(seat.draft(), 'Half');
    assert.equal(seat.draftFrom(), old);
    seat.setDraft('Half a thought', old);
    assert.equal(seat.draft(), 'Half a thought');
    await seat.open(old);
    assert.equal(seat.draft(), '');
  });

  it('F5 keeps a draft with its conversation, and that of an unsent one for the next new chat', async () => {
    const { seat, finish } = await startSeat();
    const old = await sendAndFinish(seat, finish, 'Hello');
    seat.setDraft('To the old one', old);
    seat.newChat();
    seat.setDraft('', seat.conversation().id);
    const empty = seat.conversation().id;
    seat.setDraft('To nobody yet', empty);
    await seat.open(old);
    seat.setDraft('To nobody yet, more', empty);
    assert.equal(seat.draft(), '');
    seat.setDraft('About the answer', old);
    seat.newChat();
    assert.equal(seat.draft(), 'About the answer\n\nTo nobody yet, more');
  });

  it('restores its conversation, its draft and what waited after the window closed', async () => {
    const { seat, finish, memento, disk, queues } = await startSeat();
    const id = await sendAndFinish(seat, finish, 'Hello');
    void seat.send({ text: 'Again' });
    void seat.enqueue({ text: 'Later' });
    seat.setDraft('Half', id);
    await seat.conversation().stored();
    const { seat: restored } = await startSeat(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().id, id);
    assert.equal(restored.draft(), 'Half');
    assert.deepEqual(restored.conversation().queue(), {
      items: restored.conversation().queue().items,
      paused: true,
    });
    assert.equal(restored.conversation().queue().items.length, 1);
    seat.conversation().stop();
  });

  it('F5 S24 gives back after a reload the model of the conversation, and images that were attached or wait', async () => {
    const { seat, finish, memento, disk, queues } = await startSeat();
    const picture = (id: string, letter: string): Attachment => {
      const image = { hash: letter.repeat(64), mediaType: 'image/png', width: 40, height: 30, bytes: 99 } as const;
      return { id, kind: 'image', label: `${id}.png`, text: '', image };
    };
    await sendAndFinish(seat, finish, 'Hello');
    seat.setModel('svc/glm-5.3');
    void seat.send({ text: 'Again' });
    seat.attach(picture('waiting', 'a'));
    void seat.enqueue({ text: '' });
    seat.attach(picture('attached', 'b'));
    await seat.conversation().stored();
    const { seat: restored } = await startSeat(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().model(), 'svc/glm-5.3');
    assert.deepEqual(restored.attachments(), [picture('attached', 'b')]);
    const waiting = restored.conversation().queuedMessages();
    assert.deepEqual(
      waiting.map(({ text, attachments }) => [text, attachments]),
      [['', [picture('waiting', 'a')]]],
    );
    assert.equal(restored.conversation().queue().paused, true);
    seat.conversation().stop();
  });

  it('shows one conversation in two views, each with its own draft', async () => {
    const { seat, finish, values, start } = await startSeat();
    const id = await sendAndFinish(seat, finish, 'Hello');
    const texts = createDraftStore(values, 'tabs');
    const tab = await start(createTabViewMemory(texts, id));
    assert.equal(tab.conversation(), seat.conversation());
    seat.setDraft('In the side bar', id);
    tab.setDraft('In the tab', id);
    seat.newChat();
    assert.deepEqual([seat.draft(), tab.draft(), texts.get(id)], ['In the side bar', 'In the tab', 'In the tab']);
    tab.leave();
    assert.equal(texts.get(id), '');
    seat.setDraft('', seat.conversation().id);
    await seat.open(id);
    assert.equal(seat.draft(), 'In the tab');
  });

  it('shows the conversation that was asked for last, however long the first one took', async () => {
    const disk = new Map();
    const ids = [await storedConversation(disk, 'One'), await storedConversation(disk, 'Two')];
    const { seat, conversations } = await startSeat(createMemento(), openWindow(disk));
    await Promise.all(ids.map((id) => seat.open(id)));
    assert.equal(seat.conversation().id, ids[1]);
    assert.deepEqual(
      conversations.all().map(({ id }) => id),
      [ids[1]],
    );
  });

  it('opens an empty conversation when its own is closed for good', async () => {
    const { seat, finish, conversations } = await startSeat();
    const id = await sendAndFinish(seat, finish, 'Hello');
    seat.setDraft('Half', id);
    await conversations.close(id);
    assert.notEqual(seat.conversation().id, id);
    assert.deepEqual([seat.state().items, seat.draft()], [[], 'Half']);
  });

  it('F5 gives back what is attached, with a view that closed, and what left the composer and was not sent', async () => {
    const { seat, start, values } = await startSeat();
    const notes = { id: 'n', label: 'notes.md', text: 'some notes' };
    seat.attach(notes);
    seat.setDraft('', seat.conversation().id);
    const release = seat.hold('On its way');
    seat.setDraft('The next thought', seat.conversation().id);
    const afterCrash = await start();
    assert.equal(afterCrash.draft(), 'On its way\n\nThe next thought');
    assert.deepEqual(afterCrash.attachments(), [notes]);
    release();
    assert.equal((await start()).draft(), 'The next thought');
    const tab = await start(createTabViewMemory(createDraftStore(values, 'tabs'), seat.conversation().id));
    tab.attach({ ...notes, id: 'm' });
    tab.leave();
    seat.newChat();
    assert.deepEqual(
      seat.attachments().map(({ id }) => id),
      ['n'],
    );
    assert.deepEqual(createDraftStore(values).attached('new'), [{ ...notes, id: 'm' }]);
  });

  it('F5 E21 keeps a message as a draft until it is in the conversation, whatever else a crash left on the disk', async () => {
    const { seat, finish, memento, values, disk, queues } = await startSeat();
    await sendAndFinish(seat, finish, 'Hello');
    const [item] = seat.state().items;
    seat.attach({ id: 'n', label: 'notes.md', text: 'some notes' });
    const texts = (from = values) => {
      const copy = createValues();
      for (const key of from.keys()) void copy.update(key, structuredClone(from.get(key)));
      return copy;
    };
    const release = seat.hold('Explain this');
    const unsent = structuredClone(disk);
    const sent = seat.send({ text: 'Explain this' });
    const held = texts();
    release();
    await seat.conversation().stored();
    const stored = structuredClone(disk);
    const asked = seat.rerun(item?.kind === 'user' ? item.id : '', { edited: { text: 'Hello again', keep: [] } });
    const heldWhileStopping = texts();
    const { id } = seat.conversation();
    while (!JSON.stringify(disk.get(id)).includes('Hello again')) await new Promise((done) => setImmediate(done));
    const now = structuredClone(disk);
    await seat.conversation().stored();
    await Promise.resolve();
    for (const [conversations, kept, draft, last] of [
      [unsent, held, 'Explain this', 'Hello'],
      [stored, held, '', 'Explain this'],
      [stored, heldWhileStopping, 'Hello again', 'Explain this'],
      [now, heldWhileStopping, '', 'Hello again'],
      [now, texts(), '', 'Hello again'],
    ] as const) {
      const next = await startSeat(memento, openWindow(structuredClone(conversations), queues), texts(kept));
      const shown = next.seat.state().items.findLast(({ kind }) => kind === 'user');
      assert.deepEqual([next.seat.draft(), shown?.kind === 'user' && shown.text], [draft, last]);
      assert.equal(next.seat.attachments().length, draft === 'Explain this' ? 1 : 0);
    }
    seat.conversation().stop();
    await Promise.all([sent, asked]);
  });
});
