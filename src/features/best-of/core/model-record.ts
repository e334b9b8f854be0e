import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { median } from '../../../base/median.ts';
import { type ChatState, turnFactsIn } from '../../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../shared/events.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { figuresOf } from './figures.ts';

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

const few = 5;
const [maxFigures, maxTurns] = [20, 1000];

const recordSchema = z.object({
  models: z.record(
    z.string(),
    z.object({ green: z.number(), red: z.number(), microUsd: z.array(z.number()), ms: z.array(z.number()) }),
  ),
  turns: z.array(z.object({ conversationId: z.string(), turnId: z.string(), model: z.string() })),
});
type Counted = z.infer<typeof recordSchema>;

export function createModelRecord(stored: unknown, save: (record: unknown) => void): ModelRecord {
  const read = recordSchema.safeParse(stored);
  let record: Counted = read.success ? read.data : { models: {}, turns: [] };
  let decisionsOf: (conversationId: string) => readonly DecidedCall[] = () => [];
  const put = (next: Counted) => {
    record = next;
    save(record);
  };
  const rowOf = (model: string) => (Object.hasOwn(record.models, model) ? record.models[model] : undefined);
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
      const answer = state.items.findLast((item) => item.kind === 'answer' && item.turnId === end?.turnId);
      if (end === undefined || answer?.kind !== 'answer') return;
      const { requestedModel: model, turnId, checkpoint } = answer;
      const { others, microUsd, ms } = figuresOf({ ...state, items: [answer] }, model);
      if (others.length > 0) return;
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
      const [usually, time] = [median(microUsd), median(ms)];
      const known = [
        ...(tasks >= few ? [l10n.t('{0} of {1} tasks green', green, tasks)] : []),
        ...(tasks > 0 && tasks < few ? [tasks === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', tasks)] : []),
        ...(hunks >= few ? [l10n.t('{0}% of hunks kept', Math.round((100 * kept) / hunks))] : []),
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
      put({ models: Object.fromEntries(others), turns });
      return () => put(before);
    },
  };
}

export function clockText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
