import * as l10n from '@vscode/l10n';
import type { ExecutionTarget } from '../../../src/shared/approval.ts';

export function placeText(place: ExecutionTarget): string {
  switch (place) {
    case 'sandbox':
      return l10n.t('In the sandbox');
    case 'network':
      return l10n.t('Sandbox, with network');
    case 'outside':
      return l10n.t('Outside the sandbox');
  }
}

/** Describes the protection that the command lacks; undefined inside the sandbox. */
export function grantText(place: ExecutionTarget): string | undefined {
  switch (place) {
    case 'sandbox':
      return undefined;
    case 'network':
      return l10n.t("The internet, this machine's and your local network's services. Files stay protected.");
    case 'outside':
      return l10n.t('Everything. It can do what you can do.');
  }
}
