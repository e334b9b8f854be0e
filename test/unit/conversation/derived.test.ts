import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallIds } from '../../../src/conversation/call-ids.ts';
import { exportMarkdown } from '../../../src/conversation/export.ts';
import { closeInterrupted } from '../../../src/conversation/store/durable-events.ts';
import { titleOf } from '../../../src/conversation/summary.ts';
import type { ApprovalAnswer, ApprovalRequest, ApprovalSubject } from '../../../src/shared/approval.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import type { DurableEvent, Notice } from '../../../src/shared/events.ts';
import { type FailureKind, failureKinds } from '../../../src/shared/failure/kinds.ts';
import { noCost } from '../../../src/spend/price.ts';
import { answering, attempt, converse, model, stepFinished } from './samples.ts';

describe('title', () => {
  it('the title is the first line that says something', () => {
    assert.equal(titleOf('\n   \n  Explain this \nplease', []), 'Explain this');
  });

  it('H09 is cut on a character and never in one', () => {
    const title = titleOf('😀'.repeat(100), []);
    assert.equal([...title].length, 80);
    assert.ok(title.isWellFormed() && title.endsWith('…'));
  });

  it('the title of a message without words is its attachment', () => {
    assert.equal(titleOf(' ', ['src/a.ts:1-9']), 'src/a.ts:1-9');
    assert.equal(titleOf('', []), '');
  });
});

describe('call ids', () => {
  it('H14 go on after a reload where they ended', () => {
    const call = (id: string) => ({ id, name: 'read_file', arguments: '{}' });
    const next = createCallIds([stepFinished('t1', { toolCalls: [call('c2'), call('c11'), call('foreign-99')] })]);
    assert.deepEqual([next(), next()], ['c12', 'c13']);
  });
});

const approvalOf = (subject: ApprovalSubject, callId = 'c1'): ApprovalRequest => ({
  callId,
  tool: 'n',
  title: 'N',
  subject,
  warnings: ['w'],
  scopes: ['once', 'conversation', 'always'],
});

