import type { CompletionItem } from '../../shared/panel/panel-info.ts';

/** In the order in which they are listed. */
const order = ['kinds', 'problems', 'files', 'symbols', 'chats'] as const;
export type Sections<Rows> = Partial<Record<(typeof order)[number], Rows>>;

/** `settled`: nothing that is still looked for comes before the first row. */
export interface ShownList {
  items: CompletionItem[];
  done: boolean;
  settled: boolean;
}

/**
 * Shows what is known at once, anew with each part that is found, and at last with `done`. A part that comes later replaces what
 * was known of it. Throws the first error when everything else is shown: one source that fails must not take the others away.
 */
export async function showSections(
  known: Sections<CompletionItem[]>,
  later: Sections<Promise<CompletionItem[]>>,
  show: (list: ShownList) => void,
): Promise<void> {
  const missing = new Set(order.filter((name) => later[name]));
  const showKnown = (done: boolean) => {
    const hasFirst = order.find((name) => missing.has(name) || known[name]?.some(({ action }) => action));
    const settled = done || (hasFirst !== undefined && !missing.has(hasFirst));
    show({ items: choosableFirst(order.flatMap((name) => known[name] ?? [])), done, settled });
  };
  showKnown(false);
  const parts = [...missing].map(async (name) => {
    const found = await later[name];
    known = { ...known, [name]: found };
    missing.delete(name);
    showKnown(false);
  });
  const results = await Promise.allSettled(parts);
  showKnown(true);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

export function choosableFirst(items: readonly CompletionItem[]): CompletionItem[] {
  return [...items.filter(({ action }) => action), ...items.filter(({ action }) => !action)];
}
