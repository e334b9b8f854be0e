import type { Earlier } from './earlier.ts';
import { messageBeside, messagesOf } from './message-list.ts';

const reachable = 'button, textarea, [role="link"], summary, [role="group"][tabindex="0"]';

/**
 * Arrow keys, Home and End move between messages, Enter goes into one, Escape comes out of it; from a message itself
 * Escape (and Ctrl+Down from anywhere) leads back to the input through `leaveList`.
 */
export function moveInList(
  event: KeyboardEvent,
  { leaveList, reach }: { leaveList: () => void; reach: Earlier['reach'] },
): void {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  if (event.key === 'ArrowDown' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    leaveList();
    return;
  }
  const article = target.closest('article');
  if (!article || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target !== article) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    article.focus();
    return;
  }
  const next = destination(event.key, article);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (next === 'input') leaveList();
  else if (next === 'first') toFirst(article, reach);
  else if (next === null && event.key === 'ArrowUp') reach('some', () => messageBeside(article, 'previous')?.focus());
  else next?.focus();
}

function toFirst(article: HTMLElement, reach: Earlier['reach']): void {
  const focus = () => allAround(article)[0]?.focus();
  if (!reach('all', focus)) focus();
}

function allAround(article: HTMLElement): HTMLElement[] {
  return messagesOf(article.closest<HTMLElement>('[role=log]') ?? article);
}

/** Undefined: not one of our keys. Null: nowhere to go. */
function destination(key: string, article: HTMLElement): HTMLElement | 'input' | 'first' | null | undefined {
  switch (key) {
    case 'ArrowUp':
      return messageBeside(article, 'previous') ?? null;
    case 'ArrowDown':
      return messageBeside(article, 'next') ?? null;
    case 'Home':
      return 'first';
    case 'End':
      return allAround(article).at(-1) ?? null;
    case 'Enter':
      return article.querySelector<HTMLElement>(reachable);
    case 'Escape':
      return 'input';
    default:
      return undefined;
  }
}
