import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { median } from '../../../base/median.ts';
import { type AnswerItem, answerOf, type ChatState, turnFactsIn } from '../../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../shared/events.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { usageOf } from './figures.ts';

interface DecidedCall {
  turnId: string;
  outcome: 'kept' | 'undone' | 'partly';
  parts: { kept: number; undone: number };
}

/**
 * Counts on this machine what each model did in this workspace: tasks with tests, and edits that were kept. Nothing of
 * it is sent, and no order follows it.
 */
export interface ModelRecord {
  /** Counts a task whose tests ran after its last edit. */
  tested(model: string, isGreen: boolean, took: { microUsd: number; ms: number }): void;
  follow(state: ChatState, events: readonly ChatEvent[]): void;
  /** Decisions are asked for when they are shown, because Undo and Redo change them. */
  readDecisions(of: (conversationId: string) => readonly DecidedCall[]): void;
  models(): readonly string[];
  words(model: string, locale: string): string | undefined;
  /** Forgets one model or all; the returned function brings them back. */
  reset(model?: string): () => void;
}

const [few, fewCalls] = [5, 50];
const [maxFigures, maxTurns] = [20, 1000];

const recordSchema = z.object({
  models: z.record(
    z.string(),
    z.object({ green: z.number(), red: z.number(), microUsd: z.array(z.number()), ms: z.array(z.number()) }),
  ),
  turns: z.array(z.object({ conversationId: z.string(), turnId: z.string(), model: z.string() })),
  calls: z.record(z.string(), z.object({ made: z.number(), refused: z.number() })),
});
type Counted = z.infer<typeof recordSchema>;

export function createModelRecord(stored: unknown, save: (record: unknown) => void): ModelRecord {
  const read = recordSchema.safeParse(stored);
  let record: Counted = read.success ? read.data : { models: {}, turns: [], calls: {} };
  let decisionsOf: (conversationId: string) => readonly DecidedCall[] = () => [];
  const put = (next: Counted) => {
    record = next;
    save(record);
  };
  const rowOf = (model: string) => (Object.hasOwn(record.models, model) ? record.models[model] : undefined);
  const callsOf = (model: string) =>
    (Object.hasOwn(record.calls, model) ? record.calls[model] : undefined) ?? { made: 0, refused: 0 };
  const tested: ModelRecord['tested'] = (model, isGreen, { microUsd, ms }) => {
    const last = rowOf(model) ?? { green: 0, red: 0, microUsd: [], ms: [] };
    const row = {
      green: last.green + Number(isGreen),
      red: last.red + Number(!isGreen),
      microUsd: [...last.microUsd, microUsd].slice(-maxFigures),
      ms: [...last.ms, ms].slice(-maxFigures),
    };
    put({ ...record, models: { ...record.models, [model]: row } });
  };

  /** A call that its tool refuses costs another request; what the user denied is not the model's. */
  function countCalls(model: string, parts: AnswerItem['parts']): void {
    const own = parts.filter(
      (part) =>
        part.type === 'tool' && part.state !== 'cancelled' && !part.decided?.some(({ word }) => word !== 'allowed'),
    );
    const refused = own.filter((part) => part.type === 'tool' && part.state === 'failed').length;
    const before = callsOf(model);
    const row = { made: before.made + own.length, refused: before.refused + refused };
    if (own.length > 0) put({ ...record, calls: { ...record.calls, [model]: row } });
  }

  function hunksOf(model: string): { kept: number; undone: number } {
    const sum = { kept: 0, undone: 0 };
    for (const conversationId of new Set(record.turns.map((turn) => turn.conversationId))) {
      const turns = record.turns.filter((turn) => turn.conversationId === conversationId);
      for (const { turnId, outcome, parts } of decisionsOf(conversationId)) {
        // What is brought back from a worktree is of no turn.
        const by = turns.find((turn) => turn.turnId === turnId) ?? turns[0];
        if (by?.model !== model) continue;
        const isWhole = parts.kept + parts.undone === 0;
        sum.kept += isWhole ? Number(outcome === 'kept') : parts.kept;
        sum.undone += isWhole ? Number(outcome === 'undone') : parts.undone;
      }
    }
    return sum;
  }

  return {
    tested,
    follow(state, events) {
      const end = events.find((event) => event.type === 'turnEnded');
      const answer = answerOf(state, end?.turnId);
      if (end === undefined || answer === undefined) return;
      const { requestedModel: model, turnId, checkpoint } = answer;
      const { others, microUsd, ms } = usageOf({ ...state, items: [answer] }, model);
      if (others.length > 0) return;
      countCalls(model, answer.parts);
      const isCompared = state.worktree?.compared === true;
      if (checkpoint || isCompared) {
        const turn = { conversationId: state.conversationId, turnId, model };
        put({ ...record, turns: [...record.turns, turn].slice(-maxTurns) });
      }
      const { test, changed = 0 } = turnFactsIn(answer) ?? {};
      const isTested = test?.exitCode !== undefined && test.editsSince === 0 && changed > 0;
      // Tests of the user count what was compared.
      if (isTested && !isCompared) tested(model, test.exitCode === 0, { microUsd, ms });
    },
    readDecisions(of) {
      decisionsOf = of;
    },
    models: () => [...new Set([...Object.keys(record.models), ...record.turns.map(({ model }) => model)])],
    words(model, locale) {
      const { green = 0, red = 0, microUsd = [], ms = [] } = rowOf(model) ?? {};
      const tasks = green + red;
      const { kept, undone } = hunksOf(model);
      const hunks = kept + undone;
      const { made, refused } = callsOf(model);
      const [usually, time] = [median(microUsd), median(ms)];
      const known = [
        ...(tasks >= few ? [l10n.t('{0} of {1} tasks green', green, tasks)] : []),
        ...(tasks > 0 && tasks < few ? [tasks === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', tasks)] : []),
        ...(hunks >= few ? [l10n.t('{0}% of hunks kept', Math.round((100 * kept) / hunks))] : []),
        ...(made >= fewCalls ? [l10n.t('{0}% of calls refused', Math.round((100 * refused) / made))] : []),
        ...(tasks >= few && usually !== undefined && time !== undefined
          ? [l10n.t('usually {0}', formatMicroUsd(usually, false, locale)), clockText(time)]
          : []),
      ];
      return known.length === 0 ? undefined : l10n.t('On this project: {0}', known.join(' · '));
    },
    reset(model) {
      const before = record;
      const others = Object.entries(record.models).filter(([name]) => model !== undefined && name !== model);
      const turns = record.turns.filter((turn) => model !== undefined && turn.model !== model);
      const calls = Object.entries(record.calls).filter(([name]) => model !== undefined && name !== model);
      put({ models: Object.fromEntries(others), turns, calls: Object.fromEntries(calls) });
      return () => put(before);
    },
  };
}

export function clockText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
