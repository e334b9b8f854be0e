import * as vscode from 'vscode';
import type { ChatSession } from '../../conversation/session/chat-session.ts';

/**
 * Asks before a message goes out that has an API key in its text or in what is attached. Resolves to the text to send, or to
 * nothing when the user would rather not; then the text is back in the composer.
 */
export async function askAboutKeys(
  session: ChatSession,
  mask: (text: string) => string,
  text: string,
  /** What goes back into the composer. */
  typed: string,
): Promise<string | undefined> {
  const attached = session.attachments().filter((attachment) => mask(attachment.text) !== attachment.text);
  const clean = mask(text);
  if (clean === text && attached.length === 0) return text;
  const remove = vscode.l10n.t('Remove It');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('There is an API key in this message.'),
    {
      modal: true,
      detail: [
        clean === text ? '' : vscode.l10n.t('It is in what you wrote.'),
        attached.length === 0
          ? ''
          : vscode.l10n.t('It is in what is attached: {0}', attached.map(({ label }) => label).join(', ')),
        vscode.l10n.t('A key never has to be sent to a model. When it is removed, its first characters stay.'),
      ]
        .filter(Boolean)
        .join('\n'),
    },
    remove,
  );
  if (answer !== remove) {
    session.addToDraft(typed);
    return undefined;
  }
  for (const attachment of attached) {
    session.detach(attachment.id);
    session.attach({ ...attachment, text: mask(attachment.text) });
  }
  return clean;
}
