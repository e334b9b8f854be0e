import { promptsName } from '../conversation/composing/prompt-store.ts';
import type { QueuedMessage } from '../conversation/queue.ts';
import { type PageState, pageStateSchema } from '../shared/panel/page-state.ts';
import type { StoredValues } from '../storage/stored-values.ts';

export interface PageMemory {
  get(): PageState | undefined;
  set(page: PageState): void;
  forget(): void;
}

type Values = Pick<StoredValues, 'get' | 'update' | 'keys'>;

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

/** Returns the conversations that have a draft or queued messages, and are shown in no view. */
export function conversationsWithTexts(values: Values): string[] {
  return values.keys().flatMap((key) => /^(?:(?:draft|attached)\.closed|queue)\.(.+)$/.exec(key)?.[1] ?? []);
}

/** Deletes drafts and queued messages of these conversations, and all prompts for the arrow keys. */
export function forgetTexts(values: Values, conversationIds: ReadonlySet<string>): void {
  for (const key of values.keys()) {
    const of = /^(?:draft|attached)\.[A-Za-z]+\.(.+)$|^queue\.(.+)$/.exec(key);
    const id = of?.[1] ?? of?.[2];
    if (key === promptsName || (id !== undefined && conversationIds.has(id))) void values.update(key, undefined);
  }
}
