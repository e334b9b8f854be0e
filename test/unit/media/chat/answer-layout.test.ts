import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type AnswerLayout, createAnswerLayout } from '../../../../media/chat/transcript/answer-layout.ts';
import { positionOf } from '../../../../media/chat/transcript/part-positions.ts';
import type { ApprovalAnswer } from '../../../../src/shared/approval.ts';
import type { Part, ToolPart } from '../../../../src/shared/chat/chat-state.ts';
import type { Notice } from '../../../../src/shared/events.ts';
import { toolPresentations } from '../../../../src/tools/all-tools.ts';

const presentations = toolPresentations();
const presentationOf = (name: string) => presentations[name] ?? assert.fail(name);
const tool = (name: string, change: Partial<ToolPart> = {}, step = 0): ToolPart => ({
  ...{ type: 'tool', step, id: 'c1', name, title: name, arguments: '{}', state: 'done' },
  ...change,
});
const answered = (answer?: ApprovalAnswer): Pick<ToolPart, 'approval'> => ({
  approval: {
    request: {
      ...{ callId: 'c1', tool: 'run_command', title: '', warnings: [], scopes: [] },
      subject: { kind: 'command', command: 'make', cwd: '/', shell: 'bash' },
    },
    ...(answer && { answer }),
  },
});
const question = { callId: 'c1', text: 'Which?', options: [] };
const fallback = (change: Partial<Extract<Notice, { kind: 'fallback' }>> = {}): Part => ({
  type: 'notice',
  step: 0,
  notice: {
    ...{ kind: 'fallback', from: 'a', to: 'b', continued: false },
    failure: { kind: 'capacity-model', message: '', at: '' },
    ...change,
  },
});
const keys = (sections: AnswerLayout['quiet']) => sections.flatMap(({ parts }) => parts.map(({ key }) => key));

describe('where the parts of an answer stand', () => {
  const places: [what: string, Part, string][] = [
    ['a call that looked at something', tool('read_file'), 'quiet'],
    ['a call that is being written', tool('edit_file', { state: 'forming' }), 'quiet'],
    ['a command that ran', tool('run_command'), 'quiet'],
    ['a command that runs', tool('run_command', { state: 'running' }), 'quiet'],
    ['a call that the turn did not come to', tool('read_file', { state: 'cancelled' }), 'quiet'],
    ['what the user skipped', tool('run_command', { state: 'failed', ...answered({ decision: 'skip' }) }), 'outside'],
    [
      'what the user denied',
      tool('edit_file', { state: 'failed', ...answered({ decision: 'deny', reason: '' }) }),
      'outside',
    ],
    ['a command that was allowed', tool('run_command', answered({ decision: 'allow', scope: 'once' })), 'quiet'],
    ['reasoning', { type: 'reasoning', step: 0, text: 'Hm.' }, 'quiet'],
    ['another model that was asked', fallback(), 'quiet'],
    ['another model that answered', fallback({ answered: true }), 'quiet'],
    ['another model that is asked to go on', fallback({ continued: true }), 'quiet'],
    ['text', { type: 'text', step: 0, text: 'So.' }, 'outside'],
    ['an edit', tool('edit_file'), 'outside'],
    ['a new file', tool('create_file'), 'outside'],
    ['a deleted file', tool('delete_file'), 'outside'],
    ['a renamed file', tool('rename_file'), 'outside'],
    ['a call that failed', tool('read_file', { state: 'failed' }), 'outside'],
    ['a call that waits for consent', tool('run_command', { state: 'approval', ...answered() }), 'outside'],
    [
      'consent that came too late',
      tool('run_command', { state: 'cancelled', ...answered({ decision: 'expired' }) }),
      'outside',
    ],
    ['a question', tool('ask_user', { state: 'running', question: { question } }), 'outside'],
    ['a question and its answer', tool('ask_user', { question: { question, answer: 'This.' } }), 'outside'],
    [
      'consent to a command by a question',
      tool('run_command', { question: { question: { ...question, command: 'x' }, answer: 'Run' } }),
      'quiet',
    ],
    ['new files that others obey', tool('run_command', { appeared: ['AGENTS.md'] }), 'outside'],
    ['where one model went on with the text of another', fallback({ continued: true, answered: true }), 'outside'],
    [
      'a model that takes no tools',
      { type: 'notice', step: 0, notice: { kind: 'degraded', model: 'a', feature: 'tools' } },
      'outside',
    ],
    [
      'errors that are left, which stand below the answer',
      { type: 'notice', step: 0, notice: { kind: 'errors-left', count: 1, report: '' } },
      'nowhere',
    ],
    ['blanks', { type: 'text', step: 0, text: '\n\n' }, 'nowhere'],
  ];
  for (const [what, part, place] of places) {
    it(`ux 2.20 ${what} stands ${place}`, () => assert.equal(positionOf(part, presentationOf), place));
  }
});

