import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chat-session.ts';
import type { KeptHistory } from '../../chat/price-preview.ts';
import type { Compaction } from '../../conversation/conversation.ts';
import {
  type CompactionQuote,
  createCompaction,
  keptFromTurn,
  quoteCompaction,
} from '../../conversation/turns/compaction.ts';
import { type ContextLimit, mustCompact } from '../../conversation/turns/context-limit.ts';
import type { ServiceClient } from '../../service/contract.ts';
import { ServiceError } from '../../service/failure/errors.ts';
import type { AnswerItem } from '../../shared/chat/chat-state.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import { formatCost, formatMicroUsd } from '../../shared/money.ts';
import type { Estimator } from '../../spend/estimate.ts';
import { sumCost } from '../../spend/price.ts';
import { openFiles } from './open-files.ts';

/** The last turns up to this many tokens stay word for word. */
const keptTokens = 4000;

export interface CompactingDeps {
  session: ChatSession;
  estimator: Estimator;
  client(conversationId: string): Pick<ServiceClient, 'complete'>;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  model(): string;
  limit(model: string): ContextLimit | undefined;
  kept(): KeptHistory | undefined;
  /** Where the view of the session tells that something runs. */
  progressIn: vscode.ProgressOptions['location'];
}

/** Shortening what is re-sent: by command, and offered where a known limit comes near. The price is always told first. */
export interface Compacting {
  compact(): Promise<void>;
  /** The same for a new chat, which gets the summary as an attachment; this conversation stays as it is. */
  newChatFromSummary(): Promise<void>;
  /** What `compact` would cost and save now; undefined when there is nothing to shorten. */
  quote(): CompactionQuote | undefined;
  /** Before a message is sent; whatever the user answers, the message goes on. */
  offerAtLimit(): Promise<void>;
}

export function createCompacting(deps: CompactingDeps): Compacting {
  const { session, estimator } = deps;
  const toSent = (history: readonly HistoryMessage[]) => deps.toSent(history, deps.model());
  const keep = () => ({ plan: session.state().plan ?? [], openFiles: openFiles() });
  const answers = () => session.state().items.filter((item) => item.kind === 'answer');
  /** The first turn that stays word for word. */
  const keptFrom = () =>
    keptFromTurn(
      answers().map((item) => ({ turnId: item.turnId, tokens: estimator.text(deps.model(), textOf(item)).tokens })),
      keptTokens,
    );
  /** False when there is nothing that could be compacted now, which is said. */
  const ready = (): boolean => {
    const { running } = session.conversation();
    if (!running && answers().length > 0) return true;
    const why = running
      ? vscode.l10n.t('Stop the answer before you compact.')
      : vscode.l10n.t('There is nothing to compact yet.');
    void vscode.window.showInformationMessage(why);
    return false;
  };
  /** The consent and the request. `keepWhole` is `undefined` for a summary of everything. */
  const summarise = (
    question: Question,
    done: (compaction: Compaction) => Compaction | undefined,
    keepWhole?: string,
  ) => {
    const { id, compact } = session.conversation();
    return compact(async (history, signal) => {
      const model = deps.model();
      const kept = keep();
      if (!(await agreed(quoteCompaction(toSent(history), model, estimator, kept), question))) return undefined;
      const write = createCompaction({ client: deps.client(id), estimator, model, keep: kept, toSent });
      const { compaction, failure, attempts } = await vscode.window.withProgress(
        { location: deps.progressIn, title: vscode.l10n.t('Compacting…') },
        () => write(history, signal),
      );
      if (failure !== undefined) throw new ServiceError(failure);
      if (compaction !== undefined) return done(compaction);
      tellDropped(sumCost(attempts));
      return undefined;
    }, keepWhole);
  };
  const run = async (reason: string | undefined): Promise<void> => {
    if (!ready()) return;
    const compacted = await summarise(compactQuestion(reason), (compaction) => compaction, keptFrom());
    if (compacted) void vscode.window.setStatusBarMessage(vscode.l10n.t('svc: conversation compacted'), 5000);
  };
  return {
    compact: () => run(undefined),
    async newChatFromSummary() {
      if (!ready()) return;
      const { title } = session.state();
      let written: Compaction | undefined;
      await summarise(newChatQuestion(), (compaction) => {
        written = compaction;
        return undefined;
      });
      if (written === undefined) return;
      session.newChat();
      const label = vscode.l10n.t('Summary of "{0}"', title || vscode.l10n.t('Untitled'));
      session.attach({ id: randomUUID(), label, languageId: 'markdown', text: written.summary });
    },
    quote() {
      if (answers().length === 0) return undefined;
      const history = deps.kept()?.before(keptFrom()) ?? [];
      return history.length === 0 ? undefined : quoteCompaction(toSent(history), deps.model(), estimator, keep());
    },
    async offerAtLimit() {
      const model = deps.model();
      const limit = deps.limit(model);
      const last = session.state().items.findLast((item) => item.kind === 'answer');
      const sent = last && session.conversation().attempts(last.turnId).at(-1)?.usage?.promptTokens;
      if (limit === undefined || sent === undefined || !mustCompact(sent, limit)) return;
      await run(
        limit.by === 'set'
          ? vscode.l10n.t('The next request is close to the limit of {0} tokens that you set.', limit.tokens)
          : vscode.l10n.t('The next request is close to {0} tokens, a size this model has refused.', limit.tokens),
      );
    },
  };
}

