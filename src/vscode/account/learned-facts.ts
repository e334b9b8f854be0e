import * as vscode from 'vscode';
import type { ModelRecord } from '../../features/best-of/core/model-record.ts';
import type { Learned, ModelFacts } from '../../service/step/learned.ts';
import { showMessage } from '../host/show-message.ts';

interface FactsRow extends vscode.QuickPickItem {
  model?: string;
}

export async function resetLearnedFacts(
  learned: Learned,
  record: Pick<ModelRecord, 'models' | 'reset'>,
  nameOf: (id: string) => string,
): Promise<void> {
  const facts = learned.all();
  const models = new Set([...facts.keys(), ...record.models()]);
  const known = [...models].map((model) => [model, facts.get(model) ?? { parameters: {} }] as const);
  if (known.length === 0) {
    return showMessage(vscode.l10n.t('Nothing has been learned yet. Every feature is still tried with every model.'));
  }
  const rows: FactsRow[] = [
    { label: vscode.l10n.t('All Models'), description: vscode.l10n.t('Models: {0}', known.length) },
    ...known.map(([model, facts]) => ({ model, label: nameOf(model), description: model, detail: named(facts) })),
  ];
  const chosen = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Forget Learned Model Limits'),
    placeHolder: vscode.l10n.t('What you reset is tried again with the next request'),
  });
  if (chosen === undefined) return;
  const forgotten = known.filter(([model]) => chosen.model === undefined || chosen.model === model);
  learned.reset(chosen.model);
  const remember = record.reset(chosen.model);
  const undo = vscode.l10n.t('Undo');
  const answer = await vscode.window.showInformationMessage(
    chosen.model === undefined
      ? vscode.l10n.t('Forgot what was learned about all models.')
      : vscode.l10n.t('Forgot what was learned about {0}.', nameOf(chosen.model)),
    undo,
  );
  if (answer !== undo) return;
  remember();
  for (const [model, facts] of forgotten) learned.learn(model, facts);
}

function named({ parameters, ...facts }: ModelFacts): string {
  const names = Object.keys(facts).filter((name) => name !== 'contextTokensFrom' && name !== 'reasoningEchoFrom');
  return [...names, ...Object.keys(parameters)].join(', ');
}
