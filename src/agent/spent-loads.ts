import type { HistoryMessage } from '../shared/messages.ts';
import type { ToolKind } from './tool.ts';

const spent = '[Was loaded for that answer. Load it again where it is needed.]';

/** Removes texts that were loaded for earlier turns. Returns the very same array where there are none. */
export function withoutSpentLoads(
  history: readonly HistoryMessage[],
  toolKind: (name: string) => ToolKind,
): readonly HistoryMessage[] {
  const isLoad = (message: HistoryMessage) => message.role === 'tool' && toolKind(message.name) === 'skill';
  return history.some(isLoad)
    ? history.map((message) => (isLoad(message) ? { ...message, text: spent } : message))
    : history;
}
