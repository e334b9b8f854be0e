/**
 * Gives an element the focus: at once when the page has that of the window, else when the page gets it. To take it from another
 * part of the window would close what stands there, such as the command palette of who has gone on.
 */
export function focusInPage(element: HTMLElement): void {
  if (document.hasFocus()) element.focus();
  else window.addEventListener('focus', () => element.focus(), { once: true });
}
