import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createRequestWindow } from '../../../conversation/turns/request-window.ts';
import { defaultModel } from '../../../service/models.ts';
import { emptyChat } from '../../../shared/chat/chat-state.ts';
import type { Service } from '../../../vscode/account/create-service.ts';
import type { Chat } from '../../../vscode/chat-panel/create-chat.ts';
import type { ReadContext } from '../../../vscode/composer/read-context.ts';
import { createGuardCredits } from './guard-credits.ts';
import { type ListedCommandId, nativeFailureText, paletteTitle } from './native-failure.ts';
import { createNativeModels } from './native-models.ts';
import { createNativeTools } from './native-tool.ts';
import { createParticipant } from './participant.ts';

export function createNative(service: Service, chat: Chat, read: ReadContext) {
  const { settings, models, readiness, learned, images, onboarding, log } = service;
  const { turns, customizations } = chat.tools;
  const { estimator, contextWindowOf, metered } = chat.money;
  const titleOf = (id: ListedCommandId) => paletteTitle(service.context.extension.packageJSON.contributes.commands, id);
  const runTurn = turns.runFor({
    conversationId: 'native-chat',
    client: ({ turnId }) => metered({ surface: 'native-chat', turnId }),
    newCallId: () => `c${randomUUID().replaceAll('-', '')}`,
    window: ({ turnId }) =>
      createRequestWindow({
        client: metered({ surface: 'native-chat', turnId }),
        estimator,
        contextWindowOf,
        toSent: (history) => history,
        keep: () => ({ plan: [], openFiles: [] }),
      }),
    readsOnly: () => true,
  });
  const nativeModels = createNativeModels({
    ...{ models, readiness, learned, settings, images, log, estimator, contextWindowOf, metered, titleOf },
    ensureReady: onboarding.ensureReady,
  });
  return {
    nativeModels,
    onModelsChanged: (listener: () => void) =>
      vscode.Disposable.from(
        models.onDidChange(listener),
        readiness.onDidChange(listener),
        settings.onDidChange(listener),
        learned.onDidChange(listener),
      ),
    nativeTool: createNativeTools(chat.tools.readTools, randomUUID),
    participant: createParticipant({
      read,
      settings,
      defaultModel: () => settings.model() || defaultModel,
      nameOf: models.nameOf,
      runTurn: (input) => runTurn(input, { state: () => emptyChat, checkpointTaken: () => undefined }),
      failureText: (failure) => nativeFailureText(failure, models.nameOf, titleOf),
      carriedRules: async () => {
        await customizations.refresh();
        return new Set(customizations.sentAlways());
      },
    }),
    commands: createGuardCredits({
      memento: service.context.globalState,
      models,
      learned,
      model: settings.model,
      ensureReady: onboarding.ensureReady,
    }),
  };
}
