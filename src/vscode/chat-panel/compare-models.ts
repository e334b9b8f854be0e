import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Comparisons } from '../../chat/comparisons.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { forkEvents } from '../../conversation/fork.ts';
import type { ConversationStore } from '../../conversation/store/store.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import { type BudgetLimits, checkBudget, limitSetting } from '../../spend/budget.ts';
import type { Ledger } from '../../spend/ledger.ts';
import { askText } from '../host/ask-text.ts';
import { openSetting } from '../host/settings.ts';
import { showMessage } from '../host/show-message.ts';
import { confirmSpending } from '../spend/confirm-spending.ts';
import type { ChatTabs } from './chat-tabs.ts';
import type { ChatWidgets } from './chat-widgets.ts';

export interface CompareModelsDeps {
  widgets: ChatWidgets;
  tabs: ChatTabs;
  conversations: OpenConversations;
  comparisons: Comparisons;
  store: Pick<ConversationStore, 'read' | 'create'>;
  ledger: Pick<Ledger, 'refresh' | 'today'>;
  spentOn(conversationId: string): Promise<number>;
  limits(): BudgetLimits;
  ensureReady(): Promise<boolean>;
  pickModel(current: string): Promise<string | undefined>;
  newId(): string;
  log: { error(line: string, error?: unknown): void };
}

/** Other extensions and keybindings may pass any argument, so it is checked. */
const argumentSchema = z.object({
  prompt: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000_000))),
  models: z.optional(z.tuple([z.string().check(z.minLength(1)), z.string().check(z.minLength(1))])),
});

/**
 * Sends one prompt to two models, in two editor tabs beside each other. It asks for what the argument lacks; the
 * default prompt is what the composer holds.
 */
export function createModelComparison(deps: CompareModelsDeps): (argument: unknown) => Promise<void> {
  const { widgets, conversations, comparisons } = deps;

  /** The caller must release the copy. An empty conversation is created instead of a copy. */
  async function copyOf({ id: from, state }: Conversation): Promise<Conversation> {
    const events = state().items.length === 0 ? undefined : await deps.store.read(from);
    const id = deps.newId();
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    const copied = events && forkEvents(events, 'end', { from, id, atMs: Date.now(), workspace });
    if (!copied) return conversations.create();
    await deps.store.create(id, copied);
    return (await conversations.acquire(id)) ?? conversations.create();
  }

  return async (argument) => {
    const input = argumentSchema.safeParse(argument ?? {});
    if (!input.success) throw new Error('svc.compareModels takes { prompt?, models?: [id, id] }');
    const widget = widgets.active();
    const { viewModel } = widget;
    const text = input.data.prompt ?? (viewModel.draft.text().trim() || (await promptForInput()));
    if (!text || !(await deps.ensureReady())) return;
    const origin = viewModel.conversation();
    if (origin.running) {
      const message = vscode.l10n.t('Wait for the answer to finish, or stop it. Then compare two models.');
      return showMessage(message);
    }
    const models = input.data.models ?? (await pickModels(widget.model(), deps.pickModel));
    if (!models) return;
    const estimates = models.map((model) => widget.estimate(model, text));
    if (!(await maySpend(deps, origin.id, estimates))) return;
    // What stands in the way of sending puts it back.
    const sending = widget.composer.incoming.whenHere(text, async () => {
      const prepared = await widget.composer.prepare(text);
      if (prepared === undefined) return undefined;
      widget.composer.remember(text);
      const attachments = [...viewModel.draft.attachments()];
      const both = [await copyOf(origin), await copyOf(origin)] as const;
      comparisons.begin(origin.id, [
        { id: both[0].id, model: models[0] },
        { id: both[1].id, model: models[1] },
      ]);
      const message = { ...prepared, attachments };
      const turns = both.map((copy, at) => copy.send({ ...message, model: models[at] ?? models[0] }));
      for (const turn of turns) turn.catch((error: unknown) => deps.log.error('A turn could not be run', error));
      for (const { id } of attachments) viewModel.draft.detach(id);
      return both;
    });
    // After it is held: a crash finds it in one of the two.
    viewModel.draft.clear(text);
    const copies = await sending;
    if (copies === undefined) return;
    await deps.tabs.openBeside(copies.map(({ id }) => id));
    for (const copy of copies) conversations.release(copy);
  };
}

async function promptForInput(): Promise<string | undefined> {
  return askText({
    title: vscode.l10n.t('Compare Two Models'),
    placeHolder: vscode.l10n.t('Ask about your code'),
  });
}

async function pickModels(
  current: string,
  pick: CompareModelsDeps['pickModel'],
): Promise<readonly [string, string] | undefined> {
  const other = await pick(current);
  return other === undefined ? undefined : [current, other];
}

/** Checks the budget for both requests together; each is checked again when it is sent. */
async function maySpend(deps: CompareModelsDeps, conversationId: string, estimates: number[]): Promise<boolean> {
  const limits = deps.limits();
  await deps.ledger.refresh().catch((error: unknown) => deps.log.error('The ledger could not be read', error));
  const spent = {
    todayMicroUsd: deps.ledger.today().microUsd,
    conversationMicroUsd: limits.conversationLimitUsd === undefined ? 0 : await deps.spentOn(conversationId),
  };
  const total = estimates.reduce((sum, each) => sum + each, 0);
  const answer = checkBudget(limits, spent, total);
  if (answer.kind === 'ok') return true;
  if (answer.kind === 'confirm') {
    // A request that is above the limit alone asks by itself.
    return estimates.some((each) => each > answer.limitMicroUsd) || confirmSpending(answer);
  }
  const change = vscode.l10n.t('Change Limit');
  const estimate = formatMicroUsd(answer.estimateMicroUsd, true, vscode.env.language);
  const message = vscode.l10n.t(
    'Asking two models would cost {0}, which exceeds your limit of {1}. Nothing was sent.',
    estimate,
    formatMicroUsd(answer.limitMicroUsd, false, vscode.env.language),
  );
  void vscode.window.showWarningMessage(message, change).then((chosen) => {
    if (chosen === change) return openSetting(limitSetting(answer.limit));
    return undefined;
  });
  return false;
}
