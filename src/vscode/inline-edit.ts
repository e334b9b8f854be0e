import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { editRequestMessages, lastLineOf, parseReplacement } from '../inline/edit-request.ts';
import { chooseScope, type LineScope, shiftScope } from '../inline/edit-scope.ts';
import type { ChatRequest, Reply, StreamResult } from '../service/contract.ts';
import { formatCost, formatMicroUsd } from '../shared/money.ts';
import type { Estimator } from '../spend/estimate.ts';
import type { CreateMetered } from '../spend/metered-client.ts';
import { costMicroUsd, sumCost } from '../spend/price.ts';
import type { LineHunk } from '../tools/line-diff.ts';
import type { CommandHandlers } from './command-ids.ts';
import { setContextKey } from './context-keys.ts';
import type { WrittenFile } from './file-writer.ts';
import { askInstruction } from './inline-edit-input.ts';
import { createInlineEditView, type ShownResult, type ShownRun } from './inline-edit-view.ts';
import { nameOfDocument } from './notebook-cells.ts';
import { mergeLines, toLines } from './pending-text.ts';
import { mayAttach } from './read-context.ts';
import { addReplacement } from './replace-text.ts';
import { showFailure } from './show-failure.ts';

export interface InlineEditDeps {
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  model(): string;
  pickModel(current: string): Promise<string | undefined>;
  request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
  nameOf(model: string): string;
  ensureReady(): Promise<boolean>;
  /** The undecided edits of all kinds: Keep, Undo, Show Diff and their colours are theirs. */
  pending: { hunks(uri: vscode.Uri): readonly LineHunk[]; written(file: WrittenFile): () => void };
  onDidChangePending: vscode.Event<void>;
  /** Lines from 1; undefined where nobody knows the language. */
  outline(uri: vscode.Uri): Promise<readonly { line: number; endLine: number }[] | undefined>;
  history: { get(): readonly string[]; add(instruction: string): void };
}

export type InlineEditCommands = Pick<
  CommandHandlers,
  'svc.inlineEdit' | 'svc.stopInlineEdit' | 'svc.retryInlineEdit' | 'svc.refineInlineEdit'
>;

interface Job {
  document: vscode.TextDocument;
  /** Where the answer goes. */
  scope: LineScope;
  /** What the model is asked to change; of a retry what stood there first. */
  source: string;
  instruction: string;
  model: string;
}

interface Run extends ShownRun {
  abort: AbortController;
}

interface Result extends ShownResult {
  job: Job;
}

interface State {
  deps: InlineEditDeps;
  /** By the address of the document: one at a time in each. */
  runs: Map<string, Run>;
  results: Map<string, Result>;
  refresh(): void;
}

const argumentSchema = z.object({ instruction: z.optional(z.string().check(z.maxLength(20_000))) });

/** An edit at the cursor: asked for, written off the document, applied once as one step for Undo, then decided (F23, ux 2.15). */
export function createInlineEdit(deps: InlineEditDeps): { commands: InlineEditCommands } & vscode.Disposable {
  const runs = new Map<string, Run>();
  const results = new Map<string, Result>();
  const view = createInlineEditView({
    runs: () => [...runs.values()],
    results: () => [...results.values()],
    hunks: deps.pending.hunks,
  });
  const refresh = () => {
    setContextKey(
      'svc.inlineEditActive',
      [...runs.values()].some(({ writes }) => writes),
    );
    view.refresh();
  };
  const state: State = { deps, runs, results, refresh };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => follow(state, event)),
    deps.onDidChangePending(() => {
      for (const [key, { uri }] of results) if (deps.pending.hunks(uri).length === 0) results.delete(key);
      refresh();
    }),
  );
  return {
    commands: {
      'svc.inlineEdit': (argument) => start(state, argument),
      'svc.stopInlineEdit': () => {
        for (const { abort } of runs.values()) abort.abort();
      },
      'svc.retryInlineEdit': async () => {
        const result = resultInFront(state);
        if (result) await run(state, { ...result.job, scope: result.scope });
      },
      'svc.refineInlineEdit': () => refine(state),
    },
    dispose() {
      for (const { abort } of runs.values()) abort.abort();
      vscode.Disposable.from(subscriptions, view).dispose();
    },
  };
}

