import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatRequest } from '../../../src/service/contract.ts';
import type { Fact, ModelFacts } from '../../../src/service/step/learned.ts';
import { buildRequestBody } from '../../../src/service/wire/request.ts';

const refused: Fact = { works: false, at: '', evidence: '' };
const request: ChatRequest = { model: 'svc/glm-5.3', messages: [{ role: 'user', text: 'Hi' }], surface: 'chat' };
const tool = { name: 'read_file', description: 'Reads', parameters: { type: 'object', properties: {}, required: [] } };
const full: ChatRequest = {
  ...request,
  tools: [tool],
  maxTokens: 100,
  temperature: 0,
  topP: 0.5,
  seed: 7,
  stop: ['END', ''],
};

function body(of: ChatRequest, facts: Partial<ModelFacts> = {}, stream = false): Record<string, unknown> {
  const json: unknown = JSON.parse(buildRequestBody(of, { parameters: {}, ...facts }, { stream, strength: 'normal' }));
  assert.ok(typeof json === 'object' && json !== null);
  return { ...json };
}

describe('the body of a request', () => {
  it('S4 holds only confirmed fields unless something was set', () => {
    assert.deepEqual(body(request), { model: 'svc/glm-5.3', messages: [{ role: 'user', content: 'Hi' }] });
  });

  it('S4 a request holds the parameters that were set', () => {
    const { max_tokens, temperature, top_p, seed, stop, tools } = body(full);
    assert.deepEqual(
      { max_tokens, temperature, top_p, seed, stop },
      { max_tokens: 100, temperature: 0, top_p: 0.5, seed: 7, stop: ['END'] },
    );
    assert.deepEqual(tools, [{ type: 'function', function: tool }]);
  });

  it('H10 a request leaves out parameters that its model refused', () => {
    const sent = body(full, { parameters: { temperature: refused, stop: refused }, tools: refused });
    assert.deepEqual(Object.keys(sent), ['model', 'messages', 'max_tokens', 'top_p', 'seed']);
  });

  it('H11 a request never holds tool_choice', () => {
    assert.ok(!('tool_choice' in body(full, {}, true)));
  });

  it('W67 asks for usage in a stream unless this model refused that', () => {
    assert.deepEqual(body(request, {}, true).stream_options, { include_usage: true });
    const sent = body(request, { streamOptions: refused }, true);
    assert.ok(!('stream_options' in sent));
    assert.equal(sent.stream, true);
  });

  it('leaves out numbers that cannot be meant', () => {
    const odd = body({ ...request, maxTokens: 0, temperature: Number.NaN, seed: 1.5, stop: [] });
    assert.deepEqual(Object.keys(odd), ['model', 'messages']);
  });

  it('H09 holds no half of a character, not even in a tool', () => {
    const sent = buildRequestBody(
      {
        ...request,
        messages: [{ role: 'user', text: 'a\ud83d' }],
        tools: [{ ...tool, description: '\ude00' }],
        stop: ['\ud83d'],
      },
      { parameters: {} },
      { stream: false, strength: 'normal' },
    );
    assert.doesNotMatch(sent, /\\u[dD][89a-fA-F]/);
  });
});
