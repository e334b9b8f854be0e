/**
 * Returns equal texts for JSON that differs only in key order or white space. Text that is no JSON is returned as it
 * is.
 */
export function canonicalJson(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    return raw.trim();
  }
}
