import assert from 'node:assert/strict';
import { AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';

const getWeather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('the unchanged LangChain client against the local service', () => {
  let service: LocalService;
  let model: ChatOpenAI;
  before(async () => {
    service = await startLocalService();
    model = new ChatOpenAI({
      model: 'svc/glm-5.3',
      apiKey: demoKey,
      maxRetries: 0,
      configuration: { baseURL: service.baseUrl },
    });
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  it('LangChain chats with the local service, and counts what it counts', async () => {
    const reply = await model.invoke([new HumanMessage('Hello')]);
    assert.match(reply.text, /local stand-in/);
    assert.equal(reply.usage_metadata?.total_tokens, service.totalTokens());
  });

  it('LangChain streams from the local service, and counts what it counts', async () => {
    let reply = new AIMessageChunk('');
    for await (const chunk of await model.stream('Hello')) reply = reply.concat(chunk);
    assert.match(reply.text, /local stand-in/);
    assert.equal(reply.usage_metadata?.total_tokens, service.totalTokens());
  });

  it('LangChain calls a tool, streaming, and answers from its result', async () => {
    const withTools = model.bindTools([getWeather]);
    const question = new HumanMessage('What is the weather in Oslo?');
    let call = new AIMessageChunk('');
    for await (const chunk of await withTools.stream([question])) call = call.concat(chunk);
    const asked = call.tool_calls?.[0];
    assert.deepEqual([asked?.name, asked?.args], ['get_weather', { city: 'Oslo' }]);
    const result = new ToolMessage({
      content: '11 degrees and rain',
      tool_call_id: asked?.id ?? '',
    });
    const reply = await withTools.invoke([question, call, result]);
    assert.match(reply.text, /11 degrees and rain/);
    assert.equal(service.requests.length, 2);
  });

  it('LangChain is told of a busy model and of a wrong key by their status', async () => {
    const stranger = new ChatOpenAI({
      model: 'svc/glm-5.3',
      apiKey: 'sk-svc-wrong',
      maxRetries: 0,
      configuration: { baseURL: service.baseUrl },
    });
    await assert.rejects(stranger.invoke('Hello'), { status: 401 });
    service.script({ rules: [{ effect: { capacity: { status: 503 } } }] });
    await assert.rejects(model.invoke('Hello'), { status: 503 });
  });
});
