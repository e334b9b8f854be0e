import type { StoredValues } from '../storage/stored-values.ts';

export interface StoredTab {
  conversationId: string;
  title: string;
  column?: number;
  atMs: number;
}

export interface UnshownTab {
  title: string;
  column?: number;
}

export interface TabMemory {
  isEmpty(): boolean;
  get(key: string): StoredTab | undefined;
  keep(key: string, tab: Omit<StoredTab, 'atMs'>): void;
  forget(key: string): void;
  /**
   * Returns the tabs that VS Code did not restore. It must be called once, before any tab has its conversation. Tabs
   * too old to have been lost were closed while nobody listened, and are forgotten.
   */
  takeLost(unshown: readonly UnshownTab[]): { key: string; tab: StoredTab }[];
}

export interface TabMemoryDeps {
  values: Pick<StoredValues, 'get' | 'update' | 'keys'>;
  nowMs(): number;
}

const prefix = 'tab.';
const maxTabs = 100;
/**
 * VS Code stores the open tabs every few seconds to a minute, and less often in the background, so after a crash it
 * does not restore the youngest.
 */
const maxLostAgeMs = 10 * 60_000;

/**
 * Records what each tab shows the moment it changes. VS Code stores the page's state of a tab with a delay, so after
 * a crash that state may be old or missing.
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

function parseTab(value: unknown): StoredTab | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { conversationId, title, column, atMs } = value as Record<string, unknown>;
  if (typeof conversationId !== 'string' || typeof title !== 'string' || typeof atMs !== 'number') return undefined;
  return { conversationId, title, atMs, ...(typeof column === 'number' && { column }) };
}
