import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { askNobody, createConsent, offeredScopes } from '../../../src/agent/consent.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import {
  type ApprovalNeed,
  defineTool,
  type Tool,
  type ToolAccess,
  ToolError,
  type ToolPlan,
} from '../../../src/agent/tool.ts';
import type { LoopDeps, TurnResult } from '../../../src/agent/turn.ts';
import {
  type ApprovalAnswer,
  type ApprovalSubject,
  executionTargets,
  readScopes,
} from '../../../src/shared/approval.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import { type Answers, askWith } from './ask-with.ts';
import { createManualClock, createScriptedClient, model, type ScriptedReply } from './scripted-client.ts';

const commandNeed = (command: string, change: Partial<ApprovalNeed> = {}): ApprovalNeed => ({
  subject: { kind: 'command', command, cwd: '/w', shell: 'bash' },
  warnings: [],
  scopes: ['once', 'conversation', 'always'],
  ...change,
});
const edit = (isProtected: boolean): ApprovalSubject => ({
  kind: 'edit',
  path: 'a.ts',
  diff: '',
  added: 1,
  removed: 0,
  isNew: false,
  isProtected,
});
const allow = (scope: 'once' | 'conversation' | 'always' | 'arguments'): ApprovalAnswer => ({
  decision: 'allow',
  scope,
});