async function start(state: State, argument: unknown): Promise<void> {
  const { deps, runs } = state;
  const parsed = argumentSchema.safeParse(argument ?? {});
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return tell(vscode.l10n.t('Open the file that is to be edited first.'));
  const { document } = editor;
  const key = document.uri.toString();
  if (runs.has(key)) return tell(vscode.l10n.t('An edit of this file is under way. Stop it first.'));
  if (vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false) {
    return tell(vscode.l10n.t('This file cannot be changed.'));
  }
  if (!(await deps.ensureReady()) || !(await mayAttach(document.uri))) return;
  const outline = editor.selection.isEmpty ? await deps.outline(document.uri).catch(() => undefined) : [];
  const scope = clamp(document, chooseScope(editor.selection, outline ?? []));
  const job = { document, scope, source: textOf(document, scope), model: deps.model() };
  const given = parsed.success ? parsed.data.instruction?.trim() : undefined;
  const asked = given ? { instruction: given, model: job.model } : await ask(state, job);
  if (asked) await run(state, { ...job, ...asked });
}

/** Shows what it is about while the instruction is typed. */
async function ask(
  state: State,
  job: Omit<Job, 'instruction'>,
): Promise<Pick<Job, 'instruction' | 'model'> | undefined> {
  const { deps, runs, refresh } = state;
  const { document, scope } = job;
  const key = document.uri.toString();
  runs.set(key, { uri: document.uri, scope, writes: false, preview: '', abort: new AbortController() });
  refresh();
  try {
    return await askInstruction({
      place: placeName(document, scope),
      model: job.model,
      nameOf: deps.nameOf,
      pickModel: deps.pickModel,
      price(model, instruction) {
        const { tokens } = deps.estimator.prompt({ model, messages: messagesOf({ ...job, instruction }) });
        const price = formatMicroUsd(costMicroUsd(tokens), true, vscode.env.language);
        return vscode.l10n.t(
          '≈ {0} tokens to send, {1}; the answer comes on top',
          tokens.toLocaleString(vscode.env.language),
          price,
        );
      },
      history: deps.history.get(),
    });
  } finally {
    runs.delete(key);
    refresh();
  }
}

/** Goes on from what is there; what stood there first is still what Undo goes back to. */
async function refine(state: State): Promise<void> {
  const result = resultInFront(state);
  if (!result) return;
  const { document, instruction } = result.job;
  const job = { ...result.job, scope: clamp(document, result.scope) };
  const source = textOf(document, job.scope);
  const asked = await ask(state, { ...job, source });
  if (!asked) return;
  const both = `${instruction}\nThat has been done. Now: ${asked.instruction}`;
  await run(state, { ...job, source, model: asked.model, instruction: both }, asked.instruction);
}

async function run(state: State, job: Job, toRemember = job.instruction): Promise<void> {
  const { deps, runs, refresh } = state;
  const { document } = job;
  const key = document.uri.toString();
  if (runs.has(key)) return tell(vscode.l10n.t('An edit of this file is under way. Stop it first.'));
  deps.history.add(toRemember);
  const before = document.getText();
  const current: Run = { uri: document.uri, scope: job.scope, writes: true, preview: '', abort: new AbortController() };
  const retry = () => void run(state, job, toRemember);
  const others = { [vscode.l10n.t('Open in Chat')]: () => openInChat(job) };
  runs.set(key, current);
  refresh();
  let problem: string | undefined;
  try {
    const result = await stream(state, job, current);
    if (result.outcome === 'stopped') return;
    if (result.outcome === 'failed') {
      void showFailure(result.failure, { nameOf: deps.nameOf, retry, others });
      return;
    }
    const replacement = isWhole(result.reply) ? parseReplacement(result.reply.text, job.source) : undefined;
    problem =
      replacement === undefined
        ? vscode.l10n.t('The answer holds no complete code, so nothing was replaced.')
        : await apply(state, job, { before, replacement, scope: current.scope, result });
  } finally {
    // Only now: the lenses of the result then stand behind those of the review.
    runs.delete(key);
    refresh();
  }
  if (problem === undefined) return;
  const retryLabel = vscode.l10n.t('Retry');
  const picked = await vscode.window.showWarningMessage(problem, retryLabel, ...Object.keys(others));
  if (picked === retryLabel) retry();
  else if (picked !== undefined) others[picked]?.();
}

async function stream(state: State, job: Job, current: Run): Promise<StreamResult> {
  const { deps, refresh } = state;
  const messages = messagesOf(job);
  const request: ChatRequest = { ...deps.request(), model: job.model, messages, surface: 'inline' };
  let text = '';
  let shownAt = 0;
  const show = (piece: string) => {
    text += piece;
    // An editor that is drawn with every token is slow.
    if (performance.now() - shownAt < 100) return;
    shownAt = performance.now();
    current.preview = lastLineOf(text).slice(0, 120);
    refresh();
  };
  const onEvent = (event: { type: string; text?: unknown }) => {
    if (event.type === 'text' && typeof event.text === 'string') show(event.text);
  };
  return deps.metered({ surface: 'inline' }).stream(request, onEvent, current.abort.signal);
}

