import * as z from 'zod/mini';
import type { LineChange } from '../review/row-changes.ts';
import { foundAnchor, isUnchanged, movedAnchor } from './anchor.ts';
import { type Finding, findingSchema, hashOf } from './findings.ts';

const schema = z.object({
  findings: z.array(findingSchema),
  dismissed: z.array(z.string()),
  reviewed: z.array(z.string()),
});
type Stored = z.infer<typeof schema>;

const most = { findings: 200, dismissed: 500, reviewed: 3000 };

/** Findings of this workspace and what the user decided about them, over reloads. What cannot be read is nothing. */
export function createFindingShelf(stored: unknown, save: (stored: Stored | undefined) => void) {
  const parsed = schema.safeParse(stored);
  let { findings, dismissed, reviewed }: Stored = parsed.success
    ? parsed.data
    : { findings: [], dismissed: [], reviewed: [] };
  /** Where not even the quote is found any more. */
  const outdated = new Set<string>();
  const store = () => {
    [findings, dismissed, reviewed] = [
      findings.slice(-most.findings),
      dismissed.slice(-most.dismissed),
      reviewed.slice(-most.reviewed),
    ];
    const isEmpty = findings.length + dismissed.length + reviewed.length === 0;
    save(isEmpty ? undefined : { findings, dismissed, reviewed });
  };
  const replace = (uri: string, change: (finding: Finding) => Finding) => {
    const changed = findings.map((one) => (one.uri === uri ? change(one) : one));
    if (changed.every((one, at) => one.anchor === findings[at]?.anchor)) return;
    findings = changed;
    store();
  };
  const remove = (id: string) => {
    findings = findings.filter((one) => one.id !== id);
    outdated.delete(id);
    store();
  };
  return {
    all: (): readonly Finding[] => findings,
    get: (id: string) => findings.find((one) => one.id === id),
    isDismissed: (hash: string) => dismissed.includes(hash),
    wasReviewed: (hash: string) => reviewed.includes(hash),
    isOutdated: (id: string) => outdated.has(id),
    /** `hunks`: hashes of what was looked at for them. */
    add(fresh: readonly Finding[], hunks: readonly string[]): void {
      findings = [...findings, ...fresh];
      reviewed = [...new Set([...reviewed, ...hunks])];
      store();
    },
    remove,
    dismiss({ id, uri, anchor }: Finding): void {
      dismissed = [...dismissed, hashOf(uri, anchor)];
      remove(id);
    },
    /** A change of the text `before` it. */
    follow: (uri: string, before: readonly string[], change: LineChange) =>
      replace(uri, (one) => ({ ...one, anchor: movedAnchor(one.anchor, before, change) })),
    /** A text that was not followed until now. */
    find: (uri: string, text: readonly string[]) =>
      replace(uri, (one) => {
        const anchor = isUnchanged(one.anchor, text) ? one.anchor : foundAnchor(one.anchor, text);
        if (anchor === undefined) outdated.add(one.id);
        else outdated.delete(one.id);
        return { ...one, anchor: anchor ?? one.anchor };
      }),
  };
}

export type FindingShelf = ReturnType<typeof createFindingShelf>;
