import { ToolError } from '../../agent/tool.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { childPlace, type Files, type Place } from './workspace.ts';

/**
 * Every file under a folder that is not left out, folder by folder in the order of names. Links are not followed; folders
 * that cannot be read are passed over.
 */
export async function* walk(
  files: Files,
  rules: IgnoreRules,
  folder: Place,
  signal: AbortSignal,
): AsyncGenerator<Place, void> {
  if (signal.aborted) return;
  await rules.enter(folder.path);
  const entries = (await listed(files, folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const folders: Place[] = [];
  for (const entry of entries) {
    const place = childPlace(folder, entry.name);
    if (entry.kind === 'file' && !rules.ignores(place.path, false)) yield place;
    if (entry.kind === 'directory' && !rules.ignores(place.path, true)) folders.push(place);
  }
  for (const inner of folders) yield* walk(files, rules, inner, signal);
}

async function listed(files: Files, folder: Place): ReturnType<Files['list']> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}
