import { isObject, parseJson } from '../base/parse-json.ts';

/**
 * Returns equal texts for JSON that differs only in key order or white space. Text that is no JSON is returned as it
 * is.
 */
export function canonicalJson(raw: string): string {
  const sorted = (_key: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  return JSON.stringify(parseJson(raw), sorted) ?? raw.trim();
}
