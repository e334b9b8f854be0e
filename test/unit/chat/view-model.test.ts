import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { createDraftStore, type DraftView, sideBarView } from '../../../src/chat/draft-store.ts';
import { openChatViewModel } from '../../../src/chat/view-model.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createMemento, createValues } from '../vscode/memento.ts';
import { openWindow, storedConversation } from './live-window.ts';

async function startSeat(memento = createMemento(), window = openWindow(), values = createValues(memento)) {
  const start = (place: DraftView = sideBarView(memento)) =>
    openChatViewModel({
      conversations: window.conversations,
      list: async () => [],
      drafts: createDraftStore(values),
      place,
      defaultModel: () => 'svc/kimi-k3',
      newId: randomUUID,
    });
  return { ...window, memento, values, viewModel: await start(), start };
}

type TestViewModel = Awaited<ReturnType<typeof startSeat>>['viewModel'];

async function sendAndFinish(viewModel: TestViewModel, finish: (id: string) => void, text: string) {
  const turn = viewModel.send({ text });
  await Promise.resolve();
  finish(viewModel.conversation().id);
  await turn;
  return viewModel.conversation().id;
}

describe('chat seat', () => {
  it('keeps what the user is writing when something else is sent or queued', async () => {
    const { viewModel, finish } = await startSeat();
    void viewModel.draft.setText('Half a thought');
    await sendAndFinish(viewModel, finish, 'Explain this');
    void viewModel.send({ text: 'Longer' });
    void viewModel.enqueue({ text: 'And this' });
    assert.deepEqual(
      viewModel
        .conversation()
        .queue()
        .items.map(({ text }) => text),
      ['And this'],
    );
    assert.equal(viewModel.draft.text(), 'Half a thought');
    viewModel.conversation().stop();
  });

  it('F21 keeps a command as it was typed beside what is sent for it, also queued, restored and asked again', async () => {
    const { viewModel, finish, memento, disk, queues } = await startSeat();
    const written = { text: 'Explain this code.', typed: '/explain' };
    const turn = viewModel.send(written);
    await Promise.resolve();
    void viewModel.enqueue({ text: 'Review these changes.', typed: '/review' });
    const waiting = viewModel.conversation().queue().items;
    assert.deepEqual(
      waiting.map(({ typed }) => typed),
      ['/review'],
    );
    assert.equal(viewModel.conversation().editQueue(waiting[0]?.id ?? '', 'edit')?.text, 'Review these changes.');
    finish(viewModel.conversation().id);
    await turn;
    const again = await startSeat(memento, openWindow(disk, queues));
    const restored = again.viewModel;
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
    const { viewModel } = await startSeat();
    const told: string[] = [];
    viewModel.draft.onDidAppend((text) => told.push(text));
    viewModel.draft.append('First');
    assert.equal(viewModel.draft.text(), 'First');
    viewModel.draft.append('Second');
    assert.equal(viewModel.draft.text(), 'First\n\nSecond');
    assert.deepEqual(told, ['First', 'Second']);
  });

  it('F5 takes what is being written along into a new chat, also what the panel still says of the old one', async () => {
    const { viewModel, finish } = await startSeat();
    const old = await sendAndFinish(viewModel, finish, 'Hello');
    void viewModel.draft.setText('Half', old);
    viewModel.newChat();
    assert.equal(viewModel.draft.text(), 'Half');
    assert.equal(viewModel.draft.cameFrom(), old);
    void viewModel.draft.setText('Half a thought', old);
    assert.equal(viewModel.draft.text(), 'Half a thought');
    await viewModel.open(old);
    assert.equal(viewModel.draft.text(), '');
  });

  it('F5 keeps a draft with its conversation, and that of an unsent one for the next new chat', async () => {
    const { viewModel, finish } = await startSeat();
    const old = await sendAndFinish(viewModel, finish, 'Hello');
    void viewModel.draft.setText('To the old one', old);
    viewModel.newChat();
    void viewModel.draft.setText('', viewModel.conversation().id);
    const empty = viewModel.conversation().id;
    void viewModel.draft.setText('To nobody yet', empty);
    await viewModel.open(old);
    void viewModel.draft.setText('To nobody yet, more', empty);
    assert.equal(viewModel.draft.text(), '');
    void viewModel.draft.setText('About the answer', old);
    viewModel.newChat();
    assert.equal(viewModel.draft.text(), 'About the answer\n\nTo nobody yet, more');
  });

  it('restores its conversation, its draft and what waited after the window closed', async () => {
    const { viewModel, finish, memento, disk, queues } = await startSeat();
    const id = await sendAndFinish(viewModel, finish, 'Hello');
    void viewModel.send({ text: 'Again' });
    void viewModel.enqueue({ text: 'Later' });
    void viewModel.draft.setText('Half', id);
    await viewModel.conversation().stored();
    const { viewModel: restored } = await startSeat(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().id, id);
    assert.equal(restored.draft.text(), 'Half');
    assert.deepEqual(restored.conversation().queue(), {
      items: restored.conversation().queue().items,
      paused: true,
    });
    assert.equal(restored.conversation().queue().items.length, 1);
    viewModel.conversation().stop();
  });

  it('F5 S24 gives back after a reload the model of the conversation, and images that were attached or wait', async () => {
    const { viewModel, finish, memento, disk, queues } = await startSeat();
    const picture = (id: string, letter: string): Attachment => {
      const image = { hash: letter.repeat(64), mediaType: 'image/png', width: 40, height: 30, bytes: 99 } as const;
      return { id, kind: 'image', label: `${id}.png`, text: '', image };
    };
    await sendAndFinish(viewModel, finish, 'Hello');
    viewModel.setModel('svc/glm-5.3');
    void viewModel.send({ text: 'Again' });
    viewModel.draft.attach(picture('waiting', 'a'));
    void viewModel.enqueue({ text: '' });
    viewModel.draft.attach(picture('attached', 'b'));
    await viewModel.conversation().stored();
    const { viewModel: restored } = await startSeat(memento, openWindow(disk, queues));
    assert.equal(restored.conversation().model(), 'svc/glm-5.3');
    assert.deepEqual(restored.draft.attachments(), [picture('attached', 'b')]);
    const waiting = restored.conversation().queue().items;
    assert.deepEqual(
      waiting.map(({ text, attachments }) => [text, attachments]),
      [['', [picture('waiting', 'a')]]],
    );
    assert.equal(restored.conversation().queue().paused, true);
    viewModel.conversation().stop();
  });

  it('shows one conversation in two views, each with its own draft', async () => {
    const { viewModel, finish, values, start } = await startSeat();
    const id = await sendAndFinish(viewModel, finish, 'Hello');
    const textInTab = () => values.get<{ text: string }>(`draft.tabs.${id}`)?.text;
    const tab = await start({ view: 'tabs', conversationId: id });
    assert.equal(tab.conversation(), viewModel.conversation());
    void viewModel.draft.setText('In the side bar', id);
    void tab.draft.setText('In the tab', id);
    viewModel.newChat();
    assert.deepEqual(
      [viewModel.draft.text(), tab.draft.text(), textInTab()],
      ['In the side bar', 'In the tab', 'In the tab'],
    );
    tab.close();
    assert.equal(textInTab(), undefined);
    void viewModel.draft.setText('', viewModel.conversation().id);
    await viewModel.open(id);
    assert.equal(viewModel.draft.text(), 'In the tab');
  });

  it('shows the conversation that was asked for last, however long the first one took', async () => {
    const disk = new Map();
    const ids = [await storedConversation(disk, 'One'), await storedConversation(disk, 'Two')];
    const { viewModel, conversations } = await startSeat(createMemento(), openWindow(disk));
    await Promise.all(ids.map((id) => viewModel.open(id)));
    assert.equal(viewModel.conversation().id, ids[1]);
    assert.deepEqual(
      conversations.all().map(({ id }) => id),
      [ids[1]],
    );
    viewModel.close();
    await viewModel.open(ids[0] ?? '');
    assert.deepEqual(conversations.all(), [], 'a closed view holds none open');
  });

  it('opens an empty conversation when its own is closed for good', async () => {
    const { viewModel, finish, conversations } = await startSeat();
    const id = await sendAndFinish(viewModel, finish, 'Hello');
    void viewModel.draft.setText('Half', id);
    await conversations.close(id);
    assert.notEqual(viewModel.conversation().id, id);
    assert.deepEqual([viewModel.state().items, viewModel.draft.text()], [[], 'Half']);
  });

  it('F5 gives back what is attached, with a view that closed, and what left the composer and was not sent', async () => {
    const { viewModel, start, values } = await startSeat();
    const notes = { id: 'n', label: 'notes.md', text: 'some notes' };
    viewModel.draft.attach(notes);
    void viewModel.draft.setText('', viewModel.conversation().id);
    const release = viewModel.draft.hold('On its way');
    void viewModel.draft.setText('The next thought', viewModel.conversation().id);
    const afterCrash = await start();
    assert.equal(afterCrash.draft.text(), 'On its way\n\nThe next thought');
    assert.deepEqual(afterCrash.draft.attachments(), [notes]);
    release();
    assert.equal((await start()).draft.text(), 'The next thought');
    const tab = await start({ view: 'tabs', conversationId: viewModel.conversation().id });
    tab.draft.attach({ ...notes, id: 'm' });
    tab.close();
    viewModel.newChat();
    assert.deepEqual(
      viewModel.draft.attachments().map(({ id }) => id),
      ['n'],
    );
    const stored = values.keys().filter((key) => key.startsWith('attached.new.'));
    assert.deepEqual(stored.map(values.get), [[{ ...notes, id: 'm' }]]);
  });

  it('F5 E21 keeps a message as a draft until it is in the conversation, whatever else a crash left on the disk', async () => {
    const { viewModel, finish, memento, values, disk, queues } = await startSeat();
    await sendAndFinish(viewModel, finish, 'Hello');
    const [item] = viewModel.state().items;
    viewModel.draft.attach({ id: 'n', label: 'notes.md', text: 'some notes' });
    const texts = (from = values) => {
      const copy = createValues();
      for (const key of from.keys()) void copy.update(key, structuredClone(from.get(key)));
      return copy;
    };
    const release = viewModel.draft.hold('Explain this');
    const unsent = structuredClone(disk);
    const sent = viewModel.send({ text: 'Explain this' });
    const held = texts();
    release();
    await viewModel.conversation().stored();
    const stored = structuredClone(disk);
    const asked = viewModel.rerun(item?.kind === 'user' ? item.id : '', { edited: { text: 'Hello again', keep: [] } });
    const heldWhileStopping = texts();
    const { id } = viewModel.conversation();
    while (!JSON.stringify(disk.get(id)).includes('Hello again')) await new Promise((done) => setImmediate(done));
    const now = structuredClone(disk);
    await viewModel.conversation().stored();
    await Promise.resolve();
    for (const [conversations, kept, draft, last] of [
      [unsent, held, 'Explain this', 'Hello'],
      [stored, held, '', 'Explain this'],
      [stored, heldWhileStopping, 'Hello again', 'Explain this'],
      [now, heldWhileStopping, '', 'Hello again'],
      [now, texts(), '', 'Hello again'],
    ] as const) {
      const next = await startSeat(memento, openWindow(structuredClone(conversations), queues), texts(kept));
      const shown = next.viewModel.state().items.findLast(({ kind }) => kind === 'user');
      assert.deepEqual([next.viewModel.draft.text(), shown?.kind === 'user' && shown.text], [draft, last]);
      assert.equal(next.viewModel.draft.attachments().length, draft === 'Explain this' ? 1 : 0);
    }
    viewModel.conversation().stop();
    await Promise.all([sent, asked]);
  });
});
