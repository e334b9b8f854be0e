/** The browser types line by line: a thousand lines take it half a minute. */
const maxTyped = 5000;

/**
 * Replaces a part of the box's text as typing would, so that Undo takes it back, unless it is long. The cursor ends
 * behind it.
 */
export function editText(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus();
  box.setSelectionRange(start, end);
  const command = text === '' ? 'delete' : 'insertText';
  // The only way that keeps the box's own undo history.
  if (start === end && text === '') return;
  if (text.length <= maxTyped && document.execCommand(command, false, text)) return;
  box.setRangeText(text, start, end, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
