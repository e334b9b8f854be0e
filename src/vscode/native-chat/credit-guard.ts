import * as l10n from '@vscode/l10n';
import type { ServiceModel } from '../../service/contract.ts';

/** A setting of VS Code as it stands. Without a default it does not exist in this version. */
export interface SettingState {
  defaultValue?: unknown;
  /** Of the user; undefined is not set, which is not the same as set to the default. */
  globalValue?: unknown;
  /** What counts: a workspace or a policy may hold another value than the user. */
  value?: unknown;
}

/** One setting before and after the guard. */
export interface GuardedSetting {
  key: string;
  /** What it is for, in words. */
  purpose: string;
  /** Of the user; undefined is not set, and then `byDefault` counts. */
  now: unknown;
  byDefault: unknown;
  next: string;
}

/** What one setting was, to be put back. JSON: `before` is absent where nothing was set. */
export interface KeptSetting {
  key: string;
  before?: unknown;
  set: string;
}

export interface CreditGuardDeps {
  inspect(key: string): SettingState | undefined;
  /** Of the user; undefined removes it. Rejects where a policy forbids it. */
  write(key: string, value: unknown): Promise<void>;
  kept: { read(): readonly KeptSetting[]; write(kept: readonly KeptSetting[]): Promise<void> };
}

/** The models that VS Code is to use: `small` for what it asks in the background, `chat` for what the user asks. */
export interface GuardModels {
  small: ServiceModel;
  chat: ServiceModel;
  /** False where the chat's model was seen to refuse tools: what needs them is left out. */
  chatHasTools: boolean;
}

/** `unchanged` could not be written; `overruled` are, but something above the user's settings decides. */
export interface GuardResult {
  changed: readonly string[];
  overruled: readonly string[];
  unchanged: readonly string[];
}

/**
 * VS Code's own chat asks models by itself, for titles, summaries, searches, and takes them from a plan of its own
 * unless told otherwise. This points the settings that exist here at ours and can put them back exactly.
 */
export interface CreditGuard {
  /** False in a version of VS Code that has none of the settings. */
  isSupported(): boolean;
  /** What is to be changed, in the order of the table; empty when all is set already. */
  plan(models: GuardModels): GuardedSetting[];
  apply(settings: readonly GuardedSetting[]): Promise<GuardResult>;
  /** Whether there is something to put back. */
  canUndo(): boolean;
  /** Puts back what still is as we set it; `overruled` here are those that somebody changed since. */
  undo(): Promise<GuardResult>;
}

export function createCreditGuard({ inspect, write, kept }: CreditGuardDeps): CreditGuard {
  const exists = (key: string) => inspect(key)?.defaultValue !== undefined;
  return {
    isSupported: () => guardedKeys.some(exists),
    plan: (models) =>
      table(models).flatMap(({ key, purpose, next, needsTools }) => {
        if (!exists(key) || (needsTools && !models.chatHasTools)) return [];
        const { globalValue: now, defaultValue: byDefault } = inspect(key) ?? {};
        return now === next ? [] : [{ key, purpose, now, byDefault, next }];
      }),
    async apply(settings) {
      const changed: string[] = [];
      const unchanged: string[] = [];
      for (const { key, next } of settings) {
        const before = inspect(key)?.globalValue;
        // Kept first: a window that dies between the two must still know what was there.
        const others = kept.read().filter((entry) => entry.key !== key);
        const earlier = kept.read().find((entry) => entry.key === key && entry.set === before);
        const first = earlier === undefined ? before : earlier.before;
        await kept.write([...others, { key, set: next, ...(first === undefined ? {} : { before: first }) }]);
        const isWritten = await succeeds(write(key, next));
        if (!isWritten) await kept.write(earlier === undefined ? others : [...others, earlier]);
        (isWritten ? changed : unchanged).push(key);
      }
      const nexts = new Map(settings.map(({ key, next }) => [key, next]));
      return { changed, unchanged, overruled: changed.filter((key) => inspect(key)?.value !== nexts.get(key)) };
    },
    canUndo: () => kept.read().length > 0,
    async undo() {
      const changed: string[] = [];
      const overruled: string[] = [];
      const unchanged: string[] = [];
      for (const entry of kept.read()) {
        const isOurs = inspect(entry.key)?.globalValue === entry.set;
        if (!isOurs) overruled.push(entry.key);
        else if (await succeeds(write(entry.key, entry.before))) changed.push(entry.key);
        else unchanged.push(entry.key);
      }
      await kept.write(kept.read().filter(({ key }) => unchanged.includes(key)));
      return { changed, overruled, unchanged };
    },
  };
}

const succeeds = (written: Promise<void>) =>
  written.then(
    () => true,
    () => false,
  );

interface Row {
  key: string;
  purpose: string;
  next: string;
  needsTools?: true;
}

/**
 * The forms are VS Code's own: utility models are `vendor/id`, cut at the first slash; the pickers keep `name (vendor)`;
 * the chat takes an id.
 */
function table({ small, chat }: Pick<GuardModels, 'small' | 'chat'>): Row[] {
  const utility = `${vendor}/${small.id}`;
  const picked = `${chat.name} (${vendor})`;
  return [
    {
      key: 'chat.utilityModel',
      purpose: l10n.t('Summaries, searches, and other background requests'),
      next: utility,
    },
    {
      key: 'chat.utilitySmallModel',
      purpose: l10n.t('Titles, branch names, and other short background requests'),
      next: utility,
    },
    {
      key: 'chat.byokUtilityModelDefault',
      purpose: l10n.t("If the two above aren't set: the chat's model instead of VS Code's own plan"),
      next: 'mainAgent',
    },
    {
      key: 'chat.exploreAgent.defaultModel',
      purpose: l10n.t('The agent that explores the code for other agents'),
      next: picked,
      needsTools: true,
    },
    { key: 'chat.planAgent.defaultModel', purpose: l10n.t('The planning agent'), next: picked, needsTools: true },
    { key: 'inlineChat.defaultModel', purpose: l10n.t('Inline chat in the editor'), next: picked, needsTools: true },
    { key: 'chat.defaultModel', purpose: l10n.t('The default model in a new chat'), next: chat.id },
  ];
}

const vendor = 'svc';

const guardedKeys = table({ small: { id: '', name: '' }, chat: { id: '', name: '' } }).map(({ key }) => key);
