import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { message, openWindow, storedConversation } from './live-window.ts';

describe('open conversations', () => {
  it('gives every view the same conversation, also when two ask at once', async () => {
    const disk = new Map<string, DurableEvent[]>();
    const id = await storedConversation(disk, 'Hello');
    const { conversations, disposed } = openWindow(disk);
    const [one, other] = await Promise.all([conversations.acquire(id), conversations.acquire(id)]);
    assert.ok(one);
    assert.equal(one, other);
    conversations.release(one);
    assert.deepEqual([conversations.get(id), disposed], [one, []]);
    conversations.release(one);
    assert.deepEqual([conversations.get(id), disposed], [undefined, [id]]);
  });

  it('opening a conversation that is not stored gives nothing', async () => {
    const { conversations } = openWindow();
    assert.equal(await conversations.acquire('nothing'), undefined);
    assert.deepEqual(conversations.all(), []);
  });

  it('lets a turn finish that nobody looks at, and the messages that wait behind it', async () => {
    const { conversations, disposed, disk, finish } = openWindow();
    const conversation = conversations.create();
    const turn = conversation.send(message('First'));
    void conversation.enqueue(message('Second'));
    conversations.release(conversation);
    assert.equal(conversations.get(conversation.id), conversation);
    finish(conversation.id);
    await turn;
    assert.ok(conversation.running, 'the queue goes on');
    assert.deepEqual(disposed, []);
    const ended = new Promise<void>((resolve) => {
      const listening = conversations.onDidChange(() => {
        if (conversations.get(conversation.id)) return;
        listening.dispose();
        resolve();
      });
    });
    finish(conversation.id);
    await ended;
    assert.deepEqual(disposed, [conversation.id]);
    const texts = disk.get(conversation.id)?.flatMap((event) => (event.type === 'userMessage' ? [event.text] : []));
    assert.deepEqual(texts, ['First', 'Second']);
  });

  it('F4 queued messages stay with their conversation when it is closed', async () => {
    const disk = new Map<string, DurableEvent[]>();
    const [one, other] = [await storedConversation(disk, 'One'), await storedConversation(disk, 'Other')];
    const first = openWindow(disk);
    const running = await first.conversations.acquire(one);
    assert.ok(running);
    void running.send(message('Again'));
    void running.enqueue(message('Later'));
    const second = openWindow(disk, first.queues);
    assert.deepEqual((await second.conversations.acquire(other))?.queue().items, []);
    const found = await second.conversations.acquire(one);
    assert.deepEqual(
      found?.queue().items.map(({ text }) => text),
      ['Later'],
    );
    assert.equal(found?.queue().paused, true);
    running.stop();
  });

  it('tells which ones run, and of every one its events', async () => {
    const { conversations, finish } = openWindow();
    const [one, other] = [conversations.create(), conversations.create()];
    const running = () => conversations.all().flatMap((each) => (each.running ? [each.id] : []));
    const seen = new Set<string>();
    conversations.onDidEmit(({ id }) => seen.add(id));
    let told: string[] = [];
    conversations.onDidChange(() => {
      told = running();
    });
    const turns = [one.send(message('One')), other.send(message('Other'))];
    assert.deepEqual(told, [one.id, other.id]);
    finish(one.id);
    await turns[0];
    assert.deepEqual(told, [other.id]);
    finish(other.id);
    await turns[1];
    assert.deepEqual([told, [...seen]], [[], [one.id, other.id]]);
  });

  it('stops and stores what runs before it closes for good', async () => {
    const { conversations, disk, disposed } = openWindow();
    const conversation = conversations.create();
    void conversation.send(message('Long'));
    void conversation.enqueue(message('Never sent'));
    const closed: string[] = [];
    conversations.onDidClose(({ id }) => closed.push(id));
    await conversations.close(conversation.id);
    assert.deepEqual([closed, disposed], [[conversation.id], [conversation.id]]);
    assert.equal(disk.get(conversation.id)?.at(-1)?.type, 'turnEnded');
    assert.equal(conversations.get(conversation.id), undefined);
    conversations.release(conversation);
    assert.deepEqual(disposed, [conversation.id]);
  });

  it('ends for everybody who closes it while it runs, and tells of it once', async () => {
    const { conversations, disposed } = openWindow();
    const conversation = conversations.create();
    void conversation.send(message('Long'));
    const closed: string[] = [];
    conversations.onDidClose(({ id }) => closed.push(id));
    await Promise.all([conversations.close(conversation.id), conversations.close(conversation.id)]);
    assert.deepEqual([closed, disposed], [[conversation.id], [conversation.id]]);
  });
});
