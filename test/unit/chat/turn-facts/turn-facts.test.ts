import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Deed, type TurnRecord, turnFactsOf } from '../../../../src/chat/turn-facts/turn-facts.ts';
import { turnFactsNotice } from '../../../../src/chat/turn-facts/turn-facts-notice.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent, TurnFacts } from '../../../../src/shared/events.ts';

const run = (exitCode: number | undefined, line = 'npm test'): Deed => ({
  kind: 'command',
  line,
  end: exitCode === undefined ? {} : { exitCode },
  watched: true,
});
const edit = (path = 'src/a.ts'): Deed => ({ kind: 'edit', path });
const failed = (editsSince = 0, command = 'npm test') => ({ command, exitCode: 1, editsSince });
const passed = (editsSince: number) => ({ command: 'npm test', exitCode: 0, editsSince });

/** What was done, and what of it is to be told of tests. */
const works: [name: string, deeds: Deed[], test: TurnFacts['test']][] = [
  ['nothing', [], undefined],
  ['an edit', [edit()], undefined],
  ['a failure', [run(1)], failed()],
  ['a success', [run(0)], undefined],
  ['a run whose end is not known', [run(undefined)], undefined],
  ['a failure, made good', [run(1), edit(), run(0)], undefined],
  ['a failure, and an edit', [run(1), edit()], failed(1)],
  ['a failure, edits of prose', [run(1), edit('README.md')], failed(0)],
  ['a success, and an edit', [run(0), edit()], passed(1)],
  ['a success, and two edits', [run(0), edit(), edit('src/b.ts')], passed(2)],
  ['a success, and prose', [run(0), edit('docs/a.md')], undefined],
  ['an edit, and a success', [edit(), run(0)], undefined],
  ['a success, and a failure', [run(0), edit(), run(1)], failed()],
  ['a failure, and a run whose end is not known', [run(1), run(undefined)], undefined],
  ['a failure of all, a success of some', [run(1), run(0, 'npm test -- a.test.ts')], failed()],
  ['a failure of some, a success of all', [run(1, 'npm test -- a.test.ts'), run(0)], undefined],
  ['a failure, and another command', [run(1), run(0, 'npm run lint')], failed()],
  ['a failure of another command', [run(1, 'npm run lint')], undefined],
];

const texts: [text: string, claims: boolean][] = [
  ['The total is rounded once now.', false],
  ["I've updated `src/a.ts` to round the total once.", true],
  ['I could not find the cause.', false],
  ['已修复 `src/a.ts` 中的错误。', true],
  ['`src/a.ts` を修正しました。', true],
  ['Ich habe `src/a.ts` angepasst.', true],
];

function facts(given: Partial<TurnRecord>): TurnRecord {
  const answer = given.answer ?? '';
  return { deeds: [], changed: [], changedBefore: [], said: answer, answer, ...given };
}

