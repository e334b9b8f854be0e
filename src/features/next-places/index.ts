import { systemClock } from '../../base/clock.ts';
import { createMayRead } from '../completion/vscode/completion-place.ts';
import { type FeatureWindow, requestDeps } from '../feature-window.ts';
import { createNextPlaces } from './vscode/next-places.ts';

export function nextPlaces(window: FeatureWindow) {
  const { ports, review } = window.chat.tools;
  const { learned, log } = window.service;
  const { commands } = window.register(
    createNextPlaces({
      ...requestDeps(window),
      ...ports,
      pending: review.pending,
      isProtected: (relative) => review.protection()(relative),
      acceptsTools: (id) => learned.get(id).tools?.works !== false,
      mayRead: createMayRead(ports),
      clock: systemClock,
      log: log.info,
    }),
  );
  return { commands };
}
