import * as l10n from '@vscode/l10n';
import type { ExecutionTarget } from '../../../src/shared/approval.ts';

export const targetTexts: Readonly<Record<ExecutionTarget, () => string>> = {
  sandbox: () => l10n.t('In the sandbox'),
  network: () => l10n.t('Sandbox, with network'),
  outside: () => l10n.t('Outside the sandbox'),
};

/** Describes the protection that the command lacks; undefined inside the sandbox. */
export const grantTexts: Readonly<Record<ExecutionTarget, () => string | undefined>> = {
  sandbox: () => undefined,
  network: () => l10n.t("The internet, this machine's and your local network's services. Files stay protected."),
  outside: () => l10n.t('Everything. It can do what you can do.'),
};
