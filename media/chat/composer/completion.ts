import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CompletionItem } from '../../../src/shared/panel/panel-info.ts';
import { listMoves } from '../controls/keys.ts';
import { usePanel } from '../panel.ts';
import { editText } from './edit-text.ts';

/** A shorter pause than most people need between two keys would ask for every key. */
const debounceMs = 60;

export interface Completion {
  open: { kind: CompletionTrigger['kind']; items: readonly CompletionItem[]; active: number } | undefined;
  /** Must be called whenever the text or the cursor may have changed. */
  update(): void;
  /** Returns true when the list handled the key. */
  onKey(event: KeyboardEvent): boolean;
  choose(item: CompletionItem): void;
  /** Closes the list when the focus leaves. `update` reopens it later, unless a button had opened it. */
  leave(): void;
  openContext(): void;
}

/**
 * A choosing key that is typed before the list has arrived is held and applied when it does. Escape, an arrow or more
 * text cancels it. `enter` is called for Enter where there is no list.
 */
export function useCompletion(input: RefObject<HTMLTextAreaElement | null>, enter: () => void): Completion {
  const panel = usePanel();
  const [place, setPlace] = useState<CompletionTrigger | undefined>(undefined);
  const [active, setActive] = useState(0);
  /** `id` is the current request, sent or about to be; `first` is the first one since the list was opened. */
  const request = useRef({ id: 0, first: 0, timer: 0 });
  const held = useRef<'Enter' | 'Tab' | undefined>(undefined);
  /** Where the trigger starts whose list the user closed, until the caret leaves that word; -1 is none. */
  const dismissed = useRef(-1);
  /** Where the button inserted `@`, which is removed if the list closes unused; -1 is none. */
  const insertedTriggerAt = useRef(-1);
  const answer = panel.composer.completions.value;
  const items = place && answer.id >= request.current.first && answer.id <= request.current.id ? answer.items : [];
  const fresh = answer.id === request.current.id;
  const shown = place && items.length > 0;

  useEffect(() => {
    if (!place || !fresh) return;
    setActive(0);
  }, [fresh ? answer.id : 0]);
  useEffect(() => {
    if (!place || !fresh || !answer.done) return;
    panel.announce(items.length === 0 ? l10n.t('Nothing found') : l10n.t('Suggestions: {0}', items.length));
  }, [answer]);
  const ask = (next: CompletionTrigger) => {
    const own = request.current;
    own.id++;
    if (place?.kind !== next.kind || place.start !== next.start) own.first = own.id;
    const { id } = own;
    // A list that a button opened shows everything available.
    const kind = next.start === insertedTriggerAt.current && next.query === '' ? 'menu' : next.kind;
    const send = () => panel.post({ type: 'complete', id, kind, query: next.query });
    clearTimeout(own.timer);
    // The first request is sent at once; those of further keys are debounced.
    if (place) own.timer = window.setTimeout(send, debounceMs);
    else send();
  };
  const hide = () => {
    clearTimeout(request.current.timer);
    // An answer that is still on its way is for nobody.
    request.current.id++;
    held.current = undefined;
    setPlace(undefined);
  };
  const update = () => {
    const box = input.current;
    if (!box) return;
    const next = triggerIn(box);
    if (!next) {
      dismissed.current = -1;
      insertedTriggerAt.current = -1;
      if (place) hide();
      return;
    }
    if (dismissed.current === next.start) return;
    if (isSameTrigger(place, next)) return;
    held.current = undefined;
    setPlace(next);
    ask(next);
  };
  const close = () => {
    const box = input.current;
    if (place) dismissed.current = place.start;
    const own = insertedTriggerAt.current;
    insertedTriggerAt.current = -1;
    hide();
    if (box && own >= 0 && place?.query === '') editText(box, own, own + 1, '');
  };
  const leave = () => {
    const box = input.current;
    const own = insertedTriggerAt.current;
    const unused = box && own >= 0 && place?.query === '';
    hide();
    if (!unused) return;
    insertedTriggerAt.current = -1;
    // The usual way would bring the focus back.
    box.setRangeText('', own, own + 1, 'end');
    panel.draft.set(box.value);
  };
  const choose = ({ label, detail, action }: CompletionItem) => {
    const box = input.current;
    if (!box || !place) return;
    if (!action) {
      panel.announce(detail ?? label);
      return;
    }
    if (action.type === 'refine') {
      editText(box, place.start + 1, place.end, action.text);
      return;
    }
    hide();
    insertedTriggerAt.current = -1;
    if (action.type === 'command') {
      editText(box, place.start, place.end, `/${action.name} `);
      panel.post({ type: 'prepareCommand', name: action.name });
      return;
    }
    panel.composer.clearNote();
    editText(box, place.start, place.end, '');
    panel.post({ type: 'attach', pick: action.pick });
    panel.announce(l10n.t('Attaching {0}', label));
  };
  const take = (key: 'Enter' | 'Tab', item: CompletionItem | undefined): boolean => {
    // A command that is written out is sent, not completed once more.
    const written = key === 'Enter' && place?.kind === 'command' && item?.label === `/${place.query}`;
    if (!item || written) {
      hide();
      return false;
    }
    choose(item);
    return true;
  };
  useEffect(() => {
    const key = held.current;
    const box = input.current;
    if (!key || !place || !box || !fresh || !(answer.done || answer.settled)) return;
    held.current = undefined;
    // The text was changed by something other than a key, such as a command.
    if (!isSameTrigger(place, triggerIn(box))) return;
    if (!take(key, items[0]) && key === 'Enter') enter();
  }, [answer]);
  const onKey = (event: KeyboardEvent): boolean => {
    if (!place) return false;
    if (event.ctrlKey || event.metaKey || event.altKey) {
      // With a modifier, Enter sends the message.
      if (event.key === 'Enter') hide();
      return false;
    }
    if (event.key === 'Enter' || event.key === 'Tab') {
      if (event.shiftKey) return false;
      if (fresh && (shown || answer.done)) return take(event.key, items[active] ?? items.at(-1));
      held.current = event.key;
      return true;
    }
    if (event.key === 'Escape') {
      // Also closes a list that has not arrived: the user has seen its trigger character.
      const closes = shown || held.current !== undefined || !(fresh && answer.done);
      if (closes) close();
      return closes;
    }
    const to = shown && listMoves[event.key]?.(active, items.length);
    if (to === undefined || to === false) return false;
    held.current = undefined;
    setActive(to);
    return true;
  };
  const openContext = () => {
    const box = input.current;
    if (!box) return;
    box.focus();
    const at = box.selectionEnd;
    const gap = /[^\s([{"']$/.test(box.value.slice(0, at)) ? ' ' : '';
    dismissed.current = -1;
    insertedTriggerAt.current = at + gap.length;
    editText(box, at, at, `${gap}@`);
  };
  return {
    open: shown ? { kind: place.kind, items, active: Math.min(active, items.length - 1) } : undefined,
    update,
    onKey,
    choose,
    leave,
    openContext,
  };
}

function triggerIn(box: HTMLTextAreaElement): CompletionTrigger | undefined {
  return box.selectionStart === box.selectionEnd ? completionTriggerAt(box.value, box.selectionStart) : undefined;
}

function isSameTrigger(a: CompletionTrigger | undefined, b: CompletionTrigger | undefined): boolean {
  return a?.kind === b?.kind && a?.query === b?.query && a?.start === b?.start;
}

export interface CompletionTrigger {
  kind: 'context' | 'command';
  query: string;
  start: number;
  end: number;
}

const maxQuery = 500;

/**
 * A slash command must be at the very beginning; `@` and `#` must begin a word, so that addresses and anchors are
 * left alone. A space ends either.
 */
export function completionTriggerAt(text: string, caret: number): CompletionTrigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([\w.-]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret };
  const context = /(?:^|[\s([{"'])[@#]([^\s@#]*)$/.exec(before);
  const query = context?.[1];
  if (query === undefined || query.length > maxQuery) return undefined;
  return { kind: 'context', query, start: caret - query.length - 1, end: caret };
}
