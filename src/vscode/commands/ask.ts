import * as vscode from 'vscode';
import type { IncomingAttachments } from '../../chat/incoming-attachments.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { TurnSummary } from '../../conversation/conversation.ts';
import { attachmentOf } from '../composer/attachments.ts';
import { mayAttach } from '../composer/read-context.ts';
import { askText } from '../host/ask-text.ts';
import { type AskArguments, parseAskArguments } from './ask-arguments.ts';

export interface AskResult {
  conversationId: string;
  text: string;
  model: string;
  requestedModel: string;
  stopReason: string;
  totalTokens: number;
  costUsd: number;
  charged: boolean;
}

export type AskInput = AskArguments<vscode.Uri | vscode.Location>;

const isPlace = (value: unknown): value is vscode.Uri | vscode.Location =>
  value instanceof vscode.Uri || value instanceof vscode.Location;

export interface AskDeps {
  viewModel(): ChatViewModel;
  showChat(): Promise<void>;
  /** Runs a send once everything picked before is attached. */
  whenHere: IncomingAttachments['whenHere'];
  /** Sends when everything is ready; undefined when the user has to act first, and then the draft is kept. */
  send(text: string): Promise<TurnSummary | undefined>;
}

/**
 * Sends a prompt as the user would; while a turn runs it waits in the queue. Without arguments it asks for the
 * prompt. Resolves when its own turn has ended, or with undefined when no turn ran: the prompt is in the composer,
 * also when the user declined an attachment, or it was taken out of the queue.
 */
export async function ask(deps: AskDeps, argument: unknown): Promise<AskResult | undefined> {
  const input = argument === undefined ? await promptForInput() : parseAskArguments(argument, isPlace);
  if (!input) return undefined;
  const viewModel = deps.viewModel();
  if (input.newConversation) viewModel.newChat();
  if (input.model) viewModel.setModel(input.model);
  const complete = await attachAll(viewModel, input.attachments ?? []);
  await deps.showChat();
  const sends = complete && input.send !== false;
  if (!sends) {
    viewModel.draft.append(input.prompt);
    return undefined;
  }
  const summary = await (viewModel.conversation().running
    ? enqueue(deps, viewModel, input.prompt)
    : deps.send(input.prompt));
  return summary && toResult(summary);
}

/** Waits for earlier attachments; with a full queue the prompt stays in the draft. */
async function enqueue(
  { whenHere }: AskDeps,
  viewModel: ChatViewModel,
  text: string,
): Promise<TurnSummary | undefined> {
  const queued = await whenHere(text, async () => ({ ends: viewModel.enqueue({ text }) }));
  if (queued && !queued.ends) viewModel.draft.append(text);
  return queued?.ends;
}

/** Resolves with false when the user declined one of them; then nothing is asked or paid without its subject. */
async function attachAll(
  viewModel: ChatViewModel,
  targets: readonly (vscode.Uri | vscode.Location)[],
): Promise<boolean> {
  let complete = true;
  for (const target of targets) {
    if (await mayAttach(target instanceof vscode.Location ? target.uri : target)) {
      viewModel.draft.attach(await attachmentOf(target));
    } else {
      complete = false;
    }
  }
  return complete;
}

async function promptForInput(): Promise<AskInput | undefined> {
  const prompt = await askText({
    title: vscode.l10n.t('Ask svc'),
    placeHolder: vscode.l10n.t('Ask about your code'),
  });
  return prompt ? { prompt } : undefined;
}

function toResult(summary: TurnSummary): AskResult {
  return {
    conversationId: summary.conversationId,
    text: summary.text,
    model: summary.model,
    requestedModel: summary.requestedModel,
    stopReason: summary.stopReason,
    totalTokens: summary.cost.totalTokens,
    costUsd: summary.cost.microUsd / 1e6,
    charged: summary.cost.charge !== 'no',
  };
}
