import type * as vscode from 'vscode';
import type { StoredValues } from '../../../src/storage/stored-values.ts';

/** A workspace's state in memory. */
export function createMemento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, other?: T) => (values.get(key) as T | undefined) ?? other,
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
  } as vscode.Memento;
}

/** As values that are stored in files. */
export function createValues(memento = createMemento()): StoredValues {
  return {
    get: <T>(key: string) => memento.get<T>(key),
    update: async (key, value) => void (await memento.update(key, value)),
    keys: memento.keys,
    flush: async () => undefined,
  };
}
