import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type CompactFact,
  type CompactingDeps,
  createCompacting,
  type SummaryTarget,
} from '../../../src/chat/compact.ts';
import type { Compact, Compaction } from '../../../src/conversation/turns/turns.ts';
import type { StreamResult } from '../../../src/service/contract.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { About, Ask } from '../../../src/shared/interaction.ts';
import type { Attachment, Attempt, HistoryMessage } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { wholeReply } from '../../support/whole-reply.ts';

const model = 'svc/glm-5.3';
const long = 'Every word of it counts. '.repeat(2000);
const paid = { model, microUsd: 100, charge: 'yes', totalTokens: 10 } as unknown as Attempt;

describe('making a conversation shorter', () => {
  /** Of three turns, of which each is long enough to be summarised; `answered`: so many. */
  function open({ answered = 3, running = false, text = long, lastPromptTokens = 10 } = {}) {
    const history: HistoryMessage[] = Array.from({ length: answered }, (_, at) => [
      { role: 'user' as const, text: `Question ${at}` },
      { role: 'assistant' as const, model, text, toolCalls: [] },
    ]).flat();
    const items = history.flatMap(({ role }, at) =>
      role === 'user'
        ? []
        : [
            {
              kind: 'answer',
              turnId: `t${at}`,
              cost: { requests: 3 },
              parts: [{ type: 'text', text: at < 4 ? text : 'Short.' }],
            },
          ],
    );
    const outsideChanges = {
      agrees: true as boolean | undefined,
      result: {
        outcome: 'done',
        reply: wholeReply(model, { text: 'Goal: in short.' }),
        attempts: [paid],
      } as StreamResult,
      contextWindowOf: undefined as ReturnType<CompactingDeps['contextWindowOf']>,
      compactsWhenCheaper: false,
      questions: [] as SummaryTarget[],
      /** In the conversation. */
      asked: [] as About<'compact'>[],
      facts: [] as CompactFact[],
      requests: 0,
      progress: 0,
      compactions: [] as { compaction: Compaction | undefined; from: string | undefined }[],
      attached: [] as Attachment[],
      chats: 0,
    };
    const ask = async (kind: string, about: About<'compact'>, { signal: { aborted } }: Parameters<Ask>[2]) => {
      assert.deepEqual([kind, aborted], ['compact', false]);
      outsideChanges.asked.push(about);
      return outsideChanges.agrees;
    };
    const conversation = {
      ...{ id: 'c', running },
      async compact(write: Compact, from: string | undefined) {
        const compaction = await write(history, new AbortController().signal, ask as Ask);
        outsideChanges.compactions.push({ compaction, from });
        return compaction !== undefined;
      },
      attempts: () => [{ usage: { promptTokens: 5 } }, { usage: { promptTokens: lastPromptTokens } }],
    };
    const compacting = createCompacting({
      viewModel: {
        conversation: () => conversation,
        state: () => ({ title: '', items, plan: [] }),
        newChat: () => outsideChanges.chats++,
        draft: { attach: (attachment: Attachment) => outsideChanges.attached.push(attachment) },
      } as unknown as CompactingDeps['viewModel'],
      person: {
        async agree(target) {
          outsideChanges.questions.push(target);
          return outsideChanges.agrees === true;
        },
        notify: (fact) => void outsideChanges.facts.push(fact),
        during: (work) => {
          outsideChanges.progress++;
          return work();
        },
      },
      estimator: createEstimator(undefined, () => undefined),
      client: () => ({
        async complete() {
          outsideChanges.requests++;
          return outsideChanges.result;
        },
      }),
      toSent: (messages) => messages,
      model: () => model,
      contextWindowOf: () => outsideChanges.contextWindowOf,
      compactsWhenCheaper: () => outsideChanges.compactsWhenCheaper,
      history: () => ({ before: () => history }) as unknown as ReturnType<CompactingDeps['history']>,
      openFiles: () => [],
      newId: () => 'a1',
    });
    return { outsideChanges, compacting, items };
  }

  it('F8 asks with the price, writes the summary of all but the last turns, and says that it is done', async () => {
    const { outsideChanges, compacting } = open();
    await compacting.compact();
    assert.deepEqual([outsideChanges.questions, outsideChanges.facts], [['here'], [{ kind: 'compacted' }]]);
    assert.deepEqual(
      [outsideChanges.requests, outsideChanges.progress, outsideChanges.compactions[0]?.from],
      [1, 1, 't5'],
    );
    assert.match(outsideChanges.compactions[0]?.compaction?.summary ?? '', /in short\./);
  });

  it('F8 sends nothing without consent, while a turn runs, before an answer, or where nothing would be saved', async () => {
    const refused = open();
    refused.outsideChanges.agrees = false;
    await refused.compacting.compact();
    const factsOf = async (options: Parameters<typeof open>[0]) => {
      const { outsideChanges, compacting } = open(options);
      await compacting.compact();
      await compacting.newChatFromSummary();
      const { requests, questions, asked, chats } = outsideChanges;
      assert.deepEqual([requests, questions, asked, chats], [0, [], [], 0]);
      return outsideChanges.facts.map(({ kind }) => kind);
    };
    assert.deepEqual([refused.outsideChanges.requests, refused.outsideChanges.facts], [0, []]);
    assert.deepEqual(await factsOf({ running: true }), ['running', 'running']);
    assert.deepEqual(await factsOf({ answered: 0 }), ['nothing-yet', 'nothing-yet']);
    assert.deepEqual(await factsOf({ answered: 1, text: 'Hi.' }), ['saves-nothing', 'saves-nothing']);
  });

  it('F8 S10 a summary that was cut is dropped, and what it cost is told', async () => {
    const { outsideChanges, compacting } = open();
    outsideChanges.result = {
      ...outsideChanges.result,
      reply: wholeReply(model, { text: 'In sh', finish: 'length' }),
    } as StreamResult;
    await compacting.compact();
    assert.deepEqual(
      outsideChanges.facts.map((fact) => (fact.kind === 'dropped' ? fact.cost.requests : fact.kind)),
      [1],
    );
    outsideChanges.result = { ...outsideChanges.result, attempts: [] } as StreamResult;
    await compacting.compact();
    assert.equal(outsideChanges.facts.length, 1);
    outsideChanges.result = {
      ...outsideChanges.result,
      outcome: 'failed',
      failure: { kind: 'unreachable', message: 'no' } as Failure,
      attempts: [],
    };
    await assert.rejects(compacting.compact());
  });

  it('F8 a new chat gets the summary of everything, and this one stays as it is', async () => {
    const { outsideChanges, compacting } = open();
    await compacting.newChatFromSummary();
    assert.deepEqual([outsideChanges.questions, outsideChanges.chats], [['new-chat'], 1]);
    assert.deepEqual(outsideChanges.compactions, [{ compaction: undefined, from: undefined }]);
    const [attached] = outsideChanges.attached;
    assert.deepEqual(
      [attached?.id, attached?.label, attached?.languageId],
      ['a1', 'Summary of "Untitled"', 'markdown'],
    );
    assert.match(attached?.text ?? '', /in short\./);
    outsideChanges.agrees = false;
    await compacting.newChatFromSummary();
    assert.deepEqual([outsideChanges.chats, outsideChanges.facts], [1, []]);
  });

  it('F8 is offered by itself only when the last request came near to a known limit', async () => {
    const offered = async (tokens: number | undefined, lastPromptTokens: number, answered = 3) => {
      const { outsideChanges, compacting } = open({ lastPromptTokens, answered });
      outsideChanges.contextWindowOf = tokens === undefined ? undefined : { tokens, by: 'set' };
      await compacting.offerAtLimit();
      assert.deepEqual(outsideChanges.questions, [], 'it is asked in the conversation alone');
      return outsideChanges.asked;
    };
    const { tokens: _tokens, savedTokens: _saved, ...price } = open().compacting.compactionEstimate() ?? assert.fail();
    assert.deepEqual(await offered(1000, 999), [{ near: { tokens: 1000, by: 'set' }, ...price }]);
    assert.deepEqual(await offered(1000, 100), []);
    assert.deepEqual(await offered(undefined, 999), []);
    assert.deepEqual(await offered(1000, 999, 0), []);
  });

  it('U22 is done unasked before a message where its user set that, and where as many requests as last time pay it', async () => {
    const done = async (compactsWhenCheaper: boolean, requests: number) => {
      const { outsideChanges, compacting, items } = open({ lastPromptTokens: 5 });
      for (const item of items) if (item.cost) item.cost.requests = requests;
      Object.assign(outsideChanges, { compactsWhenCheaper });
      await compacting.offerAtLimit();
      assert.deepEqual([outsideChanges.asked, outsideChanges.questions], [[], []]);
      return outsideChanges.compactions.length;
    };
    assert.deepEqual([await done(true, 9), await done(true, 1), await done(false, 9)], [1, 0, 0]);
  });

  it('F8 U4 what is offered by itself is done once it is agreed to, and never when it is refused or stopped', async () => {
    for (const [agrees, requests] of [
      [true, 1],
      [false, 0],
      [undefined, 0],
    ] as const) {
      const { outsideChanges, compacting } = open({ lastPromptTokens: 999 });
      Object.assign(outsideChanges, { agrees, contextWindowOf: { tokens: 1000, by: 'set' } });
      await compacting.offerAtLimit();
      assert.deepEqual([outsideChanges.asked.length, outsideChanges.requests], [1, requests]);
      assert.deepEqual(outsideChanges.facts, agrees ? [{ kind: 'compacted' }] : []);
    }
  });

  it('F8 quotes what it would cost and save now, and nothing before an answer', () => {
    const compactionEstimate = open().compacting.compactionEstimate();
    assert.ok(compactionEstimate && compactionEstimate.savedTokens > 0 && compactionEstimate.priceMicroUsd > 0);
    assert.equal(open({ answered: 0 }).compacting.compactionEstimate(), undefined);
  });
});
