import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { EditProposal, EditReviewer } from '../../edits/apply/edit-ports.ts';
import type { LineHunk } from '../../edits/apply/line-diff.ts';
import { hunksOf } from '../../edits/pending/hunks.ts';
import { settledText, toLines, withWritten } from '../../edits/pending/pending-text.ts';
import type { StateFile } from '../../storage/state-file.ts';
import { openDocument } from '../workspace/place-uri.ts';
import { createProposalFiles } from './proposal-files.ts';

type Decision = Awaited<ReturnType<EditReviewer['review']>>;

export interface OpenProposal {
  uri: vscode.Uri;
  path: string;
  before: string;
  isNew: boolean;
  conversationId?: string;
  /**
   * Is true when a reload ended the waiting tool call: Keep still writes the proposal, and no model receives the
   * decision.
   */
  expired: boolean;
}

export const storedProposal = z.object({
  uri: z.string(),
  conversationId: z.optional(z.string()),
  turnId: z.string(),
  callId: z.string(),
  root: z.string(),
  place: z.string(),
  path: z.string(),
  before: z.string(),
  text: z.string(),
  isNew: z.boolean(),
});
export type StoredProposal = z.infer<typeof storedProposal>;

/** In `review` mode each proposal opens in VS Code's diff, where it can be edited, while its tool call waits. */
export interface EditProposals extends vscode.Disposable {
  reviewerFor(conversationId: string | undefined): EditReviewer;
  all(): readonly OpenProposal[];
  get(uri: vscode.Uri): OpenProposal | undefined;
  hunks(uri: vscode.Uri): readonly LineHunk[];
  show(uri: vscode.Uri): Promise<void>;
  /** Passes the text as the user left it to the tool, or writes it to the file when the proposal has expired. */
  keep(uri: vscode.Uri): Promise<void>;
  undo(uri: vscode.Uri, reason: string): Promise<void>;
  onDidChange: vscode.Event<void>;
}

export interface EditProposalsDeps {
  scheme: string;
  originalOf(target: vscode.Uri): vscode.Uri;
  newId(): string;
  storage: StateFile<StoredProposal>;
  /** Writes an expired proposal as the user left it. Rejects with `ToolError`, and then the proposal stays open. */
  keepExpired(proposal: StoredProposal, text: string, reviewer: EditReviewer): Promise<void>;
}

interface Entry extends OpenProposal {
  stored: StoredProposal;
  decide(decision: Decision): Promise<void>;
}

export function createEditProposals(deps: EditProposalsDeps): EditProposals {
  const { scheme, originalOf } = deps;
  const files = createProposalFiles(scheme, deps.newId);
  const open = new Map<string, Entry>();
  const changed = new vscode.EventEmitter<void>();
  let disposed = false;
  const textOf = (uri: vscode.Uri, after: string): string => {
    const shown = openDocument(uri)?.getText();
    // An editor shows one kind of line end: without other changes the proposal is what the model wrote.
    return shown === undefined || toLines(shown).join('') === toLines(after).join('') ? after : shown;
  };
  const rows = () => [...open.values()].map(({ uri, stored }) => ({ ...stored, text: textOf(uri, stored.text) }));
  const saver = deps.storage.follow(rows);
  const typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (!open.has(document.uri.toString())) return;
    saver.schedule();
    changed.fire();
  });

  async function show(uri: vscode.Uri): Promise<void> {
    const proposal = open.get(uri.toString());
    if (proposal === undefined) return;
    const name = path.posix.basename(uri.path);
    const title = proposal.expired
      ? vscode.l10n.t('{0} (expired svc proposal)', name)
      : vscode.l10n.t('{0} (svc proposal)', name);
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
    await vscode.commands.executeCommand('vscode.diff', originalOf(uri), uri, title, options);
  }
  async function close(uri: vscode.Uri): Promise<void> {
    // The window goes away: what waits must be there after it.
    if (disposed) return;
    open.delete(uri.toString());
    saver.schedule();
    changed.fire();
    const document = openDocument(uri);
    // Into memory: a tab with unsaved text would ask before it closes.
    if (document?.isDirty) await document.save();
    await closeTabs((candidate) => candidate.toString() === uri.toString());
    files.remove(uri);
  }
  function add(stored: StoredProposal, uri: vscode.Uri, decide?: Entry['decide']): void {
    const { path: shown, before, isNew, conversationId } = stored;
    const late = async (decision: Decision) => {
      if (decision.decision === 'keep') await deps.keepExpired(stored, decision.text, reviewerFor(conversationId));
      await close(uri);
    };
    const expired = decide === undefined;
    const owner = conversationId !== undefined && { conversationId };
    open.set(uri.toString(), { uri, path: shown, before, isNew, ...owner, expired, stored, decide: decide ?? late });
  }
  for (const stored of deps.storage.stored) {
    const uri = vscode.Uri.parse(stored.uri, true);
    files.addAgain(uri, Buffer.from(stored.text));
    add(stored, uri);
  }
  // Tabs of proposals that are no more.
  void closeTabs((uri) => uri.scheme === scheme && !open.has(uri.toString()));

  async function review(
    conversationId: string | undefined,
    proposal: EditProposal,
    signal: AbortSignal,
  ): Promise<Decision> {
    signal.throwIfAborted();
    const uri = files.add(path.posix.basename(proposal.place.path), Buffer.from(proposal.after));
    const decided = Promise.withResolvers<Decision>();
    add(toStored(proposal, { uri, conversationId }), uri, async (decision) => decided.resolve(decision));
    changed.fire();
    const abort = () => decided.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      // At once: a window that crashes must not lose it.
      await saver.flush().catch(deps.storage.onError);
      await show(uri);
      return await decided.promise;
    } finally {
      signal.removeEventListener('abort', abort);
      await close(uri);
    }
  }

  function reviewerFor(conversationId: string | undefined): EditReviewer {
    return { review: (proposal, signal) => review(conversationId, proposal, signal) };
  }

  return {
    reviewerFor,
    all: () => [...open.values()],
    get: (uri) => open.get(uri.toString()),
    hunks(uri) {
      const proposal = open.get(uri.toString());
      if (proposal === undefined) return [];
      const { turnId, callId, text } = proposal.stored;
      return hunksOf(withWritten(settledText(proposal.before), textOf(uri, text), { turnId, callId }));
    },
    show,
    async keep(uri) {
      const proposal = open.get(uri.toString());
      await proposal?.decide({ decision: 'keep', text: textOf(uri, proposal.stored.text) });
    },
    async undo(uri, reason) {
      await open.get(uri.toString())?.decide({ decision: 'undo', reason });
    },
    onDidChange: changed.event,
    dispose() {
      disposed = true;
      saver.flush().catch(deps.storage.onError);
      vscode.Disposable.from(files, changed, typing).dispose();
    },
  };
}

function toStored(
  { turnId, callId, place, path: shown, before, after, isNew }: EditProposal,
  { uri, conversationId }: { uri: vscode.Uri; conversationId: string | undefined },
): StoredProposal {
  const { root, path: relative } = place;
  const of = {
    ...(conversationId !== undefined && { conversationId }),
    turnId,
    callId,
    root: root.uri,
    place: relative,
    path: shown,
  };
  return { uri: uri.toString(), ...of, before, text: after, isNew };
}

async function closeTabs(matches: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const wanted = tabs.filter(({ input }) => {
    if (input instanceof vscode.TabInputTextDiff) return matches(input.modified);
    return input instanceof vscode.TabInputText && matches(input.uri);
  });
  if (wanted.length > 0) await vscode.window.tabGroups.close(wanted, true);
}
