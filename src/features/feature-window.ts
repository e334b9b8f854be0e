import type { FirstLook } from '../vscode/first-look.ts';
import type { Register } from '../vscode/host/disposable-store.ts';

export interface FeatureWindow extends FirstLook {
  register: Register;
}

export function requestDeps({ service, chat, model }: Pick<FeatureWindow, 'service' | 'chat' | 'model'>) {
  const { settings, models, onboarding } = service;
  const { metered, estimator } = chat.money;
  return {
    metered,
    estimator,
    model,
    request: settings.request,
    nameOf: models.nameOf,
    ensureReady: onboarding.ensureReady,
  };
}
