import * as vscode from 'vscode';
import type { Arriving } from '../../chat/arriving.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { TurnSummary } from '../../conversation/conversation.ts';
import { attachmentOf } from '../composer/attachments.ts';
import { mayAttach } from '../composer/read-context.ts';
import { askText } from '../host/ask-text.ts';
import { type AskArguments, parseAskArguments } from './ask-arguments.ts';

/** `svc.ask` resolves to it. */
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
  /** Runs what sends once everything that was chosen before is attached. */
  whenHere: Arriving['whenHere'];
  /** Sends when everything is in place; undefined when the user has to act first (the draft is kept). */
  send(text: string): Promise<TurnSummary | undefined>;
}

/**
 * Sends a prompt as the user would; while a turn runs it waits in the queue. Without arguments it asks for the prompt.
 * Resolves when its own turn has ended; to nothing when no turn was run for it: it is in the composer, also when the user
 * does not want a file attached, or was taken out of the queue.
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
    viewModel.addToDraft(input.prompt);
    return undefined;
  }
  const summary = await (viewModel.conversation().running
    ? enqueue(deps, viewModel, input.prompt)
    : deps.send(input.prompt));
  return summary && toResult(summary);
}

/** Once what was attached before is there; a full queue leaves the prompt in the draft. */
async function enqueue(
  { whenHere }: AskDeps,
  viewModel: ChatViewModel,
  text: string,
): Promise<TurnSummary | undefined> {
  const queued = await whenHere(text, async () => ({ ends: viewModel.enqueue({ text }) }));
  if (queued && !queued.ends) viewModel.addToDraft(text);
  return queued?.ends;
}

/** False when the user wanted one of them left out: without its subject a question is not asked, nor paid. */
async function attachAll(
  viewModel: ChatViewModel,
  targets: readonly (vscode.Uri | vscode.Location)[],
): Promise<boolean> {
  let complete = true;
  for (const target of targets) {
    if (await mayAttach(target instanceof vscode.Location ? target.uri : target)) {
      viewModel.attach(await attachmentOf(target));
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
