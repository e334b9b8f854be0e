import type { Source } from './kinds.ts';

export interface LocationSetting {
  value?: unknown;
  /** Only the user's own value may name folders of the user. */
  usersValue?: unknown;
}

export interface Locations {
  workspace: readonly Source[];
  home: readonly Source[];
  off: ReadonlySet<string>;
}

const max = 50;

/**
 * Returns folders in the workspace and, with `~/` in front, below the user's home folder. Patterns, and paths that
 * lead elsewhere, are ignored, because what is read there has no consent.
 */
export function locationsOf({ value, usersValue }: LocationSetting, form: Omit<Source, 'at'>): Locations {
  const named = (setting: unknown, is: boolean) =>
    Object.entries(typeof setting === 'object' && setting !== null ? setting : {})
      .filter(([, state]) => state === is)
      .slice(0, max)
      .map(([written]) => written.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, ''));
  const isFolder = (at: string) => at !== '' && !/[*?[\]{}:]|^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(at);
  const sources = (all: readonly string[]): Source[] => all.filter(isFolder).map((at) => ({ ...form, at }));
  const isOfUser = (at: string) => at.startsWith('~/');
  return {
    workspace: sources(named(value, true)),
    home: sources(
      named(usersValue, true)
        .filter(isOfUser)
        .map((at) => at.slice(2)),
    ),
    off: new Set(named(value, false).map((at) => at.replace(/^~\//, ''))),
  };
}
