import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { EditReviewer } from '../../edits/apply/edit-ports.ts';
import type { LineHunk } from '../../edits/apply/line-diff.ts';
import { fileText } from '../../edits/pending/compared-text.ts';
import { ofConversation } from '../../edits/pending/edit-origin.ts';
import { type DecidedParts, partsOf, type StoredOutcome } from '../../edits/pending/edit-outcomes.ts';
import { hunksOf } from '../../edits/pending/hunks.ts';
import { fileOrigins, type PendingFile } from '../../edits/pending/pending-files.ts';
import { baseText, type Selection, textWithout, toLines, withUndone } from '../../edits/pending/pending-text.ts';
import { hunkShownAs, shownHunks } from '../../edits/pending/shown-hunks.ts';
import type { Codec } from '../../files/codec.ts';
import type { EditHunk, PanelInfo } from '../../shared/panel/panel-info.ts';
import { cellOf, openNotebook } from '../workspace/notebook-cells.ts';
import { decideProposal, discardExpired, keepProposal } from './decide-proposal.ts';
import { createEditDecorations } from './edit-decorations.ts';
import { createEditLenses } from './edit-lenses.ts';
import { createEditProposals, type EditProposals, type EditProposalsDeps } from './edit-proposals.ts';
import type { EditStore } from './edit-store.ts';
import { createOriginalDocuments, type OriginalDocuments, originalUri } from './original-documents.ts';
import { undoFiles } from './undo-files.ts';

export type EditContextKey = 'svc.hasUndecidedEdits' | 'svc.editorHasInlineEdit' | 'svc.cursorInEdit';

export type ChangedFileRow = PanelInfo['edits'][number];

type ShownPart = Pick<EditHunk, 'uri' | 'line' | 'diff'>;

export type ReviewAction = 'keepAll' | 'undoAll' | 'review';

/**
 * Decides on edits per hunk, per file or all at once. The latter two affect one conversation only; edits of others
 * stay unchanged.
 */
export interface EditReview extends vscode.Disposable {
  reviewerFor(conversationId: string | undefined): EditReviewer;
  files(conversationId: string | undefined): ChangedFileRow[];
  outcomes(conversationId: string): readonly (StoredOutcome & { parts: DecidedParts })[];
  hunks(conversationId: string): (EditHunk & { callId: string })[];
  onDidChange: vscode.Event<void>;
  decidePart(action: 'keep' | 'undo', part: ShownPart, conversationId: string): Promise<void>;
  /** Ignores addresses that are not in `files()`. */
  decideFile(action: 'keep' | 'undo' | 'open', uri: string, conversationId: string | undefined): Promise<void>;
  decideAll(action: ReviewAction, conversationId: string | undefined): Promise<void>;
  undoHunks(uri: vscode.Uri, hunks: readonly LineHunk[]): Promise<void>;
  commands: EditCommands;
}

/** Anybody may call these commands. Arguments of this window's own lenses count; all others mean the active editor. */
export type EditCommands = Record<
  | 'svc.keepEdit'
  | 'svc.undoEdit'
  | 'svc.keepFileEdits'
  | 'svc.undoFileEdits'
  | 'svc.keepAllEdits'
  | 'svc.undoAllEdits'
  | 'svc.nextEdit'
  | 'svc.previousEdit'
  | 'svc.showEditDiff'
  | 'svc.showRemovedLines',
  (argument?: unknown) => Promise<void>
>;

export interface EditReviewDeps {
  store: EditStore;
  codec: Codec;
  setContext(key: EditContextKey, value: boolean): void;
  /** Returns the conversation of the last used chat, whose edits are meant by commands that name none. */
  conversationAtHand(): string;
  titleOf(conversationId: string): string | undefined;
  /** Wraps what Undo writes, so that checkpoints recognize it as our own. */
  aroundUndo<T>(uris: readonly vscode.Uri[], undo: () => Promise<T>): Promise<T>;
  proposals: Pick<EditProposalsDeps, 'stored' | 'storage' | 'keepExpired'>;
  /** Prefixes the schemes of its documents, because two reviews in one window need different ones. */
  schemePrefix?: string;
}

interface Parts extends Pick<EditReviewDeps, 'store' | 'codec' | 'aroundUndo' | 'conversationAtHand' | 'titleOf'> {
  proposals: EditProposals;
  originals: OriginalDocuments;
  nonce: string;
}

