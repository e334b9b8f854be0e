import { promptsName } from '../conversation/composing/prompt-store.ts';
import type { QueuedMessage } from '../conversation/queue.ts';
import type { Attachment } from '../shared/messages.ts';
import { type PageState, pageStateSchema } from '../shared/panel/page-state.ts';
import type { StoredValues } from '../storage/stored-values.ts';

export interface StateStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface Leaving {
  id?: string;
  text: string;
  attachments: readonly Attachment[];
}

export interface DraftTimes {
  atMs: number;
  emptiedAtMs?: number;
}

/** One value holds all texts of a composer, so that no crash finds a text in both of its places or in neither. */
export interface TypedTexts {
  draft: string;
  leaving: readonly Leaving[];
  times?: DraftTimes;
}

export interface ViewMemory extends TypedTexts {
  conversationId?: string;
  attachments: readonly Attachment[];
  /** Resolves when the text is on the disk or cannot be. */
  keep(open: TypedTexts & { conversationId: string; attachments: readonly Attachment[] }): Promise<void>;
}

export interface DraftStore {
  ids(): readonly string[];
  get(conversationId: string): string;
  set(conversationId: string, text: string): void;
  typed(conversationId: string): TypedTexts;
  setTyped(conversationId: string, typed: TypedTexts): Promise<void>;
  attached(conversationId: string): readonly Attachment[];
  setAttached(conversationId: string, attachments: readonly Attachment[]): void;
}

export interface PageMemory {
  get(): PageState | undefined;
  set(page: PageState): void;
  forget(): void;
}

type Values = Pick<StoredValues, 'get' | 'update' | 'keys'>;
type DraftsOf = 'left' | 'tabs' | 'sideBar';

const openName = 'svc.openConversation';
const maxDrafts = 100;

export function createSideBarMemory(memento: StateStore, texts: DraftStore): ViewMemory {
  const id = memento.get<string>(openName);
  // There is one side bar. A crash may come between its text and the state that says where it is now.
  const memory = createTabViewMemory(texts, texts.ids().at(-1) ?? id);
  return {
    ...memory,
    conversationId: id,
    keep(open) {
      const stored = memory.keep(open);
      if (memento.get(openName) !== open.conversationId) void memento.update(openName, open.conversationId);
      return stored;
    },
  };
}

export function createTabViewMemory(texts: DraftStore, conversationId: string | undefined): ViewMemory {
  let kept = conversationId ?? '';
  return {
    conversationId,
    ...texts.typed(kept),
    attachments: texts.attached(kept),
    keep({ conversationId: id, draft, leaving, times, attachments }) {
      const stored = texts.setTyped(id, { draft, leaving, ...(times && { times }) });
      texts.setAttached(id, attachments);
      // After the new place has it: a crash in between must find it in one of the two.
      if (kept !== id) {
        texts.set(kept, '');
        texts.setAttached(kept, []);
      }
      kept = id;
      return stored;
    },
  };
}

export function createDraftStore(values: Values, of: DraftsOf = 'left'): DraftStore {
  const textsOf = `draft.${of}.`;
  const attachedOf = `attached.${of}.`;
  const typed = (id: string): TypedTexts => {
    const stored = values.get<string | TypedTexts>(textsOf + id) ?? '';
    return typeof stored === 'string' ? { draft: stored, leaving: [] } : stored;
  };
  const setTyped = (id: string, next: TypedTexts) => {
    const isPlain = next.leaving.length === 0 && next.times === undefined;
    const value = isPlain ? next.draft || undefined : next;
    const stored = values.update(textsOf + id, value);
    const texts = values.keys().filter((key) => key.startsWith(textsOf));
    for (const key of texts.slice(0, -maxDrafts)) void values.update(key, undefined);
    return stored;
  };
  return {
    ids: () => values.keys().flatMap((key) => (key.startsWith(textsOf) ? [key.slice(textsOf.length)] : [])),
    get: (id) => typed(id).draft,
    set(id, draft) {
      if (typed(id).draft !== draft) void setTyped(id, { draft, leaving: [] });
    },
    typed,
    setTyped,
    attached: (id) => values.get<readonly Attachment[]>(attachedOf + id) ?? [],
    setAttached(id, attachments) {
      const before = values.get<readonly Attachment[]>(attachedOf + id) ?? [];
      if (before === attachments || (before.length === 0 && attachments.length === 0)) return;
      void values.update(attachedOf + id, attachments.length === 0 ? undefined : attachments);
    },
  };
}

export function createPageMemory(values: Values, view: string): PageMemory {
  const name = `page.${view}`;
  return {
    get() {
      // Another version may have kept another shape.
      const page = pageStateSchema.safeParse(values.get(name));
      return page.success ? page.data : undefined;
    },
    set: (page) => void values.update(name, page),
    forget: () => void values.update(name, undefined),
  };
}

export function createQueueStore(values: Values) {
  const nameOf = (id: string) => `queue.${id}`;
  return {
    load: (id: string) => values.get<readonly QueuedMessage[]>(nameOf(id)) ?? [],
    save(id: string, queued: readonly QueuedMessage[]) {
      if (queued.length === 0 && values.get(nameOf(id)) === undefined) return;
      void values.update(nameOf(id), queued.length === 0 ? undefined : queued);
    },
  };
}

/** Deletes drafts and queued messages of these conversations, and all prompts for the arrow keys. */
export function forgetTexts(values: Values, conversationIds: ReadonlySet<string>): void {
  for (const key of values.keys()) {
    const of = /^(?:draft|attached)\.[A-Za-z]+\.(.+)$|^queue\.(.+)$/.exec(key);
    const id = of?.[1] ?? of?.[2];
    if (key === promptsName || (id !== undefined && conversationIds.has(id))) void values.update(key, undefined);
  }
}
