import assert from 'node:assert/strict';
import { createAnswerLayout } from '../../../../media/chat/transcript/answer-layout.ts';
import { countSteps, doneWords, liveWords } from '../../../../media/chat/transcript/quiet-words.ts';
import type { Part, RunningTurn, ToolPart } from '../../../../src/shared/chat/chat-state.ts';
import { toolPresentations } from '../../../../src/tools/all-tools.ts';

const presentations = toolPresentations();
const presentationOf = (name: string) => presentations[name] ?? assert.fail(name);
const nameOf = (id: string) => id.toUpperCase();
const call = (name: string, path: string, change: Partial<ToolPart> = {}): Part => ({
  ...{ type: 'tool', step: 0, id: path, name, title: name, state: 'done' },
  arguments: JSON.stringify(name === 'run_command' ? { command: path } : { path }),
  ...change,
});
const reasoning: Part = { type: 'reasoning', step: 0, text: 'Hm.' };
const left = (from: string, kind: 'capacity-model' | 'server-error' | 'cut-off', continued = false): Part => ({
  type: 'notice',
  step: 0,
  notice: { kind: 'fallback', from, to: 'z', continued, failure: { kind, message: '', at: '' } },
});
const done = (...parts: Part[]) =>
  doneWords(countSteps(createAnswerLayout(presentationOf)(parts).parts, presentationOf), nameOf);

describe('the words of the one line for the steps of an answer', () => {
  const cases: [string, Part[]][] = [
    ['Reasoning', [reasoning, reasoning]],
    ['Read 1 file', [reasoning, call('read_file', 'a')]],
    ['Read 2 files', [call('read_file', 'a'), call('read_file', 'b'), call('read_file', 'a')]],
    ['Read 1 file, edited 1 file', [call('read_file', 'a'), call('edit_file', 'a'), call('edit_file', 'a')]],
    [
      '2 searches, ran 1 command · 4 s',
      [
        call('search_text', 'x'),
        call('list_directory', '.', { durationMs: 600 }),
        call('run_command', 'make', { durationMs: 3400 }),
      ],
    ],
    ['1 step', [call('get_problems', 'a')]],
    ['Read 1 file, 2 other steps', [call('get_problems', 'a'), call('read_file', 'a'), call('get_changes', 'a')]],
    ['A at capacity', [left('a', 'capacity-model')]],
    [
      'Read 1 file, 2 models at capacity, C failed',
      [left('a', 'capacity-model'), left('b', 'capacity-model'), left('c', 'server-error'), call('read_file', 'a')],
    ],
    ['B at capacity', [left('a', 'cut-off', true), left('b', 'capacity-model', true)]],
    [
      'Reasoning',
      [reasoning, call('read_file', 'a', { state: 'failed' }), call('read_file', 'b', { state: 'cancelled' })],
    ],
  ];
  for (const [words, parts] of cases) {
    it(`ux 2.20 say what was done: ${words} (${parts.length} parts)`, () => assert.equal(done(...parts), words));
  }

  it('ux 2.20 count the calls’ own time, without that of an edit, which has its own row', () => {
    assert.equal(
      done(call('read_file', 'a', { durationMs: 1200 }), call('edit_file', 'a', { durationMs: 90_000 })),
      'Read 1 file, edited 1 file · 1 s',
    );
  });

  const running = (phase: RunningTurn['phase']): RunningTurn => ({ turnId: 't', phase, model: 'a', since: 0 });
  const live = (phase: RunningTurn['phase'], ...parts: Part[]) =>
    liveWords(createAnswerLayout(presentationOf)(parts).parts, running(phase), presentationOf);

  it('ux 2.20 say what is done now', () => {
    const now = (name: string, subject: string) =>
      live('tool', reasoning, call(name, subject, { state: 'running', startedAt: 7 }));
    assert.deepEqual(now('read_file', 'src/shipping.ts'), { text: 'Reading shipping.ts', since: 7 });
    assert.deepEqual(now('edit_file', 'src/shipping.ts'), { text: 'Editing shipping.ts', since: 7 });
    assert.deepEqual(now('run_command', 'npm test'), { text: 'Running npm test', since: 7 });
    assert.equal(now('search_text', 'src').text, 'Search text: src');
    assert.equal(live('streaming', call('read_file', '', { state: 'forming', arguments: '{"pa' })).text, 'Read file');
    assert.equal(live('streaming', reasoning).text, 'Thinking…');
    assert.equal(live('streaming', reasoning, call('read_file', 'a')).text, 'Answering…');
    assert.equal(live('tool', reasoning, call('read_file', 'a')).text, 'Working…');
    assert.equal(live('stopping', call('read_file', 'a', { state: 'running' })).text, 'Stopping…');
  });
});
