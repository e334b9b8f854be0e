import * as vscode from 'vscode';
import { answerOf, type ChatState } from '../../shared/chat/chat-state.ts';
import type { FileReference, PanelMessage } from '../../shared/panel/protocol.ts';
import { findInFolders, type NamedFolder } from './open-from-chat.ts';

const maxFiles = 8;

/**
 * Finds which names in an answer exist, and where: files of the workspace, and symbols in the outlines of the files
 * that the answer is about. A file name without a folder means the file that the answer, or one of its calls, names
 * with one.
 */
export async function findNames(
  folders: readonly NamedFolder[],
  state: ChatState,
  { turnId, names }: Extract<PanelMessage, { type: 'findNames' }>,
): Promise<Record<string, FileReference>> {
  const touched = touchedPaths(state, turnId);
  const known = [...touched, ...names.flatMap(({ path }) => path ?? [])];
  const found = new Map<string, FileReference>();
  const files = new Map<string, vscode.Uri>();
  for (const { name, path } of names) {
    if (path === undefined) continue;
    for (const candidate of [path, ...known.filter((one) => one.endsWith(`/${path}`))]) {
      const uri = await findInFolders(folders, candidate);
      if (uri === undefined) continue;
      found.set(name, { path: candidate });
      files.set(candidate, uri);
      break;
    }
  }
  const wanted = names.flatMap(({ name, path }) => (path === undefined ? [name] : []));
  for (const path of new Set([...touched, ...files.keys()].slice(0, maxFiles))) {
    if (!wanted.some((name) => !found.has(name))) break;
    const uri = files.get(path) ?? (await findInFolders(folders, path));
    const lines = uri ? await linesOfSymbols(uri) : new Map<string, number>();
    for (const name of wanted) {
      const line = lines.get(bareName(name));
      if (line !== undefined && !found.has(name)) found.set(name, { path, line });
    }
  }
  return Object.fromEntries(found);
}

function touchedPaths(state: ChatState, turnId: string): string[] {
  const calls = answerOf(state, turnId)?.parts.filter((part) => part.type === 'tool') ?? [];
  const paths = calls.map((call) => /"path"\s*:\s*"((?:[^"\\]){1,300})"/.exec(call.arguments)?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}

function bareName(name: string): string {
  const [words = name] = name.split('(');
  return words.split(/\.|::|#/).at(-1) ?? name;
}

/**
 * Lines count from 1, and the first of several symbols with one name counts. The map is empty for a folder, and
 * without a language service.
 */
async function linesOfSymbols(uri: vscode.Uri): Promise<Map<string, number>> {
  const lines = new Map<string, number>();
  const collect = (symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]) => {
    for (const symbol of symbols) {
      const name = bareName(symbol.name);
      const range = 'selectionRange' in symbol ? symbol.selectionRange : symbol.location.range;
      if (!lines.has(name)) lines.set(name, range.start.line + 1);
      if ('children' in symbol) collect(symbol.children);
    }
  };
  try {
    collect((await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri)) ?? []);
  } catch {
    // A folder, or no text: it has no outline.
  }
  return lines;
}