describe('interrupted turns', () => {
  const started = (turnId: string, at: number): DurableEvent => ({ type: 'turnStarted', turnId, at, model });

  it('E21 are closed where the next message begins, and closing twice changes nothing', () => {
    const events: DurableEvent[] = [
      started('t1', 5),
      stepFinished('t1', { attempts: [attempt({ startedAt: 1000, durationMs: 500 })] }),
      { type: 'userMessage', id: 'u2', at: 9000, text: 'again', attachments: [] },
      started('t2', 9001),
    ];
    const closed = closeInterrupted(events);
    assert.deepEqual(
      closed.map((event) => event.type),
      ['turnStarted', 'stepFinished', 'turnEnded', 'userMessage', 'turnStarted', 'turnEnded'],
    );
    const [end, last] = closed.filter((event) => event.type === 'turnEnded');
    assert.deepEqual([end?.at, end?.cost.microUsd, end?.cost.estimated, end?.cost.charge], [1500, 330, false, 'yes']);
    assert.deepEqual(
      [last?.at, last?.cost.microUsd, last?.cost.estimated, last?.cost.charge],
      [9001, 0, true, 'maybe'],
    );
    assert.deepEqual(closeInterrupted(closed), closed);
  });

  it('F35 E21 a subagent that the window took along is interrupted, and what it had paid is in the price of its answer', () => {
    const call = { id: 'c1', name: 'ask_subagent', arguments: '{"task":"x"}' };
    const paid = (attempts: ReturnType<typeof attempt>[]): DurableEvent => ({
      ...{ type: 'subagentPaid', turnId: 't1', step: 0, callId: 'c1', estimatedMicroUsd: 1, maxMicroUsd: 2, attempts },
    });
    const events: DurableEvent[] = [
      started('t1', 5),
      stepFinished('t1', { toolCalls: [call], attempts: [attempt()] }),
      ...[paid([]), paid([attempt({ requestId: 's1' })]), paid([attempt({ requestId: 's2' })])],
    ];
    const closed = closeInterrupted(events);
    const [result, end] = closed.slice(-2);
    assert.deepEqual(result?.type === 'toolFinished' && [result.callId, result.state], ['c1', 'cancelled']);
    // Another request of it may have been under way.
    assert.deepEqual(end?.type === 'turnEnded' && [end.cost.microUsd, end.cost.requests, end.cost.estimated], [
      990,
      3,
      true,
    ]);
    assert.deepEqual(closeInterrupted(closed), closed);
  });

  it('X26 what was waiting for consent when the window died has expired, what was answered has not', () => {
    const asked = (callId: string): DurableEvent => ({
      type: 'asked',
      turnId: 't1',
      step: 0,
      id: approvalOf({ kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' }, callId).callId,
      kind: 'approval',
      about: approvalOf({ kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' }, callId),
    });
    const answered: DurableEvent = {
      type: 'answered',
      turnId: 't1',
      id: 'c1',
      kind: 'approval',
      value: { decision: 'allow', scope: 'once' },
    };
    const closed = closeInterrupted([started('t1', 5), asked('c1'), asked('c2'), answered]);
    assert.deepEqual(closed.slice(4, -1), [
      { type: 'answered', turnId: 't1', id: 'c2', kind: 'approval', value: { decision: 'expired' } },
    ]);
    assert.equal(closed.at(-1)?.type, 'turnEnded');
    assert.deepEqual(closeInterrupted(closed), closed);
  });

  it('E21 H02 a call that may have begun is not said to be undone; one that waited for consent is', () => {
    const call = { id: 'c1', name: 'run_command', arguments: '{}' };
    const request = approvalOf({ kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' }, 'c1');
    const asked: DurableEvent = {
      type: 'asked',
      turnId: 't1',
      step: 0,
      id: request.callId,
      kind: 'approval',
      about: request,
    };
    const answer = { decision: 'allow' as const, scope: 'once' as const };
    const events: DurableEvent[] = [started('t1', 5), stepFinished('t1', { toolCalls: [call] }), asked];
    const finished = (list: readonly DurableEvent[]) => list.filter((event) => event.type === 'toolFinished');
    assert.deepEqual(finished(closeInterrupted(events)), []);
    const closed = closeInterrupted([
      ...events,
      { type: 'answered', turnId: 't1', id: 'c1', kind: 'approval', value: answer },
    ]);
    const [end, ...others] = finished(closed);
    assert.deepEqual(others, []);
    assert.deepEqual([end?.callId, end?.state, end?.title], ['c1', 'cancelled', request.title]);
    assert.match(end?.forModel ?? '', /might have finished, partly finished, or not started/);
    assert.deepEqual(closeInterrupted(closed), closed);
  });

  it('E21 closing interrupted turns leaves finished ones as they are', () => {
    const events: DurableEvent[] = [
      started('t1', 5),
      { type: 'turnEnded', turnId: 't1', at: 6, outcome: 'finished', cost: noCost },
    ];
    assert.deepEqual(closeInterrupted(events), events);
  });
});

describe('stored events', () => {
  const failure = (kind: FailureKind) => ({
    kind,
    message: 'm',
    at: '2026-11-20T10:00:00+01:00',
    facts: { a: 1, b: 'x' },
  });
  const notices: Notice[] = [
    { kind: 'fallback', from: 'a', to: 'b', failure: failure('capacity-model'), continued: true },
    { kind: 'fallback', from: 'a', to: 'b', failure: failure('capacity-model'), continued: false, answered: true },
    { kind: 'degraded', model, feature: 'parameter', parameter: 'seed' },
    { kind: 'note', text: 'n' },
  ];

  const isProtected = true;
  const subjects: ApprovalSubject[] = [
    { kind: 'read', path: 'a', reason: 'outside' },
    { kind: 'edit', path: 'a', diff: '+', added: 1, removed: 0, isNew: true, isProtected },
    { kind: 'delete', path: 'a', isProtected },
    { kind: 'rename', path: 'a', to: 'b', isProtected },
    { kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' },
    { kind: 'external', tool: 't', arguments: '{}' },
    { kind: 'fetch', url: 'https://a.com/', domain: 'a.com' },
  ];
  const answers: ApprovalAnswer[] = [
    { decision: 'allow', scope: 'always' },
    { decision: 'skip' },
    { decision: 'deny', reason: 'no' },
    { decision: 'expired' },
  ];

  it('X26 an answer of a later version allows nothing', () => {
    const answer = { decision: 'allowUnlessBad' };
    const event = parseDurableEvent({ type: 'answered', turnId: 't', id: 'c1', kind: 'approval', value: answer });
    assert.deepEqual(event?.type === 'answered' && event.kind === 'approval' && event.value, { decision: 'expired' });
  });

  it('E04 come back from JSON as they were written, every kind of them', () => {
    const events: DurableEvent[] = [
      { type: 'created', conversationId: 'c', at: 1, workspace: 'w' },
      { type: 'titleChanged', title: 't' },
      { type: 'modelChanged', model },
      {
        type: 'userMessage',
        id: 'u',
        at: 2,
        text: 'x',
        attachments: [
          { id: 'a', label: 'a.ts:1-2', uri: 'file:///a.ts', startLine: 1, endLine: 2, languageId: 'ts', text: 'y' },
        ],
      },
      { type: 'turnStarted', turnId: 't', at: 3, model },
      { type: 'stepPartial', turnId: 't', step: 0, model, text: 'x', reasoning: 'r' },
      stepFinished('t', {
        reportedModel: 'other',
        toolCalls: [{ id: 'c1', name: 'n', arguments: '{' }],
        usage: attempt().usage,
        savedTokens: 7,
        attempts: [attempt({ failure: failure('timeout'), firstEventMs: 1, status: 200 })],
      }),
      {
        type: 'toolFinished',
        turnId: 't',
        step: 0,
        callId: 'c1',
        name: 'n',
        title: 'N',
        state: 'failed',
        forModel: 'no',
        forUser: 'No',
        durationMs: 1,
        sub: { keptTokens: 1, aheadTokens: -1 },
      },
      ...subjects.map(
        (subject): DurableEvent => ({
          type: 'asked',
          turnId: 't',
          step: 0,
          id: approvalOf(subject).callId,
          kind: 'approval',
          about: approvalOf(subject),
        }),
      ),
      ...answers.map(
        (answer): DurableEvent => ({ type: 'answered', turnId: 't', id: 'c1', kind: 'approval', value: answer }),
      ),
      {
        type: 'asked',
        turnId: 't',
        step: 0,
        id: 'c1',
        kind: 'question',
        about: { callId: 'c1', text: 'q', options: ['a'] },
      },
      { type: 'answered', turnId: 't', id: 'c1', kind: 'question', value: 'a' },
      { type: 'planUpdated', turnId: 't', items: [{ text: 'p', state: 'done' }] },
      { type: 'checkpointTaken', turnId: 't', checkpointId: 'k', paths: ['a.ts'] },
      { type: 'compacted', turnId: 'x', summary: 's', tokensBefore: 9, tokensAfter: 1 },
      { type: 'summaryDropped', turnId: 't', step: 0, attempts: [attempt()] },
      {
        ...{ type: 'subagentPaid', turnId: 't', step: 0, callId: 'c1', estimatedMicroUsd: 1, maxMicroUsd: 2 },
        attempts: [attempt()],
      },
      ...notices.map((notice): DurableEvent => ({ type: 'notice', turnId: 't', step: 0, notice })),
      ...failureKinds.map(
        (kind): DurableEvent => ({
          type: 'turnEnded',
          turnId: 't',
          at: 4,
          outcome: 'failed',
          cost: noCost,
          failure: {
            ...failure(kind),
            serverMessage: 's',
            status: 500,
            model,
            namedModel: model,
            endpoint: 'e',
            retryAfterMs: 1,
          },
        }),
      ),
    ];
    for (const event of events) assert.deepEqual(parseDurableEvent(JSON.parse(JSON.stringify(event))), event);
  });

  it('E04 keep the end of a turn whose failure has a kind of a later version', () => {
    const event = parseDurableEvent({
      type: 'turnEnded',
      turnId: 't',
      at: 4,
      outcome: 'paused',
      cost: noCost,
      failure: { kind: 'unheard-of', message: 'm', at: 'a' },
    });
    assert.ok(event?.type === 'turnEnded');
    assert.deepEqual([event.outcome, event.failure?.kind], ['interrupted', 'internal']);
  });
});

describe('export', () => {
  it('tells what was denied and why, what was asked and answered, and where the history was shortened', async () => {
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'n', arguments: '{}' }));
    const { conversation } = converse([
      async (input) => {
        const result = await answering('', { toolCalls: calls })(input);
        const at = { turnId: input.turnId, step: 0 };
        const request = approvalOf({ kind: 'command', command: 'ls', cwd: '/w', shell: 'sh' });
        input.emit({ type: 'asked', ...at, id: request.callId, kind: 'approval', about: request });
        input.emit({
          type: 'answered',
          ...at,
          id: 'c1',
          kind: 'approval',
          value: { decision: 'deny', reason: 'Not\nnow' },
        });
        const end = { name: 'n', forModel: 'x', durationMs: 1 };
        input.emit({ type: 'toolFinished', ...at, callId: 'c1', ...end, title: 'Run ls', state: 'cancelled' });
        input.emit({
          type: 'asked',
          ...at,
          id: 'c2',
          kind: 'question',
          about: { callId: 'c2', text: 'Which?', options: [] },
        });
        input.emit({ type: 'answered', ...at, id: 'c2', kind: 'question', value: 'This' });
        input.emit({ type: 'toolFinished', ...at, callId: 'c2', ...end, title: 'Ask: Which?', state: 'done' });
        return result;
      },
    ]);
    await conversation.send({ text: 'Go', attachments: [], model });
    await conversation.compact(async () => ({ summary: 'It went.', tokensBefore: 2, tokensAfter: 1 }));
    const text = exportMarkdown(conversation.state());
    assert.ok(text.includes('- Run ls (deny)\n  - Reason: Not now\n'));
    assert.ok(text.includes('- Ask: Which?\n  - Which?\n  - You: This\n'));
    assert.ok(text.endsWith('summary from here on:*\n\nIt went.\n'));
  });

  it('gives the words of both sides, what was read and what it cost', async () => {
    const toolCalls = [{ id: 'c1', name: 'read_file', arguments: '{}' }];
    const { conversation } = converse([
      async (input) => {
        const result = await answering('Use `x`:\n\n```ts\nx\n```', { toolCalls })(input);
        const { turnId } = input;
        const done = {
          name: 'read_file',
          title: 'Read src/a.ts',
          state: 'done' as const,
          forModel: 'x',
          durationMs: 1,
        };
        input.emit({ type: 'toolFinished', turnId, step: 0, callId: 'c1', ...done });
        return result;
      },
    ]);
    const attachments = [{ id: 'a', label: 'odd`name.ts', text: 'x' }];
    await conversation.send({ text: 'How?', attachments, model });
    assert.equal(
      exportMarkdown(conversation.state()),
      [
        '# How?',
        '## You',
        'How?',
        '- Attached: `` odd`name.ts ``',
        `## ${model}`,
        'Use `x`:\n\n```ts\nx\n```',
        '- Read src/a.ts',
        '*1000 tokens, $0.0003*\n',
      ].join('\n\n'),
    );
  });
});