export function createEditReview(deps: EditReviewDeps): EditReview {
  const { store, setContext, schemePrefix = 'svc' } = deps;
  const nonce = randomUUID();
  const originalScheme = `${schemePrefix}-original`;
  const proposals = createEditProposals({
    ...deps.proposals,
    scheme: `${schemePrefix}-proposal`,
    originalOf: (target) => originalUri(originalScheme, target),
    newId: randomUUID,
  });
  const originals = createOriginalDocuments(
    originalScheme,
    (target, conversationId) => textBefore(store.get(target), conversationId) ?? proposals.get(target)?.before,
  );
  const parts: Parts = { ...deps, proposals, originals, nonce };
  const changed = new vscode.EventEmitter<void>();
  const groups = (uri: vscode.Uri) =>
    proposals.get(uri) === undefined ? store.groups(uri) : proposals.hunks(uri).map((hunk) => [hunk]);
  const isEmpty = () => store.all().length === 0 && proposals.all().length === 0;
  // The diff that shows a proposal has its own colors.
  const decorations = createEditDecorations(store.hunks);
  const lenses = createEditLenses({
    isEmpty,
    groups,
    isInDiff: (uri) => proposals.get(uri) !== undefined,
    position(uri, line) {
      const all = stopsOf(parts);
      const at = all.findIndex((one) => one.line === line && one.uri.toString() === uri.toString());
      return at < 0 || all.length < 2 ? undefined : { number: at + 1, of: all.length };
    },
    nonce,
  });
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
    reviewerFor: proposals.reviewerFor,
    files: (conversationId) => filesOf(parts, conversationId),
    outcomes(conversationId) {
      const pending = store.all().flatMap(fileOrigins);
      return store.outcomes.of(conversationId).map((row) => ({ ...row, parts: partsOf(row, pending) }));
    },
    hunks: (conversationId) =>
      store
        .all()
        .filter(({ kind }) => kind !== 'deleted')
        .flatMap(({ uri, path, text }) => shownHunks(text, conversationId).map((hunk) => ({ ...hunk, uri, path }))),
    onDidChange: changed.event,
    decidePart: (action, part, conversationId) => decidePart(parts, action, { part, conversationId }),
    decideFile: (action, uri, conversationId) => decideFile(parts, action, { uri, conversationId }),
    decideAll: (action, conversationId) => decideAll(parts, action, conversationId),
    undoHunks: (uri, some) => undo(parts, [uri], { hunks: some }),
    commands: createEditCommands(parts),
    dispose: () => {
      vscode.Disposable.from(subscriptions, decorations, lenses, proposals, originals, changed).dispose();
    },
  };
}

function textBefore(file: PendingFile | undefined, conversationId: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const text =
    conversationId === undefined ? baseText(file.text) : textWithout(file.text, ofConversation(conversationId));
  return fileText(file, text) ?? text;
}

function createEditCommands(parts: Parts): EditCommands {
  const { store, proposals } = parts;
  const decide = async (argument: unknown, action: 'keep' | 'undo'): Promise<void> => {
    const target = targetOf(parts, argument);
    if (target === undefined) return;
    if (proposals.get(target.uri) !== undefined) return decideProposal(proposals, action, target.uri);
    // Of a file with another name and the same text there is nothing else to decide on.
    if (target.hunk === undefined && store.hunks(target.uri).length > 0) return;
    const selection = target.hunk ? { hunks: [target.hunk] } : {};
    if (action === 'keep') store.keep(target.uri, selection);
    else await undo(parts, [target.uri], selection);
  };
  /** Inline edits belong to no conversation, so they are meant where the chat has no edits. */
  const atHand = () => {
    const conversationId = parts.conversationAtHand();
    return filesOf(parts, conversationId).length > 0 ? conversationId : undefined;
  };
  return {
    'svc.keepEdit': (argument) => decide(argument, 'keep'),
    'svc.undoEdit': (argument) => decide(argument, 'undo'),
    'svc.keepFileEdits': () => decideOpenFile(parts, 'keep'),
    'svc.undoFileEdits': () => decideOpenFile(parts, 'undo'),
    'svc.keepAllEdits': () => decideAll(parts, 'keepAll', atHand()),
    'svc.undoAllEdits': () => decideAll(parts, 'undoAll', atHand()),
    'svc.nextEdit': () => goTo(parts, 1),
    'svc.previousEdit': () => goTo(parts, -1),
    'svc.showEditDiff': async (argument) => {
      const target = targetOf(parts, argument);
      if (target?.hunk !== undefined || (target !== undefined && store.get(target.uri) !== undefined)) {
        await showDiff(parts, target.uri);
      } else await decideAll(parts, 'review', atHand());
    },
    'svc.showRemovedLines': (argument) => showRemoved(parts, argument),
  };
}

async function showRemoved(parts: Parts, argument: unknown): Promise<void> {
  const target = targetOf(parts, argument);
  if (target?.hunk === undefined) return;
  if (cellOf(target.uri) === undefined) await reveal(parts, target.uri, target.hunk.after.start);
  await vscode.commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
}

