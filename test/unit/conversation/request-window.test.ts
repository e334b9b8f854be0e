import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { economise } from '../../../src/agent/economy.ts';
import { toHistory } from '../../../src/agent/history.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import type { TurnResult } from '../../../src/agent/turn.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { contextWindow } from '../../../src/conversation/turns/context-window.ts';
import { createRequestWindow } from '../../../src/conversation/turns/request-window.ts';
import { historyEvents, summaryHeading } from '../../../src/conversation/turns/turn-chains.ts';
import { attemptsOf } from '../../../src/conversation/turns/turns.ts';
import { createClient } from '../../../src/service/client.ts';
import { knownModels } from '../../../src/service/models.ts';
import { createLearned, type Learned } from '../../../src/service/step/learned.ts';
import { continuationRequest } from '../../../src/service/step/step-continuation.ts';
import { emptyChat } from '../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../src/shared/chat/reduce-chat.ts';
import { parseDurableEvent } from '../../../src/shared/event-schema.ts';
import type { ChatEvent, DurableEvent } from '../../../src/shared/events.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import type { BudgetLimits } from '../../../src/spend/budget.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createLedger } from '../../../src/spend/ledger.ts';
import { createMeteredClient } from '../../../src/spend/metered-client.ts';
import { sumCost } from '../../../src/spend/price.ts';
import { toolKind } from '../../../src/tools/all-tools.ts';
import { demoKey, type LocalService, startLocalService } from '../../service/local-service.ts';
import type { ScriptedReply } from '../../service/script-schema.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { askWith } from '../agent/ask-with.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

const model = 'svc/glm-5.3';
const steps = 60;
const clock: Clock = { ...systemClock, sleep: async () => undefined };
const question = 'Read all sixty files and tell what they hold.';
const plan = [
  { text: 'Read file 1', state: 'done' as const },
  { text: 'Write the report', state: 'pending' as const },
];