describe('consent', () => {
  it('X27 allows for good exactly one command line, byte for byte, and nothing that begins or ends like it', () => {
    const kept = new Set<string>();
    const consent = createConsent({
      always: { isAllowed: (line) => kept.has(line), remember: (line) => void kept.add(line) },
    });
    consent.keep(commandNeed('npm test'), allow('always'));
    assert.deepEqual([...kept], [JSON.stringify(['npm test', '/w'])]);
    assert.equal(consent.covers(commandNeed('npm test')), true);
    const near = ['npm test ', ' npm test', 'npm  test', 'npm test; rm x', 'npm test\n', 'NPM test', 'npm test && x'];
    for (const command of [...near, 'npm', 'npm test -- --x', '$(npm test)', 'npm te\u200bst']) {
      assert.equal(consent.covers(commandNeed(command)), false, command);
    }
    assert.equal(
      consent.covers(
        commandNeed('npm test', { subject: { kind: 'command', command: 'npm test', cwd: '/other', shell: 'bash' } }),
      ),
      false,
    );
  });

  it('X27 offers what the last three lines and this one begin with, and then allows plain words after it alone', () => {
    const kept = new Set<string>();
    const always = { isAllowed: (key: string) => kept.has(key), remember: (key: string) => void kept.add(key) };
    const offered = (before: readonly string[], now: string) => {
      const consent = createConsent({ always });
      for (const line of before) consent.keep(commandNeed(line), allow('once'));
      return consent.beginningOf(commandNeed(now));
    };
    const rows: readonly (readonly [readonly string[], string, string | undefined])[] = [
      [['npm test', 'npm test', 'npm test'], 'npm test', 'npm test'],
      [['npm test -- a', 'npm test -- b', 'npm test -- c'], 'npm test -- d', 'npm test'],
      [
        ['ls', 'python -m pytest a', 'python -m pytest b', 'python -m pytest c'],
        'python -m pytest',
        'python -m pytest',
      ],
      [['npm test', 'npm test'], 'npm test', undefined],
      [['node -e 1', 'node -e 2', 'node -e 3'], 'node -e 4', undefined],
      [['make a', 'make b', 'make c'], 'make d', undefined],
      [['npm test', 'npm test "a b"', 'npm test'], 'npm test', undefined],
      [['npm test', 'npm test', 'npm test'], 'npm test && npm test', undefined],
      [['npm test', 'npm test', 'npm run build'], 'npm test', undefined],
    ];
    for (const [before, now, expected] of rows) assert.equal(offered(before, now), expected, `${before} / ${now}`);

    const consent = createConsent({ always });
    // What was not offered is not kept, and neither is anything where the card allows nothing for good.
    consent.keep(commandNeed('npm test'), allow('arguments'));
    assert.deepEqual([...kept], []);
    consent.keep(commandNeed('npm test'), allow('arguments'), 'npm test');
    assert.deepEqual([...kept], [JSON.stringify([['npm', 'test'], '/w'])]);
    for (const command of ['npm test', 'npm test -- --grep a', 'npm test src/a.ts']) {
      assert.equal(consent.covers(commandNeed(command)), true, command);
      assert.equal(consent.covers(commandNeed(command, { scopes: ['once'] })), false, command);
    }
    const beside = ['npm', 'npm testing', 'npm run test', 'npm  test', 'npm test ', 'npm test "a"', 'npm test\na'];
    for (const command of [...beside, 'npm test $A', 'npm test;a', 'npm test > a', 'npm test *', 'npm test ~/a']) {
      assert.equal(consent.covers(commandNeed(command)), false, command);
    }
    const elsewhere = { kind: 'command', command: 'npm test', shell: 'bash' } as const;
    for (const where of [
      { cwd: '/other' },
      { cwd: '/w', place: 'network' },
      { cwd: '/w', background: true },
    ] as const) {
      assert.equal(consent.covers(commandNeed('', { subject: { ...elsewhere, ...where } })), false);
    }
  });

  it('X27 never covers another text than the one that was agreed to', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (agreed, other) => {
        const consent = createConsent();
        consent.keep(commandNeed(agreed), allow('conversation'));
        assert.equal(consent.covers(commandNeed(other)), agreed === other);
      }),
    );
  });

  it('X42 one answer holds for another question only where the card shows the same tool, reach, place, line and lift', () => {
    const place = fc.constantFrom('/w', '/w/a', 'a', '["file","/w"]');
    const subject = fc.oneof(
      fc.record({
        kind: fc.constant('read' as const),
        path: place,
        reason: fc.constantFrom('outside' as const, 'ignored' as const),
        scope: fc.constantFrom(...readScopes),
      }),
      fc.record({
        kind: fc.constant('command' as const),
        command: fc.constantFrom('a', 'file', '/w', 'a b'),
        cwd: place,
        shell: fc.constantFrom('sh', 'bash'),
        place: fc.constantFrom(...executionTargets),
        background: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('external' as const),
        tool: fc.constantFrom('a', 'file'),
        arguments: fc.constantFrom('{}', '{"a":1}'),
        definition: fc.constantFrom('1', '2'),
      }),
      fc.record({
        kind: fc.constant('fetch' as const),
        url: fc.constantFrom('https://a.com/', 'https://a.com/b'),
        domain: fc.constantFrom('a.com', 'b.a.com', 'file'),
      }),
      fc.record({
        kind: fc.constantFrom('delete' as const, 'rename' as const),
        path: place,
        to: place,
        isProtected: fc.boolean(),
      }),
    );
    /** What a card of this kind says its answer is for; the words and the circumstances beside it do not count. */
    const facts = ({ kind, ...rest }: ApprovalSubject) => {
      const named: Record<string, unknown> = rest;
      if (kind === 'read') return [kind, named.scope, named.path];
      if (kind === 'command') return [kind, named.command, named.cwd, named.place, named.background];
      if (kind === 'fetch') return [kind, named.domain];
      return kind === 'external' ? [kind, named.tool, named.definition] : [kind];
    };
    fc.assert(
      fc.property(subject, subject, (agreed, other) => {
        const consent = createConsent();
        consent.keep({ subject: agreed, warnings: [], scopes: ['once', 'conversation'] }, allow('conversation'));
        const covers = consent.covers({ subject: other, warnings: [], scopes: ['once', 'conversation'] });
        const isOpen =
          !('isProtected' in agreed && agreed.isProtected) && !('isProtected' in other && other.isProtected);
        assert.equal(covers, isOpen && isDeepStrictEqual(facts(agreed), facts(other)));
      }),
      { numRuns: 2000 },
    );
  });

  it('X01 X26 protected files and secrets are asked about every time, whatever a tool offers', () => {
    const secret: ApprovalSubject = { kind: 'read', path: '.env', reason: 'secret' };
    for (const subject of [edit(true), { kind: 'delete', path: 'x', isProtected: true } as const, secret]) {
      const need = commandNeed('x', { subject });
      const consent = createConsent({ always: { isAllowed: () => true, remember: () => assert.fail() } });
      consent.keep(need, allow('conversation'));
      consent.keep(need, allow('always'));
      assert.deepEqual(offeredScopes(need), ['once']);
      assert.equal(consent.covers(need), false);
    }
  });

  it('X26 only commands can be allowed for good, and a consent is of one kind only', () => {
    const need = commandNeed('x', { subject: edit(false) });
    assert.deepEqual(offeredScopes(need), ['once', 'conversation']);
    const consent = createConsent({ always: { isAllowed: () => true, remember: () => assert.fail() } });
    consent.keep(need, allow('always'));
    assert.equal(consent.covers(need), false);
    consent.keep(need, allow('conversation'));
    assert.equal(consent.covers(need), true);
    assert.equal(createConsent().covers(need), false);
    const command = commandNeed('x', { scopes: ['once', 'conversation'] });
    assert.equal(consent.covers(command), false);
    const deletes = commandNeed('x', { subject: { kind: 'delete', path: 'a', isProtected: false } });
    assert.equal(consent.covers(deletes), false);
  });

  it('X01 X16 settings can open reads of ignored files or outside, and nothing else', () => {
    const consent = createConsent({ autoApprove: () => ['read-ignored'] });
    const all = createConsent({ autoApprove: () => ['read-ignored', 'read-outside'] });
    const read = (reason: 'outside' | 'ignored' | 'secret') =>
      commandNeed('x', { subject: { kind: 'read', path: 'x', reason }, scopes: ['once'] });
    assert.deepEqual([consent.covers(read('ignored')), consent.covers(read('outside'))], [true, false]);
    assert.deepEqual([all.covers(read('outside')), all.covers(read('secret'))], [true, false]);
    const external: ApprovalSubject = { kind: 'external', tool: 'read-ignored', arguments: '{}' };
    for (const subject of [edit(false), edit(true), external])
      assert.equal(all.covers(commandNeed('x', { subject })), false);
    assert.equal(all.covers(commandNeed('ls')), false);
  });

  it('X26 keeps nothing that was not offered, and nothing of a refusal', () => {
    const need = commandNeed('sudo x', { scopes: ['once'] });
    const consent = createConsent({ always: { isAllowed: () => true, remember: () => assert.fail() } });
    for (const answer of [allow('conversation'), allow('always'), { decision: 'skip' } as const]) {
      consent.keep(need, answer);
      assert.equal(consent.covers(need), false);
    }
  });
});

