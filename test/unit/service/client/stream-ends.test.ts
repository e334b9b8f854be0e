import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type Answer,
  createHarness,
  delta,
  ended,
  events,
  finish,
  type Harness,
  ofType,
  reply,
  usage,
} from './harness.ts';

const said = 'Hello. This is all there is to say.';
const words = [delta('Hello. This is '), delta('all there is to say.')];
const json = (value: object) => JSON.stringify(value);

function stream(body: string): Answer {
  return () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const lines = (...data: (object | string)[]): string =>
  data.map((item) => `data: ${typeof item === 'string' ? item : json(item)}\n\n`).join('');

const counted = { choices: [], usage };

/** Each is how every reply of a service ends. */
const habits: Readonly<Record<string, string>> = {
  'nothing at all': lines(...words),
  'a count': lines(...words, counted),
  'a count in the last words': lines(words[0] ?? '', { ...words[1], usage }),
  'an event called done': `${lines(...words)}event: done\ndata: {}\n\n`,
  'an event called done that holds nothing': `${lines(...words)}event: done\ndata:\n\n`,
  'an object that says done': lines(...words, { done: true }),
  'DONE without brackets': lines(...words, 'DONE'),
  'a finish with the marker glued to it': `${lines(...words)}data: ${json(finish())}[DONE]\n\n`,
  'a finish with an event of the marker glued to it': `${lines(...words)}data: ${json(finish())}data: [DONE]\n\n`,
  'single line ends between events': [...words, finish(), '[DONE]']
    .map((item) => `data: ${typeof item === 'string' ? item : json(item)}\n`)
    .join(''),
  'single line ends and nothing at all': words.map((item) => `data: ${json(item)}\r\n`).join(''),
};

const shown = (harness: Harness) =>
  ofType(harness.events, 'text')
    .map(({ text }) => text)
    .join('');

describe('client: how replies of this service end', () => {
  for (const [habit, body] of Object.entries(habits)) {
    it(`S22 U11 W91 W92 W93 W94 where every reply ends with ${habit}, it is asked about once at most`, async () => {
      const harness = createHarness([stream(body)]);
      const texts: string[] = [];
      for (let question = 0; question < 3; question++) {
        const result = await harness.send();
        assert.equal(result.outcome, 'done');
        texts.push(result.reply.text);
      }
      assert.deepEqual(texts, [said, said, said]);
      assert.equal(shown(harness), said.repeat(3));
      assert.ok(harness.chats().length <= 4, `${harness.chats().length} requests`);
    });
  }

  it('W91 a short reply that ends with nothing at all is not said twice', async () => {
    const harness = createHarness([events(delta('Hello.'))]);
    assert.equal((await harness.send()).reply.text, 'Hello.');
    assert.equal(shown(harness), 'Hello.');
    assert.equal(harness.chats().length, 2);
  });

  it('W91 U11 what was learned of the end is kept for the model and forgotten with the rest', async () => {
    const harness = createHarness([events(...words)]);
    await harness.send();
    assert.equal(harness.learned.get('svc/kimi-k3').streamEnd?.how, 'close');
    harness.learned.reset();
    await harness.send();
    assert.equal(harness.chats().length, 4);
  });

  const alone = { fallback: () => ({ enabled: false, order: [] }) };
  const outcomesOf = async (harness: Harness, questions: number, model?: string) => {
    const outcomes: string[] = [];
    for (let question = 0; question < questions; question++) {
      const result = await harness.send(model === undefined ? {} : { model });
      outcomes.push(result.outcome === 'failed' ? result.failure.kind : result.outcome);
    }
    return outcomes.join(' ');
  };
  const cut = events(...words);

  it('W24 W91 a model that has shown an end of its own is cut off each time without it, however often', async () => {
    const harness = createHarness([reply('Hi.'), cut], alone);
    assert.equal(await outcomesOf(harness, 7), `done${' cut-off'.repeat(6)}`);
  });

  it('W24 W91 that replies end without a word is not believed of a model while another one names a reason', async () => {
    const harness = createHarness([cut, reply('Hi.'), cut], alone);
    assert.equal(await outcomesOf(harness, 1, 'svc/glm-5.3'), 'cut-off');
    assert.equal(await outcomesOf(harness, 1), 'done');
    assert.equal(await outcomesOf(harness, 3, 'svc/glm-5.3'), 'cut-off cut-off cut-off');
  });

  it('W24 W91 every cut of a reply between two events is cut off, with and without fallback, again and again', async () => {
    const parts = [
      'The file ',
      'has two parts',
      ', and the first ',
      'one is read',
      ' when VS Code',
      ' starts',
      '. Then ',
      'it waits.',
    ];
    const pieces = parts.map((part) => delta(part));
    const cuts = pieces.slice(1).map((_, at) => events(...pieces.slice(0, at + 1)));
    for (const change of [alone, {}]) {
      for (const taught of [[reply('Hi.')], []]) {
        for (const one of cuts) {
          const harness = createHarness([...taught, one], change);
          if (taught.length > 0) await harness.send();
          assert.equal(await outcomesOf(harness, 2), 'cut-off cut-off', `${taught.length} ${harness.chats().length}`);
        }
      }
    }
  });

  const reasons = ['abort', 'timeout', 'server_error', 'incomplete', 'overloaded', 'cancelled', 'preempted', 'unknown'];
  it('W24 W65 a reason that is not known to be good ends a sentence, and nothing else', async () => {
    for (const reason of reasons) {
      const half = createHarness([events(delta('The first step is'), finish(reason), '[DONE]')], alone);
      assert.equal(await outcomesOf(half, 2), 'cut-off cut-off', reason);
      const whole = createHarness([events(delta('The first step is done.'), finish(reason), '[DONE]')], alone);
      assert.equal(await outcomesOf(whole, 2), 'done done', reason);
    }
    const good = ['stop', 'eos', 'end_turn', 'tool_calls', 'stop_sequence', 'STOP'];
    for (const reason of good) {
      const harness = createHarness([events(delta('- a list without a full stop'), finish(reason), '[DONE]')], alone);
      assert.equal(await outcomesOf(harness, 1), 'done', reason);
    }
  });

  it('W24 W92 an end marker alone does not end half a sentence of a model that names its reasons', async () => {
    const harness = createHarness([reply('Hi.'), events(delta('The first step is'), '[DONE]')], alone);
    assert.equal(await outcomesOf(harness, 3), 'done cut-off cut-off');
  });

  it('W23 an error in a field of the stream, and a bare line of JSON, are told as what they say', async () => {
    for (const line of [
      'error: {"message":"The engine died","code":500}',
      'error: The engine died',
      '{"error":{"message":"The engine died"}}',
    ]) {
      const harness = createHarness([stream(`${lines(...words)}${line}\n\n`)], alone);
      const result = await harness.send();
      assert.equal(result.outcome === 'failed' && result.failure.serverMessage, 'The engine died', line);
      assert.equal(result.reply.text, said);
    }
  });

  for (const [what, text] of [
    ['inside a block of code', 'Do this:\n```js\nconst a = 1;'],
    ['inside a bracket', 'It is (as we have seen'],
    ['behind a comma', 'First this,'],
    ['inside code in a line', 'Call `foo('],
    ['in the middle of a sentence', 'This is the first of'],
  ] as const)
    it(`W24 W91 a reply that ends ${what} is cut off where replies end without a word`, async () => {
      const harness = createHarness([events(...words), events(...words), events(delta(text))], alone);
      await harness.send();
      await harness.send();
      const result = await harness.send();
      assert.equal(result.outcome === 'failed' && result.failure.kind, 'cut-off');
    });

  it('W24 W91 a call is run from a reply that just ends only where replies are known to end so, and only a whole one', async () => {
    const call = (written: string) => ({
      choices: [
        { delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'read_file', arguments: written } }] } },
      ],
    });
    const first = createHarness([events(call('{"path":"a"}'))]);
    const unknown = await first.send();
    assert.deepEqual([unknown.outcome, unknown.reply.toolCalls], ['failed', []]);
    const known = createHarness([events(...words), events(...words), events(call('{"path":"a"}'))]);
    await known.send();
    assert.deepEqual((await known.send()).reply.toolCalls, [{ name: 'read_file', arguments: '{"path":"a"}' }]);
    const cut = createHarness([events(...words), events(...words), events(call('{"path":"a'))]);
    await cut.send();
    assert.deepEqual((await cut.send()).reply.toolCalls, []);
  });

  it('W24b W92 a count behind a call ends it only where replies are known to end so', async () => {
    const call = { index: 0, id: 'x', function: { name: 'read_file', arguments: '{"path":"a"}' } };
    const harness = createHarness([events({ choices: [{ delta: { tool_calls: [call] } }] }, counted)]);
    const outcomes = [await harness.send(), await harness.send()].map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['failed', 'done']);
  });

  it('W91 a connection that breaks is no end, also where replies end without a word', async () => {
    const broken: Answer = () => {
      const pieces = [lines(...words)].map((text) => new TextEncoder().encode(text));
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const piece = pieces.shift();
          if (piece === undefined) controller.error(new Error('other side closed'));
          else controller.enqueue(piece);
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const harness = createHarness([events(...words), events(...words), broken], alone);
    await harness.send();
    await harness.send();
    const result = await harness.send();
    assert.equal(result.outcome === 'failed' && result.failure.kind, 'cut-off');
    assert.equal(ended(harness).at(-1)?.outcome, 'incomplete');
  });
});
