import { inOneLine } from '../agent/invisible.ts';
import { estimateTokens } from '../service/tokens.ts';
import type { Customization } from './customization.ts';

export interface PromptFile {
  name: string;
  description: string;
  body: string;
}

/** The first of two with one name counts, because the user's own come before those of a workspace. */
export function firstOfName(all: readonly Customization[]): Customization[] {
  const byName = new Map<string, Customization>();
  for (const one of all) if (one.name !== '' && !byName.has(one.name)) byName.set(one.name, one);
  return [...byName.values()];
}

export function slashCommandsOf(all: readonly Customization[]): (PromptFile & Pick<Customization, 'place'>)[] {
  const typed = all.filter(({ entry }) => entry.when === 'typed');
  const loaded = all.filter(({ entry }) => entry.when === 'loaded' && entry.typed);
  return firstOfName([...typed, ...loaded])
    .map(({ name, description, text, place }) => ({ name, description, body: text, place }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function loadableOf(all: readonly Customization[]): readonly Customization[] {
  return firstOfName(all.filter(({ entry }) => entry.when === 'loaded'));
}

/** The limits are tokens of one row, of all rows, and of the names of those that have none. */
const max = { row: 40, rows: 600, names: 200 };

const rowsHead = 'Load one of these with load_skill when the work is of its kind, before you begin:';

/** Returns at most about 800 tokens, however many there are, and an empty text without any. */
export function renderRows(loadable: readonly Pick<Customization, 'name' | 'description'>[]): string {
  if (loadable.length === 0) return '';
  const rows: string[] = [];
  let room = max.rows;
  let next = 0;
  for (; next < loadable.length; next++) {
    const row = rowOf(loadable[next] ?? { name: '', description: '' });
    room -= estimateTokens(row);
    if (room < 0) break;
    rows.push(row);
  }
  const names: string[] = [];
  let roomForNames = max.names;
  for (; next < loadable.length; next++) {
    const name = loadable[next]?.name ?? '';
    roomForNames -= estimateTokens(`${name}, `);
    if (roomForNames < 0) break;
    names.push(name);
  }
  const left = loadable.length - next;
  const more = [
    ...(names.length > 0 ? [`Also: ${names.join(', ')}.`] : []),
    ...(left > 0 ? [`${left} more, which the user names.`] : []),
  ];
  return [rowsHead, ...rows, ...more].join('\n');
}

/** Cuts the end of a description, because its beginning says when it is of use. */
function rowOf({ name, description }: Pick<Customization, 'name' | 'description'>): string {
  const line = inOneLine(description).trim();
  let text = line.slice(0, max.row * 5).toWellFormed();
  while (estimateTokens(`- ${name}: ${text}`) > max.row && text.length > 10) text = text.slice(0, -10).toWellFormed();
  return `- ${name}: ${text}${text.length < line.length ? '…' : ''}`;
}
