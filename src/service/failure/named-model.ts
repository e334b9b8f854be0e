import { displayName } from '../models.ts';

/**
 * The model that a text names: an id with or without `svc/`, or a display name. Longest first, and an id does not go on
 * after its end, so `kimi-k3-fast` is not `kimi-k3`. Of several, the one that was asked for, else the first in the text.
 * `rest` is the text with "it" for every name, so that words which belong together stand near each other.
 */
export function findNamedModel(
  text: string,
  modelIds: readonly string[],
  asked?: string,
): { id?: string; rest: string } {
  const names = modelIds
    .flatMap((id) => [id.replace(/^svc\//, ''), displayName(id)].map((name) => ({ id, name })))
    .filter(({ name }) => name.length >= 4)
    .sort((a, b) => b.name.length - a.name.length);
  let masked = text;
  const found: { id: string; at: number }[] = [];
  for (const { id, name } of names) {
    // The service writes some names with a hyphen where others have a space.
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[ -]/g, '[ -]');
    const pattern = new RegExp(`(?<![A-Za-z0-9_.-])${escaped}(?![A-Za-z0-9]|[-_.][A-Za-z0-9])`, 'gi');
    masked = masked.replace(pattern, (match, at: number) => {
      found.push({ id, at });
      return '\0'.repeat(match.length);
    });
  }
  const rest = masked.replace(/(?:svc\/)?\0+/g, 'it');
  if (asked !== undefined && found.some(({ id }) => id === asked)) return { id: asked, rest };
  const [first] = found.sort((a, b) => a.at - b.at);
  return first === undefined ? { rest } : { id: first.id, rest };
}
