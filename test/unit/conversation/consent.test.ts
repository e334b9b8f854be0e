import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { runCalls } from '../../../src/agent/run-calls.ts';
import { defineTool } from '../../../src/agent/tool.ts';
import type { TurnInput, TurnResult } from '../../../src/agent/turn.ts';
import { pendingApprovals } from '../../../src/shared/chat/chat-state.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { noCost } from '../../../src/spend/price.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { createManualClock } from '../agent/scripted-client.ts';
import { converse, model, stepFinished } from './samples.ts';

const hello = { text: 'Hello', attachments: [], model };

/** A turn that makes one call and ends; `ran` gets what was run. */
function running(ran: string[], command = 'npm test') {
  const tool = defineTool({
    name: 'run_command',
    description: '',
    parameters: z.object({}),
    kind: 'other',
    access: 'execute',
    title: () => `Run ${command}`,
    plan: async () => ({
      approval: {
        subject: { kind: 'command', command, cwd: '/w', shell: 'sh' },
        warnings: [],
        scopes: ['once', 'conversation', 'always'],
      },
      run: async () => {
        ran.push(command);
        return { forModel: 'ok' };
      },
    }),
  });
  const question = defineTool({
    name: 'ask_user',
    description: '',
    parameters: z.object({}),
    kind: 'other',
    access: 'ask',
    title: () => 'Ask',
    run: async (_args, { ask }) => ({ forModel: `${await ask({ text: '?', options: [] })}` }),
  });
  return (name: 'run_command' | 'ask_user' = 'run_command') =>
    async ({ turnId, emit, signal, person }: TurnInput): Promise<TurnResult> => {
      assert.ok(person !== undefined);
      const calls = [{ id: 'c1', name, arguments: '{}' }];
      emit(stepFinished(turnId, { toolCalls: calls }));
      const deps = {
        ...person,
        tools: [tool, question],
        clock: createManualClock(),
        log: () => undefined,
        budget: { bytes: 1e6, images: 4 },
      };
      const { messages } = await runCalls(deps, {
        turnId,
        step: 0,
        calls,
        damaged: false,
        isShown: () => true,
        emit,
        signal,
      });
      const outcome = signal.aborted ? 'stopped' : 'finished';
      return { outcome, cost: noCost, text: messages[0]?.text ?? '', model };
    };
}

