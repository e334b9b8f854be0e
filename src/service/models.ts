import type { ServiceModel } from './contract.ts';

export const knownModels: readonly ServiceModel[] = [
  { id: 'svc/deepseek-v4-pro', name: 'DeepSeek V4-Pro' },
  { id: 'svc/deepseek-v4.1-flash', name: 'DeepSeek V4.1 Flash' },
  { id: 'svc/glm-5.3', name: 'GLM 5.3' },
  { id: 'svc/glm-5.3-flash', name: 'GLM-5.3 Flash' },
  { id: 'svc/kimi-k3', name: 'Kimi K3' },
  { id: 'svc/kimi-k3-fast', name: 'Kimi K3 Fast' },
  { id: 'svc/qwen-3.8-27b', name: 'Qwen 3.8 27B' },
];

export const defaultModel = 'svc/deepseek-v4.1-flash';

const names = new Map(knownModels.map((model) => [model.id, model.name]));

export function displayName(id: string): string {
  return names.get(id) ?? readableName(id);
}

function readableName(id: string): string {
  const words = lastSegment(id).split(/[-_\s]+/);
  const name = words.filter(Boolean).map(readableWord).join(' ');
  return name === '' ? id : name;
}

function readableWord(word: string): string {
  const isAbbreviation = /^[bcdfghjklmnpqrstvwxz]{2,4}$/i.test(word);
  const isSize = /^[\d.]+[a-z]$/i.test(word);
  return isAbbreviation || isSize ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * Returns the id in `ids` that was most likely meant, or undefined when none is near. Ignores a missing or foreign
 * prefix, dots for hyphens, capitals and display names; after that, it allows up to two typing mistakes.
 */
export function nearestModelId(id: string, ids: readonly string[]): string | undefined {
  if (ids.includes(id)) return id;
  const wanted = comparable(id);
  if (wanted === '') return undefined;
  const same = ids.find((candidate) => comparable(candidate) === wanted);
  if (same !== undefined) return same;
  const maxEdits = wanted.length < 6 ? 1 : 2;
  let nearest: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of ids) {
    const edits = editDistance(wanted, comparable(candidate), maxEdits);
    if (edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

function comparable(id: string): string {
  const bare = lastSegment(id.slice(0, maxIdLength).trim().toLowerCase()).replace(/:.*$/, '');
  return bare.replace(/[^a-z0-9]+/g, '-').replace(/^(svc-)|^-|-$/g, '');
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return Math.min(previous[right.length] ?? 0, limit + 1);
}

const maxIdLength = 100;
const maxModels = 200;
const validId = /^[A-Za-z0-9._/-]{1,100}$/;

export function isModelId(id: unknown): id is string {
  return typeof id === 'string' && validId.test(id);
}

/**
 * Reads the body of `GET /models`. The list needs no key, so anybody may have answered: invalid ids are left out, and
 * the rest of each entry is not read. Returns undefined when the body is no model list.
 */
export function parseModelList(body: unknown): ServiceModel[] | undefined {
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return undefined;
  const ids = new Set<string>();
  for (const entry of body.data) {
    if (ids.size >= maxModels) break;
    const id: unknown = typeof entry === 'object' && entry !== null ? entry.id : undefined;
    if (isModelId(id)) ids.add(id);
  }
  if (ids.size === 0 && body.data.length > 0) return undefined;
  return [...ids].map((id) => ({ id, name: displayName(id) }));
}
