import type { StoredValues } from '../storage/stored-values.ts';

/** One chat tab, as its window last knew it. */
export interface StoredTab {
  conversationId: string;
  title: string;
  /** Number of its editor group; absent when VS Code names none. */
  column?: number;
  /** When any of this changed last. */
  atMs: number;
}

/** A chat tab that VS Code restored and has not shown yet: nobody knows which one it is, only how it looks. */
export interface UnshownTab {
  title: string;
  column?: number;
}

/** The chat tabs of this window by a key that VS Code keeps with each of them. */
export interface TabMemory {
  isEmpty(): boolean;
  get(key: string): StoredTab | undefined;
  keep(key: string, tab: Omit<StoredTab, 'atMs'>): void;
  forget(key: string): void;
  /**
   * The tabs that VS Code did not restore, by column, beside those that it shows or has not shown yet; to be asked once, before
   * any of them has its conversation. What is too old to have been lost was closed while nobody listened: it is forgotten.
   */
  takeLost(unshown: readonly UnshownTab[]): { key: string; tab: StoredTab }[];
}

export interface TabMemoryDeps {
  values: Pick<StoredValues, 'get' | 'update' | 'keys'>;
  nowMs(): number;
}

const prefix = 'tab.';
/** The oldest beyond this many go. */
const maxTabs = 100;
/**
 * VS Code stores which tabs are open every few seconds to a minute, and less often while its window is in the background: after
 * a crash the youngest are not among those that it restores.
 */
const maxLostAgeMs = 10 * 60_000;

/**
 * VS Code keeps with a tab what its page last stored, some time after it did: a tab that comes back after a crash may
 * know nothing or something old. So the host writes down what each tab shows the moment it changes.
 */
export function createTabMemory({ values, nowMs }: TabMemoryDeps): TabMemory {
  const keysOf = () => values.keys().filter((key) => key.startsWith(prefix));
  const get = (key: string) => parseTab(values.get(prefix + key));
  const forget = (key: string) => void values.update(prefix + key, undefined);
  return {
    isEmpty: () => keysOf().length === 0,
    get,
    keep(key, tab) {
      const before = get(key);
      if (before && isSame(before, tab)) return;
      void values.update(prefix + key, { ...tab, atMs: nowMs() });
      for (const old of keysOf().slice(0, -maxTabs)) void values.update(old, undefined);
    },
    forget,
    takeLost(unshown) {
      const tabs = keysOf().flatMap((name) => {
        const key = name.slice(prefix.length);
        const tab = get(key);
        return tab ? [{ key, tab }] : [];
      });
      const missing = missingTabs(tabs, unshown);
      const isLost = ({ tab }: { tab: StoredTab }) => nowMs() - tab.atMs <= maxLostAgeMs;
      for (const { key } of missing.filter((each) => !isLost(each))) forget(key);
      return missing.filter(isLost).sort((one, other) => (one.tab.column ?? 0) - (other.tab.column ?? 0));
    },
  };
}

/** Each of `unshown` takes out the tab that looks most like it, the oldest of several; the rest is missing. */
function missingTabs<T extends { tab: StoredTab }>(tabs: readonly T[], unshown: readonly UnshownTab[]): T[] {
  const left = [...tabs].sort((one, other) => one.tab.atMs - other.tab.atMs);
  let open = [...unshown];
  const looksLike = [
    (tab: StoredTab, shown: UnshownTab) => tab.title === shown.title && tab.column === shown.column,
    (tab: StoredTab, shown: UnshownTab) => tab.title === shown.title,
    () => true,
  ];
  for (const looks of looksLike) {
    open = open.filter((shown) => {
      const at = left.findIndex(({ tab }) => looks(tab, shown));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }
  return left;
}

function isSame(before: StoredTab, { conversationId, title, column }: Omit<StoredTab, 'atMs'>): boolean {
  return before.conversationId === conversationId && before.title === title && before.column === column;
}

/** Another version may have kept another shape. */
function parseTab(value: unknown): StoredTab | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { conversationId, title, column, atMs } = value as Record<string, unknown>;
  if (typeof conversationId !== 'string' || typeof title !== 'string' || typeof atMs !== 'number') return undefined;
  return { conversationId, title, atMs, ...(typeof column === 'number' && { column }) };
}
