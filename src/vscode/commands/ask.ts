import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TurnSummary } from '../../conversation/conversation.ts';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import { attachmentOf } from '../composer/attachments.ts';
import { mayAttach } from '../composer/read-context.ts';

/** What `svc.ask` resolves to. */
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

const place = z.custom<vscode.Uri | vscode.Location>(
  (value) => value instanceof vscode.Uri || value instanceof vscode.Location,
);
/** Arguments come from other extensions, keybindings and tasks: nothing about them is certain. */
const askSchema = z.object({
  prompt: z.string().check(z.minLength(1), z.maxLength(2_000_000)),
  newConversation: z.optional(z.boolean()),
  model: z.optional(z.string()),
  attachments: z.optional(z.array(place)),
  send: z.optional(z.boolean()),
});
export type AskInput = z.infer<typeof askSchema>;

export interface AskDeps {
  session(): ChatSession;
  showChat(): Promise<void>;
  /** Sends when everything is in place; undefined when the user has to act first (the draft is kept). */
  send(text: string): Promise<TurnSummary | undefined>;
}

/**
 * Sends a prompt as the user would; while a turn runs it waits in the queue. Without arguments it asks for the prompt.
 * Resolves when its own turn has ended; to nothing when no turn was run for it: it is in the composer, also when the user
 * does not want a file attached, or was taken out of the queue.
 */
export async function ask(deps: AskDeps, argument: unknown): Promise<AskResult | undefined> {
  const input = argument === undefined ? await promptForInput() : parseInput(argument);
  if (!input) return undefined;
  const session = deps.session();
  if (input.newConversation) session.newChat();
  if (input.model) session.setModel(input.model);
  const complete = await attachAll(session, input.attachments ?? []);
  await deps.showChat();
  const sends = complete && input.send !== false;
  const waits = sends && session.conversation().running ? session.enqueue({ text: input.prompt }) : undefined;
  if (!sends || (session.conversation().running && !waits)) {
    session.addToDraft(input.prompt);
    return undefined;
  }
  const summary = await (waits ?? deps.send(input.prompt));
  return summary && toResult(summary);
}

/** False when the user wanted one of them left out: without its subject a question is not asked, nor paid. */
async function attachAll(session: ChatSession, targets: readonly (vscode.Uri | vscode.Location)[]): Promise<boolean> {
  let complete = true;
  for (const target of targets) {
    if (await mayAttach(target instanceof vscode.Location ? target.uri : target)) {
      session.attach(await attachmentOf(target));
    } else {
      complete = false;
    }
  }
  return complete;
}

function parseInput(argument: unknown): AskInput {
  const parsed = askSchema.safeParse(argument);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'argument').join(', ');
  throw new Error(`svc.ask takes { prompt, newConversation?, model?, attachments?, send? }; check: ${where}`);
}

async function promptForInput(): Promise<AskInput | undefined> {
  const prompt = await vscode.window.showInputBox({
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
