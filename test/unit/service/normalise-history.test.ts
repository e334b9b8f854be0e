import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { knownModels } from '../../../src/service/models.ts';
import type { ModelFacts } from '../../../src/service/step/learned.ts';
import { normaliseHistory, type WireMessage } from '../../../src/service/wire/normalise-history.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';

const glm = 'svc/glm-5.3';
const kimi = 'svc/kimi-k3';
const deepseek = 'svc/deepseek-v4-pro';
const noFacts: ModelFacts = { parameters: {} };
const noTools: ModelFacts = { parameters: {}, tools: { works: false, at: '', evidence: '' } };

/** Text with halves of characters in it. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', ' ', '\n', 'Hello'),
);
const anyId = fc.oneof(
  fc.constantFrom('c1', 'c2', 'c3', 'call_1', 'functions.read:0', '', '__proto__', 'x'.repeat(50)),
  anyText,
);
const anyArguments = fc.oneof(
  anyText,
  fc.json(),
  fc.constantFrom(
    '{}',
    '[]',
    '"{}"',
    '{"a":',
    '{"a":"\\ud83d"}',
    '{"\\ud83d":1}',
    '{"__proto__":1}',
    `${'['.repeat(50_000)}`,
  ),
);
const anyCall = fc.record({ id: anyId, name: fc.oneof(anyText, fc.constant('read_file')), arguments: anyArguments });
const anyMessage: fc.Arbitrary<HistoryMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), text: anyText }),
  fc.record({ role: fc.constant('user' as const), text: anyText }),
  fc.record({
    role: fc.constant('assistant' as const),
    text: anyText,
    reasoning: fc.option(anyText, { nil: undefined }),
    model: fc.constantFrom(...knownModels.map(({ id }) => id)),
    toolCalls: fc.array(anyCall, { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('tool' as const), callId: anyId, name: anyText, text: anyText }),
);
const anyHistory = fc.array(anyMessage, { maxLength: 12 });
const anyFacts: fc.Arbitrary<ModelFacts> = fc.record({
  parameters: fc.constant({}),
  reasoningEcho: fc.constantFrom('required' as const, 'refused' as const, undefined),
  tools: fc.constantFrom(noTools.tools, undefined),
});
const anyModel = fc.constantFrom(...knownModels.map(({ id }) => id));
const anyStrength = fc.constantFrom('normal' as const, 'strong' as const);

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
}

function assertAcceptable(wire: readonly WireMessage[]): void {
  let open: string[] = [];
  const seen = new Set<string>();
  for (const [index, message] of wire.entries()) {
    const where = `message ${index} of ${JSON.stringify(wire)}`;
    assert.ok('content' in message, `H04 ${where}`);
    if (message.role === 'tool') {
      assert.equal(message.tool_call_id, open.shift(), `H02 ${where}`);
      assert.notEqual(message.content, '', where);
      continue;
    }
    assert.deepEqual(open, [], `H02 ${where}`);
    if (message.role !== 'assistant') {
      const { content } = message;
      assert.notEqual(
        typeof content === 'string' ? content.trim() : content.length,
        typeof content === 'string' ? '' : 0,
        where,
      );
      continue;
    }
    const { tool_calls: calls = [] } = message;
    assert.ok(calls.length > 0 || (message.content ?? '').trim() !== '', `H03 ${where}`);
    if ('tool_calls' in message) assert.ok(calls.length > 0, where);
    for (const { id, function: called } of calls) {
      assert.match(id, /^[a-zA-Z0-9_-]{1,40}$/, `H14 ${where}`);
      assert.ok(!seen.has(id), `H14 ${where}`);
      seen.add(id);
      assert.match(called.name, /^[a-zA-Z0-9_-]{1,64}$/);
      const args: unknown = JSON.parse(called.arguments);
      assert.ok(typeof args === 'object' && args !== null && !Array.isArray(args), `H01 ${where}`);
      for (const string of strings(args)) assert.ok(string.isWellFormed(), `H09 ${where}`);
    }
    open = calls.map(({ id }) => id);
  }
  assert.deepEqual(open, [], 'H02 at the end');
  for (const string of strings(wire)) assert.ok(string.isWellFormed(), 'H09');
}

function assistant(fields: Partial<Extract<HistoryMessage, { role: 'assistant' }>>): HistoryMessage {
  return { role: 'assistant', text: '', model: glm, toolCalls: [], ...fields };
}

const readCall = { id: 'c1', name: 'read_file', arguments: '{"path":"a"}' };
const question: HistoryMessage = { role: 'user', text: 'Why?' };
const turn: HistoryMessage[] = [
  question,
  assistant({ reasoning: 'Hm.', toolCalls: [readCall] }),
  { role: 'tool', callId: 'c1', name: 'read_file', text: 'text of a' },
  assistant({ text: 'Because.' }),
];

describe('normalising a history', () => {
  it('H01 H02 H03 H04 H09 H14 makes any history one that every model accepts', () => {
    fc.assert(
      fc.property(anyHistory, anyModel, anyFacts, anyStrength, (history, model, facts, strength) => {
        assertAcceptable(normaliseHistory(history, model, facts, { strength }));
      }),
      { numRuns: 1000 },
    );
  });

  it('H05 puts reasoning on all assistant messages or on none', () => {
    fc.assert(
      fc.property(anyHistory, anyModel, anyFacts, anyStrength, (history, model, facts, strength) => {
        const wanted =
          facts.reasoningEcho === 'required' || (facts.reasoningEcho === undefined && /deepseek|kimi/.test(model));
        for (const message of normaliseHistory(history, model, facts, { strength })) {
          if (message.role !== 'assistant') continue;
          assert.equal(typeof message.reasoning_content === 'string', wanted);
          assert.equal('reasoning_content' in message, wanted);
        }
      }),
    );
  });

  it('leaves a history that is in order as it is', () => {
    assert.deepEqual(
      normaliseHistory([{ role: 'system', text: 'Be brief.' }, ...turn], glm, noFacts, { strength: 'normal' }),
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'text of a' },
        { role: 'assistant', content: 'Because.' },
      ],
    );
  });

  it('H01 sends no broken arguments but tells the model what it wrote', () => {
    const history = [question, assistant({ toolCalls: [{ ...readCall, arguments: '{"path":"a' }] })];
    const [, call, result] = normaliseHistory(history, glm, noFacts, { strength: 'normal' });
    assert.equal(call?.role === 'assistant' && call.tool_calls?.[0]?.function.arguments, '{}');
    assert.match(String(result?.content), /not a JSON object.*\{"path":"a\n.*Cancelled/s);
  });

  it('H02 answers a call that was cancelled and drops a result without a call', () => {
    const history: HistoryMessage[] = [
      assistant({ toolCalls: [readCall, { ...readCall, id: 'c2' }] }),
      { role: 'tool', callId: 'c2', name: 'read_file', text: 'second' },
      { role: 'tool', callId: 'c9', name: 'read_file', text: 'of no call' },
      question,
    ];
    const contents = normaliseHistory(history, glm, noFacts, { strength: 'normal' }).map(({ content }) => content);
    assert.deepEqual(contents, [null, 'Cancelled: this call was not carried out.', 'second', 'Why?']);
  });

  it('H03 gives Kimi a space where others get null, and everyone words after a refusal', () => {
    const content = (model: string, strength: 'normal' | 'strong') =>
      normaliseHistory(turn, model, noFacts, { strength }).find(({ role }) => role === 'assistant')?.content;
    assert.equal(content(kimi, 'normal'), ' ');
    assert.equal(content(glm, 'normal'), null);
    assert.equal(content(glm, 'strong'), '(tool call)');
  });

  it('H05 gives a model its own reasoning back and pads what others wrote', () => {
    const history = [
      question,
      assistant({ text: 'A', reasoning: 'own', model: deepseek }),
      assistant({ text: 'B', reasoning: 'other' }),
    ];
    const echoes = normaliseHistory(history, deepseek, noFacts, { strength: 'normal' }).map((message) =>
      message.role === 'assistant' ? message.reasoning_content : 'not asked',
    );
    assert.deepEqual(echoes, ['not asked', 'own', '']);
  });

  it('S23 tells a model without tools as text what was called and found', () => {
    const wire = normaliseHistory(turn, glm, noTools, { strength: 'normal' });
    assert.ok(wire.every((message) => message.role !== 'tool' && !('tool_calls' in message)));
    assert.match(JSON.stringify(wire), /Called read_file.*text of a/);
  });

  it('irons out after a refusal: one system message, no two user messages in a row', () => {
    const history: HistoryMessage[] = [assistant({ text: 'Hi' }), question, { role: 'system', text: 'S' }, question];
    assert.deepEqual(normaliseHistory(history, glm, noFacts, { strength: 'strong' }), [
      { role: 'system', content: 'S' },
      { role: 'user', content: '(continued)' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'Why?\n\nWhy?' },
    ]);
  });

  it('keeps the beginning of a growing history the same, so that servers can reuse it', () => {
    const before = normaliseHistory(turn, glm, noFacts, { strength: 'normal' });
    const after = normaliseHistory([...turn, question, assistant({ text: 'So.' })], glm, noFacts, {
      strength: 'normal',
    });
    assert.deepEqual(after.slice(0, before.length), before);
  });
});
