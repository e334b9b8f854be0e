import { beforeEach } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey, type Session } from './session.ts';

export interface ChatOfTests {
  /** The chat of the window. Call inside tests. */
  (): Chat;
  /** To be called when the window or its extension host has started anew. */
  reopen(): Promise<Chat>;
}

/** Gives each test of the enclosing `describe` an empty chat with a key, and a service that has received nothing. */
export function useChat(session: () => Session): ChatOfTests {
  let chat: Chat | undefined;
  const reopen = async () => {
    chat = await openChat(session());
    return chat;
  };
  beforeEach(async () => {
    if (chat === undefined) {
      chat = await openChat(session());
      await enterKey(session());
    } else {
      if (chat.frame.isDetached()) chat = await openChat(session());
      await newChat(session(), chat);
    }
    session().service.reset();
  });
  const current = () => {
    if (chat === undefined) throw new Error('the chat opens in `beforeEach`: use it inside a test');
    return chat;
  };
  return Object.assign(current, { reopen });
}

/**
 * Begins a new chat by its command and waits until it stands there: the palette closes before the command has run. The
 * focus comes last; a key that is pressed while it is on its way goes nowhere.
 */
export async function newChat(session: Session, chat: Chat): Promise<void> {
  await session.window.runCommand('svc.newChat');
  await chat.frame.getByText('What are you working on?').waitFor();
  await waitFor('the focus in the new chat', () =>
    chat.message.evaluate((box) => box === document.activeElement && document.hasFocus()),
  );
}
