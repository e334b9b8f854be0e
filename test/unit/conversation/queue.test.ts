import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { createMessageQueue } from '../../../src/conversation/queue.ts';
import type { DurableEvent, TurnOutcome } from '../../../src/shared/events.ts';
import { maxQueued } from '../../../src/shared/messages.ts';
import { noCost } from '../../../src/spend/price.ts';
import { answering, converse, type Harness, model } from './samples.ts';

const message = (text: string) => ({ text, attachments: [], model });
const texts = ({ conversation }: Harness) => conversation.queue().items.map((item) => item.text);
const idOf = ({ conversation }: Harness, text: string) =>
  conversation.queue().items.find((item) => item.text === text)?.id ?? '';

/** A turn that ends when it is told to, or as stopped. */
function openTurn() {
  const ended = Promise.withResolvers<TurnOutcome>();
  const turn = async ({ signal }: TurnInput): Promise<TurnResult> => {
    signal.addEventListener('abort', () => ended.resolve('stopped'));
    return { outcome: await ended.promise, cost: noCost, text: '', model };
  };
  return { turn, end: (outcome: TurnOutcome) => ended.resolve(outcome) };
}

async function idle({ conversation }: Harness): Promise<void> {
  for (let round = 0; round < 100 && conversation.running; round++) await new Promise((done) => setImmediate(done));
  assert.equal(conversation.running, false);
}

const asked = ({ inputs }: Harness) => inputs.map(({ history }) => history.at(-1)?.text);

