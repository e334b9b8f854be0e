import * as l10n from '@vscode/l10n';
import type { Compaction } from '../conversation/conversation.ts';
import {
  type CompactionEstimate,
  createCompaction,
  estimateCompaction,
  keptFromTurn,
} from '../conversation/turns/compaction.ts';
import { type ContextWindow, mustCompact } from '../conversation/turns/context-window.ts';
import type { ServiceClient } from '../service/contract.ts';
import { ServiceError } from '../service/failure/errors.ts';
import type { AnswerItem } from '../shared/chat/chat-state.ts';
import type { Cost, HistoryMessage } from '../shared/messages.ts';
import type { Estimator } from '../spend/estimate.ts';
import { sumCost } from '../spend/price.ts';
import type { LiveHistory } from './price-preview.ts';
import type { ChatViewModel } from './view-model.ts';

/** The last turns up to this many tokens are kept word for word. */
const keptTokens = 4000;

export type SummaryTarget = 'here' | 'new-chat';

/** `cheaper` is agreed to by a setting. */
type Target = { into: 'new-chat' } | { into: 'here'; near?: ContextWindow | 'cheaper' };

/** `dropped` is a summary that was cut, stopped or no shorter. Nothing is lost, but it may have been paid for. */
export type CompactFact =
  | { kind: 'running' | 'nothing-yet' | 'saves-nothing' }
  | { kind: 'compacted' }
  | { kind: 'dropped'; cost: Cost };

export interface CompactPerson {
  agree(target: SummaryTarget, compactionEstimate: CompactionEstimate): Promise<boolean>;
  notify(fact: CompactFact): void;
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface CompactingDeps {
  viewModel: Pick<ChatViewModel, 'conversation' | 'state' | 'newChat' | 'draft'>;
  person: CompactPerson;
  estimator: Estimator;
  client(conversationId: string): Pick<ServiceClient, 'complete'>;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  model(): string;
  contextWindowOf(model: string): ContextWindow | undefined;
  history(): LiveHistory | undefined;
  openFiles(): string[];
  compactsWhenCheaper(): boolean;
  newId(): string;
}

export interface Compacting {
  compact(): Promise<void>;
  /** Opens a new chat that gets the summary as an attachment. This conversation stays as it is. */
  newChatFromSummary(): Promise<void>;
  compactionEstimate(): CompactionEstimate | undefined;
  /** Must be called before a message is sent. Whatever the user answers, the message is sent. */
  offerAtLimit(): Promise<void>;
}

export function createCompacting(deps: CompactingDeps): Compacting {
  const { viewModel, estimator, person } = deps;
  const toSent = (history: readonly HistoryMessage[]) => deps.toSent(history, deps.model());
  const keep = () => ({ plan: viewModel.state().plan ?? [], openFiles: deps.openFiles() });
  const answers = () => viewModel.state().items.filter((item) => item.kind === 'answer');
  const keptFrom = () =>
    keptFromTurn(
      answers().map((item) => ({ turnId: item.turnId, tokens: estimator.text(deps.model(), textOf(item)).tokens })),
      keptTokens,
    );
  const ready = (): boolean => {
    const { running } = viewModel.conversation();
    if (!running && answers().length > 0) return true;
    person.notify({ kind: running ? 'running' : 'nothing-yet' });
    return false;
  };
  /** Asks for consent and sends the request. An undefined `keepWhole` summarizes everything. */
  const summarise = (target: Target, done: (compaction: Compaction) => Compaction | undefined, keepWhole?: string) => {
    const { id, compact } = viewModel.conversation();
    return compact(async (history, signal, ask) => {
      const model = deps.model();
      const kept = keep();
      const price = estimateCompaction(toSent(history), model, estimator, kept);
      if (price.savedTokens <= 0) {
        person.notify({ kind: 'saves-nothing' });
        return undefined;
      }
      const { priceMicroUsd, savedMicroUsd, paysAfterRequests } = price;
      const about = { priceMicroUsd, savedMicroUsd, paysAfterRequests };
      // Whoever is about to send is asked in the conversation, whoever chose the command at once.
      const agreed =
        target.into === 'new-chat' || target.near === undefined
          ? await person.agree(target.into, price)
          : target.near === 'cheaper' ||
            (await ask('compact', { near: target.near, ...about }, { id: 'compact', step: 0, signal }));
      if (agreed !== true) return undefined;
      const write = createCompaction({ client: deps.client(id), estimator, model, keep: kept, toSent });
      const { compaction, failure, attempts } = await person.during(() => write(history, signal));
      if (failure !== undefined) throw new ServiceError(failure);
      if (compaction !== undefined) return done(compaction);
      const cost = sumCost(attempts);
      if (cost.requests > 0) person.notify({ kind: 'dropped', cost });
      return undefined;
    }, keepWhole);
  };
  const run = async (near?: ContextWindow | 'cheaper'): Promise<void> => {
    if (!ready()) return;
    const target: Target = { into: 'here', near };
    if (await summarise(target, (compaction) => compaction, keptFrom())) person.notify({ kind: 'compacted' });
  };
  const compactionEstimate = () => {
    if (answers().length === 0) return undefined;
    const history = deps.history()?.before(keptFrom()) ?? [];
    return history.length === 0 ? undefined : estimateCompaction(toSent(history), deps.model(), estimator, keep());
  };
  const isCheaper = (requests: number): boolean => {
    const { savedTokens = 0, paysAfterRequests = 0 } = (deps.compactsWhenCheaper() && compactionEstimate()) || {};
    return savedTokens > 0 && paysAfterRequests <= requests;
  };
  return {
    compact: () => run(),
    async newChatFromSummary() {
      if (!ready()) return;
      const { title } = viewModel.state();
      let written: Compaction | undefined;
      await summarise({ into: 'new-chat' }, (compaction) => {
        written = compaction;
        return undefined;
      });
      if (written === undefined) return;
      viewModel.newChat();
      const label = l10n.t('Summary of "{0}"', title || l10n.t('Untitled'));
      viewModel.draft.attach({ id: deps.newId(), label, languageId: 'markdown', text: written.summary });
    },
    compactionEstimate,
    async offerAtLimit() {
      const contextWindowOf = deps.contextWindowOf(deps.model());
      const last = answers().at(-1);
      const sent = last && viewModel.conversation().attempts(last.turnId).at(-1)?.usage?.promptTokens;
      if (contextWindowOf !== undefined && sent !== undefined && mustCompact(sent, contextWindowOf))
        return run(contextWindowOf);
      if (isCheaper(last?.cost?.requests ?? 0)) await run('cheaper');
    },
  };
}

function textOf(answer: AnswerItem): string {
  return answer.parts
    .map((part) => {
      if (part.type === 'tool') return `${part.arguments}${part.output ?? ''}`;
      if (part.type === 'steered') return part.messages.map(({ text }) => text).join('\n');
      return part.type === 'notice' ? '' : part.text;
    })
    .join('\n');
}
