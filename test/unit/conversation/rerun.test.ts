import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { toHistory } from '../../../src/agent/history.ts';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { forkEvents } from '../../../src/conversation/fork.ts';
import { liveEvents } from '../../../src/conversation/store/durable-events.ts';
import { ConversationInUseError } from '../../../src/conversation/store/writer.ts';
import { summarise } from '../../../src/conversation/summary.ts';
import { historyEvents } from '../../../src/conversation/turns/turn-chains.ts';
import { emptyChat } from '../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../src/shared/chat/reduce-chat.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { noCost } from '../../../src/spend/price.ts';
import { answering, converse, model } from './samples.ts';
import { turnOf } from './store-samples.ts';

const message = (text: string) => ({ text, attachments: [], model });
const stateOf = (events: readonly DurableEvent[]) =>
  events.reduce((state, event) => reduceChat(state, event, 0), emptyChat);
const textsOf = (events: readonly DurableEvent[]) =>
  toHistory(historyEvents(events)).map((one) => 'text' in one && one.text);
const idOf = (harness: ReturnType<typeof converse>, text: string): string => {
  const item = harness.conversation.state().items.find((one) => one.kind === 'user' && one.text === text);
  assert.ok(item?.kind === 'user');
  return item.id;
};

describe('edit and rerun', () => {
  it('F3 an edited message takes the place of what followed, in the view and in what is sent, never on the disk', async () => {
    const harness = converse([answering('one'), answering('two'), answering('new')]);
    const { conversation, stored, inputs } = harness;
    await conversation.send(message('first'));
    await conversation.send(message('second'));
    const before = [...stored];
    await conversation.rerun(idOf(harness, 'second'), { text: 'better' });
    assert.deepEqual(
      conversation.state().items.map((item) => (item.kind === 'user' ? item.text : item.kind)),
      ['first', 'answer', 'rewound', 'better', 'answer'],
    );
    assert.deepEqual(
      inputs.at(-1)?.history.map((one) => 'text' in one && one.text),
      ['first', 'one', 'better'],
    );
    assert.deepEqual(stored.slice(0, before.length), before);
    // After a reload it is the same.
    const again = converse([answering('x')], { events: stored });
    assert.deepEqual(again.conversation.state().items, conversation.state().items);
    await again.conversation.retry();
    assert.deepEqual(
      again.inputs[0]?.history.map((one) => 'text' in one && one.text),
      ['first', 'one', 'better'],
    );
  });

  describe('H18 what became of the changes is told once, so the message', () => {
    const undone = 'Your changes were taken back in a.ts.';
    const told = { kind: 'later-changes' as const, undone: ['a.ts'], changed: [] };
    /** As `TurnParts` does before the first step. */
    const telling =
      (answer: ReturnType<typeof answering>) =>
      (input: TurnInput): ReturnType<typeof answer> => {
        input.emit({ type: 'notice', turnId: input.turnId, step: 1, notice: told });
        return answer(input);
      };
    const failing = async (): Promise<TurnResult> => ({ outcome: 'failed', cost: noCost, text: '', model });
    const lastSent = ({ inputs }: ReturnType<typeof converse>): string => {
      const texts = inputs.at(-1)?.history.map(({ text }) => text) ?? [];
      assert.ok(texts.filter((text) => text.includes(undone)).length <= 1);
      return texts.at(-1) ?? '';
    };

    it('that is asked again carries it, whether or not there was an answer', async () => {
      for (const first of [failing, answering('two')]) {
        const harness = converse([answering('one'), telling(first), answering('again')]);
        await harness.conversation.send(message('first'));
        await harness.conversation.send(message('second'));
        await harness.conversation.retry();
        assert.match(lastSent(harness), /^second\n\n\[.*taken back in a\.ts/);
      }
    });

    it('that is written anew carries it', async () => {
      const harness = converse([answering('one'), telling(answering('two')), answering('new')]);
      await harness.conversation.send(message('first'));
      await harness.conversation.send(message('second'));
      await harness.conversation.rerun(idOf(harness, 'second'), { text: 'better' });
      assert.match(lastSent(harness), /^better\n\n\[.*taken back in a\.ts/);
      const again = converse([answering('x')], { events: harness.stored });
      await again.conversation.retry();
      assert.match(lastSent(again), /^better\n\n\[.*taken back in a\.ts/);
    });

    it('after one that was asked again in vain carries it', async () => {
      const harness = converse([answering('one'), telling(failing), answering('two')]);
      await harness.conversation.send(message('first'));
      await harness.conversation.retry();
      await harness.conversation.send(message('second'));
      assert.match(lastSent(harness), /^second\n\n\[.*taken back in a\.ts/);
    });
  });

  it('F3 asks the same message again, with what was attached, and with another model when one is given', async () => {
    const harness = converse([answering('one'), answering('again')]);
    const { conversation, inputs } = harness;
    const attachments = [{ id: 'a', label: 'a.ts', text: 'code' }];
    await conversation.send({ text: 'first', attachments, model });
    await conversation.rerun(idOf(harness, 'first'), { model: 'svc/kimi-k3' });
    assert.equal(inputs[1]?.model, 'svc/kimi-k3');
    assert.equal(conversation.model(), 'svc/kimi-k3');
    const user = conversation.state().items.findLast((item) => item.kind === 'user');
    assert.deepEqual(user?.kind === 'user' && user.attachments, attachments);
  });

  it('F3 stops the running turn first and leaves its queue waiting', async () => {
    const harness = converse([
      async (input) => {
        await new Promise((resolve) => input.signal.addEventListener('abort', resolve));
        return { ...(await answering('cut')(input)), outcome: 'stopped' as const };
      },
      answering('new'),
    ]);
    const { conversation } = harness;
    const running = conversation.send(message('first'));
    void conversation.enqueue(message('waiting'));
    const rerun = await conversation.rerun(idOf(harness, 'first'), { text: 'better' });
    assert.equal((await running).outcome, 'stopped');
    assert.equal(rerun.text, 'new');
    assert.equal(conversation.state().items.filter((item) => item.kind === 'answer').length, 1);
  });

  it('F3 refuses a message that is not there and changes nothing', async () => {
    const { conversation, stored } = converse([answering('one')]);
    await conversation.send(message('first'));
    const before = stored.length;
    await assert.rejects(conversation.rerun('nope'), /no such message/);
    assert.equal(stored.length, before);
  });

  it('F6 the title follows the first message until the user gave one', async () => {
    const harness = converse([answering('one'), answering('two'), answering('three')]);
    const { conversation, stored } = harness;
    await conversation.send(message('first'));
    await conversation.rerun(idOf(harness, 'first'), { text: 'better' });
    assert.equal(conversation.state().title, 'better');
    conversation.rename('  Mine  ');
    await conversation.rerun(idOf(harness, 'better'), { text: 'best' });
    assert.equal(conversation.state().title, 'Mine');
    conversation.rename('');
    assert.equal(conversation.state().title, 'best');
    conversation.setPinned(true);
    const row = summarise('c', stored, 0);
    assert.deepEqual([row.title, row.pinned, row.messages], ['best', true, 1]);
  });

  it('F3 deletes a message with what follows, sends nothing, and keeps it to be opened again', async () => {
    const harness = converse([answering('one'), answering('two'), answering('three')]);
    const { conversation, stored, inputs } = harness;
    await conversation.send(message('first'));
    await conversation.send(message('second'));
    await conversation.deleteFrom(idOf(harness, 'second'));
    assert.equal(inputs.length, 2);
    assert.deepEqual(conversation.state().items.at(-1), { kind: 'rewound', id: '0', removed: 2, deleted: true });
    await assert.rejects(conversation.deleteFrom('nope'), /no such message/);
    await conversation.send(message('third'));
    assert.deepEqual(
      inputs.at(-1)?.history.map((one) => 'text' in one && one.text),
      ['first', 'one', 'third'],
    );
    const read = stored.map((event) => parseDurableEvent(JSON.parse(JSON.stringify(event))) ?? assert.fail());
    assert.deepEqual(converse([], { events: read }).conversation.state().items, conversation.state().items);
    const earlier = forkEvents(stored, { rewind: 0 }, { from: 'c', id: 'd', atMs: 5 });
    assert.deepEqual(earlier && textsOf(earlier), ['first', 'one', 'second', 'two']);
  });

  it('E07 changes nothing of a conversation that another window has in use', async () => {
    const { conversation, stored } = converse([answering('one')]);
    await conversation.send(message('first'));
    const elsewhere = converse([answering('two')], { events: [...stored], elsewhere: true });
    const id = idOf(elsewhere, 'first');
    await assert.rejects(elsewhere.conversation.rerun(id), ConversationInUseError);
    await assert.rejects(elsewhere.conversation.deleteFrom(id), ConversationInUseError);
    assert.deepEqual(elsewhere.stored, stored);
  });

  it('S10 turns that were rewound stay paid', async () => {
    const harness = converse([answering('one'), answering('two')]);
    await harness.conversation.send(message('first'));
    await harness.conversation.rerun(idOf(harness, 'first'));
    assert.equal(summarise('c', harness.stored, 0).totalTokens, 2000);
  });
});

/** Turns, rewindings (some to nowhere) and titles in any order. */
const histories = fc
  .array(fc.oneof(fc.constant('turn' as const), fc.nat(8), fc.constant('title' as const)), { maxLength: 14 })
  .map((steps): DurableEvent[] => {
    let n = 0;
    const events: DurableEvent[] = [{ type: 'created', conversationId: 'c', at: 1 }];
    for (const step of steps) {
      if (step === 'turn') events.push(...turnOf(++n));
      else if (step === 'title') events.push({ type: 'titleChanged', title: `title ${n}` });
      else events.push({ type: 'rewound', toMessageId: `u${step}`, at: 1 });
    }
    return events;
  });

describe('rewound events', () => {
  it('F3 the view and what is sent always agree', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const shown = stateOf(events).items.flatMap((item) => (item.kind === 'user' ? [item.text] : []));
        const sent = toHistory(historyEvents(events)).flatMap((one) => (one.role === 'user' ? [one.text] : []));
        assert.deepEqual(sent, shown);
        const live = liveEvents(events).filter((event) => event.type !== 'rewound');
        assert.deepEqual(
          stateOf(live).items,
          stateOf(events).items.filter((item) => item.kind !== 'rewound'),
        );
        for (const event of events) assert.deepEqual(parseDurableEvent(event), event);
      }),
    );
  });

  it('F3 every earlier version of a rewound conversation can be opened again', () => {
    fc.assert(
      fc.property(histories, (events) => {
        for (const item of stateOf(events).items) {
          if (item.kind !== 'rewound') continue;
          const earlier = forkEvents(events, { rewind: Number(item.id) }, { from: 'c', id: 'd', atMs: 5 });
          assert.ok(earlier !== undefined && textsOf(earlier).length >= item.removed);
        }
      }),
    );
  });
});

