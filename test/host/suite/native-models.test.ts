import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createNativeModels } from '../../../src/features/native-chat/vscode/native-models.ts';
import type { ChatRequest, ServiceClient, StreamResult } from '../../../src/service/contract.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import { estimateTokens } from '../../../src/service/tokens.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { wholeReply } from '../../support/whole-reply.ts';

const kimi = { id: 'svc/kimi-k3', name: 'Kimi K3' };
const reply = wholeReply(kimi.id, {
  usage: { promptTokens: 10, completionTokens: 2, totalTokens: 12, estimated: false },
});

/** The provider before a service that answers as told. */
function open(
  result: StreamResult,
  hasKey = true,
  other: { stream?: ServiceClient['stream']; turns?: (string | undefined)[] } = {},
) {
  const sent: ChatRequest[] = [];
  const surfaces: string[] = [];
  let asked = 0;
  const stream: ServiceClient['stream'] = async (request, onEvent) => {
    sent.push(request);
    if (result.reply.text !== '') onEvent({ type: 'text', text: result.reply.text });
    return result;
  };
  const nothing = async () => assert.fail('only streams are asked for');
  const models = createNativeModels({
    models: { models: () => [kimi], nameOf: () => kimi.name },
    readiness: { hasAddress: () => true, hasKey: () => hasKey },
    learned: createLearned(undefined, () => undefined),
    settings: { request: () => ({ temperature: 0.2 }) },
    estimator: createEstimator(undefined, () => undefined),
    contextWindowOf: () => undefined,
    metered: ({ surface, turnId }) => {
      surfaces.push(surface);
      other.turns?.push(turnId);
      return { stream: other.stream ?? stream, complete: nothing, listModels: nothing, checkKey: nothing };
    },
    images: { add: async () => 'hash' },
    ensureReady: async () => {
      asked++;
      return false;
    },
    titleOf: (command) => command,
    log: { info: () => undefined, error: () => undefined, show: () => undefined },
  });
  const parts: vscode.LanguageModelResponsePart[] = [];
  const respond = async (
    messages: vscode.LanguageModelChatRequestMessage[],
    options: Partial<vscode.ProvideLanguageModelChatResponseOptions> = {},
    token = new vscode.CancellationTokenSource().token,
  ) => {
    const [info] = await models.list(true);
    assert.ok(info);
    await models.respond(
      { ...info, capabilities: {} },
      messages,
      { toolMode: vscode.LanguageModelChatToolMode.Auto, ...options },
      { report: (part) => parts.push(part) },
      token,
    );
  };
  /** The texts of one request of its own. */
  const provide = async (text: string, token = new vscode.CancellationTokenSource().token): Promise<string[]> => {
    const [info] = await models.list(true);
    assert.ok(info);
    const texts: string[] = [];
    await models.respond(
      { ...info, capabilities: {} },
      [user(new vscode.LanguageModelTextPart(text))],
      { toolMode: vscode.LanguageModelChatToolMode.Auto },
      { report: (part) => part instanceof vscode.LanguageModelTextPart && texts.push(part.value) },
      token,
    );
    return texts;
  };
  return { models, respond, provide, parts, sent, surfaces, asked: () => asked };
}

const user = (...content: vscode.LanguageModelInputPart[]): vscode.LanguageModelChatRequestMessage => ({
  role: vscode.LanguageModelChatMessageRole.User,
  content,
  name: undefined,
});

