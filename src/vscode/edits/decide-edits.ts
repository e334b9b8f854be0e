import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { ofConversation } from '../../edits/pending/edit-origin.ts';
import { hunksOf } from '../../edits/pending/hunks.ts';
import { fileOrigins, type PendingFile } from '../../edits/pending/pending-files.ts';
import { type Selection, withUndone } from '../../edits/pending/pending-text.ts';
import { hunkShownAs } from '../../edits/pending/shown-hunks.ts';
import { askText } from '../host/ask-text.ts';
import { showWarning } from '../host/show-message.ts';
import { openNotebook } from '../workspace/notebook-cells.ts';
import type { EditProposals } from './edit-proposals.ts';
import type { ReviewAction, ShownPart } from './edit-review.ts';
import { type ReviewParts, showDiff, showReview } from './show-edits.ts';
import { undoFiles } from './undo-files.ts';

/** Decides on everything in the active file, whichever conversation it is from, because the user sees the file. */
export async function decideOpenFile(parts: ReviewParts, action: 'keep' | 'undo'): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) return;
  if (parts.proposals.get(uri) !== undefined) await decideProposal(parts.proposals, action, uri);
  else if (action === 'keep') parts.store.keep(uri);
  else await undo(parts, [uri], {});
}

export async function decideAll(
  parts: ReviewParts,
  action: ReviewAction,
  conversationId: string | undefined,
): Promise<void> {
  const { store, proposals } = parts;
  const own = proposals.all().filter((proposal) => proposal.conversationId === conversationId);
  const uris = store.all().flatMap((file) => (isIn(file, conversationId) ? [vscode.Uri.parse(file.uri, true)] : []));
  const of = ofConversation(conversationId);
  switch (action) {
    case 'review':
      if (own[0] !== undefined) await proposals.show(own[0].uri);
      else await showReview(parts, uris, conversationId);
      return;
    case 'keepAll':
      for (const { uri } of own) await keepProposal(proposals, uri);
      for (const uri of uris) store.keep(uri, { of });
      return;
    case 'undoAll':
      for (const { uri, expired } of own) {
        if (expired) await discardExpired(proposals, uri);
        else await proposals.undo(uri, '');
      }
      await undo(parts, uris, { of });
  }
}

export async function decideFile(
  parts: ReviewParts,
  action: 'keep' | 'undo' | 'open',
  { uri, conversationId }: { uri: string; conversationId: string | undefined },
): Promise<void> {
  const proposal = parts.proposals.all().find((candidate) => candidate.uri.toString() === uri);
  const file = parts.store.all().find((candidate) => candidate.uri === uri);
  if (proposal !== undefined) {
    if (action === 'open') await parts.proposals.show(proposal.uri);
    else await decideProposal(parts.proposals, action, proposal.uri);
  } else if (file !== undefined) {
    const of = ofConversation(conversationId);
    const target = vscode.Uri.parse(file.uri, true);
    if (action === 'open') await showDiff(parts, target, conversationId);
    else if (action === 'keep') parts.store.keep(target, { of });
    else await undo(parts, [target], { of });
  }
}

export async function decidePart(
  parts: ReviewParts,
  action: 'keep' | 'undo',
  { part, conversationId }: { part: ShownPart; conversationId: string },
): Promise<void> {
  const file = parts.store.all().find(({ uri, kind }) => uri === part.uri && kind !== 'deleted');
  const hunk = file && hunkShownAs(file.text, conversationId, part);
  if (file === undefined || hunk === undefined) return;
  const target = vscode.Uri.parse(file.uri, true);
  const selection = { hunks: [hunk], of: ofConversation(conversationId) };
  if (action === 'keep') parts.store.keep(target, selection);
  else await undo(parts, [target], selection);
}

export async function undo(parts: ReviewParts, uris: readonly vscode.Uri[], selection: Selection): Promise<void> {
  const isUnsaved = (uri: vscode.Uri) => parts.store.get(uri)?.byCells === true && openNotebook(uri)?.isDirty === true;
  const [waiting, ready] = [uris.filter(isUnsaved), uris.filter((uri) => !isUnsaved(uri))];
  if (waiting.length > 0) void askToSave(parts, waiting, selection);
  const names = ready.flatMap((uri) => {
    const from = parts.store.get(uri)?.from;
    return [uri, from ? vscode.Uri.parse(from.uri, true) : uri];
  });
  const conflicting = await parts.aroundUndo(names, () => undoFiles(parts, ready, selection));
  const [first] = conflicting;
  if (first === undefined) return;
  await showDiff(parts, first);
  showWarning(whyNot(parts.store.get(first), selection));
}

/** The file of a notebook can be changed only while its cells are saved. */
export async function askToSave(parts: ReviewParts, uris: readonly vscode.Uri[], selection: Selection): Promise<void> {
  const names = uris.map((uri) => vscode.workspace.asRelativePath(uri)).join(', ');
  const save = vscode.l10n.t('Save and Undo');
  const text = vscode.l10n.t('Not undone because cells have unsaved changes: {0}', names);
  if ((await vscode.window.showWarningMessage(text, save)) !== save) return;
  for (const uri of uris) await openNotebook(uri)?.save();
  await undo(
    parts,
    uris.filter((uri) => !openNotebook(uri)?.isDirty),
    selection,
  );
}

export function whyNot(file: PendingFile | undefined, selection: Selection): string {
  if (file !== undefined && withUndone(file.text, selection).copies.length > 0) {
    return vscode.l10n.t(
      "You've copied lines of these edits to other places, so nothing of them was undone. Remove the copies first, or undo the edits manually in the diff.",
    );
  }
  return file !== undefined && hunksOf(file.text).some((hunk) => hunk.isMixed)
    ? vscode.l10n.t(
        "You've changed the same lines since, so nothing there was overwritten. Undo them manually in the diff.",
      )
    : vscode.l10n.t(
        'Another chat has changed the same lines since, so nothing there was overwritten. Undo its edits first, or undo them by hand in the diff.',
      );
}

export function isIn(file: PendingFile, conversationId: string | undefined): boolean {
  return fileOrigins(file).some(ofConversation(conversationId));
}

export async function decideProposal(
  proposals: EditProposals,
  action: 'keep' | 'undo',
  uri: vscode.Uri,
): Promise<void> {
  if (action === 'keep') return keepProposal(proposals, uri);
  if (proposals.get(uri)?.expired) return discardExpired(proposals, uri);
  const reason = await askText({
    title: vscode.l10n.t('Undo Proposal'),
    prompt: vscode.l10n.t('What should be different? The model reads this. You can leave it empty.'),
  });
  if (reason !== undefined) await proposals.undo(uri, reason);
}

/**
 * Writes an expired proposal only onto the text that it was made from; otherwise it stays open, so that none of it is
 * lost.
 */
async function keepProposal(proposals: EditProposals, uri: vscode.Uri): Promise<void> {
  try {
    await proposals.keep(uri);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    await proposals.show(uri);
    showWarning(vscode.l10n.t("The proposal wasn't written and stays open. {0}", error.message));
  }
}

async function discardExpired(proposals: EditProposals, uri: vscode.Uri): Promise<void> {
  const discard = vscode.l10n.t('Discard');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("Discard this proposal? There's no other copy."),
    { modal: true },
    discard,
  );
  if (answer === discard) await proposals.undo(uri, '');
}