/** A turn of sixty steps against a model that takes little and refuses more. */
describe('a long turn and a small model', () => {
  let temp: TempDir;
  let service: LocalService;

  before(async () => {
    temp = await makeTempDir();
    const file = (n: number) =>
      Array.from(
        { length: 60 },
        (_, line) => `export const value${n}x${line} = 'some text of file ${n}, line ${line}';\n`,
      );
    await writeFiles(
      temp.path,
      Object.fromEntries(Array.from({ length: steps }, (_, n) => [`src/f${n}.ts`, file(n).join('')])),
    );
    service = await startLocalService();
  });
  afterEach(() => service.reset());
  after(async () => {
    await service.close();
    await temp.remove();
  });

  /** `cut`: an answer that this turn goes on with. */
  async function run(learned: Learned, limits: BudgetLimits = {}, cut: HistoryMessage[] = []) {
    let ids = 0;
    const estimator = createEstimator(undefined);
    const client = createClient({
      baseUrl: () => service.baseUrl,
      key: async () => demoKey,
      transport: (url, init) => fetch(url, init),
      learned,
      modelIds: () => knownModels.map(({ id }) => id),
      fallback: () => ({ enabled: false, order: [] }),
      clock,
      random: () => 0,
      newId: () => `r${++ids}`,
      redact: (text) => text,
      log: () => undefined,
      timeouts: () => ({ firstEventMs: 20_000, idleMs: 20_000 }),
    });
    const ledger = createLedger({ dir: `${temp.path}/ledger-${Math.random()}`, clock });
    const meter = createMeteredClient({
      client,
      ledger,
      limits: () => limits,
      estimator,
      clock,
      asksInStream: () => true,
      confirm: () => assert.fail('a dialog'),
      onError: assert.ifError,
    });
    const metered = meter({ surface: 'chat', conversationId: 'c', turnId: 't' });
    const all: ChatEvent[] = [
      { type: 'userMessage', id: 'u', at: 1, text: question, attachments: [] },
      { type: 'turnStarted', turnId: 't', at: 1, model },
    ];
    const emit = (event: ChatEvent) => void all.push(event);
    const result: TurnResult = await runTurn(
      {
        client: metered,
        tools: createReadTools(openFolders({ ws: temp.path })),
        systemPrompt: () => 'You help.\nRule: use tabs.',
        clock,
        maxSteps: () => steps + 10,
        newCallId: () => `c${++ids}`,
        // Not the room that is left: it would help enough, and no request would ever be too long here.
        economise: (messages, to) => economise(messages, { model: to, toolKind }),
        window: createRequestWindow({
          client: metered,
          estimator,
          contextWindowOf: (id) => contextWindow({ learned: learned.get(id).contextTokens }),
          toSent: (history) => history,
          keep: () => ({ plan, openFiles: ['src/open.ts'] }),
        }),
        log: () => undefined,
      },
      {
        turnId: 't',
        history: [...toHistory(durable(all)), ...cut],
        model,
        request: { surface: 'chat' },
        emit,
        signal: new AbortController().signal,
        person: { consent: createConsent(), ask: askWith(emit, 't', { cost: () => setImmediate(true) }) },
      },
    );
    const today = ledger.today().microUsd;
    await ledger.close();
    return { result, all, events: durable(all), today };
  }

  const durable = (events: readonly ChatEvent[]): DurableEvent[] =>
    events.flatMap((event) => parseDurableEvent(JSON.parse(JSON.stringify(event))) ?? []);
  const chatRequests = () => service.requests.filter(({ path }) => path.endsWith('/chat/completions'));
  const summary = { match: { hasTools: false }, text: 'Goal: read the files. Done: the first files were read.' };
  const script = (contextTokens: number, firstSummary: ScriptedReply[] = []) =>
    service.script({
      rules: [{ effect: { contextTokens } }],
      replies: [
        ...firstSummary,
        { ...summary, times: 100 },
        ...Array.from({ length: steps }, (_, n) => ({
          match: { hasTools: true },
          text: `Reading file ${n}.`,
          toolCalls: [{ name: 'read_file', arguments: { path: `src/f${n}.ts` } }],
        })),
        { match: { hasTools: true }, text: 'They hold constants.' },
      ],
    });

  it('U4 a summary within the turn asks for its price in the chat, and nothing is sent before', async function () {
    this.timeout(60_000);
    const learned = createLearned({}, () => undefined);
    script(6000);
    const { all, result } = await run(learned, { confirmAboveUsd: 0.0001 });
    assert.equal(result.outcome, 'finished');
    const told = all
      .map((event) => ('kind' in event ? `${event.kind} ${event.type}` : event.type))
      .filter((type) => !/^(?:tool|text|reasoning|step|notice|response)/.test(type));
    const at = told.findIndex((type, index) => type === 'compacted' && told[index - 2] === 'cost answered');
    assert.deepEqual(told.slice(at - 3, at + 1), ['cost asked', 'cost answered', 'requestSent', 'compacted']);
  });

  it('H17 U13 goes on for sixty steps: refused once, then compacted within the turn, told and charged', async function () {
    this.timeout(60_000);
    script(6000);
    const learned = createLearned({}, () => undefined);
    const { result, events, today } = await run(learned);
    assert.equal(result.outcome, 'finished', JSON.stringify(result.failure));
    assert.equal(result.text, 'They hold constants.');
    assert.equal(learned.get(model).contextTokens, 6000);
    assert.equal(events.filter((event) => event.type === 'toolFinished' && event.state === 'done').length, steps);
    const refused = chatRequests().filter(({ responseStatus }) => responseStatus === 400);
    assert.ok(refused.length >= 1 && refused.length <= 2, `${refused.length} were refused`);

    const compactions = events.filter((event) => event.type === 'compacted');
    assert.ok(compactions.length >= 1, 'nothing was compacted');
    const notices = events.filter((event) => event.type === 'notice' && event.notice.kind === 'compacted');
    assert.equal(notices.length, compactions.length);
    for (const { summary } of compactions) {
      for (const kept of [question, '- [x] Read file 1', 'src/open.ts']) assert.ok(summary.includes(kept), kept);
    }
    const last = chatRequests().at(-1)?.rawBody ?? '';
    for (const kept of [summaryHeading, 'Rule: use tabs.', question, 'Write the report'])
      assert.ok(last.includes(kept));

    // Everything is paid for once: the answer, the ledger, the stored events and the service agree.
    const charged = service.charges.reduce((sum, charge) => sum + charge.microUsd, 0);
    assert.equal(result.cost.microUsd, charged);
    assert.equal(today, charged);
    assert.equal(
      attemptsOf(events, 't').reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0),
      result.cost.totalTokens,
    );
  });

  it('U3 a summary that is cut is thrown away, and counts to what the turn cost all the same', async function () {
    this.timeout(60_000);
    script(6000, [{ ...summary, finish: 'length' }]);
    const { result, events, today } = await run(
      createLearned({ [model]: { parameters: {}, contextTokens: 6000 } }, () => undefined),
    );
    assert.equal(result.outcome, 'finished', JSON.stringify(result.failure));
    assert.equal(events.filter((event) => event.type === 'summaryDropped').length, 1);
    assert.equal(result.cost.microUsd, today);
    assert.deepEqual(sumCost(attemptsOf(events, 't')), result.cost);
    const { items } = events.reduce((state, event) => reduceChat(state, event, 1), emptyChat);
    const answer = items.findLast((item) => item.kind === 'answer');
    assert.equal(
      answer?.requests?.reduce((sum, { microUsd }) => sum + microUsd, 0),
      today,
    );
  });

  it('H17 the next turn begins with what the last compaction left, with a result for every call', async function () {
    this.timeout(60_000);
    script(6000);
    const { events } = await run(createLearned({ [model]: { parameters: {}, contextTokens: 6000 } }, () => undefined));
    assert.equal(chatRequests().filter(({ responseStatus }) => responseStatus === 400).length, 0);
    const next: DurableEvent = { type: 'userMessage', id: 'u2', at: 2, text: 'And now?', attachments: [] };
    const history = toHistory(historyEvents([...events, next]));
    assert.ok(history[0]?.text.startsWith(summaryHeading));
    assert.ok(history.length < 60, `${history.length} messages`);
    assert.equal(history.at(-1)?.text, 'And now?');
    const calls = history.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
    );
    assert.deepEqual(
      history.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
      calls,
    );
  });

  it('U7 U13 a summary of a turn that goes on with a cut answer stands above the question of the user', async function () {
    this.timeout(60_000);
    script(6000);
    const cut: HistoryMessage[] = [
      { role: 'assistant', text: 'I begin with', model, toolCalls: [] },
      { role: 'user', text: continuationRequest },
    ];
    const learned = createLearned({ [model]: { parameters: {}, contextTokens: 6000 } }, () => undefined);
    const { result, events } = await run(learned, {}, cut);
    assert.equal(result.outcome, 'finished', JSON.stringify(result.failure));
    assert.ok(events.some((event) => event.type === 'compacted'));
    const { messages } = JSON.parse(chatRequests().at(-1)?.rawBody ?? '');
    const [, summarised, asked] = messages;
    assert.ok(summarised.content.startsWith(summaryHeading));
    assert.ok(!summarised.content.includes(continuationRequest), 'the user has not written it');
    assert.equal(asked.content, question);
  });

  it('U4 H17 a spend limit that the summary would pass ends the turn and says so', async function () {
    this.timeout(60_000);
    script(6000);
    const { result, today } = await run(
      createLearned({ [model]: { parameters: {}, contextTokens: 6000 } }, () => undefined),
      { conversationLimitUsd: 0.012 },
    );
    assert.equal(result.outcome, 'limit');
    assert.equal(result.failure?.kind, 'over-budget');
    assert.ok(today <= 12_000 + 2000);
  });
});
