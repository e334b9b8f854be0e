import * as vscode from 'vscode';
import { mayAttach } from '../../../vscode/composer/read-context.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import { askText } from '../../../vscode/host/ask-text.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { nameOfDocument } from '../../../vscode/workspace/notebook-cells.ts';
import { anchorAt, isUnchanged } from '../core/anchor.ts';
import type { Comment, CommentStore } from '../core/comment-store.ts';
import { commentsText } from '../core/comment-text.ts';
import { plainMarkdown } from '../core/finding-words.ts';
import { atCursor, endThreads, type FollowedTexts, followTexts, linesOfDocument, rangeOf } from './follow-texts.ts';

export type CommentCommands = Pick<CommandHandlers, 'svc.addComment' | 'svc.sendComments' | 'svc.discardComment'>;

export interface CommentThreadsDeps {
  store: CommentStore;
  pending: Pick<PendingEdits, 'hunks' | 'onDidChange'>;
  /** Asks as the user would. A message that cannot be sent now waits in the queue or the composer. */
  ask(prompt: string): Promise<unknown>;
  conversationId(): string;
}

export function createCommentThreads(deps: CommentThreadsDeps): { commands: CommentCommands } & vscode.Disposable {
  const { store, pending } = deps;
  let controller: vscode.CommentController | undefined;
  const threads = new Map<string, vscode.CommentThread>();
  const texts = followTexts(store, refresh);
  const open = (comment: Comment) => {
    controller ??= vscode.comments.createCommentController('svc.comments', vscode.l10n.t('svc Comments'));
    const thread = controller.createCommentThread(vscode.Uri.parse(comment.uri), rangeOf(comment), []);
    thread.canReply = false;
    thread.contextValue = 'comment';
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    threads.set(comment.id, thread);
    return thread;
  };
  const draw = (comment: Comment) => {
    const thread = threads.get(comment.id) ?? open(comment);
    const range = rangeOf(comment);
    if (thread.range === undefined || !thread.range.isEqual(range)) thread.range = range;
    if (thread.comments.length !== comment.answers.length + 1) thread.comments = shownComments(comment);
    const label = `${comment.id} · ${stateWords(comment, store.isOutdated(comment.id))}`;
    if (thread.label === label) return;
    thread.label = label;
    thread.state = comment.isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    if (comment.isResolved) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  };
  function refresh(): void {
    texts.refresh();
    const all = store.all();
    setContextKey('svc.hasComments', all.length > 0);
    endThreads(threads, all);
    all.forEach(draw);
  }
  const decided = () => {
    for (const one of store.all()) if (one.conversationId !== undefined) followEdits(deps, texts.linesOf(one.uri), one);
  };
  const listening = vscode.Disposable.from(pending.onDidChange(decided), texts, store.onDidChange(refresh));
  refresh();
  return {
    commands: {
      'svc.addComment': async () => {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined) return showMessage(vscode.l10n.t('Open the file you want to comment on first.'));
        await add(store, editor);
      },
      'svc.sendComments': () => send(deps, texts),
      /** Only our own threads count; any other argument means the comment at the cursor. */
      'svc.discardComment'(argument) {
        const [id] = [...threads].find(([, thread]) => thread === argument) ?? [];
        const found = id ?? atCursor(store.all())?.id;
        if (found === undefined) return showMessage(vscode.l10n.t('Put the cursor on the lines of a comment first.'));
        store.remove([found]);
      },
    },
    dispose: () => vscode.Disposable.from(listening, { dispose: () => controller?.dispose() }).dispose(),
  };
}

async function add(store: CommentStore, { document, selection }: vscode.TextEditor): Promise<void> {
  const { start, end } = selection;
  // A selection that ends before the first letter of a line does not mean that line.
  const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
  const path = nameOfDocument(document);
  const lines = last === start.line ? `${last + 1}` : `${start.line + 1}–${last + 1}`;
  if (!(await mayAttach(document.uri))) return;
  const text = await askText({
    title: vscode.l10n.t('Comment on {0}', `${path}:${lines}`),
    placeHolder: vscode.l10n.t('Say what should change or ask about it. It is sent with your other comments.'),
  });
  if (!text?.trim()) return;
  const anchor = anchorAt(linesOfDocument(document), start.line, last - start.line + 1);
  store.add({ uri: document.uri.toString(), path, anchor, text: text.trim() });
}

async function send(
  { store, ask, conversationId }: CommentThreadsDeps,
  followed: Pick<FollowedTexts, 'refresh'>,
): Promise<void> {
  const ids = store.waiting().map(({ id }) => id);
  if (ids.length === 0) return showMessage(vscode.l10n.t('No comment is waiting to be sent.'));
  const texts = new Map<string, readonly string[] | undefined>();
  for (const uri of new Set(store.waiting().map((one) => one.uri))) {
    const document = await Promise.resolve(vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).catch(
      () => undefined,
    );
    // What is typed into lines leaves them where they are: only a text that was not followed is searched.
    followed.refresh();
    const lines = document && linesOfDocument(document);
    texts.set(uri, lines);
  }
  const waiting = store.waiting().filter(({ id }) => ids.includes(id));
  const text = commentsText(waiting, ({ id, uri, anchor: { first, count } }) =>
    store.isOutdated(id) || count === 0 ? undefined : texts.get(uri)?.slice(first, first + count),
  );
  store.sent(ids, conversationId());
  await ask(text);
}

function followEdits(
  { store, pending }: CommentThreadsDeps,
  lines: readonly string[] | undefined,
  comment: Comment,
): void {
  const { id, uri, anchor, conversationId } = comment;
  const [from, to] = [anchor.first, anchor.first + Math.max(1, anchor.count)];
  const touches = pending
    .hunks(vscode.Uri.parse(uri))
    .some(
      ({ after, origins }) =>
        after.start <= to &&
        after.start + after.count >= from &&
        origins.some((one) => one.conversationId === conversationId),
    );
  if (touches) store.edited(id, 'undecided');
  else if (lines !== undefined) store.edited(id, { isAsBefore: isUnchanged(anchor, lines) });
}

function stateWords({ conversationId, answers, isChanged, isResolved }: Comment, isOutdated: boolean): string {
  if (isResolved) return vscode.l10n.t('Resolved');
  if (isChanged) return vscode.l10n.t('Changed');
  if (answers.length > 0) return vscode.l10n.t('Answered');
  if (isOutdated) return vscode.l10n.t('Outdated');
  return conversationId === undefined ? vscode.l10n.t('Not sent') : vscode.l10n.t('Sent');
}

/** Neither the user's nor the model's text is trusted Markdown. */
function shownComments({ text, answers }: Comment): vscode.Comment[] {
  const of = (name: string, body: string): vscode.Comment => ({
    body: new vscode.MarkdownString(plainMarkdown(body)),
    mode: vscode.CommentMode.Preview,
    author: { name },
  });
  return [of(vscode.l10n.t('You'), text), ...answers.map((answer) => of('svc', answer))];
}
