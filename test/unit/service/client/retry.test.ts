import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { knownModels } from '../../../../src/service/models.ts';
import {
  type Answer,
  brokenStream,
  createHarness,
  delta,
  ended,
  errorAnswer,
  events,
  finish,
  json,
  modelList,
  models,
  networkError,
  ofType,
  page,
  reply,
  until,
  usage,
} from './harness.ts';

const named = errorAnswer(503, 'Model svc/kimi-k3 is currently unavailable due to capacity.');
const unnamed = errorAnswer(503, 'The engine is currently overloaded');

const ignore = (): void => undefined;
const waitsIn = ({ events }: Pick<ReturnType<typeof createHarness>, 'events'>) =>
  ofType(events, 'asked').flatMap((event) => (event.kind === 'wait' ? [event] : []));

describe('client: retry', () => {
  it('S8 T02 W100 a 522 is tried again for half a minute at least, visibly, and then given up', async () => {
    const harness = createHarness([page(522)], { random: () => 0 });
    assert.equal((await harness.send()).outcome, 'failed');
    assert.deepEqual(harness.sleeps, [1000, 2000, 4000, 8000, 16_000]);
    assert.deepEqual(
      waitsIn(harness).map(({ about: { attempt, of } }) => [attempt, of]),
      [2, 3, 4, 5, 6].map((attempt) => [attempt, 6]),
    );
  });

  it('S8 T02 a 522 is tried again visibly, and then succeeds', async () => {
    const harness = createHarness([page(522), page(522), reply('at last')]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.deepEqual(harness.sleeps, [1250, 2500]);
    const waits = waitsIn(harness);
    assert.deepEqual(
      waits.map(({ about: { attempt, of, delayMs } }) => ({ attempt, of, delayMs })),
      [
        { attempt: 2, of: 6, delayMs: 1250 },
        { attempt: 3, of: 6, delayMs: 2500 },
      ],
    );
    assert.equal(waits[0]?.about.failure.kind, 'origin-down');
    assert.ok(waits.every(({ over }) => over.aborted));
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/kimi-k3', 'svc/kimi-k3']);
  });

  it('S8 ux 2.2 a wait can be skipped: the same request goes out at once', async () => {
    const harness = createHarness([page(522), reply('now')], { sleepForever: true });
    const sent = harness.send();
    await until(() => waitsIn(harness).length === 1);
    const wait = waitsIn(harness)[0];
    assert.equal(wait?.over.aborted, false);
    wait.answer();
    wait.answer('now');
    const result = await sent;
    assert.deepEqual([result.outcome, result.reply.text], ['done', 'now']);
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/kimi-k3']);
    wait.answer('other-model');
    assert.equal(harness.chats().length, 2);
  });

  it('S9 ux 2.2 a wait can be left for another model, also where fallback is off, and that is said', async () => {
    const fallback = () => ({ enabled: false, order: ['svc/glm-5.3'] });
    const harness = createHarness([page(522), reply('from the other')], { sleepForever: true, fallback });
    const sent = harness.send();
    await until(() => waitsIn(harness).length === 1);
    const wait = waitsIn(harness)[0];
    assert.equal(wait?.about.other, 'svc/glm-5.3');
    wait?.answer('other-model');
    assert.equal((await sent).outcome, 'done');
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/glm-5.3']);
    const notices = ofType(harness.events, 'notice').map(({ notice }) => notice);
    assert.deepEqual(
      notices.map((notice) => notice.kind === 'fallback' && [notice.to, notice.failure.kind, notice.answered]),
      [
        ['svc/glm-5.3', 'origin-down', undefined],
        ['svc/glm-5.3', 'origin-down', true],
      ],
    );
  });

  it('T02 Retry-After wins over our own delay', async () => {
    const harness = createHarness([errorAnswer(429, 'slow down', { 'retry-after': '7' }), reply()]);
    assert.equal((await harness.send()).outcome, 'done');
    assert.deepEqual(harness.sleeps, [7000]);
  });

  it('W78 a Retry-After of more than a minute is shown, not slept', async () => {
    const harness = createHarness([errorAnswer(429, 'slow down', { 'retry-after': '3600' }), reply()]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.retryAfterMs, 3_600_000);
    assert.equal(harness.chats().length, 1);
  });

  it('B2 a rate limit never switches the model', async () => {
    const harness = createHarness([errorAnswer(429, 'too many requests per minute')]);
    await harness.send();
    assert.deepEqual(models(harness), Array(6).fill('svc/kimi-k3'));
  });

  it('W36 one retry after an empty reply, which is not charged', async () => {
    const harness = createHarness([events(finish('stop'), '[DONE]'), reply('now')]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.deepEqual(
      ended(harness).map(({ outcome, charge }) => [outcome, charge]),
      [
        ['empty', 'no'],
        ['complete', 'yes'],
      ],
    );
  });

  const empties: [string, Parameters<typeof events>][] = [
    ['W36 role and stop', [{ choices: [{ delta: { role: 'assistant' } }] }, finish('stop'), '[DONE]']],
    ['W36b only [DONE]', ['[DONE]']],
    ['W36b nothing at all', []],
    ['W72 finish tool_calls without a call', [finish('tool_calls'), '[DONE]']],
    ['W36 only spaces', [delta('  \n'), finish('stop'), '[DONE]']],
  ];
  for (const [name, data] of empties) {
    it(`${name}: the reply counts as empty`, async () => {
      const result = await createHarness([events(...data)]).send();
      assert.ok(result.outcome === 'failed');
      assert.equal(result.failure.kind, 'empty-reply');
    });
  }

  const thought = { choices: [{ delta: { reasoning_content: 'It is 42.' } }] };

  it('W73 W97 reasoning alone is asked about once; when it comes again it is the answer, and learned', async () => {
    const harness = createHarness([events(thought, finish('stop', usage), '[DONE]')]);
    const result = await harness.send();
    assert.equal(result.outcome, 'done');
    assert.equal(result.reply.text, 'It is 42.');
    assert.deepEqual(
      result.attempts.map(({ charge }) => charge),
      ['yes', 'yes'],
    );
    assert.deepEqual(
      ofType(harness.events, 'text').map(({ text }) => text),
      ['It is 42.'],
    );
    assert.equal((await harness.send()).reply.text, 'It is 42.');
    assert.equal(harness.chats().length, 3);
  });

  it('W97 a model that answers in words again is no longer taken to answer as reasoning', async () => {
    const alone = events(thought, finish('stop'), '[DONE]');
    const harness = createHarness([alone, alone, reply('In words.'), alone, reply('Again.')]);
    for (const text of ['It is 42.', 'In words.', 'Again.']) assert.equal((await harness.send()).reply.text, text);
  });

  it('W97 S10 reasoning that nobody counted may have been charged', async () => {
    const harness = createHarness([events(thought, finish('stop'), '[DONE]'), reply()]);
    const result = await harness.send();
    assert.deepEqual(
      result.attempts.map(({ charge }) => charge),
      ['maybe', 'yes'],
    );
  });

  const sse = (body: string | Uint8Array<ArrayBuffer>, type = 'text/event-stream'): Answer => {
    return () => new Response(body, { headers: { 'content-type': type } });
  };
  const unreadable: Record<string, Answer> = {
    'a compressed body that nobody unpacked': sse(Uint8Array.from([40, 181, 47, 253, 4, 88, 200, 13, 10, 97, 98])),
    'events of another API': events(
      { type: 'message_start', message: { id: 'm', role: 'assistant' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
      { type: 'message_stop' },
    ),
    'a whole reply of another API': json(200, {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi.' }],
    }),
    'text under another index': events(
      { choices: [{ index: 1, delta: { content: 'Hi.' }, finish_reason: 'stop' }] },
      '[DONE]',
    ),
    'events that are damaged': events('{"choices":[{"delta":{"content":"Hi', '[DONE]'),
    'a beginning without a word, and no end': events({ choices: [{ index: 0, delta: { role: 'assistant' } }] }),
  };
  for (const [what, answer] of Object.entries(unreadable))
    it(`S10 U6 ${what} came with a 200: possibly charged, and not sent again unasked`, async () => {
      const harness = createHarness([answer, reply()], { fallback: () => ({ enabled: false, order: [] }) });
      const result = await harness.send();
      assert.equal(result.outcome, 'failed');
      assert.equal(harness.chats().length, 1);
      const [attempt] = ended(harness);
      assert.equal(attempt?.charge, 'maybe');
      assert.ok((attempt.usage?.totalTokens ?? 0) > 0);
    });

  it('S10 an empty reply whose tokens the service counted is charged as counted', async () => {
    const harness = createHarness([events(finish('stop', usage), '[DONE]')]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.charge, 'yes');
    assert.deepEqual(
      result.attempts.map(({ charge, usage: used }) => [charge, used?.totalTokens, used?.estimated]),
      [
        ['yes', 15, false],
        ['yes', 15, false],
      ],
    );
  });

  it('S10 a reply that broke behind its count is charged as counted', async () => {
    const harness = createHarness([events(delta('half'), { choices: [], usage }, { error: { message: 'oops' } })]);
    const [first] = (await harness.send()).attempts;
    assert.deepEqual([first?.charge, first?.outcome], ['yes', 'incomplete']);
  });

  it('T03 reasoning that is cut off was shown, so it is not sent again', async () => {
    const thought = { choices: [{ delta: { reasoning_content: 'hmm' } }] };
    const harness = createHarness([events(thought), reply()]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'cut-off');
    assert.equal(harness.chats().length, 1);
  });

  it('S29 a reply cut at the limit is done, whatever it holds', async () => {
    const result = await createHarness([
      events(delta('half'), finish('length', { prompt_tokens: 1 }), '[DONE]'),
    ]).send();
    assert.equal(result.outcome, 'done');
    assert.equal(result.reply.finish, 'length');
  });

  it('N17 a kept connection that was closed meanwhile is tried again at once', async () => {
    const stale = () => {
      const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      throw Object.assign(new TypeError('fetch failed', { cause }), { unread: true });
    };
    const harness = createHarness([stale, reply()]);
    assert.equal((await harness.send()).outcome, 'done');
    assert.deepEqual(harness.sleeps, []);
    assert.deepEqual(
      ended(harness).map(({ charge }) => charge),
      ['no', 'yes'],
    );
  });

  it('W98 a connection that breaks after the request was read is waited for, and may have been charged', async () => {
    const harness = createHarness([networkError('ECONNRESET'), reply()]);
    assert.equal((await harness.send()).outcome, 'done');
    assert.equal(harness.sleeps.length, 1);
    const [first] = ended(harness);
    assert.deepEqual([first?.charge, first?.usage?.estimated], ['maybe', true]);
  });

  it('T12 after two network failures the model list tells whose fault it is, once', async () => {
    const dead = networkError('ECONNREFUSED');
    const answer = (reachable: boolean) => (request: { url: string }) =>
      request.url.endsWith('/models') && reachable ? modelList() : dead(request as never);
    for (const reachable of [true, false]) {
      const harness = createHarness([answer(reachable)]);
      const result = await harness.send();
      assert.ok(result.outcome === 'failed');
      assert.equal(result.failure.facts?.listReachable, reachable ? 'yes' : 'no');
      assert.equal(harness.requests.filter((request) => request.method === 'GET').length, 1);
    }
  });

  it('T12 nothing is asked when the service did answer', async () => {
    const harness = createHarness([errorAnswer(500, 'oops')]);
    await harness.send();
    assert.equal(harness.requests.filter((request) => request.method === 'GET').length, 0);
  });
});

describe('client: fallback', () => {
  it('S9 a model that is named as busy is left at once, the next one answers, and both are named', async () => {
    const harness = createHarness([named, reply('from another')]);
    const result = await harness.send();
    assert.ok(result.outcome === 'done');
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/deepseek-v4-pro']);
    assert.equal(result.reply.requestedModel, 'svc/kimi-k3');
    assert.equal(result.reply.model, 'svc/deepseek-v4-pro');
    const [notice] = ofType(harness.events, 'notice').map((event) => event.notice);
    assert.ok(notice?.kind === 'fallback');
    assert.equal(notice.from, 'svc/kimi-k3');
    assert.equal(notice.to, 'svc/deepseek-v4-pro');
    assert.equal(notice.failure.namedModel, 'svc/kimi-k3');
    assert.equal(notice.continued, false);
    assert.deepEqual(
      ended(harness).map((attempt) => attempt.charge),
      ['no', 'yes'],
    );
    assert.deepEqual(harness.sleeps, []);
  });

  it('B2 an unnamed capacity error switches after two of them', async () => {
    const harness = createHarness([unnamed, unnamed, reply()]);
    assert.equal((await harness.send()).outcome, 'done');
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/kimi-k3', 'svc/deepseek-v4-pro']);
  });

  it('U4 S9 asks before every attempt after the first, with the model that would be asked, and sends nothing on a no', async () => {
    const asked: string[] = [];
    const request = {
      model: 'svc/kimi-k3',
      messages: [{ role: 'user' as const, text: 'Hello' }],
      surface: 'chat' as const,
    };
    const harness = createHarness([unnamed, unnamed, reply('from another')]);
    const result = await harness.client.stream(request, ignore, new AbortController().signal, async ({ model }) => {
      asked.push(model);
      const failure = { kind: 'over-budget' as const, message: 'Not sent', model, at: '2026-11-20T10:00:00Z' };
      return asked.length === 2 ? failure : undefined;
    });
    assert.deepEqual(asked, ['svc/kimi-k3', 'svc/deepseek-v4-pro']);
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/kimi-k3']);
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'over-budget');
    assert.equal(result.attempts.length, 2);
  });

  it('S9 the fallback to other models follows the order of the user', async () => {
    const order = ['svc/kimi-k3', 'svc/glm-5.3'];
    const harness = createHarness([named, reply()], { fallback: () => ({ enabled: true, order }) });
    await harness.send();
    assert.equal(models(harness).at(-1), 'svc/glm-5.3');
  });

  it('S9 stays with the model when fallback is off', async () => {
    const harness = createHarness([named], { fallback: () => ({ enabled: false, order: [] }) });
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.equal(result.failure.kind, 'capacity-model');
    assert.deepEqual(models(harness), Array(6).fill('svc/kimi-k3'));
  });

  it('U20 no model takes over where the request is for one model alone, and none is asked', async () => {
    const busy: Answer = (request) => errorAnswer(503, `${request.body.model} is at capacity`)(request);
    const harness = createHarness([busy]);
    const result = await harness.send({ ownModel: true });
    assert.equal(result.outcome, 'failed');
    const [first] = harness.chats();
    assert.ok(harness.chats().every(({ body }) => body.model === first?.body.model && !('ownModel' in body)));
  });

  it('S9 a capacity error with a very long Retry-After switches at once', async () => {
    const busy = errorAnswer(503, 'svc/kimi-k3 is at capacity', { 'retry-after': '600' });
    const harness = createHarness([busy, reply()]);
    assert.equal((await harness.send()).outcome, 'done');
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/deepseek-v4-pro']);
  });

  it('S9 never goes to a model that refused the tools which the request needs', async () => {
    const harness = createHarness([named, reply()]);
    harness.learned.learn('svc/deepseek-v4-pro', { tools: { works: false, at: '2026-11-01', evidence: 'no' } });
    await harness.send({ tools: [{ name: 'read_file', description: 'd', parameters: { type: 'object' } }] });
    assert.equal(models(harness).at(-1), 'svc/deepseek-v4.1-flash');
  });

  it('T03 never asks anew after something was shown', async () => {
    const harness = createHarness([brokenStream(delta('x')), reply()]);
    await harness.send();
    for (const { body } of harness.chats().slice(1)) assert.equal((body.messages as unknown[]).length, 3);
  });

  it('T04 three requests that may be paid for are the most', async () => {
    const harness = createHarness([errorAnswer(500, 'oops')]);
    assert.equal((await harness.send()).outcome, 'failed');
    assert.equal(harness.chats().length, 3);
  });

  const busy: Answer = (request) => errorAnswer(503, `${request.body.model} is at capacity`)(request);
  const everyone = ['svc/kimi-k3', ...knownModels.map(({ id }) => id).filter((id) => id !== 'svc/kimi-k3')];

  it('T14 S9 with every model at capacity each is asked once, in order, and what each said is told', async () => {
    const harness = createHarness([busy]);
    const result = await harness.send();
    assert.ok(result.outcome === 'failed');
    assert.deepEqual(models(harness), everyone);
    assert.equal(result.failure.facts?.asked, everyone.join(' '));
    assert.equal(result.failure.serverMessage, everyone.map((id) => `${id}: ${id} is at capacity`).join('\n'));
    const notices = ofType(harness.events, 'notice').map(({ notice }) => notice);
    assert.deepEqual(
      notices.map((notice) => notice.kind === 'fallback' && [notice.to, notice.answered]),
      everyone.slice(1).map((id) => [id, undefined]),
      'nobody is said to have answered',
    );
  });

  it('T14 S9 an error that names nobody is tried once more, then each other model once', async () => {
    const harness = createHarness([unnamed]);
    assert.equal((await harness.send()).outcome, 'failed');
    assert.deepEqual(models(harness), ['svc/kimi-k3', ...everyone]);
  });

  it('T14 the last of seven models answers, and only it is said to have', async () => {
    const last = everyone.at(-1);
    const harness = createHarness([
      (request) => (request.body.model === last ? reply('here')(request) : busy(request)),
    ]);
    const result = await harness.send();
    assert.deepEqual([result.outcome, result.reply.text], ['done', 'here']);
    const told = harness.events.flatMap((event) => {
      if (event.type === 'notice' && event.notice.kind === 'fallback') {
        return [`${event.notice.answered ? 'answered' : 'asking'} ${event.notice.to}`];
      }
      return event.type === 'text' ? ['text'] : event.type === 'requestSent' ? [`sent ${event.model}`] : [];
    });
    assert.deepEqual(told.slice(-4), [`asking ${last}`, `sent ${last}`, `answered ${last}`, 'text']);
    assert.equal(told.filter((line) => line.startsWith('answered')).length, 1);
  });

  it('T14 refusals for want of room leave the whole budget to what comes after', async () => {
    const order = ['svc/kimi-k3', 'svc/glm-5.3', 'svc/glm-5.3-flash'];
    const harness = createHarness([busy, busy, errorAnswer(500, 'oops'), errorAnswer(500, 'oops'), reply('at last')], {
      fallback: () => ({ enabled: true, order }),
    });
    assert.equal((await harness.send()).reply.text, 'at last');
  });

  it('T11 a model at capacity three times in five minutes is left alone for five, and each answer says so', async () => {
    const full = (request: { body: Record<string, unknown> }) =>
      request.body.model === 'svc/kimi-k3' ? named(request as never) : reply()(request as never);
    const harness = createHarness([full]);
    await harness.send();
    await harness.send();
    assert.deepEqual(models(harness), ['svc/kimi-k3', 'svc/deepseek-v4-pro', 'svc/kimi-k3', 'svc/deepseek-v4-pro']);
    await harness.send();
    harness.requests.length = 0;
    harness.events.length = 0;
    await harness.send();
    assert.deepEqual(models(harness), ['svc/deepseek-v4-pro'], 'the third error tripped the breaker');
    const [notice] = ofType(harness.events, 'notice').map((event) => event.notice);
    assert.ok(notice?.kind === 'fallback');
    assert.equal(notice.from, 'svc/kimi-k3');
    assert.equal(harness.events[0]?.type, 'notice', 'it is said before anything is sent');
    harness.advance(5 * 60_000);
    await harness.send();
    assert.equal(models(harness)[1], 'svc/kimi-k3');
  });

  it('T11 U23 where all models were left alone but the one that is asked, all of them are said to be busy', async () => {
    const full: Answer = (request) => errorAnswer(503, `${request.body.model} is at capacity`)(request);
    const harness = createHarness([full]);
    for (let times = 0; times < 3; times++) await harness.send();
    harness.requests.length = 0;
    const result = await harness.send();
    assert.deepEqual(new Set(models(harness)), new Set(['svc/kimi-k3']));
    const asked = result.outcome === 'failed' ? result.failure.facts?.asked : undefined;
    assert.deepEqual(new Set(String(asked).split(' ')), new Set(knownModels.map(({ id }) => id)));
  });

  it('T11 the breaker does nothing when fallback is off', async () => {
    const harness = createHarness([named], { fallback: () => ({ enabled: false, order: [] }) });
    await harness.send();
    harness.requests.length = 0;
    await harness.send();
    assert.equal(models(harness)[0], 'svc/kimi-k3');
  });
});