/** Decides on everything in the active file, whichever conversation it is from, because the user sees the file. */
async function decideOpenFile(parts: Parts, action: 'keep' | 'undo'): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) return;
  if (parts.proposals.get(uri) !== undefined) await decideProposal(parts.proposals, action, uri);
  else if (action === 'keep') parts.store.keep(uri);
  else await undo(parts, [uri], {});
}

async function decideAll(parts: Parts, action: ReviewAction, conversationId: string | undefined): Promise<void> {
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

async function decideFile(
  parts: Parts,
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

async function decidePart(
  parts: Parts,
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

async function undo(parts: Parts, uris: readonly vscode.Uri[], selection: Selection): Promise<void> {
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
  void vscode.window.showWarningMessage(whyNot(parts.store.get(first), selection));
}

/** The file of a notebook can be changed only while its cells are saved. */
async function askToSave(parts: Parts, uris: readonly vscode.Uri[], selection: Selection): Promise<void> {
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

function whyNot(file: PendingFile | undefined, selection: Selection): string {
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

async function showDiff(parts: Parts, uri: vscode.Uri, conversationId?: string): Promise<void> {
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
      ? vscode.l10n.t('{0} (edited by svc)', name)
      : vscode.l10n.t('{0} (renamed from {1} by svc)', name, path.posix.basename(file.from.path));
  await vscode.commands.executeCommand('vscode.diff', original, uri, title);
}

async function showReview(
  parts: Parts,
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
    resources.length === 1
      ? vscode.l10n.t('1 file edited by svc')
      : vscode.l10n.t('{0} files edited by svc', resources.length);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

const lensTarget = z.object({ nonce: z.string(), uri: z.string(), line: z.number() });

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

/**
 * Returns the hunks of all files in navigation order. A notebook is one stop, because its cells do not show the hunks
 * of its file.
 */
function stopsOf(parts: Parts): { uri: vscode.Uri; line: number }[] {
  const { store, proposals } = parts;
  const files = store.all().map(({ uri, byCells }) => ({ uri: vscode.Uri.parse(uri, true), byCells }));
  return [...proposals.all(), ...files].flatMap((one) => {
    const { uri } = one;
    if ('byCells' in one && one.byCells) return [{ uri, line: 0 }];
    return hunksAt(parts, uri).map((hunk) => ({ uri, line: hunk.after.start }));
  });
}

async function goTo(parts: Parts, step: 1 | -1): Promise<void> {
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

async function reveal({ proposals, store }: Parts, uri: vscode.Uri, line: number): Promise<void> {
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

function isIn(file: PendingFile, conversationId: string | undefined): boolean {
  return fileOrigins(file).some(ofConversation(conversationId));
}

function filesOf({ store, proposals, titleOf }: Parts, conversationId: string | undefined): ChangedFileRow[] {
  const proposed = proposals.all().filter((proposal) => proposal.conversationId === conversationId);
  return [
    ...proposed.map(({ uri, path: shown, expired, isNew }) => ({
      ...row(uri.toString(), shown, proposals.hunks(uri)),
      ...(isNew && { is: 'new' as const }),
      ...(expired ? { expired } : { proposed: true }),
    })),
    ...store.all().flatMap((file) => (isIn(file, conversationId) ? [rowOf(file, conversationId, titleOf)] : [])),
  ];
}

function row(uri: string, shown: string, hunks: readonly LineHunk[]): ChangedFileRow {
  const sum = (count: (hunk: LineHunk) => number) => hunks.reduce((total, hunk) => total + count(hunk), 0);
  return { uri, path: shown, added: sum(({ after }) => after.count), removed: sum(({ before }) => before.count) };
}

function rowOf(
  file: PendingFile,
  conversationId: string | undefined,
  titleOf: (conversationId: string) => string | undefined,
): ChangedFileRow {
  const { uri, path: shown, kind, text, from } = file;
  const others = new Set(fileOrigins(file).map((origin) => origin.conversationId));
  others.delete(conversationId);
  const titles = [...others].map((id) => (id === undefined ? undefined : titleOf(id)) ?? '');
  const also = titles.length > 0 && { alsoIn: titles };
  if (kind === 'deleted') {
    const removed = toLines(baseText(text)).filter((line, at, all) => line !== '' || at < all.length - 1).length;
    return { uri, path: shown, added: 0, removed, is: 'deleted', ...also };
  }
  const own = hunksOf(text).filter(({ origins }) => origins.some(ofConversation(conversationId)));
  const was = from && { renamedFrom: from.path };
  return { ...row(uri, shown, own), ...(kind === 'created' && { is: 'new' as const }), ...was, ...also };
}
