import type { StoredValues } from './stored-values.ts';

export interface StoredTable {
  stored: Readonly<Record<string, unknown>>;
  /**
   * Takes the whole table and writes the rows that are other objects than at the last call. Rows that are left out
   * are forgotten.
   */
  save(rows: Readonly<Record<string, unknown>>): void;
}

interface OldState {
  get(key: string): unknown;
  update(key: string, value: undefined): PromiseLike<void>;
}

export interface StoredTableDeps {
  values: StoredValues;
  name: string;
  max: number;
  old: OldState;
}

/**
 * Stores each row as a value of its own: of a row that two windows write, the last one stands, and neither overwrites
 * what the other learned of another row. Rows that earlier versions stored in the editor's state are moved here.
 */
export async function openStoredTable({ values, name, max, old }: StoredTableDeps): Promise<StoredTable> {
  const prefix = `${name}.`;
  const before = old.get(`svc.${name}`);
  if (before !== undefined) {
    for (const [row, value] of Object.entries(before ?? {})) {
      if (values.get(prefix + row) === undefined) await values.update(prefix + row, value);
    }
    await old.update(`svc.${name}`, undefined);
  }
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
