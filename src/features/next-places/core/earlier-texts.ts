import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/drop-oldest.ts';

/** Changes that are older than this are not what the user is at. */
const recentMs = 5 * 60_000;
/** Between two texts of a file that are kept. */
const apartMs = 60_000;
const maxFiles = 20;
const maxCharacters = 200_000;

interface Earlier {
  text: string;
  at: number;
}

export interface EarlierTexts {
  /** The text now, at a moment that may be the last before it is edited. */
  record(uri: string, text: string): void;
  /** The first that is known of a file: it was changed just now, and how it was before. */
  begin(uri: string, before: string, now: string): void;
  /** As it was five minutes ago, or when it was first looked at since. */
  before(uri: string): string | undefined;
}

/**
 * Texts of the files in which somebody edits, as they were before. Nothing is to be told of letters: a text is looked at when its
 * editor comes to the front and when it is saved.
 */
export function createEarlierTexts(clock: Pick<Clock, 'now'>): EarlierTexts {
  const files = new Map<string, Earlier[]>();
  /** Without those that a later one makes needless. */
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