describe('fork', () => {
  const events: DurableEvent[] = [
    { type: 'created', conversationId: 'c', at: 1, workspace: 'file:///old' },
    { type: 'titleChanged', title: 'T' },
    { type: 'pinChanged', pinned: true },
    ...turnOf(1),
    ...turnOf(2),
  ];
  const options = { from: 'c', id: 'd', atMs: 99, workspace: 'file:///new' };

  it('F6 copies up to the answers of a message and links to where it comes from', () => {
    const copy = forkEvents(events, { messageId: 'u1' }, options) ?? [];
    assert.deepEqual(textsOf(copy), ['question 1', 'answer 1']);
    const state = stateOf(copy);
    assert.deepEqual([state.conversationId, state.title, state.pinned], ['d', 'T', undefined]);
    assert.deepEqual(state.items.at(-1), { kind: 'forked', id: 'c' });
    assert.equal(forkEvents(events, 'end', options)?.filter((event) => event.type === 'userMessage').length, 2);
    assert.equal(forkEvents(events, { messageId: 'nope' }, options), undefined);
  });

  it('F6 costs nothing by itself, and what follows counts', () => {
    const copy = forkEvents(events, 'end', options) ?? [];
    assert.deepEqual(
      [summarise('d', copy, 0), summarise('d', [...copy, ...turnOf(3)], 0)].map((row) => [
        row.microUsd,
        row.forkedFrom,
        row.messages,
        row.workspace,
      ]),
      [
        [0, 'c', 2, 'file:///new'],
        [330, 'c', 3, 'file:///new'],
      ],
    );
  });
});
