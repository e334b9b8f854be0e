import type { ChatItem } from '../../../src/shared/chat/chat-state.ts';

/**
 * Messages of a section are drawn, laid out and skipped together, so that a settled section costs one comparison in a
 * frame.
 */
export interface Section {
  /** Holds the index of the first message in the conversation; borders lie at multiples of `perSection`. */
  start: number;
  items: readonly ChatItem[];
  /** This is the message below the section: what the user wrote is drawn by whether an answer follows. */
  after: ChatItem | undefined;
}

export const perSection = 50;

/** Divides the messages from `from` on. An unchanged section is the same object as before. */
export function createSections(): (items: readonly ChatItem[], from: number) => readonly Section[] {
  let known = new Map<number, Section>();
  return (items, from) => {
    const sections: Section[] = [];
    for (let start = from; start < items.length; ) {
      const end = Math.min(items.length, start - (start % perSection) + perSection);
      const before = known.get(start);
      sections.push(
        before && holds(before, items, end) ? before : { start, items: items.slice(start, end), after: items[end] },
      );
      start = end;
    }
    known = new Map(sections.map((section) => [section.start, section]));
    return sections;
  };
}

function holds(section: Section, items: readonly ChatItem[], end: number): boolean {
  const { start, items: held, after } = section;
  return (
    held.length === end - start && items[end] === after && held.every((item, index) => items[start + index] === item)
  );
}
