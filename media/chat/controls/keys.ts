const isMac = /Mac/.test(navigator.platform);

export const keyNames = isMac
  ? { allow: '⌘⏎', skip: '⌥⌘⏎', keepAll: '⌘⏎', undoAll: '⌘⌫' }
  : { allow: 'Ctrl+Enter', skip: 'Ctrl+Alt+Enter', keepAll: 'Ctrl+Enter', undoAll: 'Ctrl+Backspace' };
