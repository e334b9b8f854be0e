import type { TurnSummary } from '../conversation/conversation.ts';
import type { Written } from '../shared/messages.ts';
import type { Arriving } from './arriving.ts';
import type { ChatViewModel } from './view-model.ts';

export interface SendFlowDeps {
  viewModel: ChatViewModel;
  /** Runs what sends once everything that was chosen before is attached. */
  whenHere: Arriving['whenHere'];
  /** Asks for what is missing to send at all; false when the user did not give it. */
  ensureReady(): Promise<boolean>;
  /** Attaches what the text names; undefined when the text was done without sending or put back into the draft. */
  prepare(text: string): Promise<Written | undefined>;
  /** Where the conversation is near to what its model takes, the user may want it shortened first. */
  offerAtLimit(): Promise<void>;
  /** The text went out or into the queue. */
  remember(text: string): void;
}

export interface SendFlow {
  /** Resolves when the turn has ended; undefined when none began, and then the text is in the draft again or was a command. */
  send(text: string): Promise<TurnSummary | undefined>;
  /** To be sent after the running turn; `now`: in its place; `nextStep`: into it. */
  queue(text: string, when?: 'now' | 'nextStep'): Promise<void>;
}

/**
 * Everything that is missing is asked for first; what was typed stays in the composer until it is sent. Reading what is
 * attached and asking take time: a message is sent in the conversation that it was written for, or given back to its draft.
 */
export function createSendFlow({
  viewModel,
  whenHere,
  ensureReady,
  prepare,
  offerAtLimit,
  remember,
}: SendFlowDeps): SendFlow {
  async function start(text: string): Promise<{ ends: Promise<TurnSummary> } | undefined> {
    const { id } = viewModel.conversation();
    const isTaken = () => {
      const { id: now, running, readOnly } = viewModel.conversation();
      return now !== id || running || readOnly;
    };
    if (isTaken() || !(await ensureReady())) {
      viewModel.giveBack(text, id);
      return undefined;
    }
    const prepared = await prepare(text);
    if (prepared === undefined) return undefined;
    if (!isTaken()) await offerAtLimit();
    if (isTaken()) {
      viewModel.giveBack(text, id);
      return undefined;
    }
    remember(text);
    return { ends: viewModel.send(prepared) };
  }

  async function wait(text: string, when: 'now' | 'nextStep' | undefined): Promise<void> {
    const { id } = viewModel.conversation();
    const prepared = await prepare(text);
    if (prepared === undefined) return;
    if (viewModel.conversation().id !== id || !viewModel.enqueue(prepared, when === 'nextStep'))
      return viewModel.giveBack(text, id);
    remember(text);
    const last = viewModel.conversation().queue().items.at(-1);
    if (when === 'now' && last) viewModel.conversation().editQueue(last.id, 'sendNow');
  }

  return {
    async send(text) {
      // Without its promise: the text is held until the message is sent, not until it is answered.
      const turn = await whenHere(text, () => start(text));
      return turn?.ends;
    },
    queue: (text, when) => whenHere(text, () => wait(text, when)),
  };
}
