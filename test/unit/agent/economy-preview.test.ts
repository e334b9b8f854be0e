import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sentPreview } from '../../../src/agent/request-preview.ts';
import type { ChatRequest } from '../../../src/service/contract.ts';

const request: ChatRequest = {
  model: 'svc/kimi-k3',
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Look at "a".' },
    {
      role: 'assistant',
      text: '',
      reasoning: 'hm',
      model: 'svc/kimi-k3',
      toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }],
    },
    { role: 'tool', callId: 'c1', name: 'read_file', text: 'a: 1 line\n1\tx' },
  ],
  tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object', properties: {}, required: [] } }],
  temperature: 0.5,
  surface: 'chat',
};

describe('preview of what is sent', () => {
  it('U16 shows every message, call, tool and parameter of the body', () => {
    const text = sentPreview(request);
    for (const part of [
      '"model":"svc/kimi-k3","temperature":0.5,"stream":true',
      '1 system, about',
      'Be brief.',
      'Look at "a".',
      '(reasoning) hm',
      '→ c1 read_file {"path":"a"}',
      'tool result of c1',
      'a: 1 line\n1\tx',
      'read_file: Reads.',
    ]) {
      assert.ok(text.includes(part), `${part} in\n${text}`);
    }
  });

  it('U16 shows what this model gets, not what is stored', () => {
    const facts = {
      parameters: { temperature: { works: false, at: '', evidence: '' } },
      reasoningEcho: 'refused' as const,
    };
    const text = sentPreview(request, facts);
    assert.doesNotMatch(text, /temperature|\(reasoning\)/);
  });
});
