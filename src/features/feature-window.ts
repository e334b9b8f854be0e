import type { FirstLook } from '../vscode/first-look.ts';
import type { Register } from '../vscode/host/disposable-store.ts';

/** The window that a feature is added to: service, chat, views and what they share. */
export interface FeatureWindow extends FirstLook {
  /** Disposes of a part with the window. */
  register: Register;
}

/** How a feature sends requests of its own, outside of a conversation. */
export function requestDeps({ service, chat, model }: Pick<FeatureWindow, 'service' | 'chat' | 'model'>) {
  const { settings, models, onboarding } = service;
  const { metered, estimator } = chat;
  return {
    metered,
    estimator,
    model,
    request: settings.request,
    nameOf: models.nameOf,
    ensureReady: onboarding.ensureReady,
  };
}
