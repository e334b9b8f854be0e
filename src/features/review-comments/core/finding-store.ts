import * as z from 'zod/mini';
import type { LineChange } from '../../../edits/pending/row-changes.ts';
import { createAnchoredList } from './anchored.ts';
import { type Finding, findingSchema, hashOf } from './findings.ts';

const schema = z.object({
  findings: z.array(findingSchema),
  dismissed: z.array(z.string()),
  reviewed: z.array(z.string()),
});
type Stored = z.infer<typeof schema>;

const max = { findings: 200, dismissed: 500, reviewed: 3000 };

/**
 * Keeps the findings of this workspace and the user's decisions about them across reloads. Unreadable stored data
 * counts as empty.
 */
export function createFindingStore(stored: unknown, save: (stored: Stored | undefined) => void) {
  const parsed = schema.safeParse(stored);
  const kept: Stored = parsed.success ? parsed.data : { findings: [], dismissed: [], reviewed: [] };
  const list = createAnchoredList<Finding>();
  const store = ({ findings, dismissed, reviewed }: Partial<Stored>) => {
    if (findings) kept.findings = findings.slice(-max.findings);
    if (dismissed) kept.dismissed = dismissed.slice(-max.dismissed);
    if (reviewed) kept.reviewed = [...new Set(reviewed)].slice(-max.reviewed);
    const isEmpty = kept.findings.length + kept.dismissed.length + kept.reviewed.length === 0;
    save(isEmpty ? undefined : { ...kept });
  };
  const place = (findings: readonly Finding[]) => {
    if (findings !== kept.findings) store({ findings: [...findings] });
  };
  const without = (id: string) => kept.findings.filter((one) => one.id !== id);
  return {
    all: (): readonly Finding[] => kept.findings,
    get: (id: string) => kept.findings.find((one) => one.id === id),
    isDismissed: (hash: string) => kept.dismissed.includes(hash),
    wasReviewed: (hash: string) => kept.reviewed.includes(hash),
    isOutdated: list.isOutdated,
    add: (fresh: readonly Finding[], hunks: readonly string[]) =>
      store({ findings: [...kept.findings, ...fresh], reviewed: [...kept.reviewed, ...hunks] }),
    dismiss: ({ id, uri, anchor }: Finding) =>
      store({ findings: without(id), dismissed: [...kept.dismissed, hashOf(uri, anchor)] }),
    follow: (uri: string, before: readonly string[], change: LineChange) =>
      place(list.follow(kept.findings, uri, before, change)),
    find: (uri: string, text: readonly string[]) => place(list.find(kept.findings, uri, text)),
  };
}

export type FindingStore = ReturnType<typeof createFindingStore>;
