import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerNative, type NativeOutput } from '../../../../src/features/native-chat/vscode/native-answer.ts';
import { nativeFailureText, paletteTitle } from '../../../../src/features/native-chat/vscode/native-failure.ts';
import { nativeTools, toHistoryMessages } from '../../../../src/features/native-chat/vscode/native-history.ts';
import { nativeModelInfo } from '../../../../src/features/native-chat/vscode/native-model-info.ts';
import type { ChatRequest, Reply, StreamEvent, StreamResult } from '../../../../src/service/contract.ts';
import type { Failure } from '../../../../src/shared/failure/failure.ts';
import { failureKinds } from '../../../../src/shared/failure/kinds.ts';
import { wholeReply } from '../../../support/whole-reply.ts';

const model = 'svc/kimi-k3';
const whole = wholeReply(model, { text: 'Hello.' });
const readTool = { name: 'read file!', description: 'Reads.', inputSchema: { type: 'object' } };

/** What VS Code gets of a reply, after `events`. */
async function answer(
  reply: Partial<Reply>,
  options: { events?: StreamEvent[]; outcome?: StreamResult; tools?: (typeof readTool)[]; mustCall?: boolean } = {},
) {
  const sent: ChatRequest[] = [];
  const output: NativeOutput[] = [];
  let calls = 0;
  const failure = await answerNative(
    {
      client: {
        async stream(request, onEvent) {
          sent.push(request);
          for (const event of options.events ?? []) onEvent(event);
          return options.outcome ?? { outcome: 'done', reply: { ...whole, ...reply }, attempts: [] };
        },
      },
      newCallId: () => `call_${++calls}`,
      epochMs: () => 0,
      onNotice: () => undefined,
    },
    {
      model,
      messages: [{ role: 'user', text: 'Hi.' }],
      tools: nativeTools(options.tools ?? []),
      mustCall: options.mustCall ?? false,
      request: {},
    },
    (part) => output.push(part),
    new AbortController().signal,
  );
  return { sent, output, failure };
}

describe('a request of the chat of VS Code', () => {
  it('F27 U12 is sent under its own surface, and the text comes as it is written', async () => {
    const { sent, output, failure } = await answer(
      {},
      {
        events: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo.' },
        ],
      },
    );
    assert.deepEqual(output, [
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo.' },
    ]);
    assert.equal(sent[0]?.surface, 'native-chat');
    assert.equal(sent[0]?.tools, undefined);
    assert.equal(failure, undefined);
  });

  it('F27 gives calls their own ids and the names that VS Code knows', async () => {
    const toolCalls = [
      { name: 'read_file_', arguments: '{"path":"a.ts"}' },
      { name: 'read_file_', arguments: '' },
    ];
    const { sent, output } = await answer({ text: '', toolCalls }, { tools: [readTool] });
    assert.equal(sent[0]?.tools?.[0]?.name, 'read_file_');
    assert.deepEqual(output, [
      { kind: 'call', callId: 'call_1', name: 'read file!', input: { path: 'a.ts' } },
      { kind: 'call', callId: 'call_2', name: 'read file!', input: {} },
    ]);
  });

  it('W33 W39 H01 F27 gives no call of a reply that is not whole, and says why', async () => {
    const toolCalls = [{ name: 'read_file_', arguments: '{"path":"a.ts"}' }];
    const broken: [Partial<Reply>, Failure['kind']][] = [
      [{ toolCalls, evidence: 'none' }, 'cut-off'],
      [{ toolCalls, finish: 'length' }, 'cut-off'],
      [{ toolCalls, finish: 'content-filter' }, 'content-filter'],
      [{ toolCalls, damagedEvents: 1 }, 'protocol'],
      [{ toolCalls: [...toolCalls, { name: 'read_file_', arguments: '{"path":' }] }, 'malformed-tool-calls'],
      [{ toolMarkup: true }, 'malformed-tool-calls'],
      [{ text: ' ' }, 'empty-reply'],
    ];
    for (const [reply, kind] of broken) {
      const { output, failure } = await answer(reply, { tools: [readTool] });
      assert.deepEqual(output, [], kind);
      assert.equal(failure?.kind, kind);
    }
  });

  it('F27 lets a text stand that reached its length limit', async () => {
    assert.equal((await answer({ finish: 'length' })).failure, undefined);
  });

  it('H11 F27 asks in words for the call that VS Code wants', async () => {
    const { sent } = await answer({}, { mustCall: true });
    assert.deepEqual(
      sent[0]?.messages.map(({ role }) => role),
      ['system', 'user'],
    );
  });

  it('F27 says nothing of a request that was stopped', async () => {
    const stopped = await answer({}, { outcome: { outcome: 'stopped', reply: whole, attempts: [] } });
    assert.deepEqual([stopped.output, stopped.failure], [[], undefined]);
  });
});

