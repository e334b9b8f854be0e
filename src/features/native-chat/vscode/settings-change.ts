// Changes settings of VS Code after a preview, and puts back exactly what was there.

/** A setting of VS Code as it stands. Without a default it does not exist in this version. */
export interface SettingState {
  defaultValue?: unknown;
  /** The user's own value; undefined is not set, which is not the same as set to the default. */
  globalValue?: unknown;
  /** The effective value: a workspace or a policy may hold another one than the user. */
  value?: unknown;
}

/** One setting before and after. */
export interface GuardedSetting {
  key: string;
  /** Its purpose, in words for the preview. */
  purpose: string;
  /** The user's own value; undefined is not set, and then `byDefault` counts. */
  now: unknown;
  byDefault: unknown;
  next: unknown;
  /** Not selected unless the user selects it. */
  optional?: boolean;
}

/** A setting's earlier value, to be put back. JSON: `before` is absent where nothing was set. */
export interface StoredSetting {
  key: string;
  before?: unknown;
  set: unknown;
}

export interface SettingsChangeDeps {
  inspect(key: string): SettingState | undefined;
  /** Writes the user's value; undefined removes it. Rejects where a policy forbids it. */
  write(key: string, value: unknown): Promise<void>;
  stored: { read(): readonly StoredSetting[]; write(stored: readonly StoredSetting[]): Promise<void> };
}

/** `unchanged` could not be written; `overruled` are, but something above the user's settings decides. */
export interface GuardResult {
  changed: readonly string[];
  overruled: readonly string[];
  unchanged: readonly string[];
}

/** Settings of VS Code that are changed and can be put back. */
export interface SettingsChange {
  /** False for one that this version of VS Code does not have. */
  exists(key: string): boolean;
  /** Undefined when it is so already, or does not exist here. */
  planned(row: { key: string; purpose: string; next: unknown }): GuardedSetting | undefined;
  apply(settings: readonly GuardedSetting[]): Promise<GuardResult>;
  /** Whether there is something to put back. */
  canUndo(): boolean;
  /** Puts back what still is as we set it; `overruled` here are those that somebody changed since. */
  undo(): Promise<GuardResult>;
}

export function createSettingsChange({ inspect, write, stored }: SettingsChangeDeps): SettingsChange {
  const exists = (key: string) => inspect(key)?.defaultValue !== undefined;
  return {
    exists,
    planned({ key, purpose, next }) {
      if (!exists(key)) return undefined;
      const { globalValue: now, defaultValue: byDefault } = inspect(key) ?? {};
      return now === next ? undefined : { key, purpose, now, byDefault, next };
    },
    async apply(settings) {
      const changed: string[] = [];
      const unchanged: string[] = [];
      for (const { key, next } of settings) {
        const before = inspect(key)?.globalValue;
        // Kept first: a window that dies between the two must still know what was there.
        const others = stored.read().filter((entry) => entry.key !== key);
        const earlier = stored.read().find((entry) => entry.key === key && entry.set === before);
        const first = earlier === undefined ? before : earlier.before;
        await stored.write([...others, { key, set: next, ...(first === undefined ? {} : { before: first }) }]);
        const isWritten = await succeeds(write(key, next));
        if (!isWritten) await stored.write(earlier === undefined ? others : [...others, earlier]);
        (isWritten ? changed : unchanged).push(key);
      }
      const nexts = new Map(settings.map(({ key, next }) => [key, next]));
      return { changed, unchanged, overruled: changed.filter((key) => inspect(key)?.value !== nexts.get(key)) };
    },
    canUndo: () => stored.read().length > 0,
    async undo() {
      const changed: string[] = [];
      const overruled: string[] = [];
      const unchanged: string[] = [];
      for (const entry of stored.read()) {
        const isOurs = inspect(entry.key)?.globalValue === entry.set;
        if (!isOurs) overruled.push(entry.key);
        else if (await succeeds(write(entry.key, entry.before))) changed.push(entry.key);
        else unchanged.push(entry.key);
      }
      await stored.write(stored.read().filter(({ key }) => unchanged.includes(key)));
      return { changed, overruled, unchanged };
    },
  };
}

const succeeds = (written: Promise<void>) =>
  written.then(
    () => true,
    () => false,
  );
