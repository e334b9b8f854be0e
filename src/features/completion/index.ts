import { randomUUID } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { type FeatureWindow, requestDeps } from '../feature-window.ts';
import { chooseModel } from './core/choose-model.ts';
import { createCompleteHere } from './vscode/complete-here.ts';
import { createMayRead } from './vscode/completion-place.ts';

export function completion(window: FeatureWindow) {
  const { models, learned, board, settings, context } = window.service;
  const { commands } = window.register(
    createCompleteHere({
      ...requestDeps(window),
      learned,
      clock: systemClock,
      newId: randomUUID,
      extensionId: context.extension.id,
      mayRead: createMayRead(window.chat.tools.ports),
      choose: () =>
        chooseModel({
          ids: models.ids(),
          named: settings.completionModel(),
          chatModel: window.model(),
          thinksFirst: (id) => learned.get(id).thinksFirst?.works === true,
          seen: board.summary,
        }),
    }),
  );
  return { commands };
}
