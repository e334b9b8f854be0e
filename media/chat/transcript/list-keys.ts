import type { Earlier } from './earlier.ts';
import { messageBeside, messagesOf } from './message-list.ts';

const reachable = 'button, textarea, [role="link"], summary, [role="group"][tabindex="0"]';

/**
 * Moves between messages with the arrow keys, Home and End, into one with Enter, and out of it with Escape. Escape on
 * a message itself, and Ctrl+Down anywhere, return to the input through `leaveList`.
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

/** Returns undefined for a key that is not handled, and null when there is nowhere to go. */
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
