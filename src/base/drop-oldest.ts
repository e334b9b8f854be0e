/**
 * Drops the entries that were set first until at most `max` are left. Delete a key before setting it again, so that
 * it counts as new.
 */
export function dropOldest(entries: Map<string, unknown>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
