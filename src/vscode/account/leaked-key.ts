import * as vscode from 'vscode';
import {
  type LeakState,
  type LeakStep,
  leakReport,
  leakSteps,
  nextLeakStep,
  readLeakState,
  withStepDone,
} from '../../service/check/leak-steps.ts';
import type { Versions } from '../../service/check/report.ts';
import type { CommandId } from '../host/command-ids.ts';
import { pickOne } from '../host/pick-one.ts';
import { showMessage, showWarning } from '../host/show-message.ts';
import type { KeyStore } from './secrets.ts';

export interface LeakedKeyDeps {
  memento: Pick<vscode.Memento, 'get' | 'update'>;
  keys: KeyStore;
  redact(text: string): string;
  setApiKey(): Promise<boolean>;
  run(command: CommandId): Thenable<unknown>;
  shareReport(text: string): Promise<void>;
  versions(): Versions;
  epochMs(): number;
}

const stateName = 'svc.leakedKey';

/**
 * Leads through the four steps after a key leaked. Finished steps are stored, so that the command resumes where it
 * was left.
 */
export function createLeakedKeyFlow(deps: LeakedKeyDeps): () => Promise<void> {
  const { memento } = deps;
  const keep = (state: LeakState | undefined) => memento.update(stateName, state);
  const begin = async (): Promise<LeakState> => {
    const stored = await deps.keys.read();
    return { keyStart: stored.state === 'present' ? deps.redact(stored.key) : '', done: [] };
  };
  return async () => {
    let state = readLeakState(memento.get(stateName)) ?? (await begin());
    for (;;) {
      const step = await pickStep(state);
      if (step === undefined) return;
      if (!(await doStep(deps, step, state))) continue;
      state = withStepDone(state, step, deps.epochMs());
      await keep(state);
      if (nextLeakStep(state) !== undefined) continue;
      await keep(undefined);
      return showMessage(
        vscode.l10n.t(
          'All four steps are done. Only the dashboard or support can tell you whether the old key is disabled.',
        ),
      );
    }
  };
}

interface StepRow extends vscode.QuickPickItem {
  step: LeakStep;
}

async function pickStep(state: LeakState): Promise<LeakStep | undefined> {
  const rows: StepRow[] = leakSteps.map((step, index) => ({
    step,
    label: `${state.done.includes(step) ? '$(pass-filled)' : '$(circle-large-outline)'} ${index + 1}. ${stepLabels[step]()}`,
    description: state.done.includes(step) ? vscode.l10n.t('done') : undefined,
    detail: detailOf(step, state),
  }));
  const next = nextLeakStep(state);
  const chosen = await pickOne(
    rows,
    rows.find(({ step }) => step === next),
    {
      title: vscode.l10n.t('Replace Leaked Key'),
      placeHolder: vscode.l10n.t('Choose the next step. You can leave and come back; finished steps stay finished.'),
      ignoreFocusOut: true,
    },
  );
  return chosen?.step;
}

const stepLabels: Readonly<Record<LeakStep, () => string>> = {
  create: () => vscode.l10n.t('Create a New Key'),
  switch: () => vscode.l10n.t('Enter the New Key Here'),
  review: () => vscode.l10n.t('Review Recent Usage'),
  notify: () => vscode.l10n.t('Notify Support'),
};

function detailOf(step: LeakStep, { keyStart }: LeakState): string {
  switch (step) {
    case 'create':
      return vscode.l10n.t(
        'Create it in the dashboard. The full key is shown only once. Switch your other clients to it, too.',
      );
    case 'switch':
      return keyStart === ''
        ? vscode.l10n.t('Checking the key is free.')
        : vscode.l10n.t('It replaces {0}. Checking it is free.', keyStart);
    case 'review':
      return vscode.l10n.t("Compare the dashboard's usage with the spend counted on this machine.");
    case 'notify':
      return vscode.l10n.t('Includes the time and only the first characters of the old key.');
  }
}

async function doStep(deps: LeakedKeyDeps, step: LeakStep, state: LeakState): Promise<boolean> {
  switch (step) {
    case 'create':
      await deps.run('svc.openDashboard');
      return confirmDone(vscode.l10n.t('Have you created and copied a new key?'), vscode.l10n.t('I Copied It'));
    case 'switch':
      return switchKey(deps);
    case 'review':
      await deps.run('svc.showSpend');
      await deps.run('svc.openDashboard');
      return confirmDone(
        vscode.l10n.t("Is all the usage in the dashboard yours? Other people's usage shows up only there."),
        vscode.l10n.t('I Reviewed It'),
      );
    case 'notify':
      await deps.shareReport(leakReport(state, deps.epochMs(), deps.versions()));
      return true;
  }
}

async function switchKey({ keys, setApiKey }: LeakedKeyDeps): Promise<boolean> {
  const before = await keys.read();
  if (!(await setApiKey())) return false;
  const after = await keys.read();
  const isSame = before.state === 'present' && after.state === 'present' && before.key === after.key;
  if (isSame) showWarning(vscode.l10n.t('This is the old key. Enter the new one.'));
  return !isSame;
}

async function confirmDone(question: string, yes: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(question, { modal: true }, yes)) === yes;
}
