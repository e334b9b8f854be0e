import { l10n } from 'vscode';

/** The text of Alt+F1: how the chat is read and worked without a mouse. One line, one fact. */
export function accessibilityHelp(isMac: boolean): string {
  const [ctrl, alt] = isMac ? ['Cmd', 'Option'] : ['Ctrl', 'Alt'];
  const stop = isMac ? 'Cmd+Esc' : process.platform === 'win32' ? 'Alt+Backspace' : 'Ctrl+Esc';
  const keys: [key: string, meaning: string][] = [
    ['Enter', l10n.t('sends the message. The setting svc.chat.sendKey can make it Ctrl+Enter.')],
    ['Shift+Enter', l10n.t('starts a new line.')],
    [`${ctrl}+Shift+Enter`, l10n.t('stops the answer that runs and sends the message now.')],
    ['Esc', l10n.t('closes the suggestions, gives up editing, or stops the answer, in this order. The draft stays.')],
    [stop, l10n.t('stops the answer from anywhere in the chat.')],
    [l10n.t('Up or Down'), l10n.t('at the edge of the input, brings back earlier messages of yours.')],
    [l10n.t('@ or #'), l10n.t('opens the list of context to attach. A slash at the beginning opens the commands.')],
    [`${ctrl}+/`, l10n.t('adds context.')],
    [`${ctrl}+.`, l10n.t('selects what the model may do: ask, edit, or everything.')],
    [`${ctrl}+${alt}+.`, l10n.t('selects a model.')],
    [`${ctrl}+N`, l10n.t('starts a new chat.')],
    [`${ctrl}+Up`, l10n.t('goes from the input to the last message, and with Down back.')],
    [
      l10n.t('Up, Down, Home, End'),
      l10n.t('on a message, go to another one. Enter goes into the message, Esc comes out.'),
    ],
    [`${ctrl}+${alt}+Up`, l10n.t('goes to the previous message of yours, and with Down to the next.')],
    [
      `${ctrl}+${alt}+PageUp`,
      l10n.t(
        'goes to the previous code block, and with PageDown to the next. There, {0} inserts it and {1} copies it.',
        `${ctrl}+Enter`,
        `${ctrl}+C`,
      ),
    ],
    [`${ctrl}+Shift+A`, l10n.t('goes to the call that waits for your approval.')],
    [`${ctrl}+Enter`, l10n.t('allows the call that waits. Without one, and with an empty input, it keeps all edits.')],
    [`${ctrl}+${alt}+Enter`, l10n.t('skips the call that waits.')],
    [`${ctrl}+Backspace`, l10n.t('with an empty input, undoes all edits.')],
    ['Alt+F5', l10n.t('goes to the next edit that is not decided, and with Shift to the previous.')],
    ['Alt+PageUp', l10n.t('opens the previous conversation, and with PageDown the next.')],
  ];
  return [
    l10n.t('svc Chat: keyboard and screen reader'),
    '',
    l10n.t(
      'The chat has a list of messages and, below it, the input. Tab goes from one to the other and through the controls.',
    ),
    l10n.t(
      'A screen reader is told when an answer starts, that it still comes, and when it is finished; never each word.',
    ),
    l10n.t('Errors and calls that wait for your approval are told at once. The focus stays where you are.'),
    l10n.t('Edits are shown in editors. There, F7 reads through the differences one by one.'),
    '',
    ...keys.map(([key, meaning]) => l10n.t('{0} {1}', key, meaning)),
    '',
    l10n.t(
      'Every action is a command too: open the Command Palette and type svc. Keys can be changed in Keyboard Shortcuts.',
    ),
  ].join('\n');
}
