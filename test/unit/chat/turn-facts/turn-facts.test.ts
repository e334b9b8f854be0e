import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Deed, type TurnRecord, turnFactsOf } from '../../../../src/chat/turn-facts/turn-facts.ts';
import { turnFactsNotice } from '../../../../src/chat/turn-facts/turn-facts-notice.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent, CommandEnd, TurnFacts } from '../../../../src/shared/events.ts';

const run = (exitCode: number | undefined, line = 'npm test'): Deed => ({
  kind: 'command',
  line,
  end: exitCode === undefined ? {} : { exitCode },
  watched: true,
});
const edit = (path = 'src/a.ts'): Deed => ({ kind: 'edit', path });
const failed = (editsSince = 0, command = 'npm test') => ({ command, exitCode: 1, editsSince });
const passed = (editsSince = 0) => ({ command: 'npm test', exitCode: 0, editsSince });
const unknown = { command: 'npm test', editsSince: 0 };

/** What was done, and what of it is to be told of tests. */
const works: [name: string, deeds: Deed[], test: TurnFacts['test']][] = [
  ['nothing', [], undefined],
  ['an edit', [edit()], undefined],
  ['a failure', [run(1)], failed()],
  ['a success', [run(0)], passed()],
  ['a run whose end is not known', [run(undefined)], unknown],
  ['a failure, made good', [run(1), edit(), run(0)], passed()],
  ['a failure, and an edit', [run(1), edit()], failed(1)],
  ['a failure, edits of prose', [run(1), edit('README.md')], failed(0)],
  ['a success, and an edit', [run(0), edit()], passed(1)],
  ['a success, and two edits', [run(0), edit(), edit('src/b.ts')], passed(2)],
  ['a success, and prose', [run(0), edit('docs/a.md')], passed()],
  ['an edit, and a success', [edit(), run(0)], passed()],
  ['a success, and a failure', [run(0), edit(), run(1)], failed()],
  ['a failure, and a run whose end is not known', [run(1), run(undefined)], unknown],
  ['a failure of all, a success of some', [run(1), run(0, 'npm test -- a.test.ts')], failed()],
  ['a failure of some, a success of all', [run(1, 'npm test -- a.test.ts'), run(0)], passed()],
  ['a failure, and another command', [run(1), run(0, 'npm run lint')], failed()],
  ['a failure of another command', [run(1, 'npm run lint')], undefined],
];

const texts = [
  'The total is rounded once now.',
  "I've updated `src/a.ts` and ran the tests, all pass.",
  '- Updated `src/a.ts`',
  '`src/a.ts` has been rewritten. Fertig, alle Tests sind grün.',
  '`src/a.ts` を修正しました。テストは通ります。',
];

function facts(given: Partial<TurnRecord>): TurnRecord {
  const answer = given.answer ?? '';
  return { deeds: [], changed: [], said: answer, answer, canEdit: true, ...given };
}

describe('what stands under an answer', () => {
  for (const [name, deeds, test] of works.slice(1)) {
    it(`F45 after ${name} it is the same whatever the answer says`, () => {
      for (const answer of texts) {
        const changed = [...new Set(deeds.flatMap((deed) => (deed.kind === 'edit' ? [deed.path] : [])))];
        const ending = turnFactsOf(facts({ deeds, changed, answer, said: `${answer} a b README` }));
        assert.deepEqual(ending?.test, test, answer);
        assert.equal(ending?.untested, name === 'an edit' ? true : undefined, answer);
        assert.equal(ending?.changed, changed.length);
        assert.equal(ending?.commands, deeds.length - deeds.filter(({ kind }) => kind === 'edit').length);
      }
    });
  }

  it('F45 says that nothing was done under an answer that speaks of a file, in a turn that could have changed it', () => {
    for (const answer of texts.slice(1)) {
      assert.deepEqual(turnFactsOf(facts({ answer })), { commands: 0, changed: 0 }, answer);
      assert.equal(turnFactsOf(facts({ answer, canEdit: false })), undefined, answer);
    }
    assert.equal(turnFactsOf(facts({ answer: 'A closure keeps the variables around it. Shall I go on?' })), undefined);
  });

  it('F45 tells the last command where no tests ran, a failing part of a pipe included', () => {
    const ended = (line: string, end: Partial<CommandEnd>): Deed => ({ kind: 'command', line, end, watched: true });
    const rows: [deeds: Deed[], last: TurnFacts['last']][] = [
      [[ended('npm run build', { exitCode: 2 })], { command: 'npm run build', exitCode: 2 }],
      [
        [ended('npm run build', { exitCode: 2 }), ended('npm run build', { exitCode: 0 })],
        { command: 'npm run build', exitCode: 0 },
      ],
      [[ended('tsc | tail -3', { exitCode: 0, pipe: [2, 0] })], { command: 'tsc | tail -3', exitCode: 2 }],
      [[ended('tsc | head -3', { exitCode: 0, pipe: [141, 0] })], { command: 'tsc | head -3', exitCode: 0 }],
      [[ended('make verify', {})], { command: 'make verify' }],
      [[edit()], undefined],
    ];
    for (const [deeds, last] of rows) assert.deepEqual(turnFactsOf(facts({ deeds }))?.last, last);
  });

  it('F45 names an edit that failed last', () => {
    const lost: Deed = { kind: 'edit', path: 'src/a.ts', failed: true };
    assert.equal(turnFactsOf(facts({ deeds: [edit('src/b.ts'), lost] }))?.failedEdit, 'src/a.ts');
    assert.equal(turnFactsOf(facts({ deeds: [lost, edit('src/a.ts')] }))?.failedEdit, undefined);
    assert.equal(turnFactsOf(facts({ deeds: [lost, edit('src/b.ts')] }))?.failedEdit, 'src/a.ts');
  });

  it('F45 counts no files where something may have changed files that nobody looked at', () => {
    const outside: Deed = { kind: 'command', line: 'sed -i s/a/b/ src/a.ts', end: { exitCode: 0 }, watched: false };
    assert.equal(turnFactsOf(facts({ deeds: [outside] }))?.changed, undefined);
    assert.equal(turnFactsOf(facts({ deeds: [{ kind: 'unknown' }] }))?.changed, undefined);
    assert.equal(turnFactsOf(facts({ deeds: [{ ...outside, watched: true }] }))?.changed, 0);
    assert.equal(turnFactsOf(facts({ deeds: [outside], changed: ['src/a.ts'] }))?.changed, 1);
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
      assert.deepEqual(turnFactsOf(facts({ deeds, changed, answer: said }))?.unnamed, unnamed, said);
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
    const test = { command: 'npm test', exitCode: 0, editsSince: 1 };
    const notice = { kind: 'ending', commands: 1, changed: 1, test };
    assert.deepEqual(turnFactsNotice(state, turnId, true), { type: 'notice', turnId, step: 2, notice });
    assert.equal(turnFactsNotice(state, 'another', true), undefined);
  });
});