interface Ran {
  result: TurnResult;
  events: ChatEvent[];
  told: string[];
}

interface Scene {
  tools: readonly Tool[];
  script: readonly ScriptedReply[];
  /** `undefined`: nobody answers. */
  answer?: (callId: string) => ApprovalAnswer | undefined;
  /** Instead of `answer`. */
  answers?: Answers;
  /** Nobody can be asked. */
  alone?: boolean;
  controller?: AbortController;
  clock?: LoopDeps['clock'];
  onEvent?: (event: ChatEvent) => void;
}

async function run({
  tools,
  script,
  answer,
  alone = false,
  controller,
  clock,
  onEvent,
  ...scene
}: Scene): Promise<Ran> {
  const { client, requests } = createScriptedClient(script);
  const events: ChatEvent[] = [];
  const emit = (event: ChatEvent) => {
    events.push(event);
    onEvent?.(event);
  };
  const { answers = { approval: ({ callId }) => answer?.(callId) } } = scene;
  let calls = 0;
  const result = await runTurn(
    {
      client,
      tools,
      systemPrompt: () => 'You help.',
      clock: clock ?? createManualClock(),
      maxSteps: () => 20,
      newCallId: () => `c${++calls}`,
      log: (line) => assert.fail(line),
    },
    {
      turnId: 't1',
      history: [{ role: 'user', text: 'Hello' }],
      model,
      request: { surface: 'chat' },
      emit,
      signal: (controller ?? new AbortController()).signal,
      person: { consent: createConsent(), ask: alone ? askNobody : askWith(emit, 't1', answers) },
    },
  );
  const told = requests.flatMap(({ messages }) => messages.flatMap((one) => (one.role === 'tool' ? [one.text] : [])));
  return { result, events, told };
}

