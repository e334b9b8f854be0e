import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { runTurn } from '../../../src/agent/loop.ts';
import { defineTool } from '../../../src/agent/tool.ts';
import type { LoopDeps } from '../../../src/agent/turn.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { createManualClock, createScriptedClient, makeFailure, model, type ScriptedReply } from './scripted-client.ts';

const call: ScriptedReply = { text: 'I look.', toolCalls: [{ name: 'look', arguments: '{}' }] };

interface Options {
  maxSteps?: number;
  window?: LoopDeps['window'];
  history?: HistoryMessage[];
  onRun?(callId: string): void;
  callSignal?(callId: string): AbortSignal;
}

/** A turn in which `words` wait from the step on under which they stand. */
async function steered(script: readonly ScriptedReply[], words: Record<number, string>, options: Options = {}) {
  const { client, requests } = createScriptedClient(script);
  const events: ChatEvent[] = [];
  const asked: number[] = [];
  let waiting = { ...words };
  let calls = 0;
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    parameters: z.object({}),
    kind: 'other',
    access: 'read',
    title: () => 'Look',
    async run(_, { callId, signal }) {
      options.onRun?.(callId);
      return { forModel: signal.aborted ? 'stopped' : `seen ${callId}` };
    },
  });
  const result = await runTurn(
    {
      client,
      tools: [look],
      systemPrompt: () => 'You help.',
      clock: createManualClock(),
      maxSteps: () => options.maxSteps ?? 50,
      newCallId: () => `c${++calls}`,
      ...(options.window && { window: options.window }),
      log: (line) => assert.fail(line),
    },
    {
      turnId: 't1',
      history: options.history ?? [{ role: 'user', text: 'Hello' }],
      model,
      request: { surface: 'chat' },
      emit: (event) => events.push(event),
      signal: new AbortController().signal,
      ...(options.callSignal && { callSignal: options.callSignal }),
      async steering(step) {
        asked.push(step);
        const text = waiting[step];
        waiting = { ...waiting, [step]: '' };
        return text ? { role: 'user', text } : undefined;
      },
    },
  );
  return { result, events, requests, asked };
}

const sent = ({ requests }: Awaited<ReturnType<typeof steered>>, at: number) =>
  requests[at]?.messages.map(({ role, text }) => `${role}: ${text}`).slice(1);

describe('agent/loop, a word of the user while it runs', () => {
  it('F43 goes in after all results of the reply and before the next request', async () => {
    const two = { ...call, toolCalls: [...(call.toolCalls ?? []), ...(call.toolCalls ?? [])] };
    const turn = await steered([two, { text: 'Done.' }], { 1: 'Only src/.' });
    assert.deepEqual(sent(turn, 1), [
      'user: Hello',
      'assistant: I look.',
      'tool: seen c1',
      'tool: seen c2',
      'user: Only src/.',
    ]);
    assert.equal(turn.result.outcome, 'finished');
  });

  it('F43 makes one more step of an answer without a call', async () => {
    const turn = await steered([{ text: 'All done.' }, { text: 'That too.' }], { 1: 'And the tests.' });
    assert.deepEqual(sent(turn, 1), ['user: Hello', 'assistant: All done.', 'user: And the tests.']);
    assert.deepEqual([turn.result.outcome, turn.result.text], ['finished', 'That too.']);
  });

  for (const [what, end] of Object.entries<ScriptedReply>({
    'was cut': { text: 'I was', evidence: 'none' },
    failed: { outcome: 'failed', failure: makeFailure('server-error') },
    'was filtered': { text: '', finish: 'content-filter' },
    'was empty': { text: '' },
  })) {
    it(`F43 stays where it is when the reply ${what}`, async () => {
      const turn = await steered([end], { 1: 'Only src/.' });
      assert.equal(turn.result.outcome, 'failed');
      assert.deepEqual(turn.asked, []);
    });
  }

  it('F43 stays where it is when the turn was stopped at its last step, or goes round in circles', async () => {
    const last = await steered([call, call], { 2: 'Only src/.' }, { maxSteps: 2 });
    assert.deepEqual([last.result.outcome, last.asked], ['limit', [1]]);
    const answered = await steered([call, { text: 'Done.' }], { 2: 'Only src/.' }, { maxSteps: 2 });
    assert.deepEqual([answered.result.outcome, answered.asked], ['finished', [1]]);
  });

  it('F43 a request that is only sent again takes up nothing', async () => {
    const tooLong: ScriptedReply = { outcome: 'failed', failure: makeFailure('context-length') };
    const window: LoopDeps['window'] = { size: () => ({ tokens: 1 }), summarise: async () => ({ attempts: [] }) };
    const turn = await steered([call, tooLong, { text: 'Done.' }], { 2: 'Only src/.' }, { window });
    assert.equal(turn.result.outcome, 'finished');
    assert.deepEqual(turn.asked, [1, 3]);
  });

  it('F43 a word makes a new beginning of a turn that brought nothing new', async () => {
    const same = Array.from({ length: 14 }, () => call);
    const words = Object.fromEntries(Array.from({ length: 14 }, (_, step) => [step + 1, `again ${step}`]));
    const turn = await steered([...same, { text: 'Done.' }], words);
    assert.equal(turn.result.outcome, 'finished');
  });

  for (const share of ['small', 'most of what is sent'] as const) {
    it(`F43 a compaction within the turn leaves it word for word, where the last step is ${share}`, async () => {
      const history: HistoryMessage[] = [
        { role: 'user', text: share === 'small' ? `Hello ${'much '.repeat(2000)}` : 'Hello' },
      ];
      const words = `Only src/, ${'and exactly this, '.repeat(share === 'small' ? 40 : 4)}please.`;
      let compacts = false;
      const window: LoopDeps['window'] = {
        size: () => (compacts ? { tokens: 100, max: 50 } : { tokens: 1 }),
        summarise: async () => {
          compacts = false;
          const message = { role: 'user' as const, text: 'A summary.' };
          return { attempts: [], written: { summary: 'A summary.', message, tokensBefore: 9, tokensAfter: 1 } };
        },
      };
      const long = { ...call, text: share === 'small' ? 'I look.' : `I look. ${'long '.repeat(3000)}` };
      const onRun = () => {
        compacts = true;
      };
      const turn = await steered([long, { text: 'Done.' }], { 1: words }, { window, history, onRun });
      assert.equal(sent(turn, 1)?.[0], 'user: A summary.');
      assert.equal(sent(turn, 1)?.at(-1), `user: ${words}`);
      const compacted = turn.events.find((event) => event.type === 'compacted');
      assert.equal(compacted?.type === 'compacted' && compacted.step, share === 'small' ? 1 : 2);
    });
  }

  it('F43 a call that is stopped alone hears of it, and the turn goes on', async () => {
    const stops = new Map<string, AbortController>();
    const turn = await steered(
      [call, { text: 'Done.' }],
      { 1: 'Not that.' },
      {
        callSignal: (callId) => {
          stops.set(callId, new AbortController());
          return stops.get(callId)?.signal ?? new AbortController().signal;
        },
        onRun: (callId) => stops.get(callId)?.abort(),
      },
    );
    assert.equal(turn.result.outcome, 'finished');
    assert.deepEqual(sent(turn, 1)?.slice(2), ['tool: stopped', 'user: Not that.']);
  });
});
