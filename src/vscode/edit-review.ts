import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { PanelInfo } from '../shared/panel-info.ts';
import type { EditReviewer } from '../tools/edit-ports.ts';
import type { LineHunk } from '../tools/line-diff.ts';
import { decideProposal, discardExpired, keepProposal } from './decide-proposal.ts';
import { createEditDecorations } from './edit-decorations.ts';
import { createEditLenses } from './edit-lenses.ts';
import {
  createEditProposals,
  type EditProposals,
  type EditProposalsDeps,
  type OpenProposal,
} from './edit-proposals.ts';
import type { EditStore } from './edit-store.ts';
import { createOriginalDocuments, type OriginalDocuments } from './original-documents.ts';
import type { PendingFile } from './pending-files.ts';
import { undoFiles } from './undo-files.ts';

/** Undecided edits anywhere · in the active editor · under its cursor. */
export type EditContextKey = 'svc.hasUndecidedEdits' | 'svc.editorHasInlineEdit' | 'svc.cursorInEdit';

/** A row of the Changes bar. */
export type ChangedFileRow = PanelInfo['edits'][number];

/** Deciding on edits: in VS Code's own editors and diff, per hunk, per file, all at once (ux 2.10). */
export interface EditReview extends vscode.Disposable {
  /** For the edit tools, in `review` mode. */
  reviewer: EditReviewer;
  files(): ChangedFileRow[];
  onDidChange: vscode.Event<void>;
  /** From the Changes bar. Addresses that are not in `files()` are ignored. */
  decideFile(action: 'keep' | 'undo' | 'open', uri: string): Promise<void>;
  /** Takes these edits of one file back, in one step for the editor's own Undo. */
  undoHunks(uri: vscode.Uri, hunks: readonly LineHunk[]): Promise<void>;
  commands: EditCommands;
}

/** Arguments come from anywhere: only those of this window's own lenses count, all others mean the active editor (X37). */
export type EditCommands = Record<
  | 'svc.keepEdit'
  | 'svc.undoEdit'
  | 'svc.keepAllEdits'
  | 'svc.undoAllEdits'
  | 'svc.nextEdit'
  | 'svc.previousEdit'
  | 'svc.showEditDiff',
  (argument?: unknown) => Promise<void>
>;

export interface EditReviewDeps {
  store: EditStore;
  setContext(key: EditContextKey, value: boolean): void;
  /** Told around what Undo writes, so that checkpoints know it as ours. */
  aroundUndo<T>(uris: readonly vscode.Uri[], undo: () => Promise<T>): Promise<T>;
  /** Proposals that a reload left open. */
  proposals: Pick<EditProposalsDeps, 'stored' | 'storage' | 'keepExpired'>;
  /** Of the schemes of its documents; two reviews in one window need two. */
  schemePrefix?: string;
}

interface Parts extends Pick<EditReviewDeps, 'aroundUndo'> {
  store: EditStore;
  proposals: EditProposals;
  originals: OriginalDocuments;
  nonce: string;
}

