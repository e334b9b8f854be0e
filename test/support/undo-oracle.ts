import { type EditOrigin, ofConversation } from '../../src/edits/pending/edit-origin.ts';
import { type Hunk, hunksOf, linesOf, type PendingText } from '../../src/edits/pending/hunks.ts';
import { lineChangesOf } from '../../src/edits/pending/line-change.ts';
import {
  groupsOf,
  settledText,
  toLines,
  withKept,
  withTyped,
  withTypedText,
  withUndone,
  withWritten,
} from '../../src/edits/pending/pending-text.ts';
import { fromStored, toStored } from '../../src/edits/pending/stored-text.ts';
import { createTextHistory } from '../../src/edits/pending/text-history.ts';
import type { Subject } from './undo-judge.ts';

/** What the judge is told of a text. */
export function tellOf(text: () => PendingText): Pick<Subject, 'lines' | 'hunks' | 'partsOf' | 'undone' | 'kept'> {
  return {
    lines: () => linesOf(text()),
    hunks: () =>
      hunksOf(text()).map(({ after, removed, origins, isMixed }) => ({
        ...after,
        removed,
        isMixed,
        by: [...new Set(origins.map(({ conversationId = '' }) => conversationId))],
      })),
    partsOf(number) {
      const hunks: readonly Hunk[] = hunksOf(text());
      const hunk = hunks[number];
      const own = groupsOf(text()).find((group) => group.some((part) => part === hunk)) ?? [];
      return own.map((part) => hunks.indexOf(part));
    },
    undone(omitted) {
      const of = ({ conversationId }: EditOrigin) => omitted.some((name) => name === conversationId);
      const { text: left, conflicts } = withUndone(text(), { of });
      return { lines: linesOf(left), conflicts };
    },
    kept() {
      const left = withKept(text());
      return { lines: linesOf(left), hunks: hunksOf(left).length };
    },
  };
}

/** The text alone, without an editor. */
export function createTextSubject(first: readonly string[]): Subject {
  let text = settledText(first.join('\n'));
  const history = createTextHistory(text);
  const set = (next: PendingText) => {
    text = next;
    history.add(text);
  };
  const one = (number: number) => hunksOf(text).filter((_, at) => at === number);
  return {
    ...tellOf(() => text),
    write: async (next, by) => set(withWritten(text, next, by)),
    type: async (changes) => set(withTyped(text, lineChangesOf(linesOf(text), changes))),
    load: async (next) => set(withTypedText(text, next ?? '')),
    async step(direction, next) {
      const found = history.go(direction, toLines(next));
      if (found === undefined) throw new Error(`the editor’s ${direction} leads to a text that is not known any more`);
      text = found;
    },
    save: async () => undefined,
    async reload() {
      text = fromStored(JSON.parse(JSON.stringify(toStored(text))));
      history.reset(text);
    },
    async keep(conversationId) {
      text = withKept(text, { of: ofConversation(conversationId) });
      history.reset(text);
    },
    undo: async (conversationId) => set(withUndone(text, { of: ofConversation(conversationId) }).text),
    async keepHunk(number) {
      text = withKept(text, { hunks: one(number) });
      history.reset(text);
    },
    async undoHunk(number) {
      const { text: left, conflicts } = withUndone(text, { hunks: one(number) });
      set(left);
      return conflicts;
    },
  };
}
