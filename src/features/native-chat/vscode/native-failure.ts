import * as l10n from '@vscode/l10n';
import type { Failure } from '../../../shared/failure/failure.ts';
import type { FailureAction } from '../../../shared/failure/failure-action.ts';
import { describeFailure } from '../../../shared/failure/failure-text.ts';
import type { commandIds } from '../../../vscode/host/command-ids.ts';

export type ListedCommandId = (typeof commandIds)[number];

/** VS Code's chat cannot show our buttons, so the text names a command of the palette as the next step. */
const commandOf: Partial<Record<FailureAction, ListedCommandId>> = {
  'enter-key': 'svc.setApiKey',
  'open-address-setting': 'svc.setBaseUrl',
  'open-dashboard': 'svc.openDashboard',
  'change-limit': 'svc.showSpend',
  'show-capabilities': 'svc.showService',
  'report-issue': 'svc.help',
};

/** As the palette names it. VS Code hands out a title with words that find it, or in another language than English, as two texts. */
export function paletteTitle(
  commands: readonly { command: string; title: string | { value: string }; category: string }[],
  id: ListedCommandId,
): string {
  const found = commands.find(({ command }) => command === id);
  if (found === undefined) return id;
  return `${found.category}: ${typeof found.title === 'string' ? found.title : found.title.value}`;
}

export function nativeFailureText(
  failure: Failure,
  nameOf: (id: string) => string,
  titleOf: (command: ListedCommandId) => string,
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
