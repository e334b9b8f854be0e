import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { joinTexts, maxTextLength } from '../../../src/shared/messages.ts';
import type { HostMessage, PanelMessage, PostedDraft } from '../../../src/shared/panel/protocol.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

/**
 * Holds the typed text. The page where it is typed has the authoritative version; the host stores it a moment later.
 * Nothing that arrives while the user types replaces it.
 */
export interface Draft {
  text: ReadonlySignal<string>;
  set(text: string): void;
  report(): void;
  /**
   * Empties the draft except for `rest`. The change must be posted with the message that carries the text, because a
   * crash could lose the second of two messages.
   */
  take(rest?: string): { text: string; rest: PostedDraft };
  /** Confirms that everything taken until then is safe with the host. */
  heard(atMs: number): void;
  append(text: string): void;
  /** Does nothing when the draft holds another text. */
  clear(text: string): void;
  /**
   * Merges a snapshot; `from` is the conversation shown until now. `outdated` means that this page's initial text was
   * sent by the page before, or deleted.
   */
  merge(snapshot: Snapshot, from: string): 'outdated' | undefined;
}

/** The text has left the composer, but the host may not know it yet. */
export interface Taken {
  text: string;
  atMs: number;
}

/** `posted` is the text that the host last received, and `atMs` the time of the last change, which only grows. */
export interface TypedText {
  text: Signal<string>;
  posted: string;
  atMs: number;
  taken: readonly Taken[];
}

export function typedText(
  stored: Partial<{ draft: string; postedDraft: string; draftAtMs: number; taken: readonly Taken[] }>,
): TypedText {
  const { draft = '', postedDraft = '', draftAtMs = 0, taken = [] } = stored;
  return { text: signal(draft), posted: postedDraft, atMs: draftAtMs, taken };
}

export interface DraftDeps {
  typed: TypedText;
  post(message: PanelMessage): void;
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
  const draftNow = (id: string, emptiedAtMs?: number): PostedDraft => {
    // One that is too long to be sent stays with the page.
    if (text.value.length <= maxTextLength) typed.posted = text.value;
    return {
      text: typed.posted,
      atMs: typed.atMs,
      ...(id !== '' && { conversationId: id }),
      ...(emptiedAtMs !== undefined && { emptiedAtMs }),
    };
  };
  const postDraft = (id: string) =>
    post({ type: 'draftChanged', draft: draftNow(id, text.value === '' ? typed.atMs : undefined) });
  const report = (id: string) => {
    cancelPost?.();
    cancelPost = undefined;
    if (text.value !== typed.posted && text.value.length <= maxTextLength) postDraft(id);
    save();
  };
  /**
   * Reports the empty text even when the host never had the text, because VS Code may give the next page a state that
   * still holds it.
   */
  const empty = () => {
    change('');
    postDraft(conversationId());
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
    take(rest = '') {
      const taken = text.value;
      change('');
      typed.posted = '';
      const emptiedAtMs = typed.atMs;
      if (taken !== '') typed.taken = [...typed.taken, { text: taken, atMs: emptiedAtMs }];
      if (rest !== '') change(rest);
      const left = draftNow(conversationId(), emptiedAtMs);
      report(conversationId());
      return { text: taken, rest: left };
    },
    heard(untilMs) {
      typed.taken = typed.taken.filter(({ atMs }) => atMs > untilMs);
      save();
    },
    append(added) {
      change(joinTexts(text.value, added));
      report(conversationId());
    },
    clear(sent) {
      if (text.value.trim() === sent.trim()) empty();
    },
    merge({ state, draft, draftFrom, draftReplaced, draftTimes }, from) {
      const { atMs: heardAtMs = 0, emptiedAtMs } = draftTimes ?? {};
      const outdated = first && emptiedAtMs !== undefined && typed.atMs <= emptiedAtMs;
      // The host heard of this text, or of a newer one.
      if (first && typed.atMs <= heardAtMs) {
        Object.assign(typed, { posted: draft, atMs: heardAtMs });
        text.value = draft;
      }
      if (first) {
        const unconfirmed = typed.taken.filter(({ atMs }) => atMs > heardAtMs);
        text.value = unconfirmed.reduceRight((below, one) => joinTexts(one.text, below), text.value);
        typed.taken = typed.taken.filter((one) => !unconfirmed.includes(one));
      }
      const other = from !== '' && from !== state.conversationId && from !== draftFrom;
      // It belongs to the conversation that is left, and the host keeps it there.
      if (other) report(from);
      const posted = typed.posted;
      typed.posted = draft;
      if (other) text.value = draft;
      // A host that died may have lost what was posted to it last.
      else if (first && draft !== posted) text.value = merged(draft, text.value, posted);
      else if (draftReplaced) text.value = text.value === posted ? draft : merged(draft, text.value, posted);
      // The rest is held until the host says again that it has it.
      if (first && typed.taken.length > 0) postDraft(state.conversationId);
      first = false;
      if (text.value !== typed.posted) reportSoon();
      save();
      return outdated ? 'outdated' : undefined;
    },
  };
}

/** Merges the host's text with what was typed since, in the position of what was posted. */
function merged(host: string, typed: string, posted: string): string {
  if (posted !== '' && host.endsWith(`\n\n${posted}`)) return joinTexts(host.slice(0, -posted.length - 2), typed);
  if (posted !== '' && host.startsWith(`${posted}\n\n`)) return joinTexts(typed, host.slice(posted.length + 2));
  if (host.includes(typed)) return host;
  return typed.includes(host) ? typed : joinTexts(host, typed);
}