/** W39: nothing is written from an answer of which a part may be missing. */
function isWhole({ evidence, damagedEvents, finish }: Reply): boolean {
  return evidence !== 'none' && damagedEvents === 0 && finish === 'stop';
}

/** What went wrong, in a sentence; then the document is as it was. */
async function apply(
  { deps, results, refresh }: State,
  job: Job,
  {
    before,
    replacement,
    scope,
    result,
  }: { before: string; replacement: string; scope: LineScope; result: StreamResult },
): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument(job.document.uri);
  const lines = toLines(before);
  // The last line of a file may have no end, and then the replacement has none.
  const endsLine = lines[job.scope.last]?.endsWith('\n') ?? false;
  const fresh = toLines(replacement === '' || !endsLine ? replacement : `${replacement}\n`);
  const theirs = lines.toSpliced(job.scope.first, job.scope.last - job.scope.first + 1, ...fresh);
  const merged = mergeLines(lines, toLines(document.getText()), theirs)?.join('');
  if (merged === undefined) {
    return vscode.l10n.t('The same lines were changed while the edit was written, so nothing was replaced.');
  }
  if (toLines(document.getText()).join('') === merged) return vscode.l10n.t('The model left the code as it is.');
  const edit = new vscode.WorkspaceEdit();
  addReplacement(edit, document, merged);
  const takeBack = deps.pending.written({
    uri: document.uri,
    path: nameOfDocument(document),
    before: document.getText(),
    after: merged,
  });
  if (!(await vscode.workspace.applyEdit(edit))) {
    takeBack();
    return vscode.l10n.t('The editor did not take the edit, because the file changed just now.');
  }
  const cost = sumCost(result.attempts);
  const price = cost.charge === 'no' ? vscode.l10n.t('Not charged') : formatCost(cost, vscode.env.language);
  const made = { first: scope.first, last: scope.first + Math.max(1, fresh.length) - 1 };
  results.set(document.uri.toString(), { uri: document.uri, scope: made, price, job });
  void vscode.window.setStatusBarMessage(vscode.l10n.t('Edited {0} · {1}', placeName(document, made), price), 10_000);
  refresh();
  return undefined;
}

/** What is typed meanwhile moves the lines. */
function follow({ runs, results }: State, { document, contentChanges }: vscode.TextDocumentChangeEvent): void {
  const key = document.uri.toString();
  for (const one of [runs.get(key), results.get(key)]) {
    if (one === undefined) continue;
    for (const { range, text } of contentChanges) {
      const { start, end } = range;
      // Whole lines that are put in before or taken out of what is above.
      const to = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
      const added = text.split('\n').length - 1;
      const removed = end.line - start.line;
      one.scope = shiftScope(one.scope, start.line, to, to - start.line + 1 + added - removed);
    }
  }
}

function resultInFront({ results }: State): Result | undefined {
  const key = vscode.window.activeTextEditor?.document.uri.toString();
  const result = key === undefined ? undefined : results.get(key);
  if (!result) tell(vscode.l10n.t('There is no undecided inline edit in this file.'));
  return result;
}

function messagesOf({ document, scope, source, instruction }: Omit<Job, 'model'>): ChatRequest['messages'] {
  const lines = document.getText().split(/\r\n|\n/);
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.start.line >= scope.first && range.start.line <= scope.last)
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  return editRequestMessages({
    path: nameOfDocument(document),
    languageId: document.languageId,
    before: lines.slice(0, scope.first),
    scope: source,
    after: lines.slice(scope.last + 1),
    instruction,
    problems,
  });
}

function clamp({ lineCount }: vscode.TextDocument, { first, last }: LineScope): LineScope {
  const end = Math.min(last, lineCount - 1);
  return { first: Math.min(first, end), last: end };
}

function rangeOf(document: vscode.TextDocument, { first, last }: LineScope): vscode.Range {
  return document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
}

function textOf(document: vscode.TextDocument, scope: LineScope): string {
  return document.getText(rangeOf(document, scope)).replaceAll('\r\n', '\n');
}

function placeName(document: vscode.TextDocument, { first, last }: LineScope): string {
  const name = nameOfDocument(document);
  return first === last ? `${name}:${first + 1}` : `${name}:${first + 1}–${last + 1}`;
}

/** With what was asked and what it was about; the user sends it. */
function openInChat({ document, scope, instruction }: Job): Thenable<unknown> {
  const location = new vscode.Location(document.uri, rangeOf(document, scope));
  return vscode.commands.executeCommand('svc.ask', { prompt: instruction, attachments: [location], send: false });
}

function tell(text: string): void {
  void vscode.window.showInformationMessage(text);
}
