import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createModelRecord } from '../../../../src/features/best-of/core/model-record.ts';
import { type AnswerItem, type ChatState, emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { TurnFacts } from '../../../../src/shared/events.ts';

const model = 'svc/glm-5.3';

function open(stored?: unknown) {
  let saved: unknown = stored;
  const record = createModelRecord(stored, (next) => {
    saved = structuredClone(next);
  });
  return { record, saved: () => saved, words: () => record.words(model, 'en') };
}

let turns = 0;
/** A turn that edited a file and ended so. */
function ended(facts: Partial<TurnFacts>, more: Partial<AnswerItem> = {}, chat: Partial<ChatState> = {}) {
  const turnId = `t${++turns}`;
  const answer: AnswerItem = {
    ...{ kind: 'answer', turnId, at: 0, requestedModel: model, model, finish: 'stop', outcome: 'finished' },
    parts: [{ type: 'notice', step: 1, notice: { kind: 'ending', commands: 1, changed: 1, ...facts } }],
    cost: { charge: 'yes', microUsd: 11_000, totalTokens: 1, estimated: false } as NonNullable<AnswerItem['cost']>,
    durationMs: 100_000,
    checkpoint: { id: 'c', paths: ['a.ts'] },
    ...more,
  };
  const state: ChatState = { ...emptyChat, conversationId: 'one', items: [answer], ...chat };
  return [state, [{ type: 'turnEnded', turnId, at: 0, outcome: 'finished' }]] as unknown as Parameters<
    ReturnType<typeof createModelRecord>['follow']
  >;
}
const test = (exitCode: number | undefined, editsSince = 0) => ({
  test: { command: 'npm test', editsSince, ...(exitCode !== undefined && { exitCode }) },
});

describe('which model is good at this project', () => {
  it('U21 few tasks are said as few, and from five on what they came to', () => {
    const { record, words } = open();
    assert.equal(words(), undefined);
    record.follow(...ended(test(0)));
    assert.equal(words(), 'On this project: 1 task');
    for (const code of [0, 1, 0]) record.follow(...ended(test(code)));
    assert.equal(words(), 'On this project: 4 tasks');
    record.follow(...ended(test(0)));
    assert.equal(words(), 'On this project: 4 of 5 tasks green · usually $0.0110 · 1:40');
  });

  it('U21 only tests that ran after the last edit, by the model that was asked, are counted', () => {
    const { record, words } = open();
    const other = [{ model: 'svc/kimi-k3', purpose: { kind: 'answer' }, charge: 'yes' }] as never;
    record.follow(...ended(test(0, 1)));
    record.follow(...ended(test(undefined)));
    record.follow(...ended({}));
    record.follow(...ended({ ...test(0), changed: 0 }));
    record.follow(...ended(test(0), { requests: other }));
    const worktree = { folder: '/w', repository: '/r', roots: [], files: 0, compared: true as const };
    record.follow(...ended(test(0), {}, { worktree }));
    assert.equal(words(), undefined);
  });

  it('U21 hunks are counted as they are decided now, those brought back from a worktree too', () => {
    const { record, words } = open();
    const [state, events] = ended({});
    record.follow(state, events);
    const turnId = state.items[0]?.kind === 'answer' ? state.items[0].turnId : '';
    let rows = [
      { turnId, outcome: 'partly' as const, parts: { kept: 4, undone: 1 } },
      { turnId: 'bring-back', outcome: 'kept' as const, parts: { kept: 0, undone: 0 } },
    ];
    record.readDecisions((id) => (id === 'one' ? rows : []));
    assert.equal(words(), 'On this project: 83% of hunks kept');
    rows = rows.slice(1);
    assert.equal(words(), undefined, 'one is too few to say');
  });

  it('U21 calls that a tool refused are counted, and none that the user denied', () => {
    const { record, saved, words } = open();
    const call = (state: string, decided?: string) => ({
      type: 'tool',
      step: 1,
      id: 'c',
      name: 'read_file',
      title: '',
      arguments: '',
      state,
      ...(decided && { decided: [{ word: decided, what: '' }] }),
    });
    const parts = [
      call('failed'),
      call('failed', 'denied'),
      call('cancelled'),
      ...Array.from({ length: 24 }, () => call('done')),
    ];
    record.follow(...ended({}, { parts } as never));
    assert.equal(words(), undefined);
    record.follow(...ended({}, { parts } as never));
    assert.equal(words(), 'On this project: 4% of calls refused');
    assert.equal(open(saved()).words(), words());
  });

  it('U21 is kept, forgotten model by model with a way back, and read from whatever was stored', () => {
    const { record, saved, words } = open();
    for (let times = 0; times < 6; times++) record.tested(model, times > 0, { microUsd: 1_200_000, ms: 61_000 });
    record.tested('svc/kimi-k3', true, { microUsd: 1, ms: 1 });
    const text = 'On this project: 5 of 6 tasks green · usually $1.20 · 1:01';
    assert.equal(words(), text);
    assert.equal(open(saved()).words(), text);
    const back = record.reset(model);
    assert.equal(words(), undefined);
    assert.deepEqual(record.models(), ['svc/kimi-k3']);
    back();
    assert.equal(words(), text);
    record.reset();
    assert.deepEqual(record.models(), []);
    for (const stored of [null, 7, { models: { a: 1 } }, { models: {}, turns: {} }, '__proto__'])
      assert.equal(open(stored).words(), undefined);
  });
});
