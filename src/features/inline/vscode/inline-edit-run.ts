import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { splitLines } from '../../../edits/apply/line-diff.ts';
import { holdsFences } from '../../../edits/match/code-fence.ts';
import type { ChatRequest, Reply, StreamEvent } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import type { Failure } from '../../../shared/failure/failure.ts';
import { sumCost } from '../../../spend/price.ts';
import { replaceText } from '../../../vscode/edits/pending-write.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import { nameOfDocument } from '../../../vscode/workspace/notebook-cells.ts';
import { lastLineOf, linesSentAround } from '../core/edit-request.ts';
import type { LineScope } from '../core/edit-scope.ts';
import { livePreview } from '../core/live-preview.ts';
import { mergeLines } from '../core/merge-lines.ts';
import { type AnswerProblem, readAnswer } from '../core/read-answer.ts';
import { type ReadingResult, readFirst } from '../core/read-first.ts';
import { linesAround, messagesOf, nameOfScope, openInChat, textOf, unknownTo } from './inline-edit-document.ts';
import type { Job, Run, Shown, State } from './inline-edit-state.ts';

/**
 * Explains why nothing was replaced. `answer` is the text that came and is in no file. `write` returns undefined
 * instead when it replaced the lines or the user stopped it.
 */
type Refused = { failure: Failure } | { problem: string; answer?: string };

/**
 * Asks the model, writes its answer and reports a refusal. `toRemember` is what the user typed, which goes into the
 * history.
 */
export async function run(state: State, job: Job, toRemember = job.instruction): Promise<void> {
  const { deps, runs, places, refresh } = state;
  const { place } = job;
  const key = place.uri.toString();
  if (runs.has(key)) return showMessage(vscode.l10n.t('An edit to this file is in progress. Stop it first.'));
  const document = await vscode.workspace.openTextDocument(place.uri);
  deps.history.add(toRemember);
  const current: Run = { place, writes: true, preview: '', abort: new AbortController() };
  places.add(place);
  runs.set(key, current);
  refresh();
  const isFirst = textOf(document, place.scope) === job.source;
  try {
    const refused = await write(state, job, current, document).finally(() => {
      // Only now: the lenses of the result then stand behind those of the review.
      runs.delete(key);
      refresh();
    });
    if (refused === undefined) return;
    await showRefused(state, job, refused, () => {
      // What was typed since is part of what is asked about.
      const source = isFirst ? textOf(document, place.scope) : job.source;
      void run(state, { ...job, source }, toRemember);
    });
  } finally {
    places.delete(place);
  }
}

async function showRefused({ deps }: State, job: Job, refused: Refused, retry: () => void): Promise<void> {
  const answer = 'answer' in refused ? refused.answer : undefined;
  const others = { [vscode.l10n.t('Open in Chat')]: () => openInChat(job, answer) };
  if (answer !== undefined)
    await deps.showAnswer(vscode.l10n.t('Answer for {0}', vscode.workspace.asRelativePath(job.place.uri)), answer);
  if ('failure' in refused) return showFailure(refused.failure, { nameOf: deps.nameOf, retry, others });
  const buttons: Record<string, () => unknown> = { [vscode.l10n.t('Retry')]: retry, ...others };
  const picked = await vscode.window.showWarningMessage(refused.problem, ...Object.keys(buttons));
  if (picked !== undefined) buttons[picked]?.();
}

async function write(
  state: State,
  job: Job,
  current: Run,
  document: vscode.TextDocument,
): Promise<Refused | undefined> {
  const found = await lookUp(state, document, job);
  if (current.abort.signal.aborted) return undefined;
  const before = { text: document.getText(), scope: job.place.scope };
  const result = await stream(state, job, { current, document, found });
  if (result.outcome === 'stopped') return undefined;
  if (result.outcome === 'failed') return { failure: result.failure };
  const cost = sumCost(result.attempts);
  const price = chargeWords(cost, vscode.env.language);
  const read = [...found.definitions.map(({ name }) => name), ...(current.read ?? [])];
  const refused = await writeReply(state, job, { document, before, reply: result.reply, price, read });
  if (refused === undefined) return undefined;
  const { text } = result.reply;
  const isLost = refused !== 'same' && text.trim() !== '';
  const problem = refused === 'same' ? vscode.l10n.t('The model left the code as it is.') : refused;
  return { problem: vscode.l10n.t('{0} · {1}', problem, price), ...(isLost && { answer: text }) };
}

/** Definitions come first: they are free. Tools are given only for names that neither definitions nor lines show. */
export async function lookUp({ deps: { reading } }: State, document: vscode.TextDocument, job: Job): Promise<Shown> {
  const { first, last } = job.place.scope;
  const sent = { first: first - linesSentAround, last: last + linesSentAround };
  const names = unknownTo(document, job, []).symbols;
  const definitions = await reading.definitions(document, { part: job.place.scope, sent, names });
  const { files, symbols } = unknownTo(document, job, definitions);
  return { definitions, tools: files.length + symbols.length === 0 ? [] : reading.tools(job.model) };
}

