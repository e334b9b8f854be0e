import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { forkEvents } from '../../../src/conversation/fork.ts';
import { continuationRequest } from '../../../src/service/step/step-continuation.ts';
import type { AnswerItem, ChatItem } from '../../../src/shared/chat/chat-state.ts';
import type { ChatEvent, DurableEvent } from '../../../src/shared/events.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { WaitSkip } from '../../../src/shared/interaction.ts';
import { noCost, sumCost } from '../../../src/spend/price.ts';
import { answering, attempt, converse, model, stepFinished } from './samples.ts';

const types = (events: readonly ChatEvent[]): string[] => events.map((event) => event.type);
const hello = { text: 'Hello there\nsecond line', attachments: [], model };

function answersOf(items: readonly ChatItem[]): AnswerItem[] {
  return items.filter((item) => item.kind === 'answer');
}

/** Streams some text and waits for Stop. */
const untilStopped = async ({ turnId, emit, signal }: TurnInput): Promise<TurnResult> => {
  emit({ type: 'textDelta', turnId, step: 0, text: 'half an ans' });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const step = stepFinished(turnId, { text: 'half an ans', complete: false, finish: 'none' });
  emit(step);
  return { outcome: 'stopped', cost: sumCost(step.attempts), text: 'half an ans', model };
};

