const isMac = /Mac/.test(navigator.platform);

export const keyNames = isMac
  ? { allow: '⌘⏎', skip: '⌥⌘⏎', keepAll: '⌘⏎', undoAll: '⌘⌫' }
  : { allow: 'Ctrl+Enter', skip: 'Ctrl+Alt+Enter', keepAll: 'Ctrl+Enter', undoAll: 'Ctrl+Backspace' };

/** Maps a key to the row that it moves to in a list that goes round. */
export const listMoves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(count - 1, at + 8),
  PageUp: (at) => Math.max(0, at - 8),
};

/** Returns whether the key belongs to an input method, such as the Enter that takes its word. Some engines only say 229. */
export function isComposing({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}
