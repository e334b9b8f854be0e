import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chat-session.ts';
import type { AnswerItem, ChatState } from '../../shared/chat/chat-state.ts';
import type { Written } from '../../shared/messages.ts';
import type { PanelMessage } from '../../shared/panel/protocol.ts';

export interface RerunDeps {
  session(): ChatSession;
  /** Asks for what is missing; false when it is still missing. */
  ensureReady(): Promise<boolean>;
  /** What is to be sent for an edited text; undefined when that was done without sending. */
  prepare(text: string): Promise<Written | undefined>;
  pickModel(current: string): Promise<string | undefined>;
  restore(turnId: string): Promise<void>;
}

type Rerun = Extract<PanelMessage, { type: 'rerun' }>;

/**
 * Asks what has to be asked, then sends in the place of the earlier message. Whoever says no gets the edited text back
 * into the composer.
 */
export function createRerun(deps: RerunDeps): (message: Rerun) => Promise<void> {
  return async ({ messageId, edited, pickModel }) => {
    const session = deps.session();
    const giveBack = () => {
      if (edited) session.addToDraft(edited.text);
    };
    if (!(await deps.ensureReady())) return giveBack();
    const model = pickModel ? await deps.pickModel(session.conversation().model()) : undefined;
    if (pickModel && model === undefined) return giveBack();
    const detail = vscode.l10n.t('Answers after this message changed files. The message will now be asked again.');
    if (!(await offerFiles(deps, messageId, detail))) return giveBack();
    const written = edited && (await deps.prepare(edited.text));
    if (edited && !written) return;
    await session.rerun(messageId, { edited: edited && written && { keep: edited.keep, ...written }, model });
  };
}

/** Without a question, for nothing is lost; only where files were changed it asks what becomes of them. */
export function createDeleteFrom(deps: Pick<RerunDeps, 'session' | 'restore'>): (messageId: string) => Promise<void> {
  return async (messageId) => {
    const detail = vscode.l10n.t("The part you're deleting from the conversation changed files.");
    if (await offerFiles(deps, messageId, detail)) await deps.session().conversation().deleteFrom(messageId);
  };
}

/** Offers to put files back that the turns changed which go away. False: rather not at all. */
async function offerFiles(
  { session, restore }: Pick<RerunDeps, 'session' | 'restore'>,
  messageId: string,
  detail: string,
): Promise<boolean> {
  const first = changedAfter(session().state(), messageId);
  if (first === undefined) return true;
  const restoring = vscode.l10n.t('Restore Files');
  const keeping = vscode.l10n.t('Keep Files');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore files to this point?'),
    { modal: true, detail },
    restoring,
    keeping,
  );
  if (answer === restoring) {
    await stopTurn(session());
    await restore(first.turnId);
  }
  return answer !== undefined;
}

/** The first answer after the message that kept what its files were before. */
function changedAfter({ items }: ChatState, messageId: string): AnswerItem | undefined {
  const at = items.findIndex((item) => item.kind === 'user' && item.id === messageId);
  const found = items.slice(at).find((item) => item.kind === 'answer' && item.checkpoint !== undefined);
  return at >= 0 && found?.kind === 'answer' ? found : undefined;
}

/** Files are put back only when nobody writes to them. */
async function stopTurn(session: ChatSession): Promise<void> {
  const conversation = session.conversation();
  if (!conversation.running) return;
  const ended = Promise.withResolvers<void>();
  const stopListening = session.onEvents(() => {
    if (session.state().running === undefined) ended.resolve();
  });
  conversation.stop();
  await ended.promise;
  stopListening();
}