describe('the history of the chat of VS Code', () => {
  it('H02 F27 puts results before the text that came with them, under the name of their call', () => {
    const tools = nativeTools([readTool]);
    const history = toHistoryMessages(
      [
        { role: 'user', parts: [{ kind: 'text', text: 'Read.' }] },
        { role: 'assistant', parts: [{ kind: 'call', callId: 'x', name: 'read file!', input: { path: 'a' } }] },
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'And?' },
            { kind: 'result', callId: 'x', text: '1' },
          ],
        },
        { role: 'assistant', parts: [] },
      ],
      model,
      tools.alias,
    );
    assert.deepEqual(history, [
      { role: 'user', text: 'Read.' },
      {
        role: 'assistant',
        text: '',
        model,
        toolCalls: [{ id: 'x', name: 'read_file_', arguments: '{"path":"a"}' }],
      },
      { role: 'tool', callId: 'x', name: 'read_file_', text: '1' },
      { role: 'user', text: 'And?' },
    ]);
  });

  it('F27 offers at most 128 tools, each under a name of its own, and names the others', () => {
    const many = Array.from({ length: 130 }, (_, index) => ({
      ...readTool,
      name: index < 2 ? `a${'!?'[index]}` : `t${index}`,
    }));
    const tools = nativeTools(many);
    assert.equal(tools.definitions.length, 128);
    assert.deepEqual(
      tools.definitions.slice(0, 2).map(({ name }) => tools.ownName(name)),
      ['a!', 'a?'],
    );
    assert.deepEqual(tools.leftOut, ['t128', 't129']);
  });
});

describe('what VS Code is told of a model', () => {
  const kimi = { id: model, name: 'Kimi K3' };

  it('F27 S13 assumes a size and says so until one is known', () => {
    const assumed = nativeModelInfo(kimi, {}, undefined, undefined);
    assert.equal(assumed.maxInputTokens, 64_000);
    assert.match(assumed.tooltip, /Assumes/);
    const known = nativeModelInfo(kimi, {}, 100_000, 4000);
    assert.deepEqual([known.maxInputTokens, known.maxOutputTokens], [96_000, 4000]);
    assert.doesNotMatch(known.tooltip, /Assumes/);
    const small = nativeModelInfo(kimi, {}, 4000, undefined);
    assert.deepEqual([small.maxInputTokens, small.maxOutputTokens], [3000, 1000]);
  });

  it('S23 S24 F27 claims images only once they worked, and tools until they failed', () => {
    const fact = (works: boolean) => ({ works, at: '', evidence: '' });
    assert.deepEqual(nativeModelInfo(kimi, {}, undefined, undefined).capabilities, {
      imageInput: false,
      toolCalling: 128,
    });
    const learned = nativeModelInfo(kimi, { images: fact(true), tools: fact(false) }, undefined, undefined);
    assert.deepEqual(learned.capabilities, { imageInput: true, toolCalling: false });
  });
});

describe('a failure in the chat of VS Code', () => {
  const text = (failure: Partial<Failure> & Pick<Failure, 'kind'>) =>
    nativeFailureText(
      { message: '', at: '', ...failure },
      (id) => id,
      (command) => `svc: ${command}`,
    );

  it('F27 says what happened and which command is next', () => {
    assert.equal(
      text({ kind: 'no-key' }),
      'No API key is set. Enter a key from the dashboard. Nothing was sent. Next: run "svc: svc.setApiKey" from the Command Palette.',
    );
  });

  it('F27 names as the next step only what the palette lists, in any language', () => {
    const { commands } = JSON.parse(readFileSync('package.json', 'utf8')).contributes;
    const listed = new Set(commands.map(({ command }: { command: string }) => `svc: ${command}`));
    for (const kind of failureKinds) {
      const next = /Next: run "(.+?)"/.exec(text({ kind }))?.[1];
      assert.ok(next === undefined || listed.has(next), `${kind}: ${next}`);
    }
    const german = [{ command: 'svc.help', category: 'svc', title: { value: 'Hilfe', original: 'Help' } }];
    assert.equal(paletteTitle(german, 'svc.help'), 'svc: Hilfe');
  });

  it('F27 quotes one of the models that answered the same, not all of them', () => {
    const busy = ['svc/a', 'svc/b'].map((id) => `${id}: Model ${id} is at capacity.`);
    const said = text({ kind: 'capacity-model', facts: { asked: 'svc/a svc/b' }, serverMessage: busy.join('\n') });
    assert.match(said, /^All 2 models are at capacity\..*The service said: svc\/a: Model svc\/a is at capacity\./);
    assert.doesNotMatch(said, /svc\/b/);
  });

  it('U4 F27 does not offer to go on once where that cannot be done', () => {
    const said = text({ kind: 'over-budget', facts: { limit: 'daily', limitMicroUsd: 1_000_000 } });
    assert.match(said, /limit/);
    assert.match(said, /svc\.showSpend/);
    assert.doesNotMatch(said, /once/);
  });
});
