import { promptsName } from '../conversation/composing/prompt-store.ts';
import type { QueuedMessage } from '../conversation/queue.ts';
import type { Attachment } from '../shared/messages.ts';
import { type PageState, pageStateSchema } from '../shared/panel/page-state.ts';
import type { StoredValues } from '../storage/stored-values.ts';

/** Small values that the editor keeps for a workspace. */
export interface StateStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Out of the composer and not known to be in the conversation; `id`: what the conversation calls it once it is there. */
export interface Leaving {
  id?: string;
  text: string;
  attachments: readonly Attachment[];
}

/** One view of the chat as its window left it, for when the window opens again. */
export interface ViewMemory {
  conversationId?: string;
  draft: string;
  attachments: readonly Attachment[];
  leaving: readonly Leaving[];
  /** Called with every change; returns at once. */
  keep(open: {
    conversationId: string;
    draft: string;
    attachments: readonly Attachment[];
    leaving: readonly Leaving[];
  }): void;
}

export interface DraftStore {
  get(conversationId: string): string;
  /** An empty text forgets. */
  set(conversationId: string, text: string): void;
  attached(conversationId: string): readonly Attachment[];
  setAttached(conversationId: string, attachments: readonly Attachment[]): void;
  leaving(conversationId: string): readonly Leaving[];
  setLeaving(conversationId: string, leaving: readonly Leaving[]): void;
}

/** The latest state that the page of a view reported. */
export interface PageMemory {
  get(): PageState | undefined;
  set(page: PageState): void;
  /** When its composer last became empty, in the page's time. */
  emptiedAtMs(): number | undefined;
  setEmptied(atMs: number): void;
  forget(): void;
}

type Values = Pick<StoredValues, 'get' | 'update' | 'keys'>;
/** Whose drafts: those of left conversations, of editor tabs and of the side bar may be of one conversation. */
type DraftsOf = 'left' | 'tabs' | 'sideBar';

const openName = 'svc.openConversation';
/** The oldest unsent texts beyond this many go. */
const maxDrafts = 100;

/** The side bar's. Only the id of its conversation is in the state of the workspace. */
export function createSideBarMemory(memento: StateStore, texts: DraftStore): ViewMemory {
  const id = memento.get<string>(openName);
  const memory = createTabViewMemory(texts, id);
  return {
    ...memory,
    keep(open) {
      memory.keep(open);
      if (memento.get(openName) !== open.conversationId) void memento.update(openName, open.conversationId);
    },
  };
}

/** An editor tab's: `TabMemory` knows its conversation, so only the text and what is attached is kept here. */
export function createTabViewMemory(texts: DraftStore, conversationId: string | undefined): ViewMemory {
  let kept = conversationId ?? '';
  return {
    conversationId,
    draft: texts.get(kept),
    attachments: texts.attached(kept),
    leaving: texts.leaving(kept),
    keep(open) {
      texts.setLeaving(open.conversationId, open.leaving);
      texts.set(open.conversationId, open.draft);
      texts.setAttached(open.conversationId, open.attachments);
      // After the new place has it: a crash in between must find it in one of the two.
      if (kept !== open.conversationId) {
        texts.set(kept, '');
        texts.setAttached(kept, []);
        texts.setLeaving(kept, []);
      }
      kept = open.conversationId;
    },
  };
}

export function createDraftStore(values: Values, of: DraftsOf = 'left'): DraftStore {
  const textsOf = `draft.${of}.`;
  const attachedOf = `attached.${of}.`;
  const leavingOf = `leaving.${of}.`;
  const keepList = <T>(name: string, list: readonly T[]) => {
    const before = values.get<readonly T[]>(name) ?? [];
    if (before === list || (before.length === 0 && list.length === 0)) return;
    void values.update(name, list.length === 0 ? undefined : list);
  };
  return {
    get: (id) => values.get<string>(textsOf + id) ?? '',
    set(id, text) {
      if ((values.get<string>(textsOf + id) ?? '') === text) return;
      void values.update(textsOf + id, text === '' ? undefined : text);
      const texts = values.keys().filter((key) => key.startsWith(textsOf));
      for (const key of texts.slice(0, -maxDrafts)) void values.update(key, undefined);
    },
    attached: (id) => values.get<readonly Attachment[]>(attachedOf + id) ?? [],
    setAttached: (id, attachments) => keepList(attachedOf + id, attachments),
    leaving: (id) => values.get<readonly Leaving[]>(leavingOf + id) ?? [],
    setLeaving: (id, leaving) => keepList(leavingOf + id, leaving),
  };
}

/** `view`: `sideBar`, or the key of a tab. */
export function createPageMemory(values: Values, view: string): PageMemory {
  const name = `page.${view}`;
  const emptiedName = `emptied.${view}`;
  return {
    get() {
      // Another version may have kept another shape.
      const page = pageStateSchema.safeParse(values.get(name));
      return page.success ? page.data : undefined;
    },
    set: (page) => void values.update(name, page),
    emptiedAtMs() {
      const atMs = values.get(emptiedName);
      return typeof atMs === 'number' ? atMs : undefined;
    },
    setEmptied: (atMs) => void values.update(emptiedName, atMs),
    forget() {
      for (const each of [name, emptiedName]) void values.update(each, undefined);
    },
  };
}

/** Messages that wait, by conversation. */
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

/** Deletes what was typed: what these conversations did not send, what waits in them, and the prompts for the arrow keys. */
export function forgetTexts(values: Values, conversationIds: ReadonlySet<string>): void {
  for (const key of values.keys()) {
    const of = /^(?:draft|attached|leaving)\.[A-Za-z]+\.(.+)$|^queue\.(.+)$/.exec(key);
    const id = of?.[1] ?? of?.[2];
    if (key === promptsName || (id !== undefined && conversationIds.has(id))) void values.update(key, undefined);
  }
}

/** An earlier version kept all of this in the state of the workspace. What is taken over is forgotten there. */
export async function takeOverOldMemory(memento: StateStore, values: Values): Promise<void> {
  const open = memento.get<string>(openName) ?? '';
  const byConversation = <T>(name: string, prefix: string) =>
    Object.entries(memento.get<Record<string, T>>(name) ?? {}).map(([id, value]) => [prefix + id, value] as const);
  const queue = memento.get<Record<string, readonly QueuedMessage[]> | QueuedMessage[]>('svc.queue') ?? {};
  const found: (readonly [string, unknown])[] = [
    [`draft.sideBar.${open}`, memento.get('svc.draft')],
    ...byConversation('svc.drafts', 'draft.left.'),
    ...byConversation('svc.tabDrafts', 'draft.tabs.'),
    // Once a plain list: of the side bar's conversation.
    ...(Array.isArray(queue) ? [[`queue.${open}`, queue] as const] : byConversation('svc.queue', 'queue.')),
    ['prompts', memento.get('svc.prompts')],
  ];
  for (const [key, value] of found) {
    if (value !== undefined && values.get(key) === undefined) await values.update(key, value);
  }
  for (const name of ['svc.draft', 'svc.drafts', 'svc.tabDrafts', 'svc.queue', 'svc.prompts']) {
    if (memento.get(name) !== undefined) await memento.update(name, undefined);
  }
}
