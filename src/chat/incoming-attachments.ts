import { createEmitter, type Event } from '../base/emitter.ts';
import type { Attachment, AttachmentKind } from '../shared/messages.ts';
import type { Draft } from './draft-store.ts';

export interface IncomingChip {
  id: string;
  label: string;
  kind: AttachmentKind;
  uri?: string;
  /** Says why the chosen thing could not be read. The chip stays with this reason until the user removes it. */
  failed?: string;
}

export interface WaitingMessage {
  id: string;
  text: string;
}

export interface Chosen extends Omit<IncomingChip, 'id' | 'failed'> {
  id?: string;
  /** The chip came along with another choice: when it cannot be read, that is reported once and the chip goes away. */
  optional?: boolean;
}

/** Resolves with undefined when the user declined. A function is called once everything chosen before is attached. */
export type AttachmentRead = Promise<Attachment | (() => Attachment) | undefined>;

/**
 * Brings attachments into the next message of a view. Everything that was chosen is visible at once, is attached in
 * the order of choice, and goes with the message that was sent after it and with no other.
 */
export interface IncomingAttachments {
  chips(): readonly IncomingChip[];
  waiting(): readonly WaitingMessage[];
  /** Resolves when it is attached, failed, or was removed. */
  add(chosen: Chosen, read: (id: string) => AttachmentRead): Promise<void>;
  /** Returns false when nothing under this id is on its way. */
  remove(id: string): boolean;
  /**
   * Runs `send` once everything that was chosen before is attached. Later choices wait until `send` has resolved, and
   * until then the text survives a crash. Resolves with undefined when `send` did not run: something could not be
   * read or was refused by the user, they took the message back, or opened another conversation. Then its text is in
   * the draft again.
   */
  whenHere<Sent>(text: string, send: () => Promise<Sent>): Promise<Sent | undefined>;
  takeBack(id: string): void;
  onDidChange: Event;
}

export interface IncomingAttachmentsDeps {
  viewModel: {
    conversation(): { id: string };
    draft: Pick<Draft, 'attachments' | 'attach' | 'append' | 'hold'>;
  };
  newId(): string;
  after(ms: number, run: () => void): () => void;
  reasonOf(error: unknown, label: string): string;
  note(reason: string): void;
  refused(failed: readonly IncomingChip[]): void;
}

/** Most files are read before anybody could notice a waiting message. */
const shownAfterMs = 150;

export function createIncomingAttachments(deps: IncomingAttachmentsDeps): IncomingAttachments {
  const { viewModel, newId } = deps;
  const changed = createEmitter();
  const waiting = createWaiting(deps.after, changed.fire);
  let chips: readonly (IncomingChip & { drop(): void })[] = [];
  const declined = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  const isHere = (id: string) => chips.some((chip) => chip.id === id);
  const replace = (id: string, by?: Partial<IncomingChip>) => {
    chips = chips.flatMap((chip) => (chip.id !== id ? [chip] : by ? [{ ...chip, ...by }] : []));
  };
  const fail = ({ id, label, optional }: Chosen & { id: string }, error: unknown) => {
    const reason = deps.reasonOf(error, label);
    replace(id, optional ? undefined : { failed: reason });
    if (optional) deps.note(reason);
    changed.fire();
  };
  const settle = (chosen: Chosen & { id: string }, found: Awaited<AttachmentRead>) => {
    const { id } = chosen;
    if (found === undefined) {
      declined.add(id);
      replace(id);
    } else {
      const attachment = typeof found === 'function' ? found() : found;
      replace(id);
      viewModel.draft.attach({ ...attachment, id });
    }
    changed.fire();
  };
  const isComplete = (sentWith: ReadonlySet<string>): boolean => {
    const failed = chips.filter((chip) => sentWith.has(chip.id) && chip.failed !== undefined);
    if (failed.length > 0) deps.refused(failed);
    return failed.length === 0 && ![...sentWith].some((id) => declined.has(id));
  };

  return {
    chips: () => chips,
    waiting: waiting.shown,
    add({ id = newId(), optional = false, ...rest }, read) {
      const chosen = { ...rest, id, optional };
      const dropped = Promise.withResolvers<'dropped'>();
      const before = last;
      chips = [...chips, { ...rest, id, drop: () => dropped.resolve('dropped') }];
      changed.fire();
      const arrive = async () => {
        try {
          const found = await Promise.race([read(id), dropped.promise]);
          // A no is heard at once: what is sent from now on was sent without it.
          if (found !== undefined) await before;
          if (found !== 'dropped' && isHere(id)) settle(chosen, found);
          await before;
        } catch (error) {
          if (isHere(id)) fail(chosen, error);
          await before;
        }
      };
      const arrives = arrive();
      last = arrives;
      return arrives;
    },
    remove(id) {
      const chip = chips.find((one) => one.id === id);
      if (chip === undefined) return false;
      replace(id);
      chip.drop();
      changed.fire();
      return true;
    },
    async whenHere(text, send) {
      const { id: conversationId } = viewModel.conversation();
      const release = viewModel.draft.hold(text);
      const before = last;
      const done = Promise.withResolvers<void>();
      last = before.then(() => done.promise);
      const sentWith = new Set(chips.map(({ id }) => id));
      const wait = waiting.add({ id: newId(), text }, sentWith.size > 0);
      const outcome = await Promise.race([before, wait.takenBack]);
      wait.end();
      try {
        const stays = outcome !== 'taken back' && viewModel.conversation().id === conversationId;
        // An image without a word, and then the image was taken away.
        const isEmpty = text.trim() === '' && viewModel.draft.attachments().length === 0;
        if (stays && isComplete(sentWith) && !(isEmpty && sentWith.size > 0)) return await send();
        if (text.trim() !== '') viewModel.draft.append(text, conversationId);
        return undefined;
      } finally {
        release();
        done.resolve();
      }
    },
    takeBack: waiting.takeBack,
    onDidChange: changed.event,
  };
}

function createWaiting(after: IncomingAttachmentsDeps['after'], notify: () => void) {
  let shown: readonly (WaitingMessage & { takeBack(): void })[] = [];
  return {
    shown: (): readonly WaitingMessage[] => shown.map(({ id, text }) => ({ id, text })),
    takeBack: (id: string) => shown.find((one) => one.id === id)?.takeBack(),
    add(message: WaitingMessage, waits: boolean) {
      const back = Promise.withResolvers<'taken back'>();
      const row = { ...message, takeBack: () => back.resolve('taken back') };
      const cancel = waits
        ? after(shownAfterMs, () => {
            shown = [...shown, row];
            notify();
          })
        : undefined;
      return {
        takenBack: back.promise,
        end() {
          cancel?.();
          if (!shown.includes(row)) return;
          shown = shown.filter((one) => one !== row);
          notify();
        },
      };
    },
  };
}
