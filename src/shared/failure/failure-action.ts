import * as l10n from '@vscode/l10n';

const labels = {
  'enter-key': () => l10n.t('Enter New Key'),
  'open-dashboard': () => l10n.t('Open Dashboard'),
  'open-address-setting': () => l10n.t('Open Setting'),
  retry: () => l10n.t('Retry'),
  continue: () => l10n.t('Continue'),
  'continue-once': () => l10n.t('Continue Once'),
  'raise-limit': () => l10n.t('Raise Limit and Continue'),
  'wait-and-run': () => l10n.t('Wait and Run'),
  'send-without-images': () => l10n.t('Send Without Image'),
  'try-other-model': () => l10n.t('Try Another Model'),
  'change-order': () => l10n.t('Change Fallback Order'),
  'select-model': () => l10n.t('Select Model'),
  'use-nearest-model': () => l10n.t('Use Suggested Model'),
  'open-proxy-settings': () => l10n.t('Check Proxy'),
  'check-service': () => l10n.t('Check Service'),
  'change-limit': () => l10n.t('Change Limit'),
  compact: () => l10n.t('Compact'),
  'new-chat': () => l10n.t('New Chat'),
  'new-from-summary': () => l10n.t('New Chat from Summary'),
  'remember-size': () => l10n.t('Remember This Size'),
  'copy-report': () => l10n.t('Copy Report'),
  'open-help': () => l10n.t('Help'),
  'report-issue': () => l10n.t('Report Issue'),
  'show-capabilities': () => l10n.t('Show Capabilities'),
  'show-log': () => l10n.t('Show Log'),
  'show-problems': () => l10n.t('Show'),
  'fix-errors': () => l10n.t('Fix'),
  'run-tests': () => l10n.t('Run the Tests'),
  'review-by-hunk': () => l10n.t('Review'),
  'open-source-control': () => l10n.t('Commit'),
};

export type FailureAction = keyof typeof labels;
export const failureActions = Object.keys(labels) as FailureAction[];

export function actionLabel(action: FailureAction): string {
  return labels[action]();
}
