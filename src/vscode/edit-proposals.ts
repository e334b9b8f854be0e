import path from 'node:path';
import * as vscode from 'vscode';
import type { EditProposal, EditReviewer } from '../tools/edit-ports.ts';
import { diffLineHunks, type LineHunk } from '../tools/line-diff.ts';
import type { OriginalDocuments } from './original-documents.ts';
import { toLines } from './pending-text.ts';
import { openDocument } from './place-uri.ts';
import { createProposalFiles } from './proposal-files.ts';

type Decision = Awaited<ReturnType<EditReviewer['review']>>;

/** A proposal that waits for the user. Nothing of it is on the disk. */
export interface OpenProposal {
  /** Of the editable side. */
  uri: vscode.Uri;
  path: string;
  before: string;
  isNew: boolean;
}

/** `review` mode: each proposal opens in VS Code's own diff, editable, and its tool call waits. */
export interface EditProposals extends EditReviewer, vscode.Disposable {
  all(): readonly OpenProposal[];
  get(uri: vscode.Uri): OpenProposal | undefined;
  hunks(uri: vscode.Uri): readonly LineHunk[];
  show(uri: vscode.Uri): Promise<void>;
  /** What the user left in the editor goes to the tool. */
  keep(uri: vscode.Uri): void;
  undo(uri: vscode.Uri, reason: string): void;
  onDidChange: vscode.Event<void>;
}

export function createEditProposals(
  scheme: string,
  originals: () => OriginalDocuments,
  newId: () => string,
): EditProposals {
  const files = createProposalFiles(scheme, newId);
  const open = new Map<string, OpenProposal & { after: string; decide(decision: Decision): void }>();
  const changed = new vscode.EventEmitter<void>();
  const typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (open.has(document.uri.toString())) changed.fire();
  });
  // A reload ends the call that waited, and with it the proposal.
  void closeTabs((uri) => uri.scheme === scheme);

  const textOf = (uri: vscode.Uri, after: string): string => {
    const shown = openDocument(uri)?.getText();
    // An editor shows one kind of line end: without other changes the proposal is what the model wrote.
    return shown === undefined || toLines(shown).join('') === toLines(after).join('') ? after : shown;
  };
  async function show(uri: vscode.Uri): Promise<void> {
    const proposal = open.get(uri.toString());
    if (proposal === undefined) return;
    const title = vscode.l10n.t('{0} (svc proposal)', path.posix.basename(uri.path));
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
    await vscode.commands.executeCommand('vscode.diff', originals().uriFor(uri), uri, title, options);
  }
  async function close(uri: vscode.Uri): Promise<void> {
    open.delete(uri.toString());
    changed.fire();
    const document = openDocument(uri);
    // Into memory: a tab with unsaved text would ask before it closes.
    if (document?.isDirty) await document.save();
    await closeTabs((candidate) => candidate.toString() === uri.toString());
    files.remove(uri);
  }

  return {
    all: () => [...open.values()],
    get: (uri) => open.get(uri.toString()),
    hunks(uri) {
      const proposal = open.get(uri.toString());
      if (proposal === undefined) return [];
      return diffLineHunks(toLines(proposal.before), toLines(textOf(uri, proposal.after)));
    },
    show,
    keep(uri) {
      const proposal = open.get(uri.toString());
      proposal?.decide({ decision: 'keep', text: textOf(uri, proposal.after) });
    },
    undo: (uri, reason) => open.get(uri.toString())?.decide({ decision: 'undo', reason }),
    onDidChange: changed.event,
    async review(proposal: EditProposal, signal: AbortSignal) {
      signal.throwIfAborted();
      const uri = files.add(path.posix.basename(proposal.place.path), Buffer.from(proposal.after));
      const decided = Promise.withResolvers<Decision>();
      const { before, after, isNew } = proposal;
      open.set(uri.toString(), { uri, path: proposal.path, before, after, isNew, decide: decided.resolve });
      changed.fire();
      const abort = () => decided.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        await show(uri);
        return await decided.promise;
      } finally {
        signal.removeEventListener('abort', abort);
        await close(uri);
      }
    },
    dispose: () => vscode.Disposable.from(files, changed, typing).dispose(),
  };
}

async function closeTabs(matches: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const wanted = tabs.filter(({ input }) => {
    if (input instanceof vscode.TabInputTextDiff) return matches(input.modified);
    return input instanceof vscode.TabInputText && matches(input.uri);
  });
  if (wanted.length > 0) await vscode.window.tabGroups.close(wanted, true);
}
