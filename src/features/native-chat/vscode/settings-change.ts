// Changes settings of VS Code after a preview, and puts back exactly what was there.

/** A setting without a default does not exist in this version of VS Code. */
export interface SettingState {
  defaultValue?: unknown;
  /** Holds the user's own value. Undefined means not set, which differs from set to the default. */
  globalValue?: unknown;
  /** Holds the effective value: a workspace or a policy may override the user's value. */
  value?: unknown;
}

export interface GuardedSetting {
  key: string;
  purpose: string;
  now: unknown;
  byDefault: unknown;
  next: unknown;
  optional?: boolean;
}

/** Holds JSON values; `before` is absent where nothing was set. */
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

/**
 * `unchanged` settings could not be written. `overruled` settings were written, but something above the user's
 * settings decides.
 */
export interface GuardResult {
  changed: readonly string[];
  overruled: readonly string[];
  unchanged: readonly string[];
}

export interface SettingsChange {
  exists(key: string): boolean;
  /** Returns undefined when the setting has this value already or does not exist here. */
  planned(row: { key: string; purpose: string; next: unknown }): GuardedSetting | undefined;
  apply(settings: readonly GuardedSetting[]): Promise<GuardResult>;
  canUndo(): boolean;
  /** Restores the settings that still have our value. `overruled` holds those that somebody changed since. */
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
        await stored.write([...others, { key, set: next, before: first }]);
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
