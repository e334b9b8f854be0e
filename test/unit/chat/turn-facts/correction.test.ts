import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { correctionIn } from '../../../../src/chat/turn-facts/correction.ts';
import type { ApprovalAnswer } from '../../../../src/shared/approval.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import { ask, end, fold, toolStep } from '../../../panel/fixtures.ts';

/** A turn with one call, `c1` in the first. */
function turn(turnId: string, question: string, value?: ApprovalAnswer): ChatEvent[] {
  const id = turnId.replace('t', 'c');
  const [step] = toolStep('', [{ id, name: 'delete_file', title: 'Delete a', arguments: '{}', output: '' }], turnId);
  assert.ok(step);
  const subject = { kind: 'delete', path: 'a', isProtected: false } as const;
  const about = {
    callId: id,
    tool: 'delete_file',
    title: 'Delete a',
    subject,
    warnings: [],
    scopes: ['once' as const],
  };
  const answered: ChatEvent[] =
    value === undefined
      ? []
      : [
          { type: 'asked', turnId, step: 0, id, kind: 'approval', about },
          { type: 'answered', turnId, id, kind: 'approval', value },
        ];
  return [...ask(question, turnId), step, ...answered, end(turnId)];
}

describe('what the user told the model to do otherwise', () => {
  const denied = (reason: string) => turn('t1', 'Tidy up', { decision: 'deny', reason });
  const rows: readonly (readonly [string, readonly ChatEvent[], readonly string[], string | undefined])[] = [
    ['why a call was denied', denied(' Use pnpm\n here '), [], 'Use pnpm here'],
    ['a denial without a reason', denied(''), [], undefined],
    ['a call that was allowed', turn('t1', 'Tidy up', { decision: 'allow', scope: 'once' }), [], undefined],
    ['a message after an undone edit', [...turn('t1', 'a'), ...turn('t2', 'Tabs, please')], ['c1'], 'Tabs, please'],
    ['a message after a kept edit', [...turn('t1', 'a'), ...turn('t2', 'And b')], [], undefined],
    ['an undone edit of the last turn', [...turn('t1', 'a'), ...turn('t2', 'b')], ['c2'], undefined],
    ['a denial of an earlier turn', [...denied('Use pnpm'), ...turn('t2', 'b')], [], undefined],
    ['a long message', [...turn('t1', 'a'), ...turn('t2', 'x'.repeat(301))], ['c1'], undefined],
    ['a turn that runs', [...denied('Use pnpm'), ...ask('b', 't2')], [], undefined],
    ['no turn', [], [], undefined],
  ];
  for (const [what, events, undone, expected] of rows) {
    it(`F45 is read from ${what}: ${expected ?? 'nothing'}`, () => {
      assert.equal(correctionIn(fold(events), (id) => undone.includes(id))?.text, expected);
    });
  }
});
