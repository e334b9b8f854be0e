import type { StoredValues } from './stored-values.ts';

export interface StoredTable {
  stored: Readonly<Record<string, unknown>>;
  /**
   * Takes the whole table and writes the rows that are other objects than at the last call. Rows that are left out
   * are forgotten.
   */
  save(rows: Readonly<Record<string, unknown>>): void;
}

export interface StoredTableDeps {
  values: StoredValues;
  name: string;
  max: number;
}

/**
 * Stores each row as a value of its own: of a row that two windows write, the last one stands, and neither overwrites
 * what the other learned of another row.
 */
export function openStoredTable({ values, name, max }: StoredTableDeps): StoredTable {
  const prefix = `${name}.`;
  const keys = values.keys().filter((key) => key.startsWith(prefix));
  for (const key of keys.slice(0, -max)) void values.update(key, undefined);
  const stored = Object.fromEntries(keys.slice(-max).map((key) => [key.slice(prefix.length), values.get(key)]));
  let written = new Map(Object.entries(stored));
  return {
    stored,
    save(rows) {
      const next = new Map(Object.entries(rows));
      for (const [row, value] of next) if (written.get(row) !== value) void values.update(prefix + row, value);
      for (const row of written.keys()) if (!next.has(row)) void values.update(prefix + row, undefined);
      written = next;
    },
  };
}
