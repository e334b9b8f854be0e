import * as vscode from 'vscode';

export const participantId = 'svc.assistant';

export function registerParticipant(
  extensionUri: vscode.Uri,
  load: () => Promise<vscode.ChatRequestHandler>,
): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, async (...args) => (await load())(...args));
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    provideFollowups: ({ errorDetails }) => (errorDetails === undefined ? followups() : []),
  };
  return participant;
}

function followups(): vscode.ChatFollowup[] {
  return [
    { label: vscode.l10n.t('Write tests for it'), command: 'tests', prompt: vscode.l10n.t('Write tests for it.') },
    { label: vscode.l10n.t('What could go wrong here?'), prompt: vscode.l10n.t('What could go wrong here?') },
  ];
}
