import type { TurnSummary } from '../conversation/conversation.ts';
import type { Written } from '../shared/messages.ts';
import type { IncomingAttachments } from './incoming-attachments.ts';
import type { ChatViewModel } from './view-model.ts';

export interface SendFlowDeps {
  viewModel: ChatViewModel;
  whenHere: IncomingAttachments['whenHere'];
  ensureReady(): Promise<boolean>;
  prepare(text: string): Promise<Written | undefined>;
  offerAtLimit(): Promise<void>;
  remember(text: string): void;
}

export interface SendFlow {
  /** Resolves when the turn has ended; undefined when none began: the text is in the draft again or was a command. */
  send(text: string): Promise<TurnSummary | undefined>;
  /** By default the message is sent after the running turn; `now` sends it in its place, and `nextStep` into it. */
  queue(text: string, when?: 'now' | 'nextStep'): Promise<void>;
}

/**
 * Asks for everything that is missing first; the typed text stays in the composer until it is sent. Reading
 * attachments and asking take time, so a message is sent in the conversation that it was written for, or given back
 * to its draft.
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
      viewModel.draft.append(text, id);
      return undefined;
    }
    const prepared = await prepare(text);
    if (prepared === undefined) return undefined;
    if (!isTaken()) await offerAtLimit();
    if (isTaken()) {
      viewModel.draft.append(text, id);
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
      return viewModel.draft.append(text, id);
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