function planned(name: string, access: ToolAccess, plan: (text: string) => ToolPlan | Promise<ToolPlan>): Tool {
  return defineTool({
    name,
    description: name,
    parameters: z.object({ text: z.optional(z.string()) }),
    kind: 'other',
    access,
    title: ({ text }) => `${name} ${text ?? ''}`,
    plan: async ({ text = '' }: { text?: string }) => plan(text),
  });
}

const call = (name: string, text = '') => ({ name, arguments: JSON.stringify({ text }) });
const typeOf = (event: ChatEvent) =>
  event.type === 'asked' || event.type === 'answered' ? `${event.kind} ${event.type}` : event.type;
const types = (events: readonly ChatEvent[]) =>
  events.map(typeOf).filter((type) => /tool|approval|question|cost|wait|plan/i.test(type));
const finished = (events: readonly ChatEvent[]) => events.filter((event) => event.type === 'toolFinished');
const answers = [{ toolCalls: [call('run', 'ls')] }, { text: 'ok' }];

describe('agent consent', () => {
  let ran: string[] = [];
  const command = () => {
    ran = [];
    return planned('run', 'execute', (text) => ({
      approval: commandNeed(text),
      run: async () => {
        ran.push(text);
        return { forModel: `ran ${text}` };
      },
    }));
  };

  it('X23 asks before anything happens, and runs what was allowed', async () => {
    const { events, told } = await run({
      tools: [command()],
      script: answers,
      answer: () => {
        assert.deepEqual(ran, []);
        return allow('once');
      },
    });
    assert.deepEqual(types(events), ['approval asked', 'approval answered', 'toolStarted', 'toolFinished']);
    const request = events.find((event) => event.type === 'asked' && event.kind === 'approval');
    assert.equal(request?.id, 'c1');
    assert.deepEqual(request.about, {
      callId: 'c1',
      tool: 'run',
      title: 'run ls',
      subject: { kind: 'command', command: 'ls', cwd: '/w', shell: 'bash' },
      warnings: [],
      scopes: ['once', 'conversation', 'always'],
    });
    assert.deepEqual(told, ['ran ls']);
  });

  for (const [what, answer, sentence] of [
    ['a skipped call', { decision: 'skip' }, /^The user skipped this call\./],
    ['a denied call', { decision: 'deny', reason: 'Use pnpm' }, /denied this call.*Use pnpm/],
    ['a call denied without a reason', { decision: 'deny', reason: ' ' }, /^The user denied this call\. Nothing/],
    ['an expired call', { decision: 'expired' }, /^Nothing was done/],
  ] as const) {
    it(`F14 ${what} does nothing and the model hears why`, async () => {
      const { events, told, result } = await run({ tools: [command()], script: answers, answer: () => answer });
      assert.deepEqual(ran, []);
      assert.deepEqual(types(events), ['approval asked', 'approval answered', 'toolFinished']);
      assert.match(told[0] ?? '', sentence);
      assert.equal(finished(events)[0]?.state, 'cancelled');
      assert.equal(result.outcome, 'finished');
    });
  }

  it('X23 where nobody can be asked nothing that needs consent is done', async () => {
    const { events, told } = await run({ tools: [command()], script: answers, alone: true });
    assert.deepEqual(ran, []);
    assert.deepEqual(types(events), ['toolFinished']);
    assert.deepEqual([finished(events)[0]?.state, finished(events)[0]?.forModel], ['cancelled', told[0]]);
    assert.match(told[0] ?? '', /^Nothing was done: it needs the consent of the user/);
  });

  it('X26 what was allowed for the conversation is not asked again, anything else is', async () => {
    const { events } = await run({
      tools: [command()],
      script: [{ toolCalls: ['ls', 'ls', 'ls -a'].map((text) => call('run', text)) }, { text: 'ok' }],
      answer: () => allow('conversation'),
    });
    assert.deepEqual(ran, ['ls', 'ls', 'ls -a']);
    assert.equal(types(events).filter((type) => type === 'approval asked').length, 2);
  });

  it('ux 2.10 after "Review Each" every edit of the conversation is run as a review, a command never', async () => {
    const reviewed: (boolean | undefined)[] = [];
    const tool = planned('run', 'write', () => ({
      approval: { subject: edit(false), warnings: [], scopes: ['once', 'review'] },
      run: async (agreed) => {
        reviewed.push(agreed?.review);
        return { forModel: 'ok' };
      },
    }));
    const { events } = await run({
      tools: [tool],
      script: [{ toolCalls: ['1', '2', '3'].map((text) => call('run', text)) }, { text: 'ok' }],
      answer: () => (reviewed.length === 0 ? allow('once') : { decision: 'allow', scope: 'review' }),
    });
    assert.deepEqual(reviewed, [false, true, true]);
    assert.equal(types(events).filter((type) => type === 'approval asked').length, 2);
    const consent = createConsent();
    const command = commandNeed('ls', { scopes: ['once', 'review'] });
    consent.keep(command, { decision: 'allow', scope: 'review' });
    assert.equal(consent.covers(command), false);
  });

  it('X03 what the plan finds changed when it runs is refused, also after consent', async () => {
    const tool = planned('run', 'write', () => ({
      approval: commandNeed('x', { subject: edit(false) }),
      run: async () => {
        throw new ToolError('The file has changed since: read it again.');
      },
    }));
    const { told } = await run({ tools: [tool], script: answers, answer: () => allow('once') });
    assert.deepEqual(told, ['The file has changed since: read it again.']);
  });

  it('X07 several reads may wait for an answer together; anything else is asked about alone and in order', async () => {
    const waiting = new Map<string, (answer: ApprovalAnswer) => void>();
    const max = { read: 0, run: 0 };
    const read = planned('read', 'read', (text) => ({
      approval: { subject: { kind: 'read', path: text, reason: 'outside' }, warnings: [], scopes: ['once'] },
      run: async () => ({ forModel: text }),
    }));
    const approval: Answers['approval'] = ({ callId, tool }) => {
      const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
      waiting.set(callId, resolve);
      const kind = tool === 'read' ? 'read' : 'run';
      max[kind] = Math.max(max[kind], waiting.size);
      setImmediate(() => {
        for (const [id, settle] of [...waiting]) {
          waiting.delete(id);
          settle(allow('once'));
        }
      });
      return promise;
    };
    const names = ['read', 'read', 'read', 'run', 'run'];
    const script = [{ toolCalls: names.map((name, index) => call(name, `${index}`)) }, { text: 'ok' }];
    await run({ tools: [read, command()], script, answers: { approval } });
    assert.deepEqual(max, { read: 3, run: 1 });
    assert.deepEqual(ran, ['3', '4']);
  });

  it('W39 a call of a damaged reply is not even asked about', async () => {
    const script = [{ toolCalls: [call('run', 'ls')], damagedEvents: 1 }, { text: 'ok' }];
    const { events } = await run({ tools: [command()], script, answer: () => allow('once') });
    assert.deepEqual(types(events), ['toolFinished']);
    assert.deepEqual(ran, []);
  });

  it('F2 Stop while an approval waits cancels the call at once', async () => {
    const controller = new AbortController();
    const { events, result } = await run({
      tools: [command()],
      script: answers,
      controller,
      onEvent: (event) => event.type === 'asked' && event.kind === 'approval' && controller.abort(),
    });
    assert.equal(result.outcome, 'stopped');
    assert.deepEqual(types(events), ['approval asked', 'toolFinished']);
    assert.equal(finished(events)[0]?.state, 'cancelled');
    assert.deepEqual(ran, []);
  });

  it('F2 Stop while a plan is being worked out answers at once', async () => {
    const controller = new AbortController();
    const tool = planned('run', 'execute', () => {
      setImmediate(() => controller.abort());
      return new Promise<ToolPlan>(() => undefined);
    });
    const { events, result } = await run({ tools: [tool], script: answers, controller });
    assert.equal(result.outcome, 'stopped');
    assert.deepEqual(types(events), ['toolFinished']);
  });

  it('F2 Stop waits less than a second for a command that ignores it, and says what is not known', async () => {
    const controller = new AbortController();
    const clock = createManualClock();
    const tool = planned('run', 'execute', () => ({
      run: () => {
        setImmediate(() => {
          controller.abort();
          clock.advance(1000);
        });
        return new Promise(() => undefined);
      },
    }));
    const { events, result } = await run({ tools: [tool], script: answers, controller, clock });
    assert.equal(result.outcome, 'stopped');
    assert.match(finished(events)[0]?.forModel ?? '', /Cancelled by the user while it ran.*not known/);
    assert.equal(clock.pending(), 0);
  });

  it('F2 Stop lets a write that ends in time say what it did', async () => {
    const controller = new AbortController();
    const tool = planned('run', 'write', () => ({
      run: async () => {
        controller.abort();
        await new Promise((resolve) => setImmediate(resolve));
        return { forModel: 'written' };
      },
    }));
    const { events } = await run({ tools: [tool], script: answers, controller });
    assert.equal(finished(events)[0]?.forModel, 'written');
  });

  it('H07 the same command again and again ends the turn, unless something else changed things in between', async () => {
    const again = Array.from({ length: 8 }, () => ({ toolCalls: [call('run', 'ls')] }));
    const stuck = await run({ tools: [command()], script: again, answer: () => allow('once') });
    assert.equal(stuck.result.failure?.kind, 'no-progress');
    // Told after four, and ended when it does the same twice more.
    assert.equal(ran.length, 6);
    const inTurns = Array.from({ length: 8 }, (_, index) => ({
      toolCalls: [call('run', 'test'), call('run', `edit ${index}`)],
    }));
    const script = [...inTurns, { text: 'ok' }];
    const working = await run({ tools: [command()], script, answer: () => allow('once') });
    assert.equal(working.result.outcome, 'finished');
  });
});