interface Question {
  title: string;
  /** What is said of the price. */
  detail(price: string, saving: string, requests: number): string;
  button: string;
}

function compactQuestion(reason: string | undefined): Question {
  return {
    title: reason ?? vscode.l10n.t('Compact this conversation?'),
    detail: (price, saving, requests) =>
      vscode.l10n.t(
        "Writing the summary costs {0}. Each later request then costs {1} less, so it pays for itself after {2} requests. The stored conversation doesn't change. Instruction files and the plan are kept word for word.",
        price,
        saving,
        requests,
      ),
    button: vscode.l10n.t('Compact'),
  };
}

function newChatQuestion(): Question {
  return {
    title: vscode.l10n.t('Start a new chat with a summary of this one?'),
    detail: (price, saving, requests) =>
      vscode.l10n.t(
        "Writing the summary costs {0}. Each request in the new chat costs {1} less than continuing here, so it pays for itself after {2} requests. The summary is attached to your next message. This conversation doesn't change.",
        price,
        saving,
        requests,
      ),
    button: vscode.l10n.t('New Chat'),
  };
}

/** A summary that was cut, stopped or no shorter: nothing is lost, but it may have been paid for. */
function tellDropped(cost: ReturnType<typeof sumCost>): void {
  if (cost.requests === 0) return;
  const price = cost.charge === 'no' ? vscode.l10n.t('Not charged') : formatCost(cost, vscode.env.language);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Nothing was compacted: no complete, shorter summary came back. {0}', price),
  );
}

async function agreed(quote: CompactionQuote, { title, detail, button }: Question): Promise<boolean> {
  if (quote.savedTokens === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Compacting wouldn't save anything right now."));
    return false;
  }
  const price = formatMicroUsd(quote.priceMicroUsd, true, vscode.env.language);
  const saving = formatMicroUsd(quote.savedMicroUsd, true, vscode.env.language);
  const answer = await vscode.window.showInformationMessage(
    title,
    { modal: true, detail: detail(price, saving, quote.paysAfterRequests) },
    button,
  );
  return answer === button;
}

function textOf(answer: AnswerItem): string {
  return answer.parts
    .map((part) => {
      if (part.type === 'tool') return `${part.arguments}${part.output ?? ''}`;
      return part.type === 'notice' ? '' : part.text;
    })
    .join('\n');
}
