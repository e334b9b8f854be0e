import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { priceMicroUsd } from '../../service/billing.ts';
import { startLocalService } from '../../service/local-service.ts';
import { countTokens } from '../../service/tokens.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { type ErrorBody, json, minimal, readStream, textOf, useService, type WholeReply } from './harness.ts';

const isChat = ({ path }: { path: string }): boolean => path === '/v1/chat/completions';

/** Reads a stream until `text` appeared. */
async function readUntil(response: Response, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let received = '';
  for await (const bytes of response.body ?? []) {
    received += decoder.decode(bytes, { stream: true });
    if (received.includes(text)) break;
  }
  return received;
}

describe('local service: time and connections', () => {
  const { chat, get, script, service, stream } = useService();
  const text = 'One two three four five six seven eight nine ten.';

  it('F2 records when the client closes in mid-stream, stops generating and charges what was generated', async () => {
    script({ rules: [{ effect: { stallAfterChunks: 4 } }], replies: [{ text }] });
    await readUntil(await chat({ stream: true }), 'three');
    const record = await service().waitForRequest((request) => request.closedByClientAt !== undefined, 60_000);
    assert.equal(record.finishedAt, undefined);
    assert.equal(record.responseStatus, 200);
    await waitFor('the charge', () => service().charges.length === 1);
    const completionTokens = countTokens('One two three ');
    assert.deepEqual(service().charges, [
      {
        requestIndex: 0,
        model: 'svc/glm-5.3',
        promptTokens: 6,
        completionTokens,
        microUsd: priceMicroUsd(6 + completionTokens),
      },
    ]);
  });

  it('stops a running stream when the client closes', async () => {
    script({ settings: { chunkDelayMs: 5 }, replies: [{ text: 'word '.repeat(500) }] });
    await readUntil(await chat({ stream: true }), 'word');
    await service().waitForRequest((request) => request.closedByClientAt !== undefined, 60_000);
    await waitFor('the charge', () => service().charges.length === 1);
    assert.ok((service().charges[0]?.completionTokens ?? 999) < 300);
  });

  it('S25 delays the headers, the first chunk and every chunk', async () => {
    script({
      rules: [{ effect: { delayHeadersMs: 40, delayFirstChunkMs: 30, chunkDelayMs: 5 } }],
      replies: [{ text: 'a b c' }],
    });
    const start = performance.now();
    const response = await chat({ stream: true });
    assert.ok(performance.now() - start >= 38, 'headers were late');
    const reply = await readStream(response);
    assert.ok(performance.now() - start >= 38 + 28 + 4 * 4, 'chunks were late');
    assert.equal(textOf(reply), 'a b c');
  });

  it('W47 W68 stalls after some chunks with keep-alive comments until the client leaves', async () => {
    script({ rules: [{ effect: { stallAfterChunks: 2, keepAliveEveryMs: 2 } }], replies: [{ text }] });
    const received = await readUntil(await chat({ stream: true }), ': keep-alive\n\n: keep-alive');
    assert.match(received, /One/);
    assert.doesNotMatch(received, /two/);
  });

  it('W20 sends keep-alive comments before the first chunk', async () => {
    script({ rules: [{ effect: { delayFirstChunkMs: 30, keepAliveEveryMs: 5 } }], replies: [{ text }] });
    const reply = await stream();
    assert.match(reply.raw, /^: keep-alive\n\n/);
    assert.equal(textOf(reply), text);
  });

  it('W48 keeps the connection open after [DONE]', async () => {
    script({ rules: [{ effect: { openAfterDone: true } }] });
    await readUntil(await chat({ stream: true }), '[DONE]');
    const record = await service().waitForRequest((request) => request.closedByClientAt !== undefined, 60_000);
    assert.equal(record.finishedAt, undefined);
  });

  it('S25 queues above the concurrency and fails above the queue, naming the model', async () => {
    script({
      settings: { maxConcurrent: 1, maxQueued: 1 },
      rules: [{ match: { nth: 1 }, effect: { stallAfterChunks: 1 } }],
    });
    const first = await chat({ stream: true });
    let secondAnswered = false;
    const second = chat().then((response) => {
      secondAnswered = true;
      return response;
    });
    await waitFor('the second request', () => service().requests.length === 2 && service().requests[1]?.rawBody !== '');
    const third = await chat({ model: 'svc/kimi-k3' });
    assert.equal(third.status, 503);
    assert.match((await json<ErrorBody>(third)).error.message, /svc\/kimi-k3 .*capacity/);
    assert.equal(secondAnswered, false);
    await first.body?.cancel();
    assert.equal((await second).status, 200);
  });

  it('records method, path, headers, raw body, parsed body, status and times', async () => {
    await (await chat({ max_tokens: 9 })).text();
    const record = await service().waitForRequest(isChat, 60_000);
    await waitFor('the condition', () => record.finishedAt !== undefined);
    assert.equal(record.method, 'POST');
    assert.equal(record.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(record.rawBody), record.json);
    assert.equal((record.json as { max_tokens: number }).max_tokens, 9);
    assert.equal(record.responseStatus, 200);
    assert.ok(record.finishedAt !== undefined && record.finishedAt >= record.at);
    assert.equal(record.closedByClientAt, undefined);
  });

  it('waits for a request to come and gives up after the timeout', async () => {
    const waiting = service().waitForRequest(({ rawBody }) => rawBody.includes('later'), 60_000);
    await get('/v1/models');
    await chat({ messages: [{ role: 'user', content: 'later' }] });
    assert.equal((await waiting).index, 1);
    await assert.rejects(
      service().waitForRequest(() => false, 5),
      /No such request within 5 ms; 2 were received/,
    );
  });

  it('applies rules by model, position, text and number of times; earlier rules win', async () => {
    script({
      rules: [
        { match: { nth: 2, model: 'svc/glm-5.3' }, effect: { respond: { status: 418 } } },
        { match: { lastMessageIncludes: 'magic' }, effect: { respond: { status: 419 } } },
        { times: 1, effect: { respond: { status: 420 } } },
      ],
    });
    const ask = async (content: string, model = 'svc/glm-5.3'): Promise<number> =>
      (await chat({ model, messages: [{ role: 'user', content }] })).status;
    assert.equal(await ask('magic word'), 419);
    assert.equal(await ask('magic', 'svc/kimi-k3'), 419);
    assert.equal(await ask('magic'), 418);
    assert.equal(await ask('plain'), 200);
  });

  it('gives scripted replies in order to the requests they match, then the stand-in answers', async () => {
    script({
      replies: [{ match: { model: 'svc/kimi-k3' }, text: 'for kimi' }, { text: 'first' }, { text: 'twice', times: 2 }],
    });
    const texts: (string | null | undefined)[] = [];
    for (const model of ['svc/glm-5.3', 'svc/glm-5.3', 'svc/kimi-k3', 'svc/glm-5.3', 'svc/glm-5.3']) {
      texts.push((await json<WholeReply>(await chat({ model }))).choices[0]?.message.content);
    }
    assert.deepEqual(texts.slice(0, 4), ['first', 'twice', 'for kimi', 'twice']);
    assert.match(texts[4] ?? '', /local stand-in/);
  });

  it('refuses a script with an unknown effect', () => {
    assert.throws(() => script({ rules: [{ effect: { explode: true } as never }] }), /explode/);
  });

  it('reset forgets requests, charges and script', async () => {
    script({ rules: [{ effect: { respond: { status: 418 } } }] });
    await chat();
    service().reset();
    assert.deepEqual(service().requests, []);
    assert.equal((await chat()).status, 200);
    service().reset();
    assert.deepEqual(service().charges, []);
    assert.equal(service().balanceMicroUsd(), 5_000_000);
  });
});

describe('local service: start and stop', () => {
  it("closes at once with a stalled stream open, which is not the client's doing", async () => {
    const service = await startLocalService({
      keys: ['sk-svc-x'],
      script: { rules: [{ effect: { stallAfterChunks: 1 } }] },
    });
    const response = await fetch(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-svc-x' },
      body: JSON.stringify({ ...minimal, stream: true }),
    });
    await service.close();
    assert.equal((await readStream(response)).broken, true);
    assert.equal(service.requests[0]?.closedByClientAt, undefined);
    await assert.rejects(fetch(`${service.baseUrl}/models`), TypeError);
  });

  it('listens on the given port of this machine only, and two services are independent', async () => {
    const first = await startLocalService();
    const second = await startLocalService();
    await fetch(`${first.baseUrl}/models`);
    assert.notEqual(first.port, second.port);
    assert.equal(second.requests.length, 0);
    await assert.rejects(startLocalService({ port: first.port }), /EADDRINUSE/);
    await Promise.all([first.close(), second.close()]);
  });

  it('S17 takes only keys of the stated form', async () => {
    await assert.rejects(startLocalService({ keys: ['secret'] }), /sk-svc-/);
  });
});