export function createEditReview(deps: EditReviewDeps): EditReview {
  const { store, setContext, aroundUndo, schemePrefix = 'svc' } = deps;
  const nonce = randomUUID();
  const originals: OriginalDocuments = createOriginalDocuments(
    `${schemePrefix}-original`,
    (target) => store.get(target)?.text.base.join('') ?? proposals.get(target)?.before,
  );
  const scheme = `${schemePrefix}-proposal`;
  const proposals = createEditProposals({ ...deps.proposals, scheme, originals: () => originals, newId: randomUUID });
  const parts: Parts = { store, proposals, originals, nonce, aroundUndo };
  const changed = new vscode.EventEmitter<void>();
  const hunks = (uri: vscode.Uri) => hunksAt(parts, uri);
  const isEmpty = () => store.all().length === 0 && proposals.all().length === 0;
  const decorations = createEditDecorations({
    // The diff that shows a proposal has its own colours.
    hunks: store.hunks,
    removedText: (uri, { before }) =>
      store
        .get(uri)
        ?.text.base.slice(before.start, before.start + before.count)
        .join('') ?? '',
  });
  const lenses = createEditLenses({ isEmpty, hunks }, nonce);
  const markCursor = () => {
    const editor = vscode.window.activeTextEditor;
    const uri = editor?.document.uri;
    const hasEdits = uri !== undefined && (proposals.get(uri) !== undefined || store.get(uri) !== undefined);
    setContext('svc.editorHasInlineEdit', hasEdits);
    setContext('svc.cursorInEdit', hasEdits && editor !== undefined && hunkAtCursor(parts, editor) !== undefined);
  };
  const refresh = () => {
    setContext('svc.hasUndecidedEdits', !isEmpty());
    markCursor();
    decorations.refresh();
    lenses.refresh();
    originals.refresh();
    changed.fire();
  };
  const subscriptions = vscode.Disposable.from(
    store.onDidChange(refresh),
    proposals.onDidChange(refresh),
    vscode.window.onDidChangeActiveTextEditor(markCursor),
    vscode.window.onDidChangeTextEditorSelection(markCursor),
  );
  refresh();
  return {
    reviewer: proposals,
    files: () => [
      ...proposals.all().map(({ uri, path: shown, expired, isNew }) => ({
        ...row(uri, shown, proposals.hunks(uri)),
        ...(isNew && { is: 'new' as const }),
        ...(expired ? { expired } : { proposed: true }),
      })),
      ...store.all().map((file) => rowOf(file, store.hunks(file.uri))),
    ],
    onDidChange: changed.event,
    decideFile: (action, uri) => decideFile(parts, action, uri),
    undoHunks: (uri, hunks) => undo(parts, [uri], hunks),
    commands: createEditCommands(parts),
    dispose: () => {
      vscode.Disposable.from(subscriptions, decorations, lenses, proposals, originals, changed).dispose();
    },
  };
}

function createEditCommands(parts: Parts): EditCommands {
  const { store, proposals } = parts;
  const decide = async (argument: unknown, action: 'keep' | 'undo'): Promise<void> => {
    const target = targetOf(parts, argument);
    if (target === undefined) return;
    if (proposals.get(target.uri) !== undefined) return decideProposal(proposals, action, target.uri);
    // Of a file with another name and the same text there is nothing else to decide on.
    if (target.hunk === undefined && store.hunks(target.uri).length > 0) return;
    if (action === 'keep') store.keep(target.uri, target.hunk);
    else await undo(parts, [target.uri], target.hunk && [target.hunk]);
  };
  return {
    'svc.keepEdit': (argument) => decide(argument, 'keep'),
    'svc.undoEdit': (argument) => decide(argument, 'undo'),
    'svc.keepAllEdits': async () => {
      for (const { uri } of proposals.all()) await keepProposal(proposals, uri);
      for (const { uri } of store.all()) store.keep(uri);
    },
    'svc.undoAllEdits': async () => {
      for (const { uri, expired } of proposals.all()) {
        if (expired) await discardExpired(proposals, uri);
        else await proposals.undo(uri, '');
      }
      await undo(
        parts,
        store.all().map(({ uri }) => uri),
      );
    },
    'svc.nextEdit': () => goTo(parts, 1),
    'svc.previousEdit': () => goTo(parts, -1),
    'svc.showEditDiff': async (argument) => {
      const target = targetOf(parts, argument);
      const uri = target?.uri ?? proposals.all()[0]?.uri ?? store.all()[0]?.uri;
      if (uri !== undefined) await showDiff(parts, uri);
    },
  };
}

async function decideFile(parts: Parts, action: 'keep' | 'undo' | 'open', uri: string): Promise<void> {
  const proposal = parts.proposals.all().find((candidate) => candidate.uri.toString() === uri);
  const file = parts.store.all().find((candidate) => candidate.uri.toString() === uri);
  if (proposal !== undefined) {
    if (action === 'open') await parts.proposals.show(proposal.uri);
    else await decideProposal(parts.proposals, action, proposal.uri);
  } else if (file !== undefined) {
    if (action === 'open') await showDiff(parts, file.uri);
    else if (action === 'keep') parts.store.keep(file.uri);
    else await undo(parts, [file.uri]);
  }
}

async function undo(parts: Parts, uris: readonly vscode.Uri[], hunks?: readonly LineHunk[]): Promise<void> {
  const names = uris.flatMap((uri) => [uri, parts.store.get(uri)?.from?.uri ?? uri]);
  const conflicting = await parts.aroundUndo(names, () => undoFiles(parts.store, uris, hunks));
  const [first] = conflicting;
  if (first === undefined) return;
  await showDiff(parts, first);
  void vscode.window.showWarningMessage(
    vscode.l10n.t('You changed the same lines since, so nothing there was overwritten. Undo them by hand in the diff.'),
  );
}

