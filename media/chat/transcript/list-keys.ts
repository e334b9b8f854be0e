import { messageBeside, messagesOf } from './message-list.ts';

const reachable = 'button, textarea, [role="link"], summary, [role="group"][tabindex="0"]';

/**
 * Arrow keys, Home and End move between messages, Enter goes into one, Escape comes out of it; from a message itself
 * Escape (and Ctrl+Down from anywhere) leads back to the input through `leaveList`.
 */
export function moveInList(event: KeyboardEvent, leaveList: () => void): void {
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
  else next?.focus();
}

/** Undefined: not one of our keys. Null: nowhere to go. */
function destination(key: string, article: HTMLElement): HTMLElement | 'input' | null | undefined {
  const all = () => messagesOf(article.closest<HTMLElement>('[role=log]') ?? article);
  switch (key) {
    case 'ArrowUp':
      return messageBeside(article, 'previous') ?? null;
    case 'ArrowDown':
      return messageBeside(article, 'next') ?? null;
    case 'Home':
      return all()[0] ?? null;
    case 'End':
      return all().at(-1) ?? null;
    case 'Enter':
      return article.querySelector<HTMLElement>(reachable);
    case 'Escape':
      return 'input';
    default:
      return undefined;
  }
}