describe('what stands under an answer', () => {
  for (const [name, deeds, test] of works) {
    it(`F45 after ${name} it is the same whatever was said of tests, and no change is missed or made up`, () => {
      for (const [answer, claims] of texts) {
        const hasEdits = deeds.some(({ kind }) => kind === 'edit');
        const changed = hasEdits ? ['src/a.ts'] : [];
        const ending = turnFactsOf(facts({ deeds, changed, answer }));
        const unchanged = claims && !hasEdits;
        const expected = { ...(test && { test }), ...(unchanged && { unchanged: true as const }) };
        assert.deepEqual(ending ?? {}, expected, answer);
      }
    });
  }

  it('F45 says nothing where something may have changed files that nobody looked at', () => {
    const answer = "I've updated `src/a.ts`.";
    const outside: Deed = { kind: 'command', line: 'sed -i s/a/b/ src/a.ts', end: { exitCode: 0 }, watched: false };
    assert.equal(turnFactsOf(facts({ answer, deeds: [outside] })), undefined);
    assert.equal(turnFactsOf(facts({ answer, deeds: [{ kind: 'unknown' }] })), undefined);
    assert.deepEqual(turnFactsOf(facts({ answer, deeds: [{ ...outside, watched: true }] })), { unchanged: true });
  });

  it('F45 an earlier change may be told once more', () => {
    const changedBefore = ['src/a.ts'];
    assert.equal(turnFactsOf(facts({ answer: "I've updated `src/a.ts`.", changedBefore })), undefined);
    assert.equal(turnFactsOf(facts({ answer: "I've fixed `parse()`.", changedBefore })), undefined);
    assert.deepEqual(turnFactsOf(facts({ answer: "I've updated `src/b.ts`.", changedBefore })), { unchanged: true });
  });

  it('F45 names changed files that the answer leaves out, where it names most', () => {
    const rows: [said: string, changed: string[], unnamed: string[] | undefined][] = [
      ['I changed `a.ts`.', ['src/a.ts', 'src/b.ts'], ['src/b.ts']],
      ['I changed `a.ts` and `b.ts`.', ['src/a.ts', 'src/b.ts'], undefined],
      ['It works now.', ['src/a.ts', 'src/b.ts'], undefined],
      ['I changed `a.ts`.', ['src/a.ts', 'src/b.ts', 'src/c.ts'], undefined],
      ['I changed `a.ts` and its tests.', ['src/a.ts', 'src/a.test.ts'], undefined],
      ['I changed `a.ts` and the rate limit plugin.', ['src/a.ts', 'src/rate-limit.plugin.ts'], undefined],
      ['I changed `a.ts` and all of `lib/`.', ['src/a.ts', 'src/lib/other.ts'], undefined],
      ['I changed `a.ts` and `…_add_names.sql`.', ['src/a.ts', 'db/2024_01_01_add_names.sql'], undefined],
      ['I changed `a.ts` and the README.', ['src/a.ts', 'README.md'], undefined],
      ['I changed `a.ts`.', ['src/a.ts', 'package-lock.json', 'src/a.ts'], ['package-lock.json']],
    ];
    for (const [said, changed, unnamed] of rows) {
      const deeds = changed.map((path) => edit(path));
      assert.deepEqual(turnFactsOf(facts({ deeds, changed, answer: said })), unnamed && { unnamed }, said);
    }
  });

  it('F45 is read from what the turn did, in the order in which it did it', () => {
    const turnId = 't';
    const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
    const step = (at: number, text: string, toolCalls: ReturnType<typeof call>[]): ChatEvent => ({
      ...{ type: 'stepFinished', turnId, step: at, requestedModel: 'm', model: 'm', text, reasoning: '', toolCalls },
      ...{ finish: 'stop', complete: true, attempts: [] },
    });
    const ended = (callId: string, name: string, end?: { exitCode: number }): ChatEvent[] => [
      { type: 'toolStarted', turnId, step: 1, callId, name, title: name, at: 1 },
      {
        ...{ type: 'toolFinished', turnId, step: 1, callId, name, title: name, forModel: '', durationMs: 1 },
        ...{ state: 'done', ...(end && { end }) },
      },
    ];
    const calls = [
      call('c1', 'run_command', { command: 'npm test' }),
      call('c2', 'edit_file', { path: 'src/a.ts', edits: [] }),
      call('c3', 'read_file', { path: 'src/a.ts' }),
    ];
    const events: ChatEvent[] = [
      { type: 'turnStarted', turnId, at: 0, model: 'm' },
      step(1, '', calls),
      ...ended('c1', 'run_command', { exitCode: 0 }),
      ...ended('c2', 'edit_file'),
      ...ended('c3', 'read_file'),
      { type: 'checkpointTaken', turnId, checkpointId: 'k', paths: ['src/a.ts'] },
      step(2, 'All tests pass.', []),
    ];
    const state = events.reduce((before, event) => reduceChat(before, event, 0), emptyChat);
    const notice = { kind: 'ending', test: { command: 'npm test', exitCode: 0, editsSince: 1 } };
    assert.deepEqual(turnFactsNotice(state, turnId), { type: 'notice', turnId, step: 2, notice });
    assert.equal(turnFactsNotice(state, 'another'), undefined);
  });
});