/** The real, editable file on the right. */
async function showDiff({ store, proposals, originals }: Parts, uri: vscode.Uri): Promise<void> {
  if (proposals.get(uri) !== undefined) return proposals.show(uri);
  const file = store.get(uri);
  if (file === undefined) return;
  const original = originals.uriFor(uri);
  if (file.kind === 'deleted') {
    await vscode.window.showTextDocument(original, { preview: true });
    return;
  }
  const name = path.posix.basename(uri.path);
  const title =
    file.from === undefined
      ? vscode.l10n.t('{0} (edited by svc)', name)
      : vscode.l10n.t('{0} (renamed from {1} by svc)', name, path.posix.basename(file.from.uri.path));
  await vscode.commands.executeCommand('vscode.diff', original, uri, title);
}

const lensTarget = z.object({ nonce: z.string(), uri: z.string(), line: z.number() });

/** The hunk of the lens that was clicked, else of the cursor. */
function targetOf(parts: Parts, argument: unknown): { uri: vscode.Uri; hunk?: LineHunk } | undefined {
  const parsed = lensTarget.safeParse(argument);
  if (parsed.success && parsed.data.nonce === parts.nonce) {
    const uri = vscode.Uri.parse(parsed.data.uri, true);
    const hunk = hunksAt(parts, uri).find(({ after }) => after.start === parsed.data.line);
    return hunk && { uri, hunk };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const hunk = hunkAtCursor(parts, editor);
  return { uri: editor.document.uri, ...(hunk && { hunk }) };
}

function hunksAt({ store, proposals }: Parts, uri: vscode.Uri): readonly LineHunk[] {
  return proposals.get(uri) === undefined ? store.hunks(uri) : proposals.hunks(uri);
}

function hunkAtCursor(parts: Parts, { document, selection }: vscode.TextEditor): LineHunk | undefined {
  const { line } = selection.active;
  return hunksAt(parts, document.uri).find(
    ({ after }) => line >= after.start && line < after.start + Math.max(1, after.count),
  );
}

/** Through the hunks of all files and around. */
async function goTo(parts: Parts, step: 1 | -1): Promise<void> {
  const { store, proposals } = parts;
  const uris = [...proposals.all(), ...store.all()].map(({ uri }: OpenProposal | PendingFile) => uri);
  const all = uris.flatMap((uri) => hunksAt(parts, uri).map((hunk) => ({ uri, line: hunk.after.start })));
  if (all.length === 0) return;
  const editor = vscode.window.activeTextEditor;
  const here = editor?.document.uri.toString();
  const line = editor?.selection.active.line ?? 0;
  const inFile = all.filter(({ uri }) => uri.toString() === here);
  const next = step === 1 ? inFile.find((one) => one.line > line) : inFile.findLast((one) => one.line < line);
  const edge = step === 1 ? inFile.at(-1) : inFile.at(0);
  const start = edge === undefined ? (step === 1 ? -1 : 0) : all.indexOf(edge);
  const target = next ?? all[(start + step + all.length) % all.length];
  if (target === undefined) return;
  await reveal(parts, target.uri, target.line);
}

async function reveal({ proposals }: Parts, uri: vscode.Uri, line: number): Promise<void> {
  const isProposal = proposals.get(uri) !== undefined;
  if (isProposal) await proposals.show(uri);
  const inDiff = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const editor = isProposal ? inDiff : await vscode.window.showTextDocument(uri);
  if (editor === undefined) return;
  const position = editor.document.validatePosition(new vscode.Position(line, 0));
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function row(uri: vscode.Uri, shown: string, hunks: readonly LineHunk[]): ChangedFileRow {
  const sum = (count: (hunk: LineHunk) => number) => hunks.reduce((total, hunk) => total + count(hunk), 0);
  return {
    uri: uri.toString(),
    path: shown,
    added: sum(({ after }) => after.count),
    removed: sum(({ before }) => before.count),
  };
}

function rowOf({ uri, path: shown, kind, text, from }: PendingFile, hunks: readonly LineHunk[]): ChangedFileRow {
  if (kind === 'deleted') {
    return { uri: uri.toString(), path: shown, added: 0, removed: text.base.length, is: 'deleted' };
  }
  const was = from && { renamedFrom: from.path };
  return { ...row(uri, shown, hunks), ...(kind === 'created' && { is: 'new' as const }), ...was };
}
