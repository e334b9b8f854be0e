import { displayName } from '../models.ts';

/**
 * Finds an id with or without `svc/`, or a display name. The longest match wins, and an id must end where the match
 * ends, so `kimi-k3-fast` is not `kimi-k3`. Of several models, the requested one wins, else the first in the text. In
 * `rest` every name is replaced by "it", so that words which belong together stand near each other.
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
