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
  /**
   * A snapshot came; `from` is the conversation that was shown until now. `outdated`: what this page began with was sent by the
   * page before, or deleted.
   */
  arrive(snapshot: Snapshot, from: string): 'outdated' | undefined;
}

/** The text, what the host last heard of it, and when it changed, in milliseconds that only grow. */
export interface TypedText {
  text: Signal<string>;
  posted: string;
  atMs: number;
}

/** As an earlier page left it. */
export function typedText(stored: { draft?: string; postedDraft?: string; draftAtMs?: number }): TypedText {
  const { draft = '', postedDraft = '', draftAtMs = 0 } = stored;
  return { text: signal(draft), posted: postedDraft, atMs: draftAtMs };
}

export interface DraftDeps {
  typed: TypedText;
  post(message: PanelMessage): void;
  /** Something changed that must survive the page. */
  save(): void;
  conversationId(): string;
  now(): number;
  after(ms: number, run: () => void): () => void;
}

const postDelayMs = 300;

export function createDraft({ typed, post, save, conversationId, now, after }: DraftDeps): Draft {
  const { text } = typed;
  let first = true;
  let cancelPost: (() => void) | undefined;

  const change = (next: string) => {
    text.value = next;
    typed.atMs = Math.max(now(), typed.atMs + 1);
  };
  const tell = (id: string) => {
    typed.posted = text.value;
    const emptied = text.value === '' && { emptiedAtMs: typed.atMs };
    post({ type: 'draftChanged', text: typed.posted, ...(id !== '' && { conversationId: id }), ...emptied });
  };
  const report = (id: string) => {
    cancelPost?.();
    cancelPost = undefined;
    // One that is too long to be sent stays with the page.
    if (text.value !== typed.posted && text.value.length <= maxTextLength) tell(id);
    save();
  };
  /** The host hears of it also where it never heard of the text: VS Code may give the next page a state that still holds it. */
  const empty = () => {
    change('');
    tell(conversationId());
    report(conversationId());
  };
  const reportSoon = () => {
    cancelPost ??= after(postDelayMs, () => report(conversationId()));
  };
  return {
    text,
    set(next) {
      change(next);
      save();
      reportSoon();
    },
    report: () => report(conversationId()),
    take() {
      const taken = text.value;
      empty();
      return taken;
    },
    add(added) {
      change(text.value.trim() === '' ? added : `${text.value}\n\n${added}`);
      report(conversationId());
    },
    remove(sent) {
      if (text.value.trim() === sent.trim()) empty();
    },
    arrive({ state, draft, draftFrom, draftReplaced, emptiedAtMs }, from) {
      const outdated = first && emptiedAtMs !== undefined && typed.atMs <= emptiedAtMs;
      if (outdated) {
        Object.assign(typed, { posted: draft, atMs: emptiedAtMs });
        text.value = draft;
      }
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
      return outdated ? 'outdated' : undefined;
    },
  };
}

/** The host's text, and what was typed that it never heard of. */
function joined(host: string, typed: string, heard: string): string {
  if (typed === heard || host.includes(typed)) return host;
  return typed.includes(host) ? typed : `${host}\n\n${typed}`;
}
