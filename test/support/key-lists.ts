/** One line of a list of keys; `when` is absent where the key works everywhere. */
export interface BoundKey {
  key: string;
  command: string;
  when?: string;
}

export const systems = ['linux', 'win', 'mac'] as const;
export type System = (typeof systems)[number];

interface ContributedKey extends BoundKey {
  linux?: string;
  win?: string;
  mac?: string;
}

/** Our keys on one system, as the manifest contributes them. */
export function ownKeys(manifest: unknown, system: System): BoundKey[] {
  const contributed: readonly ContributedKey[] = Object(manifest).contributes.keybindings;
  return contributed.map((entry) => ({
    key: normaliseKey(entry[system] ?? entry.key),
    command: entry.command,
    ...(entry.when === undefined ? {} : { when: entry.when }),
  }));
}

/** Modifiers in the order in which VS Code writes them. */
export function normaliseKey(key: string): string {
  const parts = key.trim().toLowerCase().split('+');
  const last = parts.pop() ?? '';
  return [...['ctrl', 'shift', 'alt', 'cmd', 'meta'].filter((modifier) => parts.includes(modifier)), last].join('+');
}

/** Not there in every run of VS Code; they hold only in the filter of a view. */
const ofFilterBoxes = /\.clearFilterText$/;

/** What VS Code's document of default keys says about some keys. Also what begins with one of them is there. */
export function readDefaultKeys(document: string, keys: ReadonlySet<string>): BoundKey[] {
  const json = document
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n');
  const all: BoundKey[] = JSON.parse(json);
  return all
    .filter(({ key }) => keys.has(normaliseKey(key.split(' ')[0] ?? '')))
    .filter(({ command }) => !command.startsWith('svc.') && !ofFilterBoxes.test(command))
    .map(({ key, command, when }) => ({ key, command, ...(when === undefined ? {} : { when }) }))
    .toSorted(
      (one, other) =>
        compare(one.key, other.key) || compare(one.command, other.command) || compare(one.when, other.when),
    );
}

const compare = (one = '', other = '') => (one < other ? -1 : Number(one > other));
