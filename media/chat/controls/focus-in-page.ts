/**
 * Focuses the element at once when the page has the focus, else when the page gets it. Taking it from another part of
 * the window would close, for example, an open command palette.
 */
export function focusInPage(element: HTMLElement): void {
  if (document.hasFocus()) element.focus();
  else window.addEventListener('focus', () => element.focus(), { once: true });
}
