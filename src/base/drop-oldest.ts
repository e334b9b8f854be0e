/** Forgets the entries that were set first until no more than `most` are left. Delete before setting to count as new. */
export function dropOldest(entries: Map<string, unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
