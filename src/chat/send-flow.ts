import type { TurnSummary } from '../conversation/conversation.ts';
import type { Written } from '../shared/messages.ts';
import type { ChatSession } from './chat-session.ts';

export interface SendFlowDeps {
  session: ChatSession;
  /** Asks for what is missing to send at all; false when the user did not give it. */
  ensureReady(): Promise<boolean>;
  /** What a text sends, with what it names attached; undefined when it was done without sending or put back into the draft. */
  prepare(text: string): Promise<Written | undefined>;
  /** Where the conversation is near to what its model takes, the user may want it shortened first. */
  offerAtLimit(): Promise<void>;
  /** The text went out or into the queue. */
  remember(text: string): void;
}

export interface SendFlow {
  /** Resolves when the turn has ended; undefined when none began, and then the text is in the draft again or was a command. */
  send(text: string): Promise<TurnSummary | undefined>;
  /** To be sent after the running turn; `now`: in its place. */
  queue(text: string, now: boolean): Promise<void>;
}

/** Everything that is missing is asked for first; what was typed stays in the composer until it is sent. */
export function createSendFlow({ session, ensureReady, prepare, offerAtLimit, remember }: SendFlowDeps): SendFlow {
  const isTaken = () => session.conversation().running || session.conversation().readOnly;

  async function start(text: string): Promise<{ ends: Promise<TurnSummary> } | undefined> {
    if (isTaken() || !(await ensureReady())) {
      session.addToDraft(text);
      return undefined;
    }
    const prepared = await prepare(text);
    if (prepared === undefined) return undefined;
    await offerAtLimit();
    // Reading what is attached and asking take time: another message may have gone out since.
    if (isTaken()) {
      session.addToDraft(text);
      return undefined;
    }
    remember(text);
    return { ends: session.send(prepared) };
  }

  return {
    async send(text) {
      const release = session.hold(text);
      try {
        // Without its promise: the text is held until the message is sent, not until it is answered.
        const turn = await start(text);
        return turn === undefined ? undefined : turn.ends;
      } finally {
        release();
      }
    },
    async queue(text, now) {
      const release = session.hold(text);
      try {
        const prepared = await prepare(text);
        if (prepared === undefined) return;
        if (!session.enqueue(prepared)) return session.addToDraft(text);
      } finally {
        release();
      }
      remember(text);
      const last = session.conversation().queue().items.at(-1);
      if (now && last) session.conversation().editQueue(last.id, 'sendNow');
    },
  };
}
