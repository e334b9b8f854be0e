import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { EditReviewer } from '../../edits/apply/edit-ports.ts';
import type { LineHunk } from '../../edits/apply/line-diff.ts';
import { fileText } from '../../edits/pending/compared-text.ts';
import { ofConversation } from '../../edits/pending/edit-origin.ts';
import { type DecidedParts, partsOf, type StoredOutcome } from '../../edits/pending/edit-outcomes.ts';
import { hunksOf } from '../../edits/pending/hunks.ts';
import { fileOrigins, type PendingFile } from '../../edits/pending/pending-files.ts';
import { baseText, textWithout, toLines } from '../../edits/pending/pending-text.ts';
import { shownHunks } from '../../edits/pending/shown-hunks.ts';
import type { Codec } from '../../files/codec.ts';
import type { EditHunk, PanelInfo } from '../../shared/panel/panel-info.ts';
import { showMessage } from '../host/show-message.ts';
import { decideAll, decideFile, decideOpenFile, decidePart, decideProposal, isIn, undo } from './decide-edits.ts';
import { createEditDecorations } from './edit-decorations.ts';
import { createEditLenses } from './edit-lenses.ts';
import { createEditProposals, type EditProposalsDeps } from './edit-proposals.ts';
import type { EditStore } from './edit-store.ts';
import { createOriginalDocuments, originalUri } from './original-documents.ts';
import {
  goTo,
  hunkAtCursor,
  type ReviewParts,
  showDiff,
  showRemoved,
  showReview,
  stopsOf,
  targetOf,
} from './show-edits.ts';

export type EditContextKey = 'svc.hasUndecidedEdits' | 'svc.editorHasInlineEdit' | 'svc.cursorInEdit';

export type ChangedFileRow = PanelInfo['edits'][number];

export type ShownPart = Pick<EditHunk, 'uri' | 'line' | 'diff'>;

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
  proposals: Pick<EditProposalsDeps, 'storage' | 'keepExpired'>;
  /** Prefixes the schemes of its documents, because two reviews in one window need different ones. */
  schemePrefix?: string;
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
  const parts: ReviewParts = { ...deps, proposals, originals, nonce };
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

function createEditCommands(parts: ReviewParts): EditCommands {
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
  /** Where the chat has no edits, those are meant that belong to none, such as inline edits, and else those of all chats. */
  const decideAtHand = async (action: ReviewAction): Promise<void> => {
    const origins = [...proposals.all(), ...store.all().flatMap(fileOrigins)];
    const owners = new Set(origins.map(({ conversationId }) => conversationId));
    const own = [parts.conversationAtHand(), undefined].filter((owner) => owners.has(owner)).slice(0, 1);
    const meant = own.length > 0 ? own : [...owners];
    const applied = store.all().map(({ uri }) => vscode.Uri.parse(uri, true));
    const isSeveral = meant.length > 1 && applied.length > 0;
    if (isSeveral && action === 'review') return showReview(parts, applied, undefined);
    for (const owner of meant) await decideAll(parts, action, owner);
    if (!isSeveral || action !== 'undoAll') return;
    const undone = applied.length - store.all().length;
    showMessage(vscode.l10n.t('Undid the edits of {0} chats. Files: {1}', meant.length, undone));
  };
  return {
    'svc.keepEdit': (argument) => decide(argument, 'keep'),
    'svc.undoEdit': (argument) => decide(argument, 'undo'),
    'svc.keepFileEdits': () => decideOpenFile(parts, 'keep'),
    'svc.undoFileEdits': () => decideOpenFile(parts, 'undo'),
    'svc.keepAllEdits': () => decideAtHand('keepAll'),
    'svc.undoAllEdits': () => decideAtHand('undoAll'),
    'svc.nextEdit': () => goTo(parts, 1),
    'svc.previousEdit': () => goTo(parts, -1),
    'svc.showEditDiff': async (argument) => {
      const target = targetOf(parts, argument);
      if (target?.hunk !== undefined || (target !== undefined && store.get(target.uri) !== undefined)) {
        await showDiff(parts, target.uri);
      } else await decideAtHand('review');
    },
    'svc.showRemovedLines': (argument) => showRemoved(parts, argument),
  };
}

function filesOf({ store, proposals, titleOf }: ReviewParts, conversationId: string | undefined): ChangedFileRow[] {
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
