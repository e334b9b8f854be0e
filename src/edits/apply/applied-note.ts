import * as l10n from '@vscode/l10n';

export type AppliedNote = 'not-saved' | 'written-directly' | 'no-trash';

export const noteForModel: Readonly<Record<AppliedNote, string>> = {
  'not-saved': "The change is in the editor but couldn't be saved.",
  'written-directly':
    'The editor would have changed its line ends or byte-order mark, so it was written directly: Undo in the editor does not take it back.',
  'no-trash': "There's no trash here, so only the checkpoint can restore it.",
};

export const noteForUser: Readonly<Record<AppliedNote, () => string>> = {
  'not-saved': () => l10n.t("The change is in the editor but couldn't be saved."),
  'written-directly': () =>
    l10n.t(
      'The editor would have changed its line ends or byte-order mark, so it was written directly: Undo in the editor does not take it back.',
    ),
  'no-trash': () => l10n.t("There's no trash here, so only the checkpoint can restore it."),
};