async function stream(
  { deps, refresh }: State,
  job: Job,
  { current, document, found }: { current: Run; document: vscode.TextDocument; found: Shown },
): Promise<ReadingResult> {
  const messages = messagesOf(document, job, found.definitions);
  const expects = { of: 'inline', tokens: deps.estimator.text(job.model, job.source).tokens };
  const request: ChatRequest = { ...deps.request(), model: job.model, messages, surface: 'inline', expects };
  const old = textOf(document, job.place.scope);
  const { before: above } = linesAround(document, job.place.scope);
  let text = '';
  let shownAt = 0;
  const show = (piece: string) => {
    text += piece;
    // An editor that is drawn with every token is slow.
    if (performance.now() - shownAt < 100) return;
    shownAt = performance.now();
    if (deps.streams()) current.live = livePreview(text, old, above);
    else current.preview = lastLineOf(text).slice(0, 120);
    refresh();
  };
  const onEvent = (event: StreamEvent) => {
    if (event.type === 'requestSent') text = '';
    if (event.type === 'text') show(event.text);
  };
  const onRead = (title: string) => {
    current.read = [...(current.read ?? []), title];
    refresh();
  };
  return readFirst(
    { ...deps.reading, client: deps.metered({ surface: 'inline' }), tools: found.tools },
    { request, turnId: randomUUID(), signal: current.abort.signal, onEvent, onRead },
  );
}

interface Answered {
  document: vscode.TextDocument;
  before: { text: string; scope: LineScope };
  reply: Reply;
  price: string;
  read: readonly string[];
}

/**
 * Resolves with a sentence when it fails, and with `same` when there is nothing to write; then the document is
 * unchanged.
 */
async function writeReply(state: State, job: Job, answered: Answered): Promise<string | undefined> {
  const { document, before, reply } = answered;
  const whole = whyNotWhole(reply);
  if (whole !== undefined) return whole;
  const { first, last } = before.scope;
  const source = job.source.split('\n');
  const lines = before.text.replaceAll('\r\n', '\n').split('\n');
  const read = readAnswer(reply.text, {
    lines: lines.toSpliced(first, last - first + 1, ...source),
    first,
    last: first + source.length - 1,
    path: nameOfDocument(document),
    holdsFences: holdsFences(document.languageId),
  });
  if ('problem' in read) return sentences[read.problem]();
  return apply(state, job, answered, linesOfReplacement(before, read.lines));
}

function whyNotWhole({ evidence, damagedEvents, finish }: Reply): string | undefined {
  if (finish === 'length') {
    return vscode.l10n.t(
      'The answer became too long and was cut off, so nothing was replaced. Select fewer lines, or ask in the chat.',
    );
  }
  if (evidence !== 'none' && damagedEvents === 0 && finish === 'stop') return undefined;
  return vscode.l10n.t('Part of the answer is missing, so nothing was replaced.');
}

const sentences: Readonly<Record<AnswerProblem, () => string>> = {
  none: () => vscode.l10n.t('The answer contains no complete code, so nothing was replaced.'),
  several: () => vscode.l10n.t('The answer contains several pieces of code, so nothing was replaced.'),
  elided: () => vscode.l10n.t('The answer left lines out, so nothing was replaced.'),
  wider: () => vscode.l10n.t('The answer also changes other lines of the file, so nothing was replaced.'),
  partial: () => vscode.l10n.t('The model returned only part of the code. Nothing was changed.'),
  indentation: () => vscode.l10n.t('The answer lost the indentation, so nothing was replaced.'),
  unclear: () => vscode.l10n.t("The answer doesn't say clearly which lines it replaces, so nothing was replaced."),
};

/** Lines keep their ends. The last line of a file may have none, and then the replacement has none. */
function linesOfReplacement(before: { text: string; scope: LineScope }, replacement: readonly string[]): string[] {
  const endsLine = toLines(before.text)[before.scope.last]?.endsWith('\n') ?? false;
  return replacement.map((line, at) => (endsLine || at < replacement.length - 1 ? `${line}\n` : line));
}

async function apply(
  { deps, results, refresh }: State,
  job: Job,
  { document, before, price, read }: Answered,
  fresh: readonly string[],
): Promise<string | undefined> {
  const lines = toLines(before.text);
  const theirs = lines.toSpliced(before.scope.first, before.scope.last - before.scope.first + 1, ...fresh);
  const now = toLines(document.getText());
  const merged = mergeLines(lines, now, theirs)?.join('');
  if (merged === undefined) {
    return vscode.l10n.t('The same lines changed while the edit was being written, so nothing was replaced.');
  }
  if (now.join('') === merged) return 'same';
  const { uri } = document;
  const { first } = job.place.scope;
  const by = { callId: randomUUID() };
  const file = { uri, path: nameOfDocument(document), before: document.getText(), after: merged, by };
  if (!(await replaceText(document, merged, () => deps.pending.begin(file)))) {
    return vscode.l10n.t("VS Code didn't apply the edit because the file just changed.");
  }
  const place = { uri, scope: { first, last: first + Math.max(1, fresh.length) - 1 } };
  showColours(uri, place.scope.first);
  results.set(uri.toString(), { place, price, read, job });
  void vscode.window.setStatusBarMessage(
    vscode.l10n.t('Edited {0} · {1}', nameOfScope(document, place.scope), price),
    10_000,
  );
  refresh();
  return undefined;
}

function toLines(text: string): string[] {
  return splitLines(text.replaceAll('\r\n', '\n'));
}

/**
 * Clears the selection, which would hide the colors of new lines. The cursor stays there, where the keys for Keep and
 * Undo work.
 */
function showColours(uri: vscode.Uri, line: number): void {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString() || editor.selection.isEmpty) return;
  const start = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(start, start);
}
