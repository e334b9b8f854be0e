/** The browser inserts line by line, which takes half a minute for a thousand lines. */
const maxTyped = 5000;

/** Replaces text as typing would, so that Undo reverts it, unless it is long. The cursor ends behind it. */
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
