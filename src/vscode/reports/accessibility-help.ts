import { l10n } from 'vscode';

/** Returns the text of Alt+F1, which explains how to read and use the chat without a mouse, one fact to a line. */
export function accessibilityHelp(isMac: boolean): string {
  const [ctrl, alt] = isMac ? ['Cmd', 'Option'] : ['Ctrl', 'Alt'];
  const stop = isMac ? 'Cmd+Esc' : process.platform === 'win32' ? 'Alt+Backspace' : 'Ctrl+Esc';
  const keys: [key: string, meaning: string][] = [
    ['Enter', l10n.t('sends the message. The setting svc.chat.sendKey can make it Ctrl+Enter.')],
    ['Shift+Enter', l10n.t('starts a new line.')],
    [`${ctrl}+Shift+Enter`, l10n.t('stops the current answer and sends the message now.')],
    ['Esc', l10n.t('closes suggestions, cancels editing, or stops the answer, in that order. Your draft is kept.')],
    [stop, l10n.t('stops the answer from anywhere in the chat.')],
    [l10n.t('Up or Down'), l10n.t('at the edge of the input, recalls your earlier messages.')],
    [l10n.t('@ or #'), l10n.t('opens the list of context to attach. A slash at the start opens the commands.')],
    [`${ctrl}+/`, l10n.t('adds context.')],
    [`${ctrl}+.`, l10n.t('selects the mode: Ask, Edit, or Agent.')],
    [`${ctrl}+${alt}+.`, l10n.t('selects a model.')],
    [`${ctrl}+N`, l10n.t('starts a new chat.')],
    [`${ctrl}+Up`, l10n.t('goes from the input to the last message; with Down, back to the input.')],
    [
      l10n.t('Up, Down, Home, End'),
      l10n.t('on a message, moves to another one. Enter goes into the message; Esc leaves it.'),
    ],
    ['Q', l10n.t('on an answer or a code block, quotes it in your message.')],
    [`${ctrl}+${alt}+Up`, l10n.t('goes to your previous message; with Down, to the next.')],
    [
      `${ctrl}+${alt}+PageUp`,
      l10n.t(
        'goes to the previous code block; with PageDown, to the next. There, {0} inserts it and {1} copies it.',
        `${ctrl}+Enter`,
        `${ctrl}+C`,
      ),
    ],
    [`${ctrl}+Shift+A`, l10n.t('goes to the tool call that is waiting for your approval.')],
    [
      `${ctrl}+Enter`,
      l10n.t('allows the waiting tool call. If none is waiting and the input is empty, keeps all edits.'),
    ],
    [`${ctrl}+${alt}+Enter`, l10n.t('skips the waiting tool call.')],
    [
      'Alt+Enter',
      l10n.t(
        'while an answer is in progress, gives it the message at its next step, or queues it: the other of what Enter does.',
      ),
    ],
    [`${ctrl}+Backspace`, l10n.t('with an empty input, undoes all edits.')],
    ['Alt+F5', l10n.t('goes to the next pending edit; with Shift, to the previous one.')],
    ['Alt+PageUp', l10n.t('opens the previous conversation; with PageDown, the next.')],
  ];
  return [
    l10n.t('svc Chat: keyboard and screen reader'),
    '',
    l10n.t('The chat has a list of messages with the input below it. Tab moves between them and through the controls.'),
    l10n.t(
      'Screen readers announce when an answer starts, while it continues, and when it finishes, but not every word.',
    ),
    l10n.t('Errors and pending approvals are announced immediately. Focus stays where it is.'),
    l10n.t('Edits open in editors, where F7 steps through the differences.'),
    '',
    ...keys.map(([key, meaning]) => l10n.t('{0} {1}', key, meaning)),
    '',
    l10n.t('Every action is also a command: open the Command Palette and type svc. Change keys in Keyboard Shortcuts.'),
  ].join('\n');
}
