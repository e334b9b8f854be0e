import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, beforeEach, describe, it } from 'mocha';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';
import { skipWithout } from '../../support/needs.ts';

/** It is large and nothing else needs it, so that it has a package of its own. These are the parts of it that are used here. */
interface LangChain {
  AIMessageChunk: new (text: string) => Chunk;
  HumanMessage: new (text: string) => object;
  ToolMessage: new (fields: { content: string; tool_call_id: string }) => object;
  ChatOpenAI: new (fields: object) => Model;
}

interface Chunk {
  text: string;
  usage_metadata?: { total_tokens: number };
  tool_calls?: readonly { id?: string; name: string; args: unknown }[];
  concat(chunk: Chunk): Chunk;
}

interface Model {
  invoke(input: string | readonly object[]): Promise<Chunk>;
  stream(input: string | readonly object[]): Promise<AsyncIterable<Chunk>>;
  bindTools(tools: readonly object[]): Model;
}

function loadLangChain(): LangChain {
  const load = createRequire(new URL('../../bench/clients/package.json', import.meta.url));
  return { ...load('@langchain/core/messages'), ...load('@langchain/openai') };
}

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
  let chain: LangChain;
  let model: Model;
  before(async function () {
    skipWithout(this, 'LangChain');
    this.timeout(60_000);
    chain = loadLangChain();
    service = await startLocalService();
    model = new chain.ChatOpenAI({
      model: 'svc/glm-5.3',
      apiKey: demoKey,
      maxRetries: 0,
      configuration: { baseURL: service.baseUrl },
    });
  });
  beforeEach(() => service.reset());
  after(() => service?.close());

  it('LangChain chats with the local service, and counts what it counts', async () => {
    const reply = await model.invoke([new chain.HumanMessage('Hello')]);
    assert.match(reply.text, /local stand-in/);
    assert.equal(reply.usage_metadata?.total_tokens, service.totalTokens());
  });

  it('LangChain streams from the local service, and counts what it counts', async () => {
    let reply = new chain.AIMessageChunk('');
    for await (const chunk of await model.stream('Hello')) reply = reply.concat(chunk);
    assert.match(reply.text, /local stand-in/);
    assert.equal(reply.usage_metadata?.total_tokens, service.totalTokens());
  });

  it('LangChain calls a tool, streaming, and answers from its result', async () => {
    const withTools = model.bindTools([getWeather]);
    const question = new chain.HumanMessage('What is the weather in Oslo?');
    let call = new chain.AIMessageChunk('');
    for await (const chunk of await withTools.stream([question])) call = call.concat(chunk);
    const asked = call.tool_calls?.[0];
    assert.deepEqual([asked?.name, asked?.args], ['get_weather', { city: 'Oslo' }]);
    const result = new chain.ToolMessage({
      content: '11 degrees and rain',
      tool_call_id: asked?.id ?? '',
    });
    const reply = await withTools.invoke([question, call, result]);
    assert.match(reply.text, /11 degrees and rain/);
    assert.equal(service.requests.length, 2);
  });

  it('LangChain is told of a busy model and of a wrong key by their status', async () => {
    const stranger = new chain.ChatOpenAI({
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
