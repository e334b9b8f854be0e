import * as vscode from 'vscode';
import {
  type CompactionQuote,
  contextLimit,
  createCompaction,
  keptFromTurn,
  mustCompact,
  quoteCompaction,
} from '../conversation/compaction.ts';
import type { ServiceClient } from '../service/contract.ts';
import type { Learned } from '../service/learned.ts';
import type { AnswerItem } from '../shared/chat-state.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import { formatMicroUsd } from '../shared/money.ts';
import type { Estimator } from '../spend/estimate.ts';
import type { ChatSession } from './chat-session.ts';
import type { Settings } from './settings.ts';

/** The last turns up to this many tokens stay word for word. */
const keptTokens = 4000;

export interface CompactingDeps {
  session: ChatSession;
  learned: Learned;
  settings: Settings;
  estimator: Estimator;
  client(conversationId: string): Pick<ServiceClient, 'complete'>;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  model(): string;
}

/** Shortening what is re-sent: by command, and offered where a known limit comes near. The price is always told first (U3). */
export interface Compacting {
  compact(): Promise<void>;
  /** Before a message is sent; whatever the user answers, the message goes on. */
  offerAtLimit(): Promise<void>;
}

export function createCompacting(deps: CompactingDeps): Compacting {
  const { session, estimator } = deps;
  const run = async (reason: string | undefined): Promise<void> => {
    const conversation = session.conversation();
    if (conversation.running) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Stop the running turn first, then compact.'));
      return;
    }
    const { items, plan = [] } = session.state();
    const model = deps.model();
    const keep = { plan, openFiles: openFiles() };
    const toSent = (history: readonly HistoryMessage[]) => deps.toSent(history, model);
    const turns = items
      .filter((item) => item.kind === 'answer')
      .map((item) => ({ turnId: item.turnId, tokens: estimator.text(model, textOf(item)).tokens }));
    if (turns.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to compact yet.'));
      return;
    }
    const compacted = await conversation.compact(
      async (history, signal) => {
        const quote = quoteCompaction(toSent(history), model, estimator, keep);
        if (!(await agreed(quote, reason))) return undefined;
        const client = deps.client(conversation.id);
        const write = createCompaction({ client, estimator, model, keep, toSent });
        return vscode.window.withProgress(
          { location: { viewId: 'svc.chat' }, title: vscode.l10n.t('Compacting…') },
          () => write(history, signal),
        );
      },
      keptFromTurn(turns, keptTokens),
    );
    if (compacted) void vscode.window.setStatusBarMessage(vscode.l10n.t('svc: conversation compacted'), 5000);
  };
  return {
    compact: () => run(undefined),
    async offerAtLimit() {
      const model = deps.model();
      const limit = contextLimit({
        request: deps.settings.contextTokens(),
        learned: deps.learned.get(model).contextTokens,
      });
      const last = session.state().items.findLast((item) => item.kind === 'answer');
      const sent = last && session.conversation().attempts(last.turnId).at(-1)?.usage?.promptTokens;
      if (limit === undefined || sent === undefined || !mustCompact(sent, limit)) return;
      await run(
        limit.by === 'set'
          ? vscode.l10n.t('The next request comes near the limit of {0} tokens that you set.', limit.tokens)
          : vscode.l10n.t('The next request comes near {0} tokens, which this model has refused.', limit.tokens),
      );
    },
  };
}

async function agreed(quote: CompactionQuote, reason: string | undefined): Promise<boolean> {
  if (quote.savedTokens === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Compacting would save nothing now.'));
    return false;
  }
  const compact = vscode.l10n.t('Compact');
  const price = formatMicroUsd(quote.priceMicroUsd, true);
  const saving = formatMicroUsd(quote.savedMicroUsd, true);
  const answer = await vscode.window.showInformationMessage(
    reason ?? vscode.l10n.t('Compact this conversation?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Writing the summary costs {0}. Every later request then costs {1} less, which pays after {2} requests. What is stored stays as it is; rules and the plan are kept word for word.',
        price,
        saving,
        quote.paysAfterRequests,
      ),
    },
    compact,
  );
  return answer === compact;
}

function textOf(answer: AnswerItem): string {
  return answer.parts
    .map((part) => {
      if (part.type === 'tool') return `${part.arguments}${part.output ?? ''}`;
      return part.type === 'notice' ? '' : part.text;
    })
    .join('\n');
}

function openFiles(): string[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) =>
      tab.input instanceof vscode.TabInputText ? [vscode.workspace.asRelativePath(tab.input.uri)] : [],
    );
}
