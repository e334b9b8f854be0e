import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { z } from 'zod';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';

describe('the unchanged @ai-sdk/openai-compatible and ai packages against the local service', () => {
  let service: LocalService;
  before(async () => {
    service = await startLocalService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  const modelOf = (id = 'svc/kimi-k3', apiKey = demoKey) =>
    createOpenAICompatible({ name: 'svc', baseURL: service.baseUrl, apiKey, includeUsage: true })(id);

  const weatherTool = (cities: string[]) =>
    tool({
      description: 'Weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        cities.push(city);
        return '11 degrees and rain';
      },
    });

  it('the ai package chats with the local service, reasoning apart', async () => {
    const { text, usage, reasoningText } = await generateText({ model: modelOf(), prompt: 'Hello' });
    assert.match(text, /local stand-in/);
    assert.match(reasoningText ?? '', /look up/);
    assert.equal(usage.totalTokens, service.totalTokens());
  });

  it('the ai package streams from the local service', async () => {
    const result = streamText({ model: modelOf(), prompt: 'Hello' });
    let text = '';
    for await (const part of result.textStream) text += part;
    assert.match(text, /local stand-in/);
    assert.equal((await result.usage).totalTokens, service.totalTokens());
    assert.equal(await result.finishReason, 'stop');
  });

  it('calls a tool and answers from its result, streaming', async () => {
    const cities: string[] = [];
    const result = streamText({
      model: modelOf(),
      prompt: 'What is the weather in Oslo?',
      tools: { get_weather: weatherTool(cities) },
      stopWhen: stepCountIs(4),
    });
    assert.match(await result.text, /11 degrees and rain/);
    assert.deepEqual(cities, ['Oslo']);
    assert.equal((await result.steps).length, 2);
  });

  it('calls a tool and answers from its result, not streaming', async () => {
    const cities: string[] = [];
    const { text } = await generateText({
      model: modelOf('svc/glm-5.3'),
      prompt: 'What is the weather in Oslo?',
      tools: { get_weather: weatherTool(cities) },
      stopWhen: stepCountIs(4),
    });
    assert.match(text, /11 degrees and rain/);
    assert.deepEqual(cities, ['Oslo']);
  });

  it('S24 sends an image in the common format to a model that takes it', async () => {
    const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
    const { text } = await generateText({
      model: modelOf(),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', image: png, mediaType: 'image/png' },
          ],
        },
      ],
    });
    assert.match(text, /1 image/);
  });

  it('S6 reports status and message of a wrong key', async () => {
    await assert.rejects(
      generateText({ model: modelOf('svc/kimi-k3', 'sk-svc-wrong'), prompt: 'Hello', maxRetries: 0 }),
      {
        statusCode: 401,
        message: 'unauthorized',
      },
    );
  });
});