describe('agent questions', () => {
  const asking = defineTool({
    name: 'ask',
    description: 'ask',
    parameters: z.object({ text: z.optional(z.string()) }),
    kind: 'other',
    access: 'ask',
    title: () => 'Ask',
    run: async (_args, context) => ({
      forModel: `${await context.ask({ text: 'Which?', options: ['a', 'b'] })}`,
    }),
  });

  it('F18 shows what a tool asks and gives it the answer', async () => {
    const { events, told } = await run({
      tools: [asking],
      script: [{ toolCalls: [call('ask')] }, { text: 'ok' }],
      answers: { question: () => 'b' },
    });
    assert.deepEqual(types(events), ['toolStarted', 'question asked', 'question answered', 'toolFinished']);
    const asked = events.find((event) => event.type === 'asked' && event.kind === 'question');
    assert.equal(asked?.id, 'c1');
    assert.deepEqual(asked.about, { callId: 'c1', text: 'Which?', options: ['a', 'b'] });
    assert.deepEqual(told, ['b']);
  });

  it('F2 Stop while a question waits cancels the call at once', async () => {
    const controller = new AbortController();
    const { events, result } = await run({
      tools: [asking],
      script: [{ toolCalls: [call('ask')] }],
      controller,
      onEvent: (event) => event.type === 'asked' && event.kind === 'question' && controller.abort(),
    });
    assert.equal(result.outcome, 'stopped');
    assert.deepEqual(types(events), ['toolStarted', 'question asked', 'toolFinished']);
  });
});
