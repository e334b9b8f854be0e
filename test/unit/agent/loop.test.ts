import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { createConsent } from '../../../src/agent/consent.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { defineTool, type Tool, type ToolAccess, ToolError } from '../../../src/agent/tool.ts';
import type { LoopDeps, TurnResult } from '../../../src/agent/turn.ts';
import type { ChatRequest, StreamEvent } from '../../../src/service/contract.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { WaitSkip } from '../../../src/shared/interaction.ts';
import { type Answers, askWith } from './ask-with.ts';
import { createManualClock, createScriptedClient, makeFailure, model, type ScriptedReply } from './scripted-client.ts';

interface Ran {
  result: TurnResult;
  events: ChatEvent[];
  requests: ChatRequest[];
  log: string[];
}

interface RunOptions {
  tools?: readonly Tool[];
  maxSteps?: number;
  clock?: LoopDeps['clock'];
  controller?: AbortController;
  economise?: LoopDeps['economise'];
  onEvent?: (event: ChatEvent) => void;
  checks?: LoopDeps['checks'];
  /** Without them nobody can be asked. */
  answers?: Answers;
}

async function run(
  script: readonly ScriptedReply[] | ((request: ChatRequest) => ScriptedReply),
  {
    tools = [echo],
    maxSteps = 50,
    clock = createManualClock(),
    controller,
    economise,
    onEvent,
    checks,
    answers,
  }: RunOptions = {},
): Promise<Ran> {
  const { client, requests } = createScriptedClient(script);
  const events: ChatEvent[] = [];
  const log: string[] = [];
  const emit = (event: ChatEvent) => {
    events.push(event);
    onEvent?.(event);
  };
  let calls = 0;
  const result = await runTurn(
    {
      client,
      tools,
      systemPrompt: () => 'You help.',
      clock,
      maxSteps: () => maxSteps,
      newCallId: () => `c${++calls}`,
      economise,
      checks,
      log: (line) => log.push(line),
    },
    {
      turnId: 't1',
      history: [{ role: 'user', text: 'Hello' }],
      model,
      request: { surface: 'chat' },
      emit,
      signal: controller?.signal ?? new AbortController().signal,
      ...(answers && { person: { consent: createConsent(), ask: askWith(emit, 't1', answers) } }),
    },
  );
  return { result, events, requests, log };
}

function makeTool(
  name: string,
  access: ToolAccess,
  answer: (text: string) => string | Promise<string>,
  state?: 'failed',
): Tool {
  return defineTool({
    name,
    description: name,
    parameters: z.object({ text: z.optional(z.string()) }),
    kind: 'other',
    access,
    title: ({ text }) => `${name} ${text ?? ''}`,
    run: async ({ text }) => ({ forModel: await answer(text ?? ''), ...(state && { state }) }),
  });
}

const asking = defineTool({
  name: 'asking',
  description: 'Asks.',
  parameters: z.object({}),
  kind: 'command',
  access: 'execute',
  title: () => 'Ask',
  run: async (_args, { ask }) => ({ forModel: (await ask({ text: 'Allow?', options: ['Allow'] })) ?? '' }),
});
const echo = makeTool('echo', 'read', (text) => `said ${text}`);
const call = (text: string, name = 'echo') => ({ name, arguments: JSON.stringify({ text }) });
const calls = (count: number, name = 'echo') => Array.from({ length: count }, (_, index) => call(`${index}`, name));
const types = (events: readonly ChatEvent[]) => events.map((event) => event.type);
const results = (events: readonly ChatEvent[]) => events.filter((event) => event.type === 'toolFinished');
const notes = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' && event.notice.kind === 'note' ? [event.notice.text] : []));

