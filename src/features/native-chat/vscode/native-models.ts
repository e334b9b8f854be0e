import type * as vscode from 'vscode';
import type { Learned } from '../../../service/step/learned.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import type { ImageStore } from '../../../storage/image-store.ts';
import type { ModelDirectory } from '../../../vscode/account/model-directory.ts';
import type { Readiness } from '../../../vscode/account/readiness.ts';
import type { Log } from '../../../vscode/host/log.ts';
import type { Settings } from '../../../vscode/host/settings.ts';
import type { ListedCommandId } from './native-failure.ts';
import { type NativeModelInfo, nativeModelInfo } from './native-model-info.ts';
import { createNativeRequests } from './native-requests.ts';

export interface NativeModelsDeps {
  models: Pick<ModelDirectory, 'models' | 'nameOf'>;
  readiness: Pick<Readiness, 'hasAddress' | 'hasKey'>;
  learned: Pick<Learned, 'get'>;
  settings: Pick<Settings, 'request'>;
  estimator: Estimator;
  contextWindowOf(model: string): { tokens: number } | undefined;
  metered: CreateMetered;
  images: Pick<ImageStore, 'add'>;
  ensureReady(): Promise<boolean>;
  titleOf(command: ListedCommandId): string;
  log: Log;
}

export interface NativeModels extends NativeRequests {
  /**
   * Resolves with an empty list without an address or a key, for which the user is asked only when `silent` is false.
   */
  list(silent: boolean): Promise<NativeModelInfo[]>;
}

export interface NativeRequests {
  respond(...args: Parameters<vscode.LanguageModelChatProvider['provideLanguageModelChatResponse']>): Promise<void>;
  countTokens(model: string, text: string | vscode.LanguageModelChatRequestMessage): Promise<number>;
}

export function createNativeModels(deps: NativeModelsDeps): NativeModels {
  const { models, readiness, learned, settings } = deps;
  return {
    async list(silent) {
      const isReady = () => readiness.hasAddress() && readiness.hasKey();
      if (!isReady() && (silent || !(await deps.ensureReady()))) return [];
      const { maxTokens } = settings.request();
      return models
        .models()
        .map((model) =>
          nativeModelInfo(model, learned.get(model.id), deps.contextWindowOf(model.id)?.tokens, maxTokens),
        );
    },
    ...createNativeRequests(deps),
  };
}
