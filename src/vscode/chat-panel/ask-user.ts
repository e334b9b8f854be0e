import * as vscode from 'vscode';
import type { CompactFact, CompactPerson, SummaryTarget } from '../../chat/compact.ts';
import type { RerunDeps } from '../../chat/rerun.ts';
import { chargeWords } from '../../shared/charge-words.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import { showMessage } from '../host/show-message.ts';

export function createCompactPerson(progressIn: vscode.ProgressOptions['location']): CompactPerson {
  return {
    async agree(target, compactionEstimate) {
      const price = formatMicroUsd(compactionEstimate.priceMicroUsd, true, vscode.env.language);
      const saving = formatMicroUsd(compactionEstimate.savedMicroUsd, true, vscode.env.language);
      const { title, detail, button } = wordsOf(target, price, saving, compactionEstimate.paysAfterRequests);
      return (await vscode.window.showInformationMessage(title, { modal: true, detail }, button)) === button;
    },
    notify,
    during: async (work) =>
      vscode.window.withProgress({ location: progressIn, title: vscode.l10n.t('Compacting…') }, work),
  };
}

function wordsOf(target: SummaryTarget, price: string, saving: string, requests: number) {
  if (target === 'new-chat') {
    return {
      title: vscode.l10n.t('Start a new chat with a summary of this one?'),
      detail: vscode.l10n.t(
        "Writing the summary costs {0}. Each request in the new chat costs {1} less than continuing here, so it pays for itself after {2} requests. The summary is attached to your next message. This conversation doesn't change.",
        price,
        saving,
        requests,
      ),
      button: vscode.l10n.t('New Chat'),
    };
  }
  return {
    title: vscode.l10n.t('Compact this conversation?'),
    detail: vscode.l10n.t(
      "Writing the summary costs {0}. Each later request then costs {1} less, so it pays for itself after {2} requests. The stored conversation doesn't change. Instruction files and the plan are kept word for word.",
      price,
      saving,
      requests,
    ),
    button: vscode.l10n.t('Compact'),
  };
}

function notify(fact: CompactFact): void {
  if (fact.kind === 'compacted') {
    void vscode.window.setStatusBarMessage(vscode.l10n.t('svc: conversation compacted'), 5000);
  } else showMessage(factText(fact));
}

function factText(fact: Exclude<CompactFact, { kind: 'compacted' }>): string {
  switch (fact.kind) {
    case 'running':
      return vscode.l10n.t('Stop the answer before you compact.');
    case 'nothing-yet':
      return vscode.l10n.t('There is nothing to compact yet.');
    case 'saves-nothing':
      return vscode.l10n.t("Compacting wouldn't save anything right now.");
    case 'dropped': {
      const { cost } = fact;
      const price = chargeWords(cost, vscode.env.language);
      return vscode.l10n.t('Nothing was compacted: no complete, shorter summary came back. {0}', price);
    }
  }
}

export const askAboutFiles: RerunDeps['askAboutFiles'] = async (because) => {
  const detail =
    because === 'asked-again'
      ? vscode.l10n.t('Answers after this message changed files. The message will now be asked again.')
      : vscode.l10n.t("The messages you're deleting changed files.");
  const restoring = vscode.l10n.t('Restore Files');
  const keeping = vscode.l10n.t('Keep Files');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Restore files to this point?'),
    { modal: true, detail },
    restoring,
    keeping,
  );
  if (answer === undefined) return undefined;
  return answer === restoring ? 'restore' : 'keep';
};