describe('conversation queue', () => {
  it('F4 sends what waits one by one, in order, when turns finish', async () => {
    const first = openTurn();
    const harness = converse([first.turn, answering('a'), answering('b')]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('two'));
    void harness.conversation.enqueue(message('three'));
    assert.deepEqual(texts(harness), ['two', 'three']);
    first.end('finished');
    await turn;
    await idle(harness);
    assert.deepEqual(asked(harness), ['one', 'two', 'three']);
    assert.deepEqual(harness.conversation.queue(), { items: [], paused: false });
    assert.deepEqual(harness.bugs, []);
  });

  it('F4 tells whoever queued a message how its own turn ended, or that it was taken out', async () => {
    const first = openTurn();
    const harness = converse([first.turn, answering('a'), answering('b')]);
    const turn = harness.conversation.send(message('one'));
    const [two, three, four] = ['two', 'three', 'four'].map((text) => harness.conversation.enqueue(message(text)));
    harness.conversation.editQueue(idOf(harness, 'three'), 'remove');
    first.end('finished');
    await turn;
    assert.equal((await two)?.text, 'a');
    assert.equal(await three, undefined);
    assert.equal((await four)?.text, 'b');
    const left = openTurn();
    const closing = converse([left.turn]);
    void closing.conversation.send(message('one'));
    const discarded = closing.conversation.enqueue(message('two'));
    closing.conversation.resumeQueue('discard');
    assert.equal(await discarded, undefined);
    const waits = closing.conversation.enqueue(message('three'));
    closing.conversation.dispose();
    assert.equal(await waits, undefined);
  });

  it('F4 sends at once when nothing runs, with the model that is chosen then', async () => {
    const harness = converse([answering('a')]);
    harness.conversation.setModel('svc/kimi-k3');
    void harness.conversation.enqueue(message('now'));
    await idle(harness);
    assert.deepEqual(asked(harness), ['now']);
    assert.equal(harness.inputs[0]?.model, 'svc/kimi-k3');
  });

  it('F4 the queue takes ten messages and refuses the eleventh', async () => {
    const first = openTurn();
    const harness = converse([first.turn]);
    void harness.conversation.send(message('one'));
    const taken = Array.from({ length: 12 }, (_, index) => harness.conversation.enqueue(message(`${index}`)));
    assert.equal(taken.filter(Boolean).length, maxQueued);
    assert.equal(texts(harness).length, 10);
    harness.conversation.dispose();
  });

  for (const outcome of ['failed', 'stopped', 'limit'] as const) {
    it(`F4 pauses after a turn that ended as ${outcome}: no spending that nobody asked for`, async () => {
      const first = openTurn();
      const harness = converse([first.turn, answering('b')]);
      const turn = harness.conversation.send(message('one'));
      void harness.conversation.enqueue(message('two'));
      if (outcome === 'stopped') harness.conversation.stop();
      else first.end(outcome);
      await turn;
      assert.equal(harness.conversation.running, false);
      assert.deepEqual([texts(harness), harness.conversation.queue().paused], [['two'], true]);
      harness.conversation.resumeQueue('resume');
      await idle(harness);
      assert.deepEqual(asked(harness), ['one', 'two']);
    });
  }

  it('F4 discarding the queue sends none of its messages', async () => {
    const first = openTurn();
    const harness = converse([first.turn]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('two'));
    first.end('failed');
    await turn;
    harness.conversation.resumeQueue('discard');
    assert.deepEqual(harness.conversation.queue(), { items: [], paused: false });
    assert.equal(harness.inputs.length, 1);
  });

  it('F4 a queued message can be moved, removed, and taken back for editing', async () => {
    const harness = converse([openTurn().turn]);
    let changes = 0;
    harness.conversation.onDidChangeQueue(() => changes++);
    void harness.conversation.send(message('one'));
    for (const text of ['a', 'b', 'c']) void harness.conversation.enqueue(message(text));
    harness.conversation.moveQueued(idOf(harness, 'c'), -1);
    assert.deepEqual(texts(harness), ['a', 'c', 'b']);
    harness.conversation.moveQueued(idOf(harness, 'a'), 1);
    harness.conversation.moveQueued(idOf(harness, 'c'), -1);
    harness.conversation.moveQueued(idOf(harness, 'b'), 1);
    assert.deepEqual(texts(harness), ['c', 'a', 'b']);
    // Dragged further than there are places.
    harness.conversation.moveQueued(idOf(harness, 'c'), 10);
    assert.deepEqual(texts(harness), ['a', 'b', 'c']);
    harness.conversation.moveQueued(idOf(harness, 'c'), -2);
    harness.conversation.moveQueued('unknown', 1);
    harness.conversation.moveQueued(idOf(harness, 'c'), -1);
    assert.deepEqual(texts(harness), ['c', 'a', 'b']);
    assert.equal(harness.conversation.editQueue(idOf(harness, 'a'), 'edit')?.text, 'a');
    assert.equal(harness.conversation.editQueue(idOf(harness, 'b'), 'remove')?.text, 'b');
    assert.equal(harness.conversation.editQueue('unknown', 'remove'), undefined);
    assert.deepEqual(texts(harness), ['c']);
    assert.equal(changes, 9);
    harness.conversation.dispose();
  });

  it('F4 steering stops the turn, sends the chosen message, and goes on with the others after it', async () => {
    const first = openTurn();
    const harness = converse([first.turn, answering('a'), answering('b')]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('later'));
    void harness.conversation.enqueue(message('now'));
    harness.conversation.editQueue(idOf(harness, 'now'), 'sendNow');
    assert.equal((await turn).outcome, 'stopped');
    await idle(harness);
    assert.deepEqual(asked(harness), ['one', 'now', 'later']);
  });

  it('F4 a message of a paused queue can be sent now, and the others stay paused', async () => {
    const first = openTurn();
    const harness = converse([first.turn, answering('a')]);
    const turn = harness.conversation.send(message('one'));
    for (const text of ['a', 'b']) void harness.conversation.enqueue(message(text));
    first.end('failed');
    await turn;
    harness.conversation.editQueue(idOf(harness, 'b'), 'sendNow');
    await idle(harness);
    assert.deepEqual(asked(harness), ['one', 'b']);
    assert.deepEqual([texts(harness), harness.conversation.queue().paused], [['a'], true]);
  });

  it('F5 what waited when the window was closed waits on, whole and paused', async () => {
    const attachments = [{ id: 'a', label: 'a.ts', text: 'a' }];
    const first = converse([openTurn().turn]);
    void first.conversation.send(message('one'));
    void first.conversation.enqueue({ ...message('two'), attachments });
    const queued = JSON.parse(JSON.stringify(first.conversation.queue().items));
    first.conversation.dispose();
    const harness = converse([answering('b')], { events: first.stored, queued });
    assert.deepEqual([texts(harness), harness.conversation.queue().paused], [['two'], true]);
    assert.equal(harness.conversation.running, false);
    harness.conversation.resumeQueue('resume');
    await idle(harness);
    assert.match(asked(harness)[0] ?? '', /Attached: a\.ts.*two$/s);
  });

  it('F4 a conversation that was left sends nothing more', async () => {
    const first = openTurn();
    const harness = converse([first.turn]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('two'));
    harness.conversation.dispose();
    await turn;
    assert.equal(harness.inputs.length, 1);
  });

  const openSteps = () => {
    const ended = Promise.withResolvers<TurnOutcome>();
    let steering: TurnInput['steering'];
    const turn = async (input: TurnInput): Promise<TurnResult> => {
      ({ steering } = input);
      input.signal.addEventListener('abort', () => ended.resolve('stopped'));
      return { outcome: await ended.promise, cost: noCost, text: '', model };
    };
    return {
      turn,
      step: async (step: number) => steering?.(step),
      end: (outcome: TurnOutcome) => ended.resolve(outcome),
    };
  };

  it('F43 everything for the next step becomes one message in its order, with what is attached, and is stored first', async () => {
    const first = openSteps();
    const harness = converse([first.turn, answering('b')]);
    const turn = harness.conversation.send(message('one'));
    const attachments = [{ id: 'a', label: 'a.ts', text: 'a' }];
    const ends = harness.conversation.enqueue({ ...message('two'), attachments }, true);
    void harness.conversation.enqueue(message('later'));
    void harness.conversation.enqueue(message('three'), true);
    assert.equal(await first.step(4).then((said) => said?.text), 'Attached: a.ts\n```\na\n```\n\ntwo\n\nthree');
    const last = harness.stored.at(-1);
    assert.deepEqual(last?.type === 'steered' && [last.step, last.messages.map(({ text }) => text)], [
      4,
      ['two', 'three'],
    ]);
    assert.deepEqual([texts(harness), await first.step(5)], [['later'], undefined]);
    first.end('finished');
    assert.equal((await ends)?.turnId, (await turn).turnId);
    await idle(harness);
    assert.match(asked(harness)[1] ?? '', /^later$/);
    const sent = harness.inputs[1]?.history.map(({ text }) => text);
    assert.deepEqual(sent?.slice(0, 2), ['one', 'Attached: a.ts\n```\na\n```\n\ntwo\n\nthree']);
  });

  for (const outcome of ['stopped', 'failed', 'limit'] as const) {
    it(`F43 what did not get into a turn that ended as ${outcome} stands first in the queue again, which is paused`, async () => {
      const first = openSteps();
      const harness = converse([first.turn, answering('b')]);
      const turn = harness.conversation.send(message('one'));
      void harness.conversation.enqueue(message('later'));
      void harness.conversation.enqueue(message('two'), true);
      if (outcome === 'stopped') harness.conversation.stop();
      else first.end(outcome);
      await turn;
      assert.deepEqual(
        harness.conversation.queue().items.map(({ text, atNextStep }) => [text, atNextStep]),
        [
          ['two', undefined],
          ['later', undefined],
        ],
      );
      assert.equal(harness.conversation.queue().paused, true);
    });
  }

  it('F43 what came too late for the last step of a turn that finished is sent next', async () => {
    const first = openSteps();
    const harness = converse([first.turn, answering('a'), answering('b')]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('later'));
    void harness.conversation.enqueue(message('two'), true);
    first.end('finished');
    await turn;
    await idle(harness);
    assert.deepEqual(asked(harness), ['one', 'two', 'later']);
  });

  it('F43 a message can be taken back from the next step, and Stop and Send stops the turn all the same', async () => {
    const first = openSteps();
    const harness = converse([first.turn, answering('a'), answering('b')]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('two'), true);
    harness.conversation.editQueue(idOf(harness, 'two'), 'later');
    assert.equal(await first.step(1), undefined);
    harness.conversation.editQueue(idOf(harness, 'two'), 'atNextStep');
    harness.conversation.editQueue(idOf(harness, 'two'), 'sendNow');
    assert.equal((await turn).outcome, 'stopped');
    await idle(harness);
    assert.deepEqual(asked(harness), ['one', 'two']);
  });

  it('F43 asked again, the message goes with what was said to the turn that failed', async () => {
    const first = openSteps();
    const failing = async (input: TurnInput): Promise<TurnResult> => {
      const done = await answering('half', { toolCalls: [] })(input);
      await input.steering?.(1);
      return { ...done, outcome: 'failed' };
    };
    const harness = converse([failing, first.turn]);
    const turn = harness.conversation.send(message('one'));
    void harness.conversation.enqueue(message('two'), true);
    await turn;
    void harness.conversation.retry();
    await Promise.resolve();
    assert.deepEqual(
      harness.inputs[1]?.history.map(({ role, text }) => `${role}: ${text}`),
      ['user: one', 'user: two'],
    );
    harness.conversation.dispose();
  });

  it('F4 F43 a crash between storing a message and taking it out of the queue doubles none', () => {
    const queued = ['said', 'sent', 'waits'].map((text) => ({
      ...message(text),
      id: `q-${text}`,
      atNextStep: true as const,
    }));
    const events: DurableEvent[] = [
      { type: 'userMessage', id: 'u1', at: 1, text: 'one', attachments: [] },
      { type: 'turnStarted', turnId: 't1', at: 1, model },
      { type: 'steered', turnId: 't1', step: 1, at: 2, messages: [{ id: 'q-said', text: 'said', attachments: [] }] },
      { type: 'userMessage', id: 'q-sent', at: 3, text: 'sent', attachments: [] },
    ];
    const { conversation } = converse([], { events, queued });
    const waits = { ...message('waits'), id: 'q-waits' };
    assert.deepEqual(conversation.queue(), { items: [waits], paused: true });
  });

  it('F4 a broken listener does not break the queue', () => {
    const errors: unknown[] = [];
    const queue = createMessageQueue((error) => void errors.push(error));
    queue.onDidChange(() => {
      throw new Error('x');
    });
    queue.add({ ...message('a'), id: '1' });
    assert.deepEqual([errors.length, queue.state().items.length], [1, 1]);
  });

  it('F4 loses no message and doubles none, whatever is done with the queue', () => {
    const step = fc.record({
      does: fc.constantFrom('add', 'move', 'sendNext', 'ended', 'failed', 'next', 'resume', 'arm', 'disarm', 'step'),
      index: fc.nat(9),
      by: fc.integer({ min: -10, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const queue = createMessageQueue((error) => assert.fail(String(error)));
        const added: string[] = [];
        const taken: string[] = [];
        for (const { does, index, by } of steps) {
          const id = queue.state().items[index]?.id ?? 'none';
          if (does === 'add' && queue.add({ ...message('x'), id: `m${added.length}` })) added.push(`m${added.length}`);
          if (does === 'move') queue.move(id, by);
          if (does === 'sendNext') queue.sendNext(id);
          if (does === 'ended' || does === 'failed') queue.turnEnded(does === 'ended');
          if (does === 'resume') queue.resume();
          const sent = does === 'next' ? queue.next() : undefined;
          if (sent !== undefined) taken.push(sent.id);
          if (does === 'arm' || does === 'disarm') queue.setAtNextStep(id, does === 'arm');
          const armed = queue.state().items.filter(({ atNextStep }) => atNextStep);
          const inTurn = does === 'step' ? queue.takeForStep() : [];
          if (does === 'step') {
            assert.deepEqual(
              inTurn.map((one) => one.id),
              armed.map((one) => one.id),
            );
            taken.push(...inTurn.map((one) => one.id));
          }
          if (does === 'ended' || does === 'failed') {
            assert.ok(queue.state().items.every(({ atNextStep }) => !atNextStep));
          }
          // Whatever is done, a crash finds everything that is not stored elsewhere.
          assert.deepEqual(
            queue.unstored().map((one) => one.id),
            [...taken, ...queue.state().items.map((one) => one.id)],
          );
        }
        const waiting = queue.state().items.map((item) => item.id);
        assert.deepEqual([...taken, ...waiting].sort(), added.sort());
      }),
    );
  });
});