describe('the layout of an answer', () => {
  it('ux 2.20 has the steps where the first of them was, and everything else in its order', () => {
    const parts: Part[] = [
      { type: 'text', step: 0, text: 'I look.' },
      tool('read_file', { id: 'c1' }),
      tool('read_file', { id: 'c2' }),
      { type: 'text', step: 1, text: 'I edit.' },
      tool('edit_file', { id: 'c3' }, 1),
      { type: 'reasoning', step: 2, text: 'Hm.' },
      { type: 'text', step: 2, text: 'Done.' },
    ];
    const { above, quiet, below } = createAnswerLayout(presentationOf)(parts);
    assert.deepEqual(keys(above), ['text-0-0']);
    assert.deepEqual(keys(quiet), ['tool-0-0', 'tool-0-1', 'reasoning-2-0']);
    assert.deepEqual(keys(below), ['text-1-0', 'tool-1-0', 'text-2-0']);
  });

  it('ux 2.20 names at a seam the model whose text was cut, not those that had no room to go on with it', () => {
    const cut = { kind: 'cut-off', message: '', at: '' } as const;
    const parts: Part[] = [
      { type: 'text', step: 0, text: 'The sky' },
      fallback({ from: 'a', to: 'b', continued: true, failure: cut }),
      fallback({ from: 'b', to: 'c', continued: true }),
      fallback({ from: 'c', to: 'd', continued: true, answered: true }),
      { type: 'text', step: 0, text: ' is blue.' },
    ];
    const { below } = createAnswerLayout(presentationOf)(parts);
    const seam = below.flatMap((section) => section.parts)[0];
    assert.equal(seam?.cutModel, 'a');
  });

  it('P23 keeps every section that did not change the very same object, and loses, doubles or moves no part', () => {
    const names = ['read_file', 'edit_file', 'run_command'];
    const anyPart = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.constantFrom('So.', ' ') }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.constant('Hm.') }),
      fc.record({
        type: fc.constant('tool' as const),
        name: fc.constantFrom(...names),
        state: fc.constantFrom('done' as const, 'failed' as const, 'running' as const),
      }),
    );
    const changes = fc.array(fc.tuple(anyPart, fc.boolean(), fc.nat(3)), { maxLength: 200 });
    void fc.assert(
      fc.property(changes, (all) => {
        const layOut = createAnswerLayout(presentationOf);
        let parts: Part[] = [];
        let step = 0;
        let before: AnswerLayout | undefined;
        for (const [drawn, nextStep, back] of all) {
          if (nextStep) step += 9;
          const part: Part =
            drawn.type === 'tool' ? tool(drawn.name, { state: drawn.state }, step) : { ...drawn, step };
          const at = parts.length - 1 - back;
          const changed = parts[at];
          // A call ends after others were written: a part above the last one changes.
          if (changed?.type === 'tool') parts = parts.with(at, { ...changed, state: 'done' });
          else parts = [...parts, part];
          const layout = layOut(parts);
          assert.deepEqual(
            layout.parts.map((placed) => placed.part),
            parts,
          );
          const fresh = createAnswerLayout(presentationOf)(parts);
          for (const name of ['above', 'quiet', 'below'] as const) {
            assert.deepEqual(layout[name], fresh[name]);
            const known = new Set(before?.[name]);
            for (const section of layout[name]) {
              const twin = before?.[name].find(({ key }) => key === section.key);
              const isSame =
                twin?.parts.length === section.parts.length &&
                twin.parts.every((one, index) => one === section.parts[index]);
              assert.equal(known.has(section), isSame);
            }
          }
          before = layout;
        }
      }),
    );
  });
});
