import { waitFor } from '../vscode/wait-for.ts';
import type { Chat } from './chat.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import type { Session } from './session.ts';

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

/** A model that makes these calls one step after another, and what it got back. Every card is agreed to. */
export async function askFor(
  session: Session,
  chat: Chat,
  steps: readonly (readonly Call[])[],
  question = 'Go.',
): Promise<string[]> {
  session.service.reset();
  session.service.script({
    replies: [...steps.map((toolCalls) => ({ toolCalls: [...toolCalls] })), { text: 'All done.' }],
  });
  await chat.ask(question);
  const cards = chat.frame.getByRole('group', { name: /^Approval needed/ });
  await waitFor(
    'the end of the turn',
    async () => {
      const allow = cards.first().getByRole('button', { name: /^Allow Once/ });
      if (await allow.isVisible()) await allow.click({ timeout: 5000 });
      return (await chat.frame.getByText('All done.').count()) > 0;
    },
    { timeoutMs: 180_000 },
  );
  await chat.finishedAnswer();
  return toolResults(chatRequests(session).at(-1));
}

export const edit = (file: string, search: string, replace: string): Call => ({
  name: 'edit_file',
  arguments: { path: file, edits: [{ search, replace }] },
});
export const call = (name: string, args: Record<string, unknown> = {}): Call => ({ name, arguments: args });
