import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { LineHunk } from '../../edits/apply/line-diff.ts';
import { cellOf } from '../workspace/notebook-cells.ts';
import type { EditProposals } from './edit-proposals.ts';
import type { EditReviewDeps } from './edit-review.ts';
import type { OriginalDocuments } from './original-documents.ts';

export interface ReviewParts
  extends Pick<EditReviewDeps, 'store' | 'codec' | 'aroundUndo' | 'conversationAtHand' | 'titleOf'> {
  proposals: EditProposals;
  originals: OriginalDocuments;
  nonce: string;
}

const lensTarget = z.object({ nonce: z.string(), uri: z.string(), line: z.number() });

export function targetOf(parts: ReviewParts, argument: unknown): { uri: vscode.Uri; hunk?: LineHunk } | undefined {
  const parsed = lensTarget.safeParse(argument);
  if (parsed.success && parsed.data.nonce === parts.nonce) {
    const uri = vscode.Uri.parse(parsed.data.uri, true);
    const hunk = hunksAt(parts, uri).find(({ after }) => after.start === parsed.data.line);
    return hunk && { uri, hunk };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const hunk = hunkAtCursor(parts, editor);
  return { uri: editor.document.uri, hunk };
}

export function hunksAt({ store, proposals }: ReviewParts, uri: vscode.Uri): readonly LineHunk[] {
  return proposals.get(uri) === undefined ? store.hunks(uri) : proposals.hunks(uri);
}

export function hunkAtCursor(parts: ReviewParts, { document, selection }: vscode.TextEditor): LineHunk | undefined {
  const { line } = selection.active;
  return hunksAt(parts, document.uri).find(
    ({ after }) => line >= after.start && line < after.start + Math.max(1, after.count),
  );
}

/**
 * Returns the hunks of all files in navigation order. A notebook is one stop, because its cells do not show the hunks
 * of its file.
 */
export function stopsOf(parts: ReviewParts): { uri: vscode.Uri; line: number }[] {
  const { store, proposals } = parts;
  const files = store.all().map(({ uri, byCells }) => ({ uri: vscode.Uri.parse(uri, true), byCells }));
  return [...proposals.all(), ...files].flatMap((one) => {
    const { uri } = one;
    if ('byCells' in one && one.byCells) return [{ uri, line: 0 }];
    return hunksAt(parts, uri).map((hunk) => ({ uri, line: hunk.after.start }));
  });
}

export async function goTo(parts: ReviewParts, step: 1 | -1): Promise<void> {
  const all = stopsOf(parts);
  if (all.length === 0) return;
  const editor = vscode.window.activeTextEditor;
  const cell = editor && cellOf(editor.document.uri);
  const here = (cell?.notebook.uri ?? editor?.document.uri)?.toString();
  const line = editor?.selection.active.line ?? 0;
  const inFile = all.filter(({ uri }) => uri.toString() === here);
  const next = step === 1 ? inFile.find((one) => one.line > line) : inFile.findLast((one) => one.line < line);
  const edge = step === 1 ? inFile.at(-1) : inFile.at(0);
  const start = edge === undefined ? (step === 1 ? -1 : 0) : all.indexOf(edge);
  const target = next ?? all[(start + step + all.length) % all.length];
  if (target === undefined) return;
  await reveal(parts, target.uri, target.line);
}

export async function reveal({ proposals, store }: ReviewParts, uri: vscode.Uri, line: number): Promise<void> {
  if (store.get(uri)?.byCells) {
    await vscode.commands.executeCommand('vscode.open', uri);
    return;
  }
  const isProposal = proposals.get(uri) !== undefined;
  if (isProposal) await proposals.show(uri);
  const inDiff = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const editor = isProposal ? inDiff : await vscode.window.showTextDocument(uri);
  if (editor === undefined) return;
  const position = editor.document.validatePosition(new vscode.Position(line, 0));
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

export async function showDiff(parts: ReviewParts, uri: vscode.Uri, conversationId?: string): Promise<void> {
  const { store, proposals, originals } = parts;
  if (proposals.get(uri) !== undefined) return proposals.show(uri);
  const file = store.get(uri);
  if (file === undefined) return;
  const original = originals.uriFor(uri, conversationId);
  if (file.kind === 'deleted') {
    await vscode.window.showTextDocument(original, { preview: true });
    return;
  }
  const name = path.posix.basename(uri.path);
  const title =
    file.from === undefined
      ? vscode.l10n.t('{0} (pending changes)', name)
      : vscode.l10n.t('{0} (renamed from {1})', name, path.posix.basename(file.from.path));
  await vscode.commands.executeCommand('vscode.diff', original, uri, title);
}

export async function showReview(
  parts: ReviewParts,
  uris: readonly vscode.Uri[],
  conversationId: string | undefined,
): Promise<void> {
  const resources = uris.flatMap((uri) => {
    const file = parts.store.get(uri);
    if (file === undefined) return [];
    const original = parts.originals.uriFor(uri, conversationId);
    if (file.kind === 'created') return [[uri, undefined, uri]];
    return [file.kind === 'deleted' ? [uri, original, undefined] : [uri, original, uri]];
  });
  if (resources.length === 0) return;
  const title =
    resources.length === 1 ? vscode.l10n.t('1 file to review') : vscode.l10n.t('{0} files to review', resources.length);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

export async function showRemoved(parts: ReviewParts, argument: unknown): Promise<void> {
  const target = targetOf(parts, argument);
  if (target?.hunk === undefined) return;
  if (cellOf(target.uri) === undefined) await reveal(parts, target.uri, target.hunk.after.start);
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
}
