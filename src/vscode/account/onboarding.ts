import * as vscode from 'vscode';
import { normaliseBaseUrl } from '../../service/base-url.ts';
import type { KeyCheck } from '../../service/contract.ts';
import { validateKeyShape } from '../../service/key-shape.ts';
import { describeFailure } from '../../shared/failure/failure-text.ts';
import { keyProblemText } from '../../shared/panel/panel-info.ts';
import type { Settings } from '../host/settings.ts';
import type { KeyState, KeyStore } from './secrets.ts';

export interface OnboardingDeps {
  settings: Settings;
  keys: KeyStore;
  checkKey(key: string, signal: AbortSignal): Promise<KeyCheck>;
  nameOf(model: string): string;
  /** The key in use was just accepted by the service. */
  onAccepted(): void;
}

/** Address and key, asked for in native input boxes. Each resolves to true when the thing is there afterwards. */
export interface Onboarding {
  setBaseUrl(): Promise<boolean>;
  setApiKey(): Promise<boolean>;
  removeApiKey(): Promise<void>;
  /** Asks for whatever is missing before a request can be sent. */
  ensureReady(): Promise<boolean>;
}

export function createOnboarding(deps: OnboardingDeps): Onboarding {
  const { settings, keys } = deps;
  const addressOf = () => {
    const address = settings.baseUrl();
    return 'url' in address ? address.url : undefined;
  };

  async function setBaseUrl(): Promise<boolean> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Service Address'),
      prompt: vscode.l10n.t('The address ends in /v1. Your API key is sent only to this address.'),
      placeHolder: 'https://…/v1',
      value: addressOf() ?? '',
      ignoreFocusOut: true,
      validateInput: (text) => {
        const result = normaliseBaseUrl(text);
        if ('error' in result) return text.trim() === '' ? '' : result.error;
        return result.changed.length === 0
          ? undefined
          : {
              message: vscode.l10n.t('Will be saved as {0}', result.url),
              severity: vscode.InputBoxValidationSeverity.Info,
            };
      },
    });
    if (typed === undefined) return false;
    const result = normaliseBaseUrl(typed);
    if ('error' in result) return false;
    await vscode.workspace.getConfiguration('svc').update('baseUrl', result.url, vscode.ConfigurationTarget.Global);
    return true;
  }

  async function setApiKey(): Promise<boolean> {
    if (addressOf() === undefined && !(await setBaseUrl())) return false;
    for (;;) {
      const typed = await askForKey(addressOf() ?? '', await keys.read());
      if (typed === undefined) return false;
      const shape = validateKeyShape(typed);
      if ('error' in shape) continue;
      const check = await vscode.window.withProgress(
        { location: { viewId: 'svc.chat' }, title: vscode.l10n.t('Checking the key…') },
        () => deps.checkKey(shape.key, AbortSignal.timeout(20_000)),
      );
      if (check.state === 'rejected') {
        const again = vscode.l10n.t('Enter New Key');
        const answer = await vscode.window.showErrorMessage(
          vscode.l10n.t(
            'The API key was not accepted. Check what you pasted, or create a new key in the dashboard: a key is shown only once.',
          ),
          again,
        );
        if (answer !== again) return false;
        continue;
      }
      return store(shape.key, check);
    }
  }

  async function store(key: string, check: KeyCheck): Promise<boolean> {
    try {
      await keys.write(key);
    } catch (error) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('VS Code could not store the key: {0}. Nothing was saved.', messageOf(error)),
      );
      return false;
    }
    const kept = await keys.read();
    if (kept.state !== 'present') {
      // A storage that takes a key and does not give it back: saying "stored" would ask for it again and again.
      const why = kept.state === 'absent' ? '' : ` ${keyProblemText(kept)}`;
      void vscode.window.showErrorMessage(vscode.l10n.t("VS Code didn't store the key.{0}", why));
      return false;
    }
    if (check.state === 'accepted') deps.onAccepted();
    if (check.state === 'unknown') {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The key is stored, but checking it failed: {0}',
          describeFailure(check.failure, deps.nameOf).title,
        ),
      );
    }
    return true;
  }

  return {
    setBaseUrl,
    setApiKey,
    async removeApiKey() {
      if ((await keys.read()).state === 'absent') {
        void vscode.window.showInformationMessage(vscode.l10n.t('No API key is stored on this machine.'));
        return;
      }
      try {
        await keys.remove();
      } catch (error) {
        void vscode.window.showErrorMessage(
          vscode.l10n.t('VS Code could not remove the key: {0}. It is still stored.', messageOf(error)),
        );
        return;
      }
      void vscode.window.showInformationMessage(vscode.l10n.t('The API key was removed from this machine.'));
    },
    async ensureReady() {
      if (addressOf() === undefined && !(await setBaseUrl())) return false;
      return (await keys.read()).state === 'present' || (await setApiKey());
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function askForKey(address: string, stored: KeyState): Thenable<string | undefined> {
  const problem = stored.state === 'other-address' || stored.state === 'unavailable' ? keyProblemText(stored) : '';
  return vscode.window.showInputBox({
    title: vscode.l10n.t('API Key'),
    prompt: `${problem} ${vscode.l10n.t("Kept in VS Code's secret storage and sent only to {0}", address)}`.trim(),
    placeHolder: 'sk-svc-…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const shape = validateKeyShape(text);
      if (!('error' in shape)) return undefined;
      return text === '' ? '' : shape.error;
    },
  });
}
