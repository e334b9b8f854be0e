import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { modelsMarkdown } from '../../../src/service/check/models-page.ts';
import { type BoardEntry, createCapacityBoard } from '../../../src/service/step/capacity-board.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { Attempt } from '../../../src/shared/messages.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const busy: Failure = { kind: 'capacity-model', message: 'busy', at: '2026-11-20T12:00:00Z' };

function attempt(model: string, change: Partial<Attempt> = {}): Attempt {
  return {
    requestId: 'r1',
    model,
    startedAt: noon,
    durationMs: 3000,
    firstEventMs: 1000,
    status: 200,
    outcome: 'complete',
    usage: { promptTokens: 10, completionTokens: 100, totalTokens: 110, estimated: false },
    charge: 'yes',
    ...change,
  };
}

function openBoard(stored?: unknown) {
  let now = noon;
  let saved: Record<string, BoardEntry[]> = {};
  const board = createCapacityBoard(
    stored,
    (entries) => {
      saved = entries;
    },
    () => now,
  );
  return {
    board,
    saved: () => saved,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('capacity board', () => {
  it('U8 keeps result, wait, speed and refusals of each model', () => {
    const { board } = openBoard();
    board.record(attempt('a'));
    board.record(attempt('a', { outcome: 'failed', failure: busy, firstEventMs: undefined, usage: undefined }));
    board.record(attempt('a', { outcome: 'stopped' }));
    assert.deepEqual(board.summary('a'), {
      last: { at: noon, outcome: 'capacity', durationMs: 3000 },
      waitMs: 1000,
      tokensPerSecond: 50,
      reasoningTokens: 0,
      refusals: 1,
      count: 2,
    });
    assert.equal(board.summary('b'), undefined);
  });

  it('U8 S9 tries what has room first, then what answers fast, then in the order of the list', () => {
    const { board, pass } = openBoard();
    board.record(attempt('slow', { firstEventMs: 2900 }));
    board.record(attempt('fast', { firstEventMs: 100 }));
    board.record(attempt('full', { firstEventMs: 10 }));
    board.record(attempt('full', { outcome: 'failed', failure: busy }));
    assert.deepEqual(board.rank(['full', 'slow', 'fast']), ['fast', 'slow', 'full']);
    pass(16 * 60_000);
    assert.deepEqual(board.rank(['full', 'slow', 'fast']), ['full', 'fast', 'slow']);
    assert.deepEqual(openBoard().board.rank(['c', 'a', 'b']), ['c', 'a', 'b']);
  });

  it('U8 a model that was not used yet is neither first nor last', () => {
    const { board } = openBoard();
    board.record(attempt('slow', { firstEventMs: 2900 }));
    board.record(attempt('fast', { firstEventMs: 100 }));
    board.record(attempt('middle', { firstEventMs: 900 }));
    assert.deepEqual(board.rank(['slow', 'new', 'middle', 'fast']), ['fast', 'new', 'middle', 'slow']);
  });

  it('U8 S28 forgets refusals after a day and stays small', () => {
    const { board, pass, saved } = openBoard();
    for (let count = 0; count < 100; count++) board.record(attempt('a', { outcome: 'failed', failure: busy }));
    assert.equal(board.summary('a')?.refusals, 20);
    pass(25 * 3_600_000);
    assert.equal(board.summary('a')?.refusals, 0);
    for (let count = 0; count < 200; count++) board.record(attempt(`m${count}`));
    assert.equal(board.models().length, 50);
    assert.ok(JSON.stringify(saved()).length < 100_000);
  });

  it('U8 reads back what it saved, and nothing else', () => {
    const first = openBoard();
    first.board.record(attempt('a'));
    const again = openBoard(JSON.parse(JSON.stringify(first.saved())));
    assert.deepEqual(again.board.summary('a'), first.board.summary('a'));
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const { board } = openBoard(stored);
        board.record(attempt('a'));
        assert.equal(board.rank(['b', 'a']).length, 2);
      }),
    );
    assert.deepEqual(openBoard({ a: [{ at: 'x' }, 7], b: 'no' }).board.models(), []);
  });

  it('U8 U11 X31 the page shows board, order and facts, as plain text', () => {
    const { board } = openBoard();
    board.record(attempt('svc/kimi-k3'));
    board.record(attempt('svc/<img src=x>'));
    const learned = createLearned(undefined, () => undefined);
    learned.learn('svc/kimi-k3', { images: { works: false, at: '2026-11-14T10:00:00Z', evidence: 'refused' } });
    const page = modelsMarkdown({
      onProject: () => undefined,
      models: [{ id: 'svc/kimi-k3', name: 'Kimi K3' }],
      learned,
      board,
      order: ['svc/kimi-k3', 'svc/glm-5.3'],
      orderIsSet: false,
      formatTime: () => 'now',
    });
    assert.match(
      page,
      /\| \*\*Kimi K3\*\*<br>svc\/kimi-k3 \| answered, now · first words after 1\.0 s · 50 tokens\/s \|/,
    );
    for (const row of page.split('\n').filter((line) => line.startsWith('|'))) {
      assert.equal(row.split(/(?<!\\)\|/).length, 4, row);
    }
    assert.match(page, /svc\/kimi-k3 → svc\/glm-5\.3/);
    assert.match(page, /\| \*\*svc\/kimi-k3\*\*<br>image input \| no, 2026-11-14<br>refused \|/);
    assert.doesNotMatch(page, /<img/);
  });
});