describe('conversation', () => {
  it('stores a first message in the order of the grammar and titles the chat after its first line', async () => {
    const { conversation, stored } = converse([answering('hi')], { workspace: 'file:///w' });
    const summary = await conversation.send(hello);
    assert.deepEqual(types(stored), [
      'created',
      'titleChanged',
      'modelChanged',
      'userMessage',
      'turnStarted',
      'stepFinished',
      'turnEnded',
    ]);
    assert.equal(conversation.state().title, 'Hello there');
    assert.equal(conversation.model(), model);
    const { conversationId, text, requestedModel, stopReason, cost } = summary;
    assert.deepEqual(
      [conversationId, text, requestedModel, stopReason, cost.microUsd],
      ['conversation-1', 'hi', model, 'finished', 330],
    );
    assert.deepEqual(conversation.attempts(summary.turnId), [attempt()]);
  });

  it('F20 keeps the tools that were picked for it, before its first message and after, through going back and in a copy', async () => {
    const { conversation, stored } = converse([answering('a'), answering('b')]);
    conversation.pickTools(['one']);
    assert.deepEqual([conversation.state().pickedTools, types(stored)], [['one'], []]);
    const message = await conversation.send(hello);
    assert.deepEqual(types(stored).slice(0, 2), ['created', 'toolsPicked']);
    conversation.pickTools([]);
    const first = conversation.state().items.find((item) => item.kind === 'user');
    await conversation.deleteFrom(first?.id ?? '');
    await conversation.stored();
    const again = converse([], { events: stored }).conversation;
    assert.deepEqual([message.stopReason, again.state().pickedTools], ['finished', []]);
    const copy = forkEvents(stored.slice(0, -1), 'end', { from: 'a', id: 'b', atMs: 0 });
    assert.deepEqual(converse([], { events: copy ?? [] }).conversation.state().pickedTools, []);
    assert.throws(() => converse([], { elsewhere: true }).conversation.pickTools(['x']), /another window/);
  });

  it('ux 2.2 ux 2.11 passes on what cuts a wait short, and that a turn may go over the budget', async () => {
    const answers: unknown[] = [];
    const waits = async (input: TurnInput): Promise<TurnResult> => {
      const { ask } = input.person ?? assert.fail('nobody to ask');
      const how = { step: 0, signal: input.signal };
      const failure: Failure = { kind: 'origin-down', message: '', at: '' };
      answers.push(
        await ask('wait', { failure, delayMs: 10, attempt: 2, of: 3 }, { id: 'w', ...how }),
        await ask('cost', { estimateMicroUsd: 3, spentMicroUsd: 2, limitMicroUsd: 1 }, { id: 'p', ...how }),
      );
      assert.equal(input.overBudget, undefined);
      return answering('one')(input);
    };
    const over: (boolean | undefined)[] = [];
    const lifted = async (input: TurnInput): Promise<TurnResult> => {
      over.push(input.overBudget);
      return answering('two')(input);
    };
    const { conversation } = converse([waits, lifted]);
    const answer = (skip: WaitSkip, goOn: boolean) => [
      conversation.answer({ id: 'w', kind: 'wait', value: skip }),
      conversation.answer({ id: 'p', kind: 'cost', value: goOn }),
    ];
    const took: boolean[][] = [];
    conversation.onDidEmit((events) => {
      if (events.some(({ type }) => type === 'asked')) took.push(answer('other-model', true));
    });
    assert.deepEqual(answer('now', false), [false, false]);
    await conversation.send(hello);
    assert.deepEqual(took, [
      [true, false],
      [false, true],
    ]);
    assert.deepEqual(answer('now', false), [false, false]);
    await conversation.continueOverBudget();
    assert.deepEqual([answers, over], [['other-model', true], [true]]);
  });

  it('stores nothing before there is a message, and the chosen model with it', async () => {
    const { conversation, stored } = converse([answering('hi')]);
    conversation.setModel('svc/kimi-k3');
    assert.deepEqual([stored.length, conversation.model()], [0, 'svc/kimi-k3']);
    await conversation.send({ ...hello, model: 'svc/kimi-k3' });
    assert.equal(conversation.model(), 'svc/kimi-k3');
    assert.deepEqual(
      stored.filter((event) => event.type === 'modelChanged').map((event) => event.model),
      ['svc/kimi-k3'],
    );
  });

  it('tells listeners in order, synchronously, after the state was folded', async () => {
    const { conversation, batches } = converse([answering('hi')]);
    const texts: (string | undefined)[] = [];
    conversation.onDidEmit((events) => {
      if (events.some((event) => event.type === 'textDelta')) {
        const part = answersOf(conversation.state().items)[0]?.parts[0];
        texts.push(part?.type === 'text' ? part.text : undefined);
      }
    });
    await conversation.send(hello);
    assert.deepEqual(texts, ['hi']);
    assert.deepEqual(types(batches.flat()).slice(-5), [
      'turnStarted',
      'requestSent',
      'textDelta',
      'stepFinished',
      'turnEnded',
    ]);
  });

  it('is no longer running when listeners learn that the turn ended', async () => {
    const { conversation } = converse([answering('hi')]);
    const running: boolean[] = [];
    conversation.onDidEmit((events) => {
      if (events.some((event) => event.type === 'turnEnded')) {
        running.push(conversation.running);
        conversation.dispose();
      } else running.push(conversation.running);
    });
    await conversation.send(hello);
    assert.equal(running.at(-1), false);
    assert.equal(running[0], true);
  });

  it('F2 stops with the text that had come, and stores it', async () => {
    const { conversation, stored, batches } = converse([untilStopped]);
    const turn = conversation.send(hello);
    conversation.stop();
    conversation.stop();
    const { outcome, text } = await turn;
    assert.deepEqual([outcome, text], ['stopped', 'half an ans']);
    assert.equal(types(batches.flat()).filter((type) => type === 'stopping').length, 1);
    assert.equal(stored.at(-1)?.type, 'turnEnded');
    assert.equal(conversation.running, false);
  });

  it('F16 stores and shows what a checkpoint of the running turn holds', async () => {
    const { conversation, stored } = converse([
      async (input, host) => {
        const at = { turnId: input.turnId, checkpointId: input.turnId };
        host.checkpointTaken({ type: 'checkpointTaken', ...at, paths: ['a.ts'] });
        host.checkpointTaken({ type: 'checkpointTaken', ...at, paths: ['a.ts', 'b.ts'] });
        return answering('done')(input);
      },
    ]);
    const { turnId } = await conversation.send(hello);
    const checkpoint = { id: turnId, paths: ['a.ts', 'b.ts'] };
    assert.deepEqual(answersOf(conversation.state().items)[0]?.checkpoint, checkpoint);
    const reloaded = converse([], { events: JSON.parse(JSON.stringify(stored)) as DurableEvent[] });
    assert.deepEqual(answersOf(reloaded.conversation.state().items)[0]?.checkpoint, checkpoint);
  });

  it('refuses a second turn while one runs', async () => {
    const { conversation } = converse([untilStopped]);
    const turn = conversation.send(hello);
    await assert.rejects(conversation.send(hello), /already running/);
    await assert.rejects(conversation.retry(), /already running/);
    conversation.stop();
    await turn;
  });

  it('sends the history of earlier turns and nothing of the running one', async () => {
    const { conversation, inputs } = converse([answering('first answer'), answering('second answer')]);
    await conversation.send({ ...hello, text: 'one' });
    await conversation.send({ ...hello, text: 'two' });
    assert.deepEqual(
      inputs[1]?.history.map((message) => `${message.role}: ${message.text}`),
      ['user: one', 'assistant: first answer', 'user: two'],
    );
  });

  it('retry asks the last message again without the answer it had, which stays visible', async () => {
    const failing = answering('half', { complete: false, finish: 'error' });
    const { conversation, inputs, stored } = converse([failing, answering('whole'), answering('next')]);
    await conversation.send({ ...hello, text: 'one' });
    await conversation.retry();
    assert.equal(stored.filter((event) => event.type === 'userMessage').length, 1);
    assert.deepEqual(
      inputs[1]?.history.map((message) => message.text),
      ['one'],
    );
    assert.equal(answersOf(conversation.state().items).length, 2);
    await conversation.send({ ...hello, text: 'two' });
    assert.deepEqual(
      inputs[2]?.history.map((message) => message.text),
      ['one', 'whole', 'two'],
    );
  });

  it('keeps the earlier answer in the history when the retry of it answers nothing', async () => {
    const { conversation, inputs } = converse([answering('good'), answering(''), answering('next')]);
    await conversation.send({ ...hello, text: 'one' });
    await conversation.retry();
    await conversation.send({ ...hello, text: 'two' });
    assert.deepEqual(
      inputs[2]?.history.map((message) => message.text),
      ['one', 'good', 'two'],
    );
  });

  it('W24 continues a cut answer with its text, and the request to go on is never shown as the words of the user', async () => {
    const cut = answering('The first half', { complete: false, finish: 'length' });
    const { conversation, inputs, stored } = converse([cut, answering('and the rest'), answering('next')]);
    await conversation.send({ ...hello, text: 'one' });
    await conversation.continueTurn();
    const continued = ['one', 'The first half', continuationRequest];
    assert.deepEqual(
      inputs[1]?.history.map((message) => message.text),
      continued,
    );
    assert.equal(conversation.state().items.filter((item) => item.kind === 'user').length, 1);
    assert.ok(!JSON.stringify(stored).includes(continuationRequest));

    const reloaded = converse([answering('next')], { events: JSON.parse(JSON.stringify(stored)) as DurableEvent[] });
    await reloaded.conversation.send({ ...hello, text: 'two' });
    assert.deepEqual(
      reloaded.inputs[0]?.history.map((message) => message.text),
      [...continued, 'and the rest', 'two'],
    );
  });

  it('has nothing to retry or continue in an empty conversation', async () => {
    const { conversation, stored } = converse([]);
    await assert.rejects(conversation.retry(), /no message/);
    await assert.rejects(conversation.continueTurn(), /no message/);
    assert.equal(stored.length, 0);
  });

  it('E15 keeps the reply when storing fails, says so once, and again after it had worked', async () => {
    let works = false;
    const { conversation, errors } = converse([answering('a'), answering('b'), answering('c')], {
      append: async () => {
        if (!works) throw new Error('disk full');
      },
    });
    assert.equal((await conversation.send(hello)).text, 'a');
    assert.equal(errors.length, 1);
    assert.equal(answersOf(conversation.state().items)[0]?.outcome, 'finished');
    works = true;
    await conversation.send(hello);
    works = false;
    await conversation.send(hello);
    assert.equal(errors.length, 2);
  });

  it('ends a turn as failed when the loop throws, which is a bug for the log', async () => {
    const { conversation, bugs } = converse([
      async () => {
        throw new TypeError('x is not a function');
      },
      answering('works again'),
    ]);
    const { outcome, failure } = await conversation.send(hello);
    assert.deepEqual([outcome, failure?.kind, bugs.length], ['failed', 'internal', 1]);
    assert.equal((await conversation.send(hello)).text, 'works again');
  });

  it('a conversation goes on when a listener throws', async () => {
    const { conversation, bugs, stored } = converse([answering('hi')]);
    conversation.onDidEmit(() => {
      throw new Error('a broken view');
    });
    assert.equal((await conversation.send(hello)).text, 'hi');
    assert.ok(bugs.length > 0);
    assert.equal(stored.at(-1)?.type, 'turnEnded');
  });

  it('E21 stores partials but neither shows them nor keeps old ones', async () => {
    const forming = async ({ turnId, emit }: TurnInput): Promise<TurnResult> => {
      const key = '0';
      emit({ type: 'toolForming', turnId, step: 0, key, name: 'read_file', argumentsDelta: '{"path":' });
      emit({ type: 'stepPartial', turnId, step: 0, model, text: 'a', reasoning: '' });
      emit({ type: 'stepPartial', turnId, step: 0, model, text: 'ab', reasoning: '' });
      emit({ type: 'toolForming', turnId, step: 0, key, name: '', argumentsDelta: '"a.ts"}' });
      const part = answersOf(conversation.state().items)[0]?.parts[0];
      assert.equal(part?.type === 'tool' && part.arguments, '{"path":"a.ts"}');
      return { outcome: 'finished', cost: noCost, text: '', model };
    };
    const { conversation, stored, batches } = converse([forming]);
    await conversation.send(hello);
    assert.equal(stored.filter((event) => event.type === 'stepPartial').length, 2);
    assert.ok(!types(batches.flat()).includes('stepPartial'));
  });

  it('E21 opens a conversation whose window died mid-answer with the text that was stored, as interrupted', () => {
    const events: DurableEvent[] = [
      { type: 'created', conversationId: 'conversation-1', at: 1 },
      { type: 'userMessage', id: 'u1', at: 2, text: 'hi', attachments: [] },
      { type: 'turnStarted', turnId: 't1', at: 3, model },
      stepFinished('t1', { toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{}' }] }),
      { type: 'stepPartial', turnId: 't1', step: 1, model, text: 'I was say', reasoning: '' },
    ];
    const { conversation, stored } = converse([], { events });
    const [answer] = answersOf(conversation.state().items);
    assert.equal(answer?.outcome, 'interrupted');
    assert.deepEqual([answer?.cost?.microUsd, answer?.cost?.estimated, answer?.cost?.charge], [330, true, 'yes']);
    assert.ok(answer?.parts.some((part) => part.type === 'text' && part.text === 'I was say'));
    assert.ok(answer?.parts.some((part) => part.type === 'tool' && part.state === 'cancelled'));
    assert.equal(conversation.running, false);
    assert.equal(conversation.state().running, undefined);
    assert.equal(stored.length, events.length);
  });

  it('E21 shows after a reload what it showed before, whatever the turns did', async () => {
    const turn = fc.record({
      outcome: fc.constantFrom('finished' as const, 'stopped' as const, 'failed' as const, 'limit' as const),
      steps: fc.array(
        fc.record({
          deltas: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
          reasoning: fc.string({ maxLength: 5 }),
          calls: fc.nat(3),
          finishedCalls: fc.nat(3),
          partial: fc.boolean(),
          note: fc.boolean(),
          asks: fc.constantFrom('nothing' as const, 'answered' as const, 'unanswered' as const),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      kind: fc.constantFrom('send' as const, 'retry' as const, 'continueTurn' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        let calls = 0;
        const play =
          ({ steps, outcome }: (typeof turns)[number]) =>
          async ({ turnId, emit }: TurnInput): Promise<TurnResult> => {
            steps.forEach((step, index) => {
              const at = { turnId, step: index };
              const text = step.deltas.join('');
              emit({ type: 'requestSent', ...at, model, at: 1 });
              if (step.note) emit({ type: 'notice', ...at, notice: { kind: 'note', text: 'n' } });
              if (step.reasoning !== '') emit({ type: 'reasoningDelta', ...at, text: step.reasoning });
              for (const delta of step.deltas) emit({ type: 'textDelta', ...at, text: delta });
              if (step.partial) emit({ type: 'stepPartial', ...at, model, text, reasoning: step.reasoning });
              emit({ type: 'toolForming', ...at, key: 'k', name: 'read_file', argumentsDelta: '{' });
              const toolCalls = Array.from({ length: step.calls }, () => ({
                id: `c${++calls}`,
                name: 'read_file',
                arguments: '{}',
              }));
              emit(stepFinished(turnId, { step: index, text, reasoning: step.reasoning, toolCalls }));
              for (const call of toolCalls.slice(0, step.finishedCalls)) {
                const subject = { kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' } as const;
                const request = { callId: call.id, tool: 'run', title: 'Run', subject, warnings: [], scopes: [] };
                const question = { callId: call.id, text: '?', options: [] };
                if (step.asks !== 'nothing')
                  emit({ type: 'asked', ...at, id: request.callId, kind: 'approval', about: request });
                if (step.asks === 'answered') {
                  emit({ type: 'answered', turnId, id: call.id, kind: 'approval', value: { decision: 'skip' } });
                  emit({ type: 'asked', ...at, id: question.callId, kind: 'question', about: question });
                  emit({ type: 'answered', turnId, id: call.id, kind: 'question', value: 'x' });
                  emit({ type: 'planUpdated', turnId, items: [{ text: 'p', state: 'active' }] });
                }
                if (step.asks === 'unanswered') continue;
                emit({ type: 'toolStarted', ...at, callId: call.id, name: call.name, title: 'Read', at: 5 });
                const result = { title: 'Read a', state: 'done' as const, forModel: 'x', durationMs: 3 };
                emit({ type: 'toolFinished', ...at, callId: call.id, name: call.name, ...result });
              }
            });
            return { outcome, cost: noCost, text: '', model };
          };
        const { conversation, stored } = converse(turns.map(play));
        for (const [index, { kind }] of turns.entries()) {
          if (index === 0 || kind === 'send') await conversation.send(hello);
          else await conversation[kind]();
        }
        const events = JSON.parse(JSON.stringify(stored)) as DurableEvent[];
        const reloaded = converse([], { events }).conversation.state();
        assert.deepEqual(plain(reloaded), plain(conversation.state()));
      }),
      { numRuns: 60 },
    );
  });
});

/** Without what only a running turn has: when a call was started is not stored. */
function plain(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (name, value: unknown) => (name === 'startedAt' ? undefined : value)));
}
