import { endedIn } from '../../agent/history.ts';
import type { WorkspaceRoot } from '../../files/workspace.ts';
import type { OutsideChanges } from '../../shared/events.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import { toolKind } from '../../tools/all-tools.ts';
import { processTool } from '../../tools/process.ts';

export interface OutsideChangeWatchDeps {
  roots(conversationId: string): readonly WorkspaceRoot[];
  isTrusted(): boolean;
  exists(root: WorkspaceRoot): Promise<boolean>;
  processes(conversationId: string): readonly string[];
}

export interface OutsideChangeWatch {
  /** `take` returns each change only once, `peek` any number of times. Undefined means that nothing changed. */
  changes(
    conversationId: string,
    history: readonly HistoryMessage[],
    how: 'peek' | 'take',
  ): Promise<OutsideChanges | undefined>;
}

interface Seen {
  folders: ReadonlyMap<string, string>;
  gone: ReadonlySet<string>;
  trusted: boolean;
}

/**
 * Remembers folders and trust as each conversation last saw them, in this window only. A reload begins anew, and only
 * running processes are read from the history.
 */
export function watchOutsideChanges(deps: OutsideChangeWatchDeps): OutsideChangeWatch {
  const seenBy = new Map<string, Seen>();
  const now = async (conversationId: string): Promise<Seen> => {
    const roots = deps.roots(conversationId);
    const there = await Promise.all(roots.map(deps.exists));
    return {
      folders: new Map(roots.map(({ uri, name }) => [uri, name])),
      gone: new Set(roots.flatMap(({ uri }, at) => (there[at] ? [] : [uri]))),
      trusted: deps.isTrusted(),
    };
  };
  return {
    async changes(conversationId, history, how) {
      const next = await now(conversationId);
      const known = deps.processes(conversationId);
      const changes = changesSince(seenBy.get(conversationId) ?? { ...next, gone: new Set() }, next);
      const ended = leftRunning(history).filter((id) => !known.includes(id));
      if (how === 'take') seenBy.set(conversationId, next);
      const all = { ...changes, ended };
      return all.trusted || [all.added, all.removed, all.gone, all.ended].some(({ length }) => length > 0)
        ? all
        : undefined;
    },
  };
}

function changesSince(before: Seen, next: Seen): Omit<OutsideChanges, 'ended'> {
  const names = (from: ReadonlyMap<string, string>, isMeant: (uri: string) => boolean) =>
    [...from].flatMap(([uri, name]) => (isMeant(uri) ? [name] : []));
  return {
    added: names(next.folders, (uri) => !before.folders.has(uri)),
    removed: names(before.folders, (uri) => !next.folders.has(uri)),
    gone: names(next.folders, (uri) => next.gone.has(uri) && !before.gone.has(uri)),
    ...(next.trusted && !before.trusted && { trusted: true as const }),
  };
}

function leftRunning(history: readonly HistoryMessage[]): string[] {
  const running = new Set<string>();
  for (const message of history) {
    if (message.role === 'user') for (const id of endedIn(message.text)) running.delete(id);
    const tells =
      message.role === 'tool' && (toolKind(message.name) === 'command' || message.name === processTool.name);
    if (!tells) continue;
    for (const [, id = '', state] of message.text.matchAll(/^(p\d{1,6}) (is running|has ended|was stopped)\b/gm)) {
      if (state === 'is running') running.add(id);
      else running.delete(id);
    }
  }
  return [...running];
}
