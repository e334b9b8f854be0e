import * as l10n from '@vscode/l10n';

const ours: Readonly<Record<string, () => string>> = {
  ask_user: () => l10n.t('Ask user'),
  create_file: () => l10n.t('Create file'),
  delete_file: () => l10n.t('Delete file'),
  edit_file: () => l10n.t('Edit file'),
  fetch_url: () => l10n.t('Fetch page'),
  find_files: () => l10n.t('Find files'),
  find_references: () => l10n.t('Find references'),
  get_changes: () => l10n.t('Get changes'),
  get_problems: () => l10n.t('Get problems'),
  get_symbols: () => l10n.t('Get symbols'),
  go_to_definition: () => l10n.t('Go to definition'),
  list_directory: () => l10n.t('List directory'),
  process: () => l10n.t('Background process'),
  read_file: () => l10n.t('Read file'),
  rename_file: () => l10n.t('Rename file'),
  run_command: () => l10n.t('Run command'),
  search_text: () => l10n.t('Search text'),
  update_plan: () => l10n.t('Update plan'),
};

/**
 * What a call is called until the host has named it; a tool of another extension goes by its own name: `get_docs` →
 * `Get docs`.
 */
export function toolWords(name: string): string {
  const known = Object.hasOwn(ours, name) ? ours[name] : undefined;
  if (known) return known();
  const words = name.replaceAll('_', ' ');
  return words === '' ? l10n.t('Tool') : words.charAt(0).toUpperCase() + words.slice(1);
}

const subject = /"(?:path|command|query|pattern|symbol|from|question|url)"\s*:\s*("(?:[^"\\]|\\.){1,300}")/;

/** What a call is about, as far as its arguments have come: they may still be being written. */
export function subjectOf(written: string): string | undefined {
  const found = subject.exec(written)?.[1];
  if (found === undefined) return undefined;
  try {
    return String(JSON.parse(found));
  } catch {
    // Half an escape, or a model's own idea of JSON.
    return undefined;
  }
}
