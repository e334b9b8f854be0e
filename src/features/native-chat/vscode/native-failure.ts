import * as l10n from '@vscode/l10n';
import type { Failure } from '../../../shared/failure/failure.ts';
import type { FailureAction } from '../../../shared/failure/failure-action.ts';
import { describeFailure } from '../../../shared/failure/failure-text.ts';
import type { CommandId } from '../../../vscode/host/command-ids.ts';

/** VS Code's chat cannot show our buttons, so the text names a command as the next step. */
const commandOf: Partial<Record<FailureAction, CommandId>> = {
  'enter-key': 'svc.setApiKey',
  'open-address-setting': 'svc.setBaseUrl',
  'open-dashboard': 'svc.openDashboard',
  'change-limit': 'svc.setSpendLimit',
  'check-service': 'svc.checkService',
  'show-capabilities': 'svc.showCapabilities',
  'show-log': 'svc.showLog',
  'report-issue': 'svc.copySupportReport',
};

export function nativeFailureText(
  failure: Failure,
  nameOf: (id: string) => string,
  titleOf: (command: CommandId) => string,
): string {
  const { title, detail, actions } = describeFailure(failure, nameOf);
  // The card has a further choice ("go on once"), which does not exist here.
  const what =
    failure.kind === 'over-budget' ? l10n.t('{0}. Nothing was sent.', title) : l10n.t('{0}. {1}', title, detail);
  // Where several models were asked, each answered on a line of its own, as a rule the same.
  const [sentence] = failure.serverMessage?.split('\n') ?? [];
  const said = sentence ? l10n.t('{0} The service said: {1}', what, sentence) : what;
  const command = actions.map(({ action }) => commandOf[action]).find((id) => id !== undefined);
  return command === undefined ? said : l10n.t('{0} Next: run "{1}" from the Command Palette.', said, titleOf(command));
}
