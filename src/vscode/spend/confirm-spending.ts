import * as vscode from 'vscode';
import { formatMicroUsd } from '../../shared/money.ts';
import type { BudgetAnswer } from '../../spend/budget.ts';

/** Asks before a request whose estimate is above `svc.spend.confirmAboveUsd`. Anything but "Send" means no. */
export async function confirmSpending(answer: Exclude<BudgetAnswer, { kind: 'ok' }>): Promise<boolean> {
  const send = vscode.l10n.t('Send');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('The next request costs {0}.', formatMicroUsd(answer.estimateMicroUsd, true, vscode.env.language)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'svc asks before a request above {0}. The estimate covers what is sent; the answer costs extra.',
        formatMicroUsd(answer.limitMicroUsd, false, vscode.env.language),
      ),
    },
    send,
  );
  return chosen === send;
}
