import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { continuationRequest } from '../../../../src/service/step/step-continuation.ts';
import { buildRequestBody } from '../../../../src/service/wire/request.ts';
import type { HistoryImage, HistoryMessage } from '../../../../src/shared/messages.ts';
import { createHarness, errorAnswer, type Harness, ofType, reply, type SentRequest } from './harness.ts';

const kimi = 'svc/kimi-k3';
const url = 'data:image/png;base64,iVBORw0KGgo=';
const shot: HistoryImage = {
  hash: 'a'.repeat(64),
  mediaType: 'image/png',
  width: 800,
  height: 600,
  bytes: 8,
  label: 'shot.png',
};
const asked: HistoryMessage = { role: 'user', text: 'What is this?', images: [shot] };
const answer: HistoryMessage = { role: 'assistant', text: 'A button.', model: kimi, toolCalls: [] };
const after: HistoryMessage[] = [asked, answer, { role: 'user', text: 'And its colour?' }];
const readImage = async (hash: string) => (hash === shot.hash ? url : undefined);
const refusal = errorAnswer(400, 'Model svc/kimi-k3 does not support image input.');
const overloaded = errorAnswer(503, 'Model overloaded, please try again later');
const yes = { works: true, at: '2026-11-20', evidence: 'yes' };
const no = { ...yes, works: false };

function lastContents(harness: Harness): unknown[] {
  return harness.chats().map(({ body }) => {
    const { messages } = body as { messages: { role: string; content: unknown }[] };
    return messages.find(({ role }) => role === 'user')?.content;
  });
}

const hasImage = ({ body }: SentRequest) => JSON.stringify(body).includes('image_url');
const notices = (harness: Harness) => ofType(harness.events, 'notice').map(({ notice }) => notice);

describe('client: images', () => {
  it('S24 are sent in the common format, named in the text, and it is remembered that the model took one', async () => {
    const harness = createHarness([reply()], { readImage });
    const { attempts } = await harness.send({ messages: [asked] });
    assert.deepEqual(lastContents(harness), [
      [
        { type: 'text', text: '[image: shot.png, 800×600]\n\nWhat is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    ]);
    assert.equal(attempts[0]?.images, 1);
    assert.equal(harness.learned.get(kimi).images?.works, true);
  });

  it('S24 a question without images is a plain text, as before', async () => {
    const harness = createHarness([reply()], { readImage });
    const { attempts } = await harness.send({ messages: [{ role: 'user', text: 'Hi' }] });
    assert.deepEqual(lastContents(harness), ['Hi']);
    assert.equal(attempts[0]?.images, undefined);
    assert.equal(harness.learned.get(kimi).images, undefined);
  });

  it('S24 a refusal of what is asked about is shown and remembered; asked again, the image is named and that is said', async () => {
    const harness = createHarness([(request) => (hasImage(request) ? refusal(request) : reply()(request))], {
      readImage,
    });
    const first = await harness.send({ messages: [asked] });
    assert.equal(first.outcome === 'failed' && first.failure.kind, 'images-refused');
    assert.equal(harness.learned.get(kimi).images?.works, false);
    assert.equal(harness.chats().length, 1, 'nothing is sent again unasked');
    const second = await harness.send({ messages: [asked] });
    assert.equal(second.outcome, 'done');
    assert.equal(lastContents(harness).at(-1), '[image: shot.png, 800×600, not sent to this model]\n\nWhat is this?');
    assert.deepEqual(notices(harness), [{ kind: 'degraded', model: kimi, feature: 'images' }]);
  });

  it('H06 images of earlier messages are named instead after one refusal, and nothing is asked', async () => {
    const harness = createHarness([(request) => (hasImage(request) ? refusal(request) : reply()(request))], {
      readImage,
    });
    assert.equal((await harness.send({ messages: after })).outcome, 'done');
    assert.deepEqual(
      harness.chats().map((request) => hasImage(request)),
      [true, false],
    );
    assert.deepEqual(notices(harness), [{ kind: 'degraded', model: kimi, feature: 'images' }]);
    assert.equal((await harness.send({ messages: after })).outcome, 'done');
    assert.equal(notices(harness).length, 1, 'said once');
  });

  it('S9 S24 another model is asked about an image only when it has accepted one', async () => {
    const busy = (model: string) => (request: SentRequest) =>
      request.body.model === model ? overloaded(request) : reply()(request);
    const unknown = createHarness([busy(kimi)], { readImage });
    const failed = await unknown.send({ messages: [asked] });
    assert.equal(failed.outcome, 'failed');
    assert.ok(
      unknown.chats().every(({ body }) => body.model === kimi),
      'no model has accepted one yet',
    );
    const known = createHarness([busy(kimi)], { readImage });
    known.learned.learn('svc/glm-5.3', { images: no });
    known.learned.learn('svc/deepseek-v4.1-flash', { images: yes });
    assert.equal((await known.send({ messages: [asked] })).outcome, 'done');
    assert.equal(known.chats().at(-1)?.body.model, 'svc/deepseek-v4.1-flash');
    const context = createHarness([busy(kimi)], { readImage });
    assert.equal((await context.send({ messages: after })).outcome, 'done', 'an earlier image is no such need');
  });

  it('U7 S24 what goes on with a broken answer about an image is a model that takes images', async () => {
    for (const note of ['', '\n\n[Automatic note: Your changes were taken back in a.ts.]']) {
      const messages: HistoryMessage[] = [asked, answer, { role: 'user', text: continuationRequest + note }];
      const harness = createHarness([(r) => (r.body.model === kimi ? overloaded(r) : reply()(r))], { readImage });
      assert.equal((await harness.send({ messages })).outcome, 'failed', note);
    }
  });

  it('S24 an image that is gone or cannot be read is named, and the request goes out', async () => {
    for (const broken of [async () => undefined, () => Promise.reject(new Error('EIO'))]) {
      const harness = createHarness([reply()], { readImage: broken });
      assert.equal((await harness.send({ messages: [asked] })).outcome, 'done');
      assert.match(String(lastContents(harness)[0]), /shot\.png, 800×600, no longer stored/);
      assert.equal(harness.learned.get(kimi).images, undefined);
    }
  });

  it('S24 two messages in a row keep their images when the history is ironed out (H03)', () => {
    const request = { model: kimi, messages: [asked, { ...asked, text: 'Again' }], surface: 'chat' as const };
    const body = buildRequestBody(
      request,
      { parameters: {} },
      { stream: false, strength: 'strong', imageUrl: () => url },
    );
    const { messages } = JSON.parse(body) as { messages: { content: { type: string }[] }[] };
    assert.deepEqual(
      messages.map(({ content }) => content.map(({ type }) => type)),
      [['text', 'image_url', 'text', 'image_url']],
    );
  });

  it('W02 the bytes of an image are not counted as text when the service reports no usage', async () => {
    const large = `data:image/png;base64,iVBORw0KGgo=${'A'.repeat(1_000_000)}`;
    const harness = createHarness([reply()], { readImage: async () => large });
    const { attempts } = await harness.send({ messages: [asked] });
    const usage = attempts[0]?.usage;
    if (usage?.estimated) assert.ok(usage.promptTokens < 2000, String(usage.promptTokens));
    const failing = createHarness([errorAnswer(400, '')], { readImage: async () => large });
    const refused = await failing.send({ messages: [asked] });
    assert.equal(refused.outcome === 'failed' && refused.failure.kind, 'bad-request', 'not taken for a long text');
  });
});