describe('conversation and consent', () => {
  it('F15 waits for the answer and runs what was allowed', async () => {
    const ran: string[] = [];
    const { conversation, stored } = converse([running(ran)()]);
    const turn = conversation.send(hello);
    await until(() => pendingApprovals(conversation.state()).length === 1);
    assert.deepEqual(ran, []);
    assert.equal(
      conversation.answer({ id: 'c2', kind: 'approval', value: { decision: 'allow', scope: 'once' } }),
      false,
    );
    assert.equal(
      conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } }),
      true,
    );
    assert.equal(
      conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } }),
      false,
    );
    await turn;
    assert.deepEqual(ran, ['npm test']);
    const told = stored.filter(({ type }) => type === 'asked' || type === 'answered' || type === 'toolFinished');
    assert.deepEqual(
      told.map((event) => ('kind' in event ? `${event.kind} ${event.type}` : event.type)),
      ['approval asked', 'approval answered', 'toolFinished'],
    );
  });

  it('F15 whoever hears of a request may answer it at once', async () => {
    const ran: string[] = [];
    const { conversation } = converse([running(ran)()]);
    conversation.onDidEmit((events) => {
      for (const event of events) {
        if (event.type === 'asked' && event.kind === 'approval')
          conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } });
      }
    });
    await conversation.send(hello);
    assert.deepEqual(ran, ['npm test']);
  });

  it('X26 what was allowed for a conversation holds for its next turns, not for another one or after a reload', async () => {
    const ran: string[] = [];
    const first = converse([running(ran)(), running(ran)()]);
    const turn = first.conversation.send(hello);
    await until(() =>
      first.conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'conversation' } }),
    );
    await turn;
    await first.conversation.send(hello);
    assert.equal(ran.length, 2);
    assert.equal(first.stored.filter((event) => event.type === 'asked' && event.kind === 'approval').length, 1);
    const reloaded = converse([running(ran)()], { events: first.stored });
    const again = reloaded.conversation.send(hello);
    await until(() => reloaded.conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'skip' } }));
    await again;
    assert.equal(ran.length, 2);
  });

  it('X27 what was allowed for good is asked nowhere again, in exactly these words', async () => {
    const ran: string[] = [];
    const always = new Set<string>();
    const alwaysAllowed = {
      isAllowed: (line: string) => always.has(line),
      remember: (line: string) => void always.add(line),
    };
    const first = converse([running(ran)()], { alwaysAllowed });
    const turn = first.conversation.send(hello);
    await until(() =>
      first.conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'always' } }),
    );
    await turn;
    assert.deepEqual([...always], [JSON.stringify(['npm test', '/w'])]);
    await converse([running(ran)()], { alwaysAllowed }).conversation.send(hello);
    assert.equal(ran.length, 2);
    const other = converse([running(ran, 'npm test -- -u')()], { alwaysAllowed });
    const asked = other.conversation.send(hello);
    await until(() => other.conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'skip' } }));
    await asked;
    assert.equal(ran.length, 2);
  });

  it('F2 Stop ends the waiting, and a late answer runs nothing', async () => {
    const ran: string[] = [];
    const { conversation } = converse([running(ran)()]);
    const turn = conversation.send(hello);
    await until(() => pendingApprovals(conversation.state()).length === 1);
    conversation.stop();
    assert.equal((await turn).outcome, 'stopped');
    assert.equal(
      conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } }),
      false,
    );
    assert.deepEqual(ran, []);
  });

  it('X26 a conversation that is left while it asks stores that the request expired', async () => {
    const ran: string[] = [];
    const { conversation, stored } = converse([running(ran)()]);
    const turn = conversation.send(hello);
    await until(() => pendingApprovals(conversation.state()).length === 1);
    conversation.dispose();
    await turn;
    assert.deepEqual(stored.find((event) => event.type === 'answered' && event.kind === 'approval')?.value, {
      decision: 'expired',
    });
    assert.deepEqual(ran, []);
  });

  it('E21 X26 a reload in the middle of an approval shows it as expired and runs nothing by itself', async () => {
    const ran: string[] = [];
    const { conversation, stored } = converse([running(ran)()]);
    void conversation.send(hello);
    await until(() => pendingApprovals(conversation.state()).length === 1);
    const events = JSON.parse(JSON.stringify(stored)) as DurableEvent[];
    const reloaded = converse([], { events }).conversation;
    const answer = reloaded.state().items.findLast((item) => item.kind === 'answer');
    assert.ok(answer?.kind === 'answer');
    assert.equal(answer.outcome, 'interrupted');
    const part = answer.parts.find((one) => one.type === 'tool');
    assert.ok(part?.type === 'tool');
    assert.equal(part.state, 'cancelled');
    assert.deepEqual(part.approval?.answer, { decision: 'expired' });
    assert.deepEqual([reloaded.running, pendingApprovals(reloaded.state())], [false, []]);
    assert.equal(reloaded.answer({ id: 'c1', kind: 'approval', value: { decision: 'allow', scope: 'once' } }), false);
    assert.deepEqual(ran, []);
    conversation.stop();
  });

  it('F18 an answer to a question reaches the tool', async () => {
    const { conversation } = converse([running([])('ask_user')]);
    const turn = conversation.send(hello);
    await until(() => conversation.answer({ id: 'c1', kind: 'question', value: 'forty-two' }));
    assert.equal((await turn).text, 'forty-two');
    assert.equal(conversation.answer({ id: 'c1', kind: 'question', value: 'x' }), false);
  });

  it('F4 a refusal pauses what waits in the queue', async () => {
    const { conversation, inputs } = converse([running([])()]);
    const turn = conversation.send(hello);
    void conversation.enqueue({ ...hello, text: 'next' });
    await until(() => conversation.answer({ id: 'c1', kind: 'approval', value: { decision: 'deny', reason: '' } }));
    assert.equal((await turn).outcome, 'finished');
    assert.equal(inputs.length, 1);
    assert.equal(conversation.queue().paused, true);
  });
});

/** Lets what was started go on until something holds. */
async function until(condition: () => boolean): Promise<void> {
  await waitFor('the condition', condition, { pollMs: 1 });
}
