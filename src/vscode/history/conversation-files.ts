import * as vscode from 'vscode';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import { exportMarkdown } from '../../conversation/export.ts';
import type { ConversationStore } from '../../conversation/store/store.ts';
import { exportJson, type ImportProblem, imagesNamed, importJson, withId } from '../../conversation/store/transfer.ts';
import type { ImageStore } from '../../storage/image-store.ts';
import { showMessage } from '../host/show-message.ts';

export interface ConversationFilesDeps {
  store: ConversationStore;
  conversations: OpenConversations;
  images: Pick<ImageStore, 'add' | 'read' | 'keep'>;
  /** Removes API keys: an open conversation holds unredacted replies, and an imported file may contain anything. */
  withoutKeys<T>(record: T): T;
  newId(): string;
}

const maxImportBytes = 256 * 1024 * 1024;

/** Opens a new, unsaved document, so that the user can read it before saving it. */
export async function exportAsMarkdown(deps: ConversationFilesDeps, id: string): Promise<void> {
  const conversation = await deps.conversations.acquire(id);
  if (conversation === undefined) return nothingToExport();
  const state = conversation.state();
  deps.conversations.release(conversation);
  if (state.items.length === 0) return nothingToExport();
  const content = exportMarkdown(deps.withoutKeys(state));
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** Writes every stored record to a file that the user picks; it can be imported again. */
export async function exportAsJson(deps: ConversationFilesDeps, id: string): Promise<void> {
  const records = (await deps.store.has(id)) ? await deps.store.readRecords(id) : undefined;
  if (records === undefined) return nothingToExport();
  const title = (await deps.store.list()).find((row) => row.id === id)?.title ?? '';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileNameOf(title)}.json`;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : undefined,
    filters: { JSON: ['json'] },
    title: vscode.l10n.t('Export Conversation as JSON'),
  });
  if (target === undefined) return;
  // Also what was stored before the key was known.
  const clean = records.map(deps.withoutKeys);
  await vscode.workspace.fs.writeFile(target, Buffer.from(exportJson(clean, await imagesOf(deps, clean)), 'utf8'));
  showMessage(vscode.l10n.t('The conversation was exported to {0}.', target.fsPath));
}

/** Leaves out images that no longer exist; their messages still name them. */
async function imagesOf(
  { images }: ConversationFilesDeps,
  records: readonly unknown[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const hash of imagesNamed(records)) {
    const url = await images.read(hash);
    if (url !== undefined) found[hash] = url;
  }
  return found;
}

/** Asks for files unless it is given one. Resolves with the id of the conversation that was imported last. */
export async function importConversations(deps: ConversationFilesDeps, from?: unknown): Promise<string | undefined> {
  const files =
    from instanceof vscode.Uri
      ? [from]
      : await vscode.window.showOpenDialog({
          canSelectMany: true,
          filters: { JSON: ['json'] },
          title: vscode.l10n.t('Import Conversations'),
          openLabel: vscode.l10n.t('Import'),
        });
  let last: string | undefined;
  for (const file of files ?? []) last = (await importOne(deps, file)) ?? last;
  return last;
}

async function importOne(
  { store, images, newId, withoutKeys }: ConversationFilesDeps,
  file: vscode.Uri,
): Promise<string | undefined> {
  const name = file.path.split('/').at(-1) ?? '';
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxImportBytes) return refuse(name, vscode.l10n.t('It is too large to be a conversation.'));
  const result = importJson(Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8'));
  if ('problem' in result) return refuse(name, problemTexts[result.problem]());
  // Ids are ours, and what is there is never overwritten.
  const keepsId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(result.id) && !(await store.has(result.id));
  const id = keepsId ? result.id : newId();
  for (const url of result.images) await images.keep(await images.add(url));
  const records = result.records.map(withoutKeys);
  await store.create(id, keepsId ? records : withId(records, id));
  return id;
}

function refuse(name: string, reason: string): undefined {
  void vscode.window.showErrorMessage(vscode.l10n.t('{0} was not imported. {1}', name, reason));
  return undefined;
}

const problemTexts: Readonly<Record<ImportProblem, () => string>> = {
  'not-json': () =>
    vscode.l10n.t("It isn't valid JSON, or the file is incomplete. Export the conversation as JSON again."),
  'not-a-conversation': () => vscode.l10n.t("It isn't a conversation that svc Assistant exported as JSON."),
  'later-version': () =>
    vscode.l10n.t('It was written by a newer version of svc Assistant. Update the extension and try again.'),
  empty: () => vscode.l10n.t('It contains no messages.'),
};

function nothingToExport(): void {
  showMessage(vscode.l10n.t('This conversation has nothing to export yet.'));
}

function fileNameOf(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'conversation' : name;
}
