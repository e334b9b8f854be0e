import type { Frame, Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import type { Session } from './session.ts';

/** The chat panel as a person uses it. Every step waits for its effect. */
export interface Chat {
  frame: Frame;
  message: Locator;
  /** Types and sends. */
  ask(text: string): Promise<void>;
  /** The answer that was given last, once its turn is over and its cost line stands. */
  finishedAnswer(): Promise<Locator>;
  button(name: string): Locator;
  alert: Locator;
}

/** Shows the chat by its command and waits until it has the focus: what is opened before that loses it again. */
export async function openChat(session: Session): Promise<Chat> {
  await session.window.runCommand('svc.openChat');
  let chat = await chatIn(session);
  await waitFor('the focus in the chat', async () => {
    // A window that has just loaded may put another page in the place of the first.
    if (chat.frame.isDetached()) chat = await chatIn(session);
    return chat.message.evaluate((box) => box === document.activeElement, undefined, { timeout: 5000 });
  });
  return chat;
}

/** The chat of a window in which it is already showing. */
export async function chatIn(session: Session): Promise<Chat> {
  return chatOf(await session.window.webviewFrame('[aria-label="Message"]'));
}

/** The chat in this frame: the side bar's, or that of an editor tab. */
export async function chatOf(frame: Frame): Promise<Chat> {
  const message = frame.getByRole('textbox', { name: 'Message' });
  await message.waitFor();
  const button = (name: string) => frame.getByRole('button', { name, exact: true });
  return {
    frame,
    message,
    button,
    alert: frame.getByRole('alert'),
    async ask(text) {
      await message.fill(text);
      await button('Send').click();
      await frame.getByRole('article', { name: 'You' }).filter({ hasText: text }).last().waitFor();
    },
    async finishedAnswer() {
      await waitFor('the end of the turn', async () => {
        // A question that was sent a moment ago stands there before its turn has begun.
        const last = await frame.getByRole('article').last().getAttribute('class', { timeout: 3000 });
        return !/\buser\b/.test(last ?? '') && (await button('Send').isVisible());
      });
      const answer = frame
        .getByRole('article')
        .filter({ has: frame.locator('.cost') })
        .last();
      await answer.waitFor();
      return answer;
    },
  };
}

/** Unfolds the line that stands for the steps of an answer. */
export async function showSteps(answer: Locator): Promise<void> {
  await answer.locator('.quiet-line > summary').click();
  await answer.locator('.quiet-line[open] > :not(summary)').first().waitFor();
}

/** A reply that comes for long enough to be stopped; not the same over and over, which would be stopped by itself. */
export function numbered(word: string): string {
  return Array.from({ length: 900 }, (_, at) => `${word} ${at}`).join(' ');
}
