import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatRequest } from '../../../src/service/contract.ts';
import { createKeyMask } from '../../../src/service/redact.ts';
import { maskRequest } from '../../../src/service/wire/mask-request.ts';
import { createHarness, ofType, reply } from './client/harness.ts';

const known = 'sk-svc-short';
const other = 'sk-svc-0123456789abcdefABCDEF';
const mask = createKeyMask(() => [known]);

describe('keys in what is about to be sent', () => {
  it('S17 known keys go by value, others by shape, examples stay', () => {
    assert.equal(mask(`a ${known} b`), 'a sk-svc-… b');
    assert.equal(mask(`KEY=${other};`), 'KEY=sk-svc-0123…;');
    for (const text of ['sk-svc-…', 'begins with sk-svc-', 'sk-svc-local-demo', 'nothing'])
      assert.equal(mask(text), text);
    assert.equal(mask(mask(`${known} ${other}`)), mask(`${known} ${other}`));
  });

  it('S17 are taken out of every part of a request, which stays the same when there is none', () => {
    const request: ChatRequest = {
      model: 'svc/kimi-k3',
      surface: 'chat',
      messages: [
        { role: 'system', text: 'plain' },
        { role: 'user', text: `mine is ${known}` },
        {
          role: 'assistant',
          text: 'ok',
          reasoning: `he said ${other}`,
          model: 'svc/kimi-k3',
          toolCalls: [{ id: 'c1', name: 'run_command', arguments: JSON.stringify({ command: `curl ${other}` }) }],
        },
        { role: 'tool', callId: 'c1', name: 'run_command', text: `Bearer ${other}` },
      ],
    };
    const before = JSON.stringify(request);
    const result = maskRequest(request, mask);
    const sent = JSON.stringify(result.request);
    assert.ok(!sent.includes(known) && !sent.includes(other));
    assert.equal(result.masked.length, 3);
    assert.equal(result.request.messages[0], request.messages[0]);
    assert.equal(JSON.stringify(request), before);
    const clean = { ...request, messages: [{ role: 'user' as const, text: 'Hello' }] };
    assert.equal(maskRequest(clean, mask).request, clean);
  });

  it('S17 never reach the service, whatever surface sends them, and that is told once', async () => {
    const harness = createHarness([reply(), reply()], { maskKeys: mask });
    const messages = [{ role: 'tool' as const, callId: 'c1', name: 'read_file', text: `TOKEN=${other}` }];
    await harness.send({ messages: [{ role: 'user', text: 'Read it' }, ...messages] });
    await harness.send({ messages: [{ role: 'user', text: 'Read it' }, ...messages, { role: 'user', text: 'Go on' }] });
    assert.ok(!JSON.stringify(harness.chats().map(({ body }) => body)).includes(other));
    const notes = ofType(harness.events, 'notice').map(({ notice }) => notice);
    assert.equal(notes.length, 1);
    assert.ok(notes[0]?.kind === 'note' && /API key/.test(notes[0].text) && !notes[0].text.includes('0123'));
  });

  it('S17 are taken out of the definitions of tools and of stop words too', () => {
    const tool = {
      name: 'read_file',
      description: `Send ${other} along`,
      parameters: { type: 'object', properties: { path: { type: 'string', default: other } }, required: ['path'] },
    };
    const request = {
      model: 'svc/kimi-k3',
      surface: 'chat' as const,
      messages: [{ role: 'user' as const, text: 'Hello' }],
      tools: [tool],
      stop: ['END', other],
    };
    const result = maskRequest(request, mask);
    assert.ok(!JSON.stringify(result.request).includes(other));
    assert.equal(result.request.tools?.[0]?.name, 'read_file');
    assert.deepEqual(result.request.stop?.[0], 'END');
    const clean = { ...request, tools: [{ ...tool, description: 'd', parameters: {} }], stop: ['END'] };
    assert.equal(maskRequest(clean, mask).request, clean);
  });
});
