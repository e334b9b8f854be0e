import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import OpenAI from 'openai';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';

const model = 'svc/glm-5.3';
const weather: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('the unchanged openai package against the local service', () => {
  let service: LocalService;
  let client: OpenAI;
  before(async () => {
    service = await startLocalService();
    client = new OpenAI({ baseURL: service.baseUrl, apiKey: demoKey, maxRetries: 0 });
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  it('the openai package lists the seven models of the local service', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    assert.equal(ids.length, 7);
    assert.ok(ids.includes(model));
  });

  it('the openai package chats with the local service', async () => {
    const reply = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] });
    assert.match(reply.choices[0]?.message.content ?? '', /local stand-in/);
    assert.equal(reply.usage?.total_tokens, service.totalTokens());
  });

  it('the openai package streams from the local service', async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let totalTokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      totalTokens = chunk.usage?.total_tokens ?? totalTokens;
    }
    assert.match(text, /local stand-in/);
    assert.equal(totalTokens, service.totalTokens());
  });

  it('calls a tool and answers from its result, streaming, through its own tool runner', async () => {
    const cities: unknown[] = [];
    const runner = client.chat.completions.runTools({
      model,
      stream: true,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => {
              cities.push(city);
              return '11 degrees and rain';
            },
          },
        },
      ],
    });
    assert.match((await runner.finalContent()) ?? '', /11 degrees and rain/);
    assert.deepEqual(cities, ['Oslo']);
    assert.equal(service.requests.length, 2);
  });

  it('calls a tool and answers from its result, not streaming, message by message', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the weather in Oslo?' }];
    const first = await client.chat.completions.create({ model, messages, tools: [weather] });
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    assert.ok(message && call?.type === 'function');
    assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Oslo' });
    messages.push(message, { role: 'tool', tool_call_id: call.id, content: '11 degrees and rain' });
    const second = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.match(second.choices[0]?.message.content ?? '', /11 degrees and rain/);
  });

  it('S6 sees its own authentication error for a wrong key', async () => {
    const wrong = client.withOptions({ apiKey: 'sk-svc-wrong' });
    await assert.rejects(
      wrong.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      (error) => error instanceof OpenAI.AuthenticationError && error.type === 'invalid_auth',
    );
  });

  it('S21 sees its own not-found error for an operation that is not served', async () => {
    await assert.rejects(client.embeddings.create({ model, input: 'x' }), OpenAI.NotFoundError);
    await assert.rejects(client.models.retrieve(model), OpenAI.NotFoundError);
  });
});
