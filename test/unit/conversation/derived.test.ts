import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createCallIds } from '../../../src/conversation/call-ids.ts';
import { closeInterrupted } from '../../../src/conversation/durable-events.ts';
import { parseDurableEvent } from '../../../src/conversation/event-schema.ts';
import { exportMarkdown } from '../../../src/conversation/export.ts';
import { titleOf } from '../../../src/conversation/summary.ts';
import type { DurableEvent, Notice } from '../../../src/shared/events.ts';
import { type FailureKind, failureKinds } from '../../../src/shared/failure.ts';
import { noCost } from '../../../src/spend/price.ts';
import { answering, attempt, converse, model, stepFinished } from './samples.ts';

describe('title', () => {
  it('is the first line that says something', () => {
    assert.equal(titleOf('\n   \n  Explain this \nplease', []), 'Explain this');
  });

  it('H09 is cut on a character and never in one', () => {
    const title = titleOf('😀'.repeat(100), []);
    assert.equal([...title].length, 80);
    assert.ok(title.isWellFormed() && title.endsWith('…'));
  });

  it('falls back to what was attached', () => {
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

  it('E21 leave finished turns as they are', () => {
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
    { kind: 'degraded', model, feature: 'parameter', parameter: 'seed' },
    { kind: 'note', text: 'n' },
  ];

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
