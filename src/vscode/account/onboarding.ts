import * as vscode from 'vscode';
import { messageOf } from '../../base/message-of.ts';
import { normaliseBaseUrl } from '../../service/base-url.ts';
import type { KeyCheck, ModelList } from '../../service/contract.ts';
import { validateKeyShape } from '../../service/key-shape.ts';
import { describeFailure } from '../../shared/failure/failure-text.ts';
import { keyProblemText } from '../../shared/panel/panel-info.ts';
import type { Settings } from '../host/settings.ts';
import { showMessage } from '../host/show-message.ts';
import { askInBox } from './ask-in-box.ts';
import type { Readiness } from './readiness.ts';
import type { KeyStore } from './secrets.ts';

export interface OnboardingDeps {
  settings: Settings;
  keys: KeyStore;
  readiness: Pick<Readiness, 'keyProblem' | 'noteRejection'>;
  listModels(signal: AbortSignal, address: string): Promise<ModelList>;
  checkKey(key: string, signal: AbortSignal): Promise<KeyCheck>;
  nameOf(model: string): string;
  onAccepted(): void;
}

/** Asks for address and key in native input boxes. Each function resolves with whether the value exists afterwards. */
export interface Onboarding {
  setBaseUrl(): Promise<boolean>;
  setDashboardUrl(): Promise<boolean>;
  setApiKey(): Promise<boolean>;
  removeApiKey(): Promise<void>;
  ensureReady(): Promise<boolean>;
}

export function createOnboarding(deps: OnboardingDeps): Onboarding {
  const { settings, keys } = deps;
  const addressOf = () => {
    const address = settings.baseUrl();
    return 'url' in address ? address.url : undefined;
  };
  const setBaseUrl = () => askForAddress(deps, addressOf() ?? '');
  const setApiKey = async () => {
    if (addressOf() === undefined && !(await setBaseUrl())) return false;
    return askForKey(deps, addressOf() ?? '');
  };
  return {
    setBaseUrl,
    setDashboardUrl: () => askForDashboard(settings.dashboardUrl()),
    setApiKey,
    removeApiKey: () => removeApiKey(keys),
    async ensureReady() {
      if (addressOf() === undefined && !(await setBaseUrl())) return false;
      return (await keys.read()).state === 'present' || (await setApiKey());
    },
  };
}

function askForAddress(deps: OnboardingDeps, current: string): Promise<boolean> {
  return askInBox({
    title: vscode.l10n.t('Service Address'),
    prompt: vscode.l10n.t('The address ends in /v1. Your API key is sent only to this address.'),
    placeholder: 'https://…/v1',
    value: current,
    working: vscode.l10n.t('Asking the address for its models. This is free…'),
    look: (text) => {
      const result = normaliseBaseUrl(text);
      if ('error' in result) return result;
      return result.url === text.trim() ? undefined : { note: vscode.l10n.t('Will be saved as {0}', result.url) };
    },
    async accept(text, again, signal) {
      const result = normaliseBaseUrl(text);
      if ('error' in result) return result.error;
      const list = again ? undefined : await deps.listModels(signal, result.url);
      if (signal.aborted) return undefined;
      if (list?.ok === false) {
        const { title } = describeFailure(list.failure, deps.nameOf);
        return vscode.l10n.t('{0}. Correct the address, or press Enter again to save it anyway.', title);
      }
      await save('baseUrl', result.url);
      return undefined;
    },
  });
}

function askForKey(deps: OnboardingDeps, address: string): Promise<boolean> {
  const problem = deps.readiness.keyProblem();
  const kept = vscode.l10n.t("Kept in VS Code's secret storage and sent only to {0}", address);
  return askInBox({
    title: vscode.l10n.t('API Key'),
    prompt: [...(problem ? [keyProblemText(problem)] : []), kept].join(' '),
    placeholder: 'sk-svc-…',
    password: true,
    working: vscode.l10n.t('Checking the key. This is free…'),
    look: (text) => {
      const shape = validateKeyShape(text);
      return 'error' in shape ? shape : undefined;
    },
    async accept(text, again, signal) {
      const shape = validateKeyShape(text);
      if ('error' in shape) return shape.error;
      const check = await deps.checkKey(shape.key, signal);
      if (signal.aborted) return undefined;
      deps.readiness.noteRejection(check.state === 'rejected');
      if (check.state === 'rejected') {
        return vscode.l10n.t(
          'The API key was not accepted. Check what you pasted, or create a new key in the dashboard: a key is shown only once.',
        );
      }
      if (check.state === 'unknown' && !again) {
        const { title } = describeFailure(check.failure, deps.nameOf);
        return vscode.l10n.t("{0}, so the key couldn't be checked. Press Enter again to store it anyway.", title);
      }
      const refusal = await store(deps.keys, shape.key);
      if (refusal === undefined && check.state === 'accepted') deps.onAccepted();
      return refusal;
    },
  });
}

/** Resolves with the reason why the key could not be stored; undefined when it was. */
async function store(keys: KeyStore, key: string): Promise<string | undefined> {
  try {
    await keys.write(key);
  } catch (error) {
    return vscode.l10n.t("VS Code couldn't store the key: {0}. Nothing was saved.", messageOf(error));
  }
  const kept = await keys.read();
  if (kept.state === 'present') return undefined;
  // A storage that takes a key and does not give it back: saying "stored" would ask for it again and again.
  const why = kept.state === 'absent' ? '' : ` ${keyProblemText(kept)}`;
  return vscode.l10n.t("VS Code didn't store the key.{0}", why);
}

async function removeApiKey(keys: KeyStore): Promise<void> {
  if ((await keys.read()).state === 'absent') {
    return showMessage(vscode.l10n.t('No API key is stored on this machine.'));
  }
  try {
    await keys.remove();
  } catch (error) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("VS Code couldn't remove the key: {0}. It is still stored.", messageOf(error)),
    );
    return;
  }
  showMessage(vscode.l10n.t('The API key was removed from this machine.'));
}

function askForDashboard(current: string): Promise<boolean> {
  const isAddress = (text: string) => URL.parse(text.trim()) !== null && /^https?:/.test(text.trim());
  const wrong = { error: vscode.l10n.t('Enter an address that begins with https://') };
  return askInBox({
    title: vscode.l10n.t('Dashboard Address'),
    prompt: vscode.l10n.t('Where you create keys, top up, and see your balance. Ask whoever runs the service.'),
    placeholder: 'https://…',
    value: current,
    working: '',
    look: (text) => (isAddress(text) ? undefined : wrong),
    async accept(text) {
      if (!isAddress(text)) return wrong.error;
      await save('dashboardUrl', text.trim());
      return undefined;
    },
  });
}

async function save(setting: 'baseUrl' | 'dashboardUrl', value: string): Promise<void> {
  await vscode.workspace.getConfiguration('svc').update(setting, value, vscode.ConfigurationTarget.Global);
}
