import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import { createCompletions } from '../../../../src/features/completion/core/ask-completion.ts';
import type { ChatRequest, StreamEvent, StreamResult } from '../../../../src/service/contract.ts';
import { createLearned, type Learned } from '../../../../src/service/step/learned.ts';
import type { MeterContext } from '../../../../src/spend/ledger-entry.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { paidAttempt as attempt } from '../../../support/paid-attempt.ts';
import { wholeReply } from '../../../support/whole-reply.ts';

const place = { path: 'a.ts', languageId: 'typescript', before: 'const x = ', after: '\n', shown: [] };

describe('asking for a completion', () => {
  let requests: ChatRequest[];
  let contexts: MeterContext[];
  let learned: Learned;
  let thinks: boolean;
  let answer: (onEvent: (event: StreamEvent) => void, signal: AbortSignal) => Promise<StreamResult>;
  const clock = createManualClock();
  beforeEach(() => {
    [requests, contexts, thinks] = [[], [], false];
    learned = createLearned(undefined, () => undefined);
    answer = async () => done('```ts\n5;\n```');
  });
  const done = (text: string, more = {}): StreamResult => ({
    outcome: 'done',
    reply: { ...wholeReply('m'), text, ...more },
    attempts: [attempt],
  });
  const create = () =>
    createCompletions({
      metered: (context) => {
        contexts.push(context);
        const unused = () => assert.fail('only streams');
        const stream = (request: ChatRequest, onEvent: (event: StreamEvent) => void, signal: AbortSignal) => {
          requests.push(request);
          return answer(onEvent, signal);
        };
        return { stream, complete: unused, listModels: unused, checkKey: unused };
      },
      estimator: { prompt: () => ({ tokens: 940, error: 0 }) },
      learned,
      choose: () => ({ model: 'm', thinks }),
      clock: { ...clock, sleep: systemClock.sleep },
      newId: () => 't1',
    });
  const ask = (completions: ReturnType<typeof create>, more = {}) => {
    const planned = completions.plan({ ...place, ...more });
    return completions.run(planned, new AbortController().signal);
  };

  it('F40 sends one request of 200 tokens without tools and other parameters, and enters it as a completion', async () => {
    const completions = create();
    assert.equal(completions.plan(place).estimateMicroUsd, 330);
    const result = await ask(completions);
    assert.equal(result.outcome === 'found' && result.text, '5;');
    assert.equal(result.outcome === 'found' && result.cost.microUsd, 330);
    const [{ messages, expects: _, ...rest } = assert.fail()] = requests;
    assert.deepEqual(rest, { model: 'm', maxTokens: 200, surface: 'completion' });
    assert.match(messages[1]?.text ?? '', /const x = ⟦here⟧\n/);
    assert.deepEqual(contexts, [{ surface: 'completion', turnId: 't1' }]);
  });

  it('F40 knows the last 20 places: the same one again costs nothing, another text for it is asked for', async () => {
    const completions = create();
    await ask(completions);
    assert.equal(completions.plan(place).text, '5;');
    assert.equal(completions.plan({ ...place, shown: ['5;'] }).text, undefined);
    assert.equal(completions.plan({ ...place, before: 'let x = ' }).text, undefined);
    for (let count = 0; count < 20; count++) await ask(completions, { path: `${count}.ts` });
    assert.equal(completions.plan(place).text, undefined);
  });

  it('F40 asks a model that only thought not once more, learns it, and says what it cost', async () => {
    let aborted = false;
    answer = async (onEvent, signal) => {
      onEvent({ type: 'requestSent', requestId: 'r1', model: 'm', at: 0 });
      onEvent({ type: 'reasoning', text: 'hm, well' });
      onEvent({ type: 'attemptEnded', attempt });
      aborted = signal.aborted;
      return { outcome: 'stopped', reply: wholeReply('m'), attempts: [attempt] };
    };
    const result = await ask(create());
    assert.ok(aborted);
    assert.equal(result.outcome === 'nothing' && result.problem, 'thinks');
    assert.equal(result.outcome === 'nothing' && result.cost.microUsd, 330);
    assert.equal(learned.get('m').thinksFirst?.works, true);
  });

  it('F40 lets a model that thinks first do so in 1,500 tokens, and no longer than ten seconds without a word', async () => {
    thinks = true;
    const sent = Promise.withResolvers<void>();
    answer = async (_onEvent, signal) => {
      sent.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { outcome: 'stopped', reply: wholeReply('m'), attempts: [{ ...attempt, charge: 'maybe' }] };
    };
    const result = ask(create());
    await sent.promise;
    clock.pass(10_000);
    const told = await result;
    assert.equal(requests[0]?.maxTokens, 1500);
    assert.equal(told.outcome === 'nothing' && told.problem, 'late');
    assert.equal(told.outcome === 'nothing' && told.cost.charge, 'maybe');
  });

  it('F40 leaves a line out that the limit cut, and shows no words about code', async () => {
    answer = async () => done('```ts\n5;\nconst y = so', { finish: 'length' });
    const cut = await ask(create());
    assert.equal(cut.outcome === 'found' && cut.text, '5;');
    answer = async () => done('The value of x is not known here, so nothing can be completed.');
    const prose = await ask(create());
    assert.equal(prose.outcome === 'nothing' && prose.problem, 'prose');
  });
});
