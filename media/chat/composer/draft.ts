import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { maxTextLength } from '../../../src/shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

/**
 * The text in the composer. The page in which it is typed is right about it; the host hears of it a moment later and keeps
 * it. Nothing that arrives while somebody types replaces what was typed.
 */
export interface Draft {
  text: ReadonlySignal<string>;
  set(text: string): void;
  /** Tells the host now. */
  report(): void;
  /** Empties it; the host hears of it at once. */
  take(): string;
  /** Below what stands there. */
  add(text: string): void;
  /** Empties it when it is this text. */
  remove(text: string): void;
  /** A snapshot came; `from` is the conversation that was shown until now. */
  arrive(snapshot: Snapshot, from: string): void;
}

/** The text and, as `posted`, what the host last heard of it. */
export interface TypedText {
  text: Signal<string>;
  posted: string;
}

/** As an earlier page left it. */
export function typedText({ draft = '', postedDraft = '' }: { draft?: string; postedDraft?: string }): TypedText {
  return { text: signal(draft), posted: postedDraft };
}

export interface DraftDeps {
  typed: TypedText;
  post(message: PanelMessage): void;
  /** Something changed that must survive the page. */
  save(): void;
  conversationId(): string;
  after(ms: number, run: () => void): () => void;
}

const postDelayMs = 300;

export function createDraft({ typed, post, save, conversationId, after }: DraftDeps): Draft {
  const { text } = typed;
  let first = true;
  let cancelPost: (() => void) | undefined;

  const report = (id: string) => {
    cancelPost?.();
    cancelPost = undefined;
    // One that is too long to be sent stays with the page.
    if (text.value !== typed.posted && text.value.length <= maxTextLength) {
      typed.posted = text.value;
      post({ type: 'draftChanged', text: typed.posted, ...(id !== '' && { conversationId: id }) });
    }
    // Also where the host has nothing to hear: what was typed and taken in between is gone.
    save();
  };
  const reportSoon = () => {
    cancelPost ??= after(postDelayMs, () => report(conversationId()));
  };
  return {
    text,
    set(next) {
      text.value = next;
      save();
      reportSoon();
    },
    report: () => report(conversationId()),
    take() {
      const taken = text.value;
      text.value = '';
      report(conversationId());
      return taken;
    },
    add(added) {
      text.value = text.value.trim() === '' ? added : `${text.value}\n\n${added}`;
      report(conversationId());
    },
    remove(sent) {
      if (text.value.trim() !== sent.trim()) return;
      text.value = '';
      report(conversationId());
    },
    arrive({ state, draft, draftFrom, draftReplaced }, from) {
      const other = from !== '' && from !== state.conversationId && from !== draftFrom;
      // It belongs to the conversation that is left, and the host keeps it there.
      if (other) report(from);
      const heard = typed.posted;
      typed.posted = draft;
      // A page that has just begun knows only what an earlier one stored: the host may have been told more since.
      if (other) text.value = draft;
      else if (draftReplaced || (first && draft !== heard)) text.value = joined(draft, text.value, heard);
      first = false;
      if (text.value !== typed.posted) reportSoon();
      save();
    },
  };
}

/** The host's text, and what was typed that it never heard of. */
function joined(host: string, typed: string, heard: string): string {
  if (typed === heard || host.includes(typed)) return host;
  return typed.includes(host) ? typed : `${host}\n\n${typed}`;
}
