import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/drop-oldest.ts';

/** Older changes are not what the user is working on. */
const recentMs = 5 * 60_000;
const apartMs = 60_000;
const maxFiles = 20;
const maxCharacters = 200_000;

interface Earlier {
  text: string;
  at: number;
}

export interface EarlierTexts {
  /** Records the current text at a moment that may be the last before it is edited. */
  record(uri: string, text: string): void;
  /**
   * Starts the record of a file that was changed just now, with its text before the change. A file that is known
   * already stays as it is.
   */
  begin(uri: string, before: string, now: string): void;
  /** Returns the text of five minutes ago, or the first one recorded since. */
  before(uri: string): string | undefined;
}

/**
 * Keeps earlier texts of edited files. Keystrokes are not observed: a text is read when its editor becomes active and
 * when it is saved.
 */
export function createEarlierTexts(clock: Pick<Clock, 'now'>): EarlierTexts {
  const files = new Map<string, Earlier[]>();
  const recent = (all: readonly Earlier[]) => {
    const from = all.findLastIndex(({ at }) => clock.now() - at >= recentMs);
    return from < 0 ? [...all] : all.slice(from);
  };
  return {
    record(uri, text) {
      const known = recent(files.get(uri) ?? []);
      const last = known.at(-1);
      const isNew = last === undefined || (last.text !== text && clock.now() - last.at >= apartMs);
      if (isNew && text.length <= maxCharacters) known.push({ text, at: clock.now() });
      files.delete(uri);
      if (known.length > 0) files.set(uri, known);
      dropOldest(files, maxFiles);
    },
    begin(uri, before, now) {
      if (files.has(uri) || Math.max(before.length, now.length) > maxCharacters) return;
      // The change is recent for five minutes from now; then it is what was there.
      const at = clock.now();
      files.set(uri, [
        { text: before, at },
        { text: now, at },
      ]);
      dropOldest(files, maxFiles);
    },
    before: (uri) => recent(files.get(uri) ?? [])[0]?.text,
  };
}