describe('the models behind the chat of VS Code', () => {
  it('F27 lists none without a key, and asks for one only where that is allowed', async () => {
    const { models, asked } = open({ outcome: 'done', reply, attempts: [] }, false);
    assert.deepEqual(await models.list(true), []);
    assert.equal(asked(), 0);
    assert.deepEqual(await models.list(false), []);
    assert.equal(asked(), 1);
  });

  it('F27 U12 turns messages, tools, results and images into a request, and the reply into parts', async () => {
    const toolCalls = [{ name: 'read', arguments: '{"path":"a.ts"}' }];
    const { respond, parts, sent, surfaces } = open({
      outcome: 'done',
      reply: { ...reply, text: 'See.', toolCalls },
      attempts: [],
    });
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await respond(
      [
        user(new vscode.LanguageModelTextPart('Look.'), vscode.LanguageModelDataPart.image(png, 'image/png')),
        {
          role: vscode.LanguageModelChatMessageRole.Assistant,
          content: [new vscode.LanguageModelToolCallPart('1', 'read', { path: 'b.ts' })],
          name: undefined,
        },
        user(new vscode.LanguageModelToolResultPart('1', [new vscode.LanguageModelTextPart('const b = 1;')])),
      ],
      {
        tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }],
        modelOptions: { max_tokens: 100, unknown: true },
      },
    );
    const [request] = sent;
    assert.deepEqual(surfaces, ['native-chat']);
    assert.deepEqual([request?.maxTokens, request?.temperature], [100, 0.2]);
    assert.deepEqual(
      request?.messages.map(({ role, text }) => `${role}: ${text}`),
      ['user: Look.', 'assistant: ', 'tool: const b = 1;'],
    );
    const [first] = request?.messages ?? [];
    assert.equal(first?.role === 'user' && first.images?.[0]?.mediaType, 'image/png');
    const [text, call, usage] = parts;
    assert.ok(text instanceof vscode.LanguageModelTextPart && text.value === 'See.');
    assert.ok(call instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual(call.input, { path: 'a.ts' });
    assert.ok(usage instanceof vscode.LanguageModelDataPart && usage.mimeType === 'usage');
    assert.equal(JSON.parse(new TextDecoder().decode(usage.data)).prompt_tokens, 10);
  });

  it('F27 ends a request that failed with a sentence, and one that was stopped as stopped', async () => {
    const failure = { kind: 'balance', message: '', at: '' } as const;
    const failing = open({ outcome: 'failed', reply, failure, attempts: [] });
    await assert.rejects(failing.respond([user(new vscode.LanguageModelTextPart('Hi.'))]), /svc\.openDashboard/);
    const source = new vscode.CancellationTokenSource();
    source.cancel();
    const stopped = open({ outcome: 'stopped', reply, attempts: [] });
    await assert.rejects(
      stopped.respond([user(new vscode.LanguageModelTextPart('Hi.'))], {}, source.token),
      vscode.CancellationError,
    );
  });

  it('F27 keeps requests apart that run at a time: each has its own reply, its own end and its own place in the ledger', async () => {
    const gates = new Map<string, () => void>();
    const turns: (string | undefined)[] = [];
    const stream: ServiceClient['stream'] = async ({ messages }, onEvent, signal) => {
      const last = messages.at(-1);
      const text = last?.role === 'user' ? last.text : '';
      const stopped = await new Promise<boolean>((resolve) => {
        gates.set(text, () => resolve(false));
        signal?.addEventListener('abort', () => resolve(true));
      });
      if (stopped) return { outcome: 'stopped', reply, attempts: [] };
      onEvent({ type: 'text', text: `to ${text}` });
      return { outcome: 'done', reply: { ...reply, text: `to ${text}` }, attempts: [] };
    };
    const { provide } = open({ outcome: 'done', reply, attempts: [] }, true, { stream, turns });
    const source = new vscode.CancellationTokenSource();
    const first = provide('one');
    const second = provide('two', source.token);
    const third = provide('three');
    while (gates.size < 3) await new Promise(setImmediate);
    source.cancel();
    await assert.rejects(second, vscode.CancellationError);
    gates.get('three')?.();
    assert.deepEqual(await third, ['to three']);
    gates.get('one')?.();
    assert.deepEqual(await first, ['to one']);
    assert.equal(new Set(turns).size, 3);
  });

  it('F27 counts tokens as our own estimates do', async () => {
    const { models } = open({ outcome: 'done', reply, attempts: [] });
    const text = 'How many tokens are there in 这句话?';
    const own = estimateTokens(text, kimi.id);
    assert.equal(await models.countTokens(kimi.id, text), own);
    assert.ok((await models.countTokens(kimi.id, user(new vscode.LanguageModelTextPart(text)))) > own);
  });

  it('F27 stays silent in a window without a key', async () => {
    assert.deepEqual(await vscode.lm.selectChatModels({ vendor: 'svc' }), []);
  });
});
