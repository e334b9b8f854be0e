import type { CompletionItem } from '../../shared/panel/panel-info.ts';

const order = ['kinds', 'problems', 'files', 'symbols', 'chats'] as const;
export type Sections<Rows> = Partial<Record<(typeof order)[number], Rows>>;

/** `settled` means that nothing still to be found comes before the first row. */
export interface ShownList {
  items: CompletionItem[];
  done: boolean;
  settled: boolean;
}

/**
 * Shows what is known at once, again with each part that is found, and at last with `done`. A later part replaces
 * what was known of it. It throws the first error only after everything else was shown, so that one failing source
 * does not hide the others.
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

function choosableFirst(items: readonly CompletionItem[]): CompletionItem[] {
  return [...items.filter(({ action }) => action), ...items.filter(({ action }) => !action)];
}
