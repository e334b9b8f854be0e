import * as vscode from 'vscode';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import { replaceText } from '../../../vscode/edits/pending-write.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { isUnchanged } from '../core/anchor.ts';
import type { FindingStore } from '../core/finding-store.ts';
import { fixDiff, plainMarkdown, severityWords } from '../core/finding-words.ts';
import type { Finding } from '../core/findings.ts';
import { atCursor, endThreads, followTexts, linesOfDocument, rangeOf } from './follow-texts.ts';

export type FindingCommands = Pick<
  CommandHandlers,
  'svc.fixFinding' | 'svc.dismissFinding' | 'svc.nextFinding' | 'svc.previousFinding'
>;

export interface FindingThreads extends vscode.Disposable {
  refresh(): void;
  show(finding: Finding): Promise<void>;
  commands: FindingCommands;
}

export interface FindingThreadsDeps {
  store: FindingStore;
  pending: Pick<PendingEdits, 'hunks' | 'begin' | 'onDidChange'>;
}

/** The state is derived from the text and the pending edits, so that it is right after a reload too. */
type State = 'open' | 'fixable' | 'fixing' | 'resolved' | 'outdated';

export function createFindingThreads({ store, pending }: FindingThreadsDeps): FindingThreads {
  let controller: vscode.CommentController | undefined;
  const threads = new Map<string, vscode.CommentThread>();
  const texts = followTexts(store, refresh);
  const stateOf = (finding: Finding): State => {
    const uri = vscode.Uri.parse(finding.uri);
    const { anchor, replacement } = finding;
    if (pending.hunks(uri).some(({ origins }) => origins.some(({ callId }) => callId === finding.id))) return 'fixing';
    const lines = texts.linesOf(finding.uri);
    if (lines === undefined) return replacement === undefined ? 'open' : 'fixable';
    const isThere = isUnchanged(anchor, lines);
    const now = lines.slice(anchor.first, anchor.first + anchor.count);
    if (!isThere && replacement !== undefined && now.join('\n') === replacement.join('\n')) return 'resolved';
    if (store.isOutdated(finding.id) || anchor.count === 0) return 'outdated';
    return replacement !== undefined && isThere ? 'fixable' : 'open';
  };
  const open = (finding: Finding, range: vscode.Range): vscode.CommentThread => {
    controller ??= vscode.comments.createCommentController('svc.review', vscode.l10n.t('svc Review'));
    const thread = controller.createCommentThread(vscode.Uri.parse(finding.uri), range, [commentOf(finding)]);
    thread.canReply = false;
    return thread;
  };
  const draw = (finding: Finding, number: number, of: number) => {
    const range = rangeOf(finding);
    const thread = threads.get(finding.id) ?? open(finding, range);
    threads.set(finding.id, thread);
    const state = stateOf(finding);
    if (thread.range === undefined || !thread.range.isEqual(range)) thread.range = range;
    const label = labelOf(finding, { number, of, state });
    if (thread.label !== label) thread.label = label;
    if (thread.contextValue === state) return;
    thread.contextValue = state;
    thread.state = state === 'resolved' ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    // What is decided needs no more room.
    if (state === 'fixing' || state === 'resolved')
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  };
  function refresh(): void {
    const all = store.all();
    setContextKey('svc.hasFindings', all.length > 0);
    endThreads(threads, all);
    texts.refresh();
    for (const [at, finding] of store.all().entries()) draw(finding, at + 1, all.length);
  }
  /** Arguments come from anywhere: only our own threads count; any other argument means the finding at the cursor. */
  const named = (argument: unknown): Finding | undefined => {
    const [id] = [...threads].find(([, thread]) => thread === argument) ?? [];
    return id === undefined ? atCursor(store.all()) : store.get(id);
  };
  let last: string | undefined;
  const show = async (finding: Finding) => {
    last = finding.id;
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(finding.uri));
    refresh();
    const current = store.get(finding.id) ?? finding;
    const range = rangeOf(current);
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    for (const [id, thread] of threads) {
      const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
      thread.collapsibleState = id === finding.id ? Expanded : Collapsed;
    }
  };
  const step = (by: 1 | -1) => async (argument: unknown) => {
    const all = store.all();
    const from = named(argument)?.id ?? last;
    const at = all.findIndex(({ id }) => id === from);
    const next = all[at < 0 ? 0 : (at + by + all.length) % all.length];
    if (next !== undefined) await show(next);
  };
  const listening = vscode.Disposable.from(pending.onDidChange(refresh), texts);
  refresh();
  return {
    refresh,
    show,
    commands: {
      async 'svc.fixFinding'(argument) {
        const finding = named(argument);
        if (finding === undefined) return showMessage(vscode.l10n.t('Put the cursor on the lines of a finding first.'));
        await fix({ store, pending }, finding);
        refresh();
      },
      'svc.dismissFinding'(argument) {
        const finding = named(argument);
        if (finding === undefined) return showMessage(vscode.l10n.t('Put the cursor on the lines of a finding first.'));
        store.dismiss(finding);
        refresh();
      },
      'svc.nextFinding': step(1),
      'svc.previousFinding': step(-1),
    },
    dispose: () => vscode.Disposable.from(listening, { dispose: () => controller?.dispose() }).dispose(),
  };
}

/**
 * Applies the stored replacement as a pending edit, free of charge, and only where exactly the original lines still
 * are.
 */
async function fix({ store, pending }: FindingThreadsDeps, { id, uri, path, replacement }: Finding): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const lines = linesOfDocument(document);
  const finding = store.get(id);
  if (replacement === undefined || finding === undefined || !isUnchanged(finding.anchor, lines)) {
    return showMessage(vscode.l10n.t('These lines have changed since the review, so nothing was replaced.'));
  }
  const { first, count } = finding.anchor;
  const after = lines.toSpliced(first, count, ...replacement).join('\n');
  const file = { uri: document.uri, path, before: document.getText(), after, by: { callId: id } };
  if (await replaceText(document, after, () => pending.begin(file))) return;
  showMessage(vscode.l10n.t("VS Code didn't apply the edit because the file just changed."));
}

function labelOf({ severity }: Finding, { number, of, state }: { number: number; of: number; state: State }): string {
  const label = vscode.l10n.t('{0} · {1} of {2}', severityWords(severity), number, of);
  const more: Partial<Record<State, string>> = {
    fixing: vscode.l10n.t('Fix pending'),
    resolved: vscode.l10n.t('Fixed'),
    outdated: vscode.l10n.t('Outdated'),
  };
  return more[state] === undefined ? label : `${label} · ${more[state]}`;
}

/** The text of the model is never trusted Markdown. */
function commentOf(finding: Finding): vscode.Comment {
  const body = new vscode.MarkdownString(`**${plainMarkdown(finding.title)}**\n\n${plainMarkdown(finding.why)}`);
  if (finding.replacement !== undefined) body.appendCodeblock(fixDiff(finding), 'diff');
  return { body, mode: vscode.CommentMode.Preview, author: { name: 'svc' } };
}