describe('agent/loop', () => {
  it('F31 the time of a call does not include that of the person who was asked', async () => {
    const clock = createManualClock();
    const question = () => {
      clock.advance(40_000);
      return 'Allow';
    };
    const script = [{ toolCalls: [{ name: 'asking', arguments: '{}' }] }, { text: 'Done.' }];
    const { events } = await run(script, { tools: [asking], clock, answers: { question } });
    assert.deepEqual(
      results(events).map(({ forModel, durationMs }) => [forModel, durationMs]),
      [['Allow', 0]],
    );
  });

  it('asks, runs the calls, asks again with their results and ends with the answer', async () => {
    const { result, events, requests } = await run([
      { text: 'I look. ', toolCalls: [call('a')] },
      { text: 'It is a.' },
    ]);
    assert.deepEqual(types(events), [
      'requestSent',
      'responseStarted',
      'textDelta',
      'textDelta',
      'stepFinished',
      'toolStarted',
      'toolFinished',
      'requestSent',
      'responseStarted',
      'textDelta',
      'textDelta',
      'textDelta',
      'stepFinished',
    ]);
    assert.deepEqual(requests[1]?.messages, [
      { role: 'system', text: 'You help.' },
      { role: 'user', text: 'Hello' },
      {
        role: 'assistant',
        text: 'I look. ',
        model,
        toolCalls: [{ id: 'c1', name: 'echo', arguments: '{"text":"a"}' }],
      },
      { role: 'tool', callId: 'c1', name: 'echo', text: 'said a' },
    ]);
    assert.equal(result.outcome, 'finished');
    assert.equal(result.text, 'It is a.');
    assert.equal(result.model, model);
    assert.deepEqual(result.cost, {
      promptTokens: 180,
      completionTokens: 20,
      totalTokens: 200,
      microUsd: 66,
      estimated: false,
      charge: 'yes',
      requests: 2,
    });
  });

  it('X34 S23 a request without tools leaves the field out', async () => {
    const { requests } = await run([{ text: 'Hi' }], { tools: [] });
    assert.equal('tools' in (requests[0] ?? {}), false);
  });

  it('W15 rule 3 runs calls of a reply that ended with stop', async () => {
    const { events } = await run([{ toolCalls: [call('a')], finish: 'stop' }, { text: 'ok' }]);
    assert.equal(results(events)[0]?.state, 'done');
  });

  it('W26 runs reads of a reply whose end was inferred', async () => {
    const { events, result } = await run([{ toolCalls: [call('a')], evidence: 'inferred' }, { text: 'ok' }]);
    assert.equal(results(events)[0]?.state, 'done');
    assert.equal(result.outcome, 'finished');
  });

  it('S23 tells that a model was asked without tools, and takes its answer', async () => {
    const notice = { kind: 'degraded', model, feature: 'tools' } as const;
    const { events, result } = await run([{ text: 'From memory', events: [{ type: 'notice', notice }] }]);
    assert.deepEqual(
      events.find((event) => event.type === 'notice'),
      { type: 'notice', turnId: 't1', step: 1, notice },
    );
    assert.equal(result.outcome, 'finished');
  });

  for (const [row, reply] of [
    ['W24b W24c a reply without terminal evidence', { evidence: 'none', toolCalls: [call('a')] }],
    ['W24 a cut reply', { outcome: 'failed', failure: makeFailure('cut-off'), text: 'half', toolCalls: [call('a')] }],
    ['a stopped reply', { outcome: 'stopped', toolCalls: [call('a')] }],
  ] as const satisfies readonly (readonly [string, ScriptedReply])[]) {
    it(`${row} runs nothing and is marked incomplete`, async () => {
      const { events, requests, result } = await run([reply]);
      assert.equal(requests.length, 1);
      assert.equal(results(events).length, 0);
      const step = events.find((event) => event.type === 'stepFinished');
      assert.equal(step?.complete, false);
      assert.deepEqual(step?.toolCalls, []);
      assert.notEqual(result.outcome, 'finished');
    });
  }

  it('W24 keeps the text of a cut reply and names the failure', async () => {
    const { events, result } = await run([{ outcome: 'failed', failure: makeFailure('cut-off'), text: 'half' }]);
    assert.equal(result.outcome, 'failed');
    assert.equal(result.failure?.kind, 'cut-off');
    assert.equal(result.text, 'half');
    assert.equal(events.find((event) => event.type === 'stepFinished')?.text, 'half');
  });

  for (const finish of ['length', 'content-filter', 'error'] as const) {
    it(`W33 rule 3 answers calls of a reply that ended with ${finish} without running them, once`, async () => {
      let ran = 0;
      const counting = makeTool('echo', 'read', () => `${++ran}`);
      const twice = await run(() => ({ toolCalls: [call('a')], finish }), { tools: [counting] });
      assert.equal(twice.requests.length, 2);
      assert.equal(twice.result.outcome, 'limit');
      assert.equal(notes(twice.events).length, 1);
      const once = await run([{ toolCalls: [call('a')], finish }, { text: 'ok' }], { tools: [counting] });
      assert.equal(once.result.outcome, 'finished');
      assert.match(results(once.events)[0]?.forModel ?? '', /^Not run: /);
      assert.equal(results(once.events)[0]?.state, 'failed');
      assert.equal(ran, 0);
    });
  }

  it('W39 runs reads but no writes from a damaged reply', async () => {
    let written = 0;
    const write = makeTool('write', 'write', () => `${++written}`);
    const reply = { toolCalls: [call('a'), call('b', 'write')], damagedEvents: 1 };
    const { events } = await run([reply, { text: 'ok' }], { tools: [echo, write] });
    assert.deepEqual(
      results(events)
        .map((event) => [event.name, event.state])
        .sort(),
      [
        ['echo', 'done'],
        ['write', 'failed'],
      ],
    );
    assert.equal(written, 0);
  });

  it('W59 W83 asks again once when calls come as text, then offers to go on otherwise', async () => {
    const { requests, result, events } = await run(() => ({ text: 'Let me see', toolMarkup: true }));
    assert.equal(requests.length, 2);
    assert.equal(result.outcome, 'failed');
    assert.equal(result.failure?.kind, 'malformed-tool-calls');
    assert.equal(requests[1]?.messages.at(-1)?.role, 'user');
    assert.equal(results(events).length, 0);
  });

  it('H12 W13 feeds a malformed call back, and gives up after three in a row', async () => {
    const broken = { name: 'echo', arguments: '{"text": "a' };
    const forever = await run(() => ({ toolCalls: [{ ...broken, arguments: `${broken.arguments}${Math.random()}` }] }));
    assert.equal(forever.requests.length, 3);
    assert.equal(forever.result.failure?.kind, 'malformed-tool-calls');
    const once = await run([{ toolCalls: [broken] }, { toolCalls: [call('a')] }, { text: 'ok' }]);
    assert.equal(once.result.outcome, 'finished');
    const verdicts = once.requests[1]?.messages.at(-1);
    assert.match(verdicts?.text ?? '', /not valid JSON/);
  });

  it('H12 H08 gives up on malformed calls also when there are more of them than are run', async () => {
    let made = 0;
    const broken = () => Array.from({ length: 20 }, () => ({ name: 'echo', arguments: `{"text": "${made++}` }));
    const { requests, result } = await run(() => ({ toolCalls: broken() }), { maxSteps: 10 });
    assert.equal(requests.length, 3);
    assert.equal(result.failure?.kind, 'malformed-tool-calls');
  });

  for (const [row, reply] of [
    ['W72 calls announced but not made', { finish: 'stop' }],
    ['W73 reasoning only', { reasoning: 'Hmm.' }],
  ] as const) {
    it(`${row} is an empty reply, not an answer`, async () => {
      const { result } = await run([reply]);
      assert.equal(result.outcome, 'failed');
      assert.equal(result.failure?.kind, 'empty-reply');
    });
  }

  it('W34 a filtered reply is a failure with its reason and is not asked again', async () => {
    const { result, requests } = await run([{ text: 'I can', finish: 'content-filter' }]);
    assert.equal(result.failure?.kind, 'content-filter');
    assert.equal(requests.length, 1);
  });

  it('S29 an answer cut by its length is an answer', async () => {
    assert.equal((await run([{ text: 'long', finish: 'length' }])).result.outcome, 'finished');
  });

  it('H07 a call that is repeated in any spelling is told once to the model and ends the turn', async () => {
    const spellings = ['{"text":"a"}', '{ "text": "a" }'];
    const { result, requests } = await run(
      ({ messages }) => ({
        toolCalls: [{ name: 'echo', arguments: spellings[messages.length % 4 === 0 ? 0 : 1] ?? '' }],
      }),
      { tools: [makeTool('echo', 'read', () => 'the same')] },
    );
    assert.equal(requests.length, 6);
    assert.equal(result.outcome, 'limit');
    const { kind, facts } = result.failure ?? {};
    assert.deepEqual([kind, facts], ['no-progress', { steps: 5, repeated: 'echo a', microUsd: result.cost.microUsd }]);
    const verdicts = requests.at(-1)?.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])) ?? [];
    assert.match(verdicts[1] ?? '', /your last 3 steps brought nothing new: echo a\./);
    assert.equal(verdicts.length, 2);
  });

  for (const [what, access, state] of [
    ['a change', 'write', undefined],
    ['a command, also one that failed,', 'execute', 'failed'],
  ] as const) {
    it(`H07 looking again after ${what} is no repetition`, async () => {
      const acting = makeTool('act', access, () => 'acted', state);
      let step = 0;
      const { result } = await run(
        () => {
          step++;
          if (step > 12) return { text: 'done' };
          return { toolCalls: [step % 2 === 1 ? call('same') : call(`${step}`, 'act')] };
        },
        { tools: [echo, acting] },
      );
      assert.equal(result.outcome, 'finished');
    });
  }

  it('F19 X38 ends an endless turn at the step limit and says how to go on', async () => {
    let step = 0;
    const { result, requests, events } = await run(() => ({ toolCalls: [call(`${step++}`)] }), { maxSteps: 7 });
    assert.equal(requests.length, 7);
    assert.equal(result.outcome, 'limit');
    assert.match(notes(events)[0] ?? '', /7 steps.*continue/);
  });

  it('H08 runs sixteen of two hundred calls and answers the others', async () => {
    let ran = 0;
    const counting = makeTool('echo', 'read', () => `${++ran}`);
    const { requests, events } = await run([{ toolCalls: calls(200) }, { text: 'ok' }], { tools: [counting] });
    assert.equal(ran, 16);
    assert.equal(results(events).length, 200);
    assert.equal(results(events).filter((event) => /too many calls/.test(event.forModel)).length, 184);
    assert.equal(requests[1]?.messages.filter((message) => message.role === 'tool').length, 200);
  });

  it('H08 reads at most four at a time, keeps the order of results, and runs writes alone', async () => {
    let active = 0;
    let mostReads = 0;
    const order: string[] = [];
    const slow = (access: ToolAccess, name: string) =>
      makeTool(name, access, async (text) => {
        active++;
        if (access === 'read') mostReads = Math.max(mostReads, active);
        else assert.equal(active, 1);
        // Later calls end earlier.
        for (let turn = 0; turn < 20 - Number(text); turn++) await Promise.resolve();
        active--;
        order.push(text);
        return text;
      });
    const { requests } = await run(
      [{ toolCalls: [...calls(9), call('9', 'write'), call('10'), call('11')] }, { text: 'ok' }],
      {
        tools: [slow('read', 'echo'), slow('write', 'write')],
      },
    );
    assert.equal(mostReads, 4);
    assert.ok(order.indexOf('9') === 9);
    assert.notDeepEqual(
      order,
      order.toSorted((a, b) => Number(a) - Number(b)),
    );
    const answered = requests[1]?.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    assert.deepEqual(
      answered,
      Array.from({ length: 12 }, (_, index) => `${index}`),
    );
  });

  it('H02 Stop between two tools gives every call a result and sends nothing more', async () => {
    const controller = new AbortController();
    const stopping = makeTool('stopping', 'write', () => {
      controller.abort();
      return 'changed';
    });
    const { result, requests, events } = await run(
      [{ toolCalls: [call('a', 'stopping'), call('b'), call('c', 'nope')] }],
      {
        tools: [stopping, echo],
        controller,
      },
    );
    assert.equal(result.outcome, 'stopped');
    assert.equal(requests.length, 1);
    assert.deepEqual(
      results(events).map((event) => event.state),
      ['done', 'cancelled', 'cancelled'],
    );
  });

  it('H02 Stop does not wait for a read that ignores the signal', async () => {
    const controller = new AbortController();
    const deaf = makeTool('deaf', 'read', () => new Promise<string>(() => undefined));
    const { result, events } = await run([{ toolCalls: [call('a', 'deaf')] }], {
      tools: [deaf],
      controller,
      onEvent: (event) => event.type === 'toolStarted' && controller.abort(),
    });
    assert.equal(result.outcome, 'stopped');
    assert.equal(results(events)[0]?.state, 'cancelled');
  });

  it('tells nothing that a call prints after its end', async () => {
    const outputs: ((text: string) => void)[] = [];
    const printing = defineTool({
      name: 'echo',
      description: 'Prints.',
      parameters: z.object({ text: z.optional(z.string()) }),
      kind: 'other',
      access: 'execute',
      title: () => 'Print',
      run: async (_args, { output }) => {
        outputs.push(output);
        for (const print of outputs) print('!');
        return { forModel: 'done' };
      },
    });
    const { events } = await run([{ toolCalls: [call('a'), call('b')] }, { text: 'ok' }], {
      tools: [printing],
    });
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'toolOutput' ? [event.callId] : [])),
      ['c1', 'c2'],
    );
  });

  it('a signal that is aborted from the start sends nothing', async () => {
    const controller = new AbortController();
    controller.abort();
    const { requests, result } = await run([], { controller });
    assert.equal(requests.length, 0);
    assert.equal(result.outcome, 'stopped');
  });

  it('H15 caps all results of a reply together and tells the model', async () => {
    const big = makeTool('echo', 'read', () => 'x'.repeat(40_000));
    const { events } = await run([{ toolCalls: calls(16) }, { text: 'ok' }], { tools: [big] });
    const bytes = results(events).reduce((sum, event) => sum + Buffer.byteLength(event.forModel), 0);
    assert.ok(bytes < 203 * 1024, `${bytes}`);
    assert.match(results(events).at(-1)?.forModel ?? '', /limit for the results of one reply/);
  });

  it('H15 a long piece of work never runs out of room for results', async () => {
    const big = makeTool('echo', 'read', (text) => text.repeat(30_000));
    const steps = Array.from({ length: 20 }, (_, index) => ({ toolCalls: [call(String.fromCharCode(97 + index))] }));
    const { events, result } = await run([...steps, { text: 'ok' }], { tools: [big] });
    assert.equal(result.outcome, 'finished');
    for (const { forModel } of results(events)) assert.equal(forModel.length, 30_000);
  });

  it('H21 a reply that announces a step and makes no call is asked for it, but not three times in a row', async () => {
    const { requests, result } = await run([
      { text: 'Let me read the file now:' },
      { toolCalls: [call('a')] },
      { text: "Now I'll update the tests." },
      { text: "I'll update the tests." },
      { text: 'Ich werde jetzt die Tests aktualisieren.' },
    ]);
    assert.equal(result.outcome, 'finished');
    assert.equal(requests.length, 5);
    const last = requests[1]?.messages.at(-1);
    assert.equal(last?.role, 'user');
    assert.match(last?.text ?? '', /announced a step.*Make the call now/);
  });

  it('H21 a reply in any language that stops at a colon right after a result is asked for its call', async () => {
    const { requests, result } = await run([
      { toolCalls: [call('a')] },
      { text: 'Vou agora corrigir o arquivo:' },
      { toolCalls: [call('b')] },
      { text: 'Pronto.' },
    ]);
    assert.equal(result.outcome, 'finished');
    assert.equal(requests.length, 4);
    assert.match(requests[2]?.messages.at(-1)?.text ?? '', /Make the call now/);
    assert.equal((await run([{ text: 'Vou agora corrigir o arquivo:' }])).requests.length, 1);
  });

  it('H21 asks for no call where there are no tools, or where the reply was cut', async () => {
    assert.equal((await run([{ text: 'Let me read the file now:' }], { tools: [] })).requests.length, 1);
    assert.equal((await run([{ text: 'Let me read the file now:', finish: 'length' }])).requests.length, 1);
  });

  it('F36 what is newly wrong stands once in the result of the last edit of a reply', async () => {
    const verdicts: string[] = [];
    const checks: LoopDeps['checks'] = {
      begin: () => {
        verdicts.push('begin');
        return async () => {
          verdicts.push('end');
          return 'New problems:\na.ts:1:1 error: x';
        };
      },
      late: async () => {
        verdicts.push('late');
        return 'New problems:\nb.ts:1:1 error: late';
      },
      left: async () => undefined,
    };
    const edit = makeTool('edit', 'write', (text) => {
      verdicts.push(text);
      if (text === 'bad') throw new ToolError('Not found.');
      return `Edited ${text}`;
    });
    const look = { tools: [edit, echo], checks };
    const reply = [call('first'), call('one', 'edit'), call('two', 'edit'), call('last')];
    const { events } = await run([{ toolCalls: reply }, { text: 'ok' }], look);
    assert.deepEqual(verdicts, ['begin', 'one', 'two', 'end']);
    assert.deepEqual(
      results(events).map(({ forModel }) => forModel),
      ['said first', 'Edited one', 'Edited two\nNew problems:\na.ts:1:1 error: x', 'said last'],
    );
    const failing = await run([{ toolCalls: [call('one', 'edit'), call('bad', 'edit')] }, { text: 'ok' }], look);
    assert.match(results(failing.events)[1]?.forModel ?? '', /^Not found\.\nNew problems/);
    verdicts.length = 0;
    await run([{ toolCalls: [call('bad', 'edit'), call('a')] }, { text: 'ok' }], look);
    assert.deepEqual(verdicts, ['begin', 'bad'], 'nothing was changed, so nothing is waited for');
    verdicts.length = 0;
    const later = await run([{ toolCalls: [call('a'), call('b')] }, { text: 'ok' }], look);
    assert.deepEqual(verdicts, ['late'], 'once for a reply that changes nothing');
    assert.deepEqual(
      results(later.events).map(({ forModel }) => forModel),
      ['said a', 'said b\nNew problems:\nb.ts:1:1 error: late'],
    );
  });

  it('F36 says at the end of a turn which errors its changes left, and asks nobody', async () => {
    const left = { count: 2, report: 'a.ts:1:1 error: x\na.ts:2:1 error: y' };
    const checks: LoopDeps['checks'] = {
      begin: () => async () => '',
      late: async () => '',
      left: async () => left,
    };
    const edit = makeTool('edit', 'write', (text) => `Edited ${text}`);
    const ended = await run([{ toolCalls: [call('one', 'edit')] }, { text: 'ok' }], { tools: [edit], checks });
    assert.deepEqual(ended.events.at(-1), {
      type: 'notice',
      turnId: 't1',
      step: 2,
      notice: { kind: 'errors-left', ...left },
    });
    assert.equal(ended.requests.length, 2);
    const broken = { ...checks, left: async () => Promise.reject(new Error('no answer')) };
    const { result } = await run([{ text: 'ok' }], { tools: [edit], checks: broken });
    assert.equal(result.outcome, 'finished', 'a check that breaks ends nothing');
  });

  it('H15 what was changed or run is told even when the results of a turn are full', async () => {
    const big = makeTool('echo', 'read', () => 'x'.repeat(40_000));
    const tools = [
      big,
      makeTool('edit', 'write', (text) => `Edited ${text}`),
      makeTool('run', 'execute', (text) => `ran ${text} `.repeat(2000)),
    ];
    const { events } = await run(
      [{ toolCalls: [...calls(8), call('a.ts', 'edit'), call('tests', 'run'), call('more')] }, { text: 'ok' }],
      { tools },
    );
    const [edited, ran, read] = results(events)
      .slice(-3)
      .map(({ forModel }) => forModel);
    assert.equal(edited, 'Edited a.ts');
    assert.match(ran ?? '', /^ran tests .*\n\[The limit for the results of one reply/s);
    assert.ok((ran ?? '').length < 3000, ran);
    assert.match(read ?? '', /^\[The limit for the results of one reply/);
  });

  it('E21 saves what was streamed about once a second, and before the preview of a call', async () => {
    const clock = createManualClock();
    const { events } = await run(
      [
        {
          text: 'one two ',
          during: () => clock.advance(1000),
          events: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'toolForming', key: 'k', name: 'echo', argumentsDelta: '{' },
          ],
        },
      ],
      { clock },
    );
    const partials = events.filter((event) => event.type === 'stepPartial');
    assert.deepEqual(
      partials.map((event) => [event.reasoning, event.text]),
      [
        ['Hm.', ''],
        ['Hm.', 'one two '],
      ],
    );
    assert.equal(types(events).indexOf('stepPartial') + 1, types(events).indexOf('toolForming'));
    assert.equal(clock.pending(), 0);
  });

  it('S9 shows notices and retries, and the model that answered', async () => {
    const failure = makeFailure('capacity-model');
    const about = { failure, delayMs: 10, attempt: 2, of: 3 };
    const answer = () => assert.fail('nobody cut it short');
    const script: ScriptedReply[] = [
      {
        text: 'Hi',
        model: 'svc/kimi-k3',
        events: [
          { type: 'asked', kind: 'wait', about, over: new AbortController().signal, answer },
          { type: 'notice', notice: { kind: 'fallback', from: model, to: 'svc/kimi-k3', failure, continued: false } },
        ],
      },
    ];
    const { events, result } = await run(script, { answers: {} });
    assert.deepEqual(
      events.find((event) => event.type === 'asked' && event.kind === 'wait'),
      {
        type: 'asked',
        turnId: 't1',
        step: 1,
        id: 't1:wait',
        kind: 'wait',
        about,
      },
    );
    assert.ok(events.some((event) => event.type === 'notice' && event.notice.kind === 'fallback'));
    assert.equal(result.model, 'svc/kimi-k3');
  });

  it('ux 2.2 an answer cuts a wait short as long as it lasts, and is none once it is over', async () => {
    const about = { failure: makeFailure('origin-down'), delayMs: 10, attempt: 2, of: 3 };
    for (const ends of [false, true]) {
      const over = new AbortController();
      const cut: (WaitSkip | undefined)[] = [];
      const pressed = Promise.withResolvers<WaitSkip>();
      const during = async () => {
        if (ends) over.abort();
        pressed.resolve('now');
        await new Promise(setImmediate);
      };
      const wait: StreamEvent = {
        type: 'asked',
        kind: 'wait',
        about,
        over: over.signal,
        answer: (how) => void cut.push(how),
      };
      const { events } = await run([{ text: 'Hi', events: [wait], during }], {
        answers: { wait: () => pressed.promise },
      });
      assert.deepEqual(cut, [ends ? undefined : 'now']);
      const verdicts = { type: 'answered', turnId: 't1', id: 't1:wait', kind: 'wait', value: 'now' };
      assert.deepEqual(
        events.filter(({ type }) => type === 'answered'),
        ends ? [] : [verdicts],
      );
    }
  });

  it('U13 H18 tells a tool which results the model still has before it', async () => {
    const told: boolean[][] = [];
    const asking = defineTool({
      ...{ name: 'asks', kind: 'other' as const, description: '', access: 'read' as const, title: () => 'asks' },
      parameters: z.object({ text: z.string() }),
      plan: async (_args, { isShown }) => {
        told.push(['c1', 'c2', 'c3'].map(isShown));
        return { run: async () => ({ forModel: 'whole' }) };
      },
    });
    const step = { toolCalls: [{ name: 'asks', arguments: '{"text":"a"}' }] };
    await run([step, step, step, { text: 'ok' }], {
      tools: [asking],
      economise: (messages) => ({
        messages: messages.map((one) => (one.role === 'tool' && one.callId === 'c1' ? { ...one, text: 'cut' } : one)),
        saved: { tokens: 0 },
      }),
    });
    assert.deepEqual(told, [
      [true, false, false],
      [false, true, false],
      [false, true, true],
    ]);
  });

  it('U13 sends what the economy leaves, tells what it saved, and forgets nothing itself', async () => {
    const given: number[] = [];
    const { requests, events } = await run([{ toolCalls: [call('a')] }, { text: 'ok' }], {
      economise: (messages) => {
        given.push(messages.length);
        return { messages: messages.slice(-1), saved: { tokens: 10 } };
      },
    });
    assert.deepEqual(given, [2, 4]);
    assert.deepEqual(
      requests.map(({ messages }) => messages.length),
      [1, 1],
    );
    const saved = events.flatMap((event) => (event.type === 'stepFinished' ? [event.savedTokens] : []));
    assert.deepEqual(saved, [10, 10]);
  });

  it('U4 a refused budget is a limit, with its failure', async () => {
    const { result } = await run([{ outcome: 'failed', failure: makeFailure('over-budget') }]);
    assert.equal(result.outcome, 'limit');
    assert.equal(result.failure?.kind, 'over-budget');
  });

  it('a fault in a tool is a result and a line in the log; a fault in the client is a failed turn', async () => {
    const faulty = makeTool('faulty', 'read', () => {
      throw new TypeError('x is undefined');
    });
    const refusing = makeTool('refusing', 'read', () => {
      throw new ToolError('There is no such file.');
    });
    const { events, log } = await run([{ toolCalls: [call('a', 'faulty'), call('a', 'refusing')] }, { text: 'ok' }], {
      tools: [faulty, refusing],
    });
    assert.doesNotMatch(results(events)[0]?.forModel ?? '', /undefined/);
    assert.equal(results(events)[1]?.forModel, 'There is no such file.');
    assert.equal(log.length, 1);
    const broken = await run([]);
    assert.equal(broken.result.failure?.kind, 'internal');
    assert.equal(broken.log.length, 1);
  });
});
