import * as vscode from 'vscode';
import type { ChatRequest } from '../../../service/contract.ts';
import { nameOfDocument } from '../../../vscode/workspace/notebook-cells.ts';
import { editRequestMessages, linesSentAround, type NamedText } from '../core/edit-request.ts';
import type { LineScope } from '../core/edit-scope.ts';
import { type UnknownNames, unknownNames } from '../core/needs-reading.ts';
import type { Job } from './inline-edit-state.ts';
import type { EditTarget } from './inline-edit-view.ts';

export function clamp({ lineCount }: vscode.TextDocument, { first, last }: LineScope): LineScope {
  const end = Math.min(last, lineCount - 1);
  return { first: Math.min(first, end), last: end };
}

export function rangeOf(document: vscode.TextDocument, { first, last }: LineScope): vscode.Range {
  return document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
}

/** The text has `\n` line ends. */
export function textOf(document: vscode.TextDocument, scope: LineScope): string {
  return document.getText(rangeOf(document, scope)).replaceAll('\r\n', '\n');
}

export function nameOfScope(document: vscode.TextDocument, { first, last }: LineScope): string {
  const name = nameOfDocument(document);
  return first === last ? `${name}:${first + 1}` : `${name}:${first + 1}–${last + 1}`;
}

export function linesAround(
  document: vscode.TextDocument,
  { first, last }: LineScope,
): { before: string[]; after: string[] } {
  const lines = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, at) => document.lineAt(from + at).text);
  // One more than is sent, so that a cut is seen. Not all of a document that may be very long.
  return {
    before: lines(Math.max(0, first - linesSentAround - 1), first),
    after: lines(last + 1, Math.min(document.lineCount, last + linesSentAround + 2)),
  };
}

export function messagesOf(
  document: vscode.TextDocument,
  { place: { scope }, source, instruction, files }: Pick<Job, 'place' | 'source' | 'instruction' | 'files'>,
  definitions: readonly NamedText[],
): ChatRequest['messages'] {
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.start.line >= scope.first && range.start.line <= scope.last)
    .map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  return editRequestMessages({
    path: nameOfDocument(document),
    languageId: document.languageId,
    ...linesAround(document, scope),
    scope: source,
    instruction,
    problems,
    files,
    definitions,
  });
}

export function unknownTo(
  document: vscode.TextDocument,
  { place: { scope }, source, instruction, files }: Pick<Job, 'place' | 'source' | 'instruction' | 'files'>,
  definitions: readonly NamedText[],
): UnknownNames {
  const { before, after } = linesAround(document, scope);
  const others = [...files, ...definitions].flatMap(({ name, text }) => [name, text]);
  return unknownNames(instruction, [nameOfDocument(document), ...before, source, ...after, ...others].join('\n'));
}

/** Puts the instruction, its lines and an answer that could not be applied into the chat. The user sends it. */
export function openInChat(
  { place: { uri, scope }, instruction, files }: Pick<Job, 'instruction' | 'files'> & { place: EditTarget },
  answer?: string,
): Thenable<unknown> {
  const location = new vscode.Location(uri, new vscode.Range(scope.first, 0, scope.last, Number.MAX_SAFE_INTEGER));
  const attachments = [location, ...files.map((file) => file.uri)];
  const words = vscode.l10n.t("An inline edit was answered like this, and the answer couldn't be applied:");
  const prompt = answer === undefined ? instruction : `${instruction}\n\n${words}\n\n${answer.trim()}`;
  return vscode.commands.executeCommand('svc.ask', { prompt, attachments, send: false });
}
