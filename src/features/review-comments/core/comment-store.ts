import * as z from 'zod/mini';
import { createEmitter } from '../../../base/emitter.ts';
import type { LineChange } from '../../../edits/pending/row-changes.ts';
import { type Anchor, anchorSchema } from './anchor.ts';
import { createAnchoredList } from './anchored.ts';

const commentSchema = z.object({
  /** Ids have the form `c1` and are never reused in this workspace. */
  id: z.string(),
  uri: z.string(),
  path: z.string(),
  anchor: anchorSchema,
  text: z.string(),
  /** Names the conversation that the comment was sent in; it is absent until then. */
  conversationId: z.optional(z.string()),
  answers: z.array(z.string()),
  /** The conversation has changed the lines, and the user has neither kept nor undone that yet. */
  isChanged: z.optional(z.boolean()),
  isResolved: z.optional(z.boolean()),
});
export type Comment = z.infer<typeof commentSchema>;

const schema = z.object({ comments: z.array(commentSchema), last: z.int() });
const maxComments = 200;

/** Keeps the user's comments of this workspace across reloads. Unreadable stored data counts as empty. */
export function createCommentStore(stored: unknown, save: (stored: z.infer<typeof schema>) => void) {
  const parsed = schema.safeParse(stored);
  let { comments, last }: z.infer<typeof schema> = parsed.success ? parsed.data : { comments: [], last: 0 };
  const list = createAnchoredList<Comment>();
  const changed = createEmitter();
  const store = (next: readonly Comment[]) => {
    if (next === comments) return;
    comments = next.slice(-maxComments);
    save({ comments, last });
    changed.fire();
  };
  const update = (wanted: (one: Comment) => boolean, change: Partial<Comment> | ((one: Comment) => Partial<Comment>)) =>
    store(
      comments.map((one) => (wanted(one) ? { ...one, ...(typeof change === 'function' ? change(one) : change) } : one)),
    );
  return {
    all: (): readonly Comment[] => comments,
    waiting: (): readonly Comment[] => comments.filter(({ conversationId }) => conversationId === undefined),
    isOutdated: list.isOutdated,
    onDidChange: changed.event,
    add(of: { uri: string; path: string; anchor: Anchor; text: string }): void {
      last += 1;
      store([...comments, { ...of, id: `c${last}`, answers: [] }]);
    },
    remove: (ids: readonly string[]) => store(comments.filter(({ id }) => !ids.includes(id))),
    sent: (ids: readonly string[], conversationId: string) => update(({ id }) => ids.includes(id), { conversationId }),
    /** Returns false where this comment was not sent to the conversation. */
    answer(conversationId: string, id: string, text: string): boolean {
      const isIt = (one: Comment) => one.id === id && one.conversationId === conversationId;
      if (!comments.some(isIt)) return false;
      update(isIt, ({ answers }) => ({ answers: [...answers, text] }));
      return true;
    },
    /**
     * Records that the comment's conversation has pending edits in its lines. Without such edits, `isAsBefore` says
     * whether they were undone.
     */
    edited(id: string, by: 'undecided' | { isAsBefore: boolean }): void {
      const one = comments.find((each) => each.id === id);
      if (by === 'undecided' && one?.isChanged !== true) update((each) => each === one, { isChanged: true });
      if (by === 'undecided' || one?.isChanged !== true) return;
      update((each) => each === one, { isChanged: false, isResolved: !by.isAsBefore });
    },
    follow: (uri: string, before: readonly string[], change: LineChange) =>
      store(list.follow(comments, uri, before, change)),
    find: (uri: string, text: readonly string[]) => store(list.find(comments, uri, text)),
  };
}

export type CommentStore = ReturnType<typeof createCommentStore>;
