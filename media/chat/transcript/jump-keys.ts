/**
 * Ctrl+Alt+Arrow: the previous or next message of the user; Ctrl+Alt+Page: the previous or next code block. From
 * outside of the list the way begins at its end. True: the key was one of these.
 */
export function jump(event: KeyboardEvent, root: HTMLElement): boolean {
  const selector = targets[event.key];
  if (selector === undefined || !event.altKey || event.shiftKey) return false;
  const all = [...root.querySelectorAll<HTMLElement>(`.log ${selector}`)];
  const back = event.key === 'ArrowUp' || event.key === 'PageUp';
  const from = document.activeElement;
  const beyond = all.filter((target) => from !== target && isBefore(target, from) === back);
  (back ? beyond.at(-1) : beyond[0])?.focus();
  return true;
}

const targets: Readonly<Record<string, string>> = {
  ArrowUp: 'article.user',
  ArrowDown: 'article.user',
  PageUp: '.code-block > [role="group"]',
  PageDown: '.code-block > [role="group"]',
};

/** In the order of the page; what holds the other comes before it. */
function isBefore(element: Element, other: Element | null): boolean {
  if (!other) return true;
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
