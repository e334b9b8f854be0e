import type * as vscode from 'vscode';
import type { Tool } from '../../../agent/tool.ts';
import type { LineHunk } from '../../../edits/apply/line-diff.ts';
import type { ChatRequest } from '../../../service/contract.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import type { PendingEdits } from '../../../vscode/edits/create-review.ts';
import type { NamedText } from '../core/edit-request.ts';
import { type LineScope, shiftScope } from '../core/edit-scope.ts';
import type { DefinitionAsk } from '../core/find-definitions.ts';
import type { ReadingDeps } from '../core/read-first.ts';
import type { InstructionInput } from './inline-edit-input.ts';
import type { EditTarget, ShownResult, ShownRun } from './inline-edit-view.ts';

export interface InlineEditDeps {
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt' | 'text'>;
  model(): string;
  pickModel(current: string): Promise<string | undefined>;
  pickFile(): Promise<AddedFile | undefined>;
  streams(): boolean;
  request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
  nameOf(model: string): string;
  ensureReady(): Promise<boolean>;
  /** Holds the pending edits of all kinds. It provides their colors and Keep, Undo and Show Diff. */
  pending: PendingEdits;
  /** Lines count from 1. Resolves undefined where no extension knows the language. */
  outline(uri: vscode.Uri): Promise<readonly { line: number; endLine: number }[] | undefined>;
  /** Shows beside the code an answer that was paid for and is in no file. */
  showAnswer(name: string, answer: string): Promise<void>;
  reading: EditReading;
  history: { get(): readonly string[]; add(instruction: string): void };
}

export interface EditReading extends Pick<ReadingDeps, 'clock' | 'log'> {
  /**
   * Finds definitions of names that the lines use and of `names`, as far as the language features have them at once
   * and free of charge. Never rejects.
   */
  definitions(
    document: vscode.TextDocument,
    place: Pick<DefinitionAsk, 'part' | 'sent' | 'names'>,
  ): Promise<readonly NamedText[]>;
  /** Returns none where the user wants no files read, the workspace is not trusted, or the model takes no tools. */
  tools(model: string): readonly Tool[];
}

export interface AddedFile extends NamedText {
  uri: vscode.Uri;
}

export interface Job {
  place: EditTarget;
  /** The model is asked to change this text. On a retry it is the original text. */
  source: string;
  instruction: string;
  model: string;
  files: readonly AddedFile[];
}

export interface Shown {
  definitions: readonly NamedText[];
  tools: readonly Tool[];
}

export interface Run extends ShownRun {
  abort: AbortController;
}

export interface Result extends ShownResult {
  job: Job;
}

export interface State {
  deps: InlineEditDeps;
  input: InstructionInput;
  /** The key is the URI of the document; each document has at most one run. */
  runs: Map<string, Run>;
  results: Map<string, Result>;
  places: Set<EditTarget>;
  refresh(): void;
}

export function follow({ places, results }: State, { document, contentChanges }: vscode.TextDocumentChangeEvent): void {
  const key = document.uri.toString();
  const result = results.get(key);
  for (const place of new Set([...places, ...(result ? [result.place] : [])])) {
    if (place.uri.toString() !== key) continue;
    for (const change of contentChanges) place.scope = afterChange(place.scope, change);
  }
}

function afterChange(scope: LineScope, { range, text }: vscode.TextDocumentContentChangeEvent): LineScope {
  const { start, end } = range;
  const added = text.split('\n').length - 1;
  // Whole lines that are put in just above.
  if (range.isEmpty && start.character === 0 && start.line === scope.first && text.endsWith('\n')) {
    return { first: scope.first + added, last: scope.last + added };
  }
  // Whole lines that are taken out of what is above.
  const to = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const removed = end.line - start.line;
  return shiftScope(scope, start.line, to, to - start.line + 1 + added - removed);
}

export function hunksOf({ deps }: Pick<State, 'deps'>, { place }: ShownResult): LineHunk[] {
  return deps.pending.hunks(place.uri).filter((hunk) => isIn(place.scope, hunk));
}

export function isIn({ first, last }: LineScope, { after }: LineHunk): boolean {
  return after.start + after.count >= first && after.start <= last + 1;
}

export function keepResult(state: State, result: Result): void {
  const { pending } = state.deps;
  pending.keep(result.place.uri, { hunks: hunksOf(state, result) });
}
