import * as l10n from '@vscode/l10n';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import type { Panel } from '../panel.ts';
import { isComposing } from './keys.ts';

/** While a message is being written, a key does not answer a request that appeared this recently. */
const unseenMs = 1000;

type PanelKey = KeyboardEvent & { currentTarget: HTMLElement };

/**
 * Handles keys that mean the same wherever the focus is, except in other fields than the composer, and except for
 * Ctrl+Enter where it sends or inserts. Ctrl+Enter
 * allows the focused or oldest request, else keeps all edits when no message is written; Ctrl+Alt+Enter skips;
 * Ctrl+Backspace undoes all edits; Ctrl+Shift+A moves to what waits. Plain Enter never approves anything.
 */
export function handlePanelKey(event: PanelKey, panel: Panel, info: PanelInfo): void {
  if (isComposing(event) || !(event.ctrlKey || event.metaKey) || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('.text-form')) return;
  if (handle(event, event.target, panel, info)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function handle(event: PanelKey, target: HTMLElement, panel: Panel, info: PanelInfo): boolean {
  const root = event.currentTarget;
  if (jump(event, root, panel)) return true;
  if (event.shiftKey) {
    if (event.altKey || event.key.toLowerCase() !== 'a') return false;
    const waiting = root.querySelector<HTMLElement>('.approval.waiting');
    waiting?.focus();
    return waiting !== null;
  }
  // A field of one line has these keys itself; on a code block, Ctrl+Enter inserts its code.
  if (target.matches('input, .code-block > [role="group"]') && !event.altKey) return false;
  const inComposer = target.matches('.composer textarea');
  if (event.key === 'Enter') {
    if (inComposer && info.sendKey === 'ctrlEnter' && !event.altKey) return false;
    return answerApproval(event, target, panel) || (!event.altKey && decide('keepAll', event, target, { panel, info }));
  }
  return event.key === 'Backspace' && !event.altKey && decide('undoAll', event, target, { panel, info });
}

function answerApproval(event: PanelKey, target: HTMLElement, panel: Panel): boolean {
  const selector = '.approval.waiting:not(.question)';
  const card = target.closest<HTMLElement>(selector) ?? event.currentTarget.querySelector<HTMLElement>(selector);
  if (!card) return false;
  // A key that is held down must not answer one request after the other.
  if (event.repeat) return true;
  const typing = target.matches('.composer textarea') && panel.draft.text.value.trim() !== '';
  if (typing && performance.now() - Number(card.dataset.shownAt) < unseenMs) {
    panel.announce(l10n.t('An approval just appeared. Press again to answer it.'));
    return true;
  }
  card.querySelector<HTMLElement>(event.altKey ? '.skip' : '.allow')?.click();
  return true;
}

function decide(
  action: 'keepAll' | 'undoAll',
  event: PanelKey,
  target: HTMLElement,
  { panel, info }: { panel: Panel; info: PanelInfo },
): boolean {
  // On a button, a link or a fold the key is that control's.
  if (info.edits.length === 0 || panel.draft.text.value !== '' || target.closest('button, summary, [role="link"]'))
    return false;
  if (!event.repeat) panel.post({ type: 'edits', action });
  return true;
}

/**
 * Ctrl+Alt+Arrow moves to the previous or next user message, Ctrl+Alt+Page to a code block, starting at the end when
 * the focus is outside of the list. Returns true when the key was one of these.
 */
export function jump(event: KeyboardEvent, root: HTMLElement, panel: Pick<Panel, 'earlier'>): boolean {
  const selector = targets[event.key];
  if (selector === undefined || !event.altKey || event.shiftKey) return false;
  const all = [...root.querySelectorAll<HTMLElement>(`.log ${selector}`)];
  const back = event.key === 'ArrowUp' || event.key === 'PageUp';
  const from = document.activeElement;
  const beyond = all.filter((target) => from !== target && isBefore(target, from) === back);
  const next = back ? beyond.at(-1) : beyond[0];
  next?.focus();
  if (!next && back) panel.earlier.reach('some', () => jump(event, root, panel));
  return true;
}

const targets: Readonly<Record<string, string>> = {
  ArrowUp: 'article.user',
  ArrowDown: 'article.user',
  PageUp: '.code-block > [role="group"]',
  PageDown: '.code-block > [role="group"]',
};

function isBefore(element: Element, other: Element | null): boolean {
  if (!other) return true;
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
