import * as vscode from 'vscode';
import type { CallPrice } from '../../agent/tool.ts';
import { type ShownList, showSections } from '../../conversation/composing/context-sections.ts';
import type { ConversationStore } from '../../conversation/store/store.ts';
import type { PromptFile } from '../../customizations/named.ts';
import type { FileIndex, IndexedPath } from '../../files/file-index.ts';
import { createRanking, parseFileQuery, rankedPath, rankPaths } from '../../files/rank-paths.ts';
import type { Workspace } from '../../files/workspace.ts';
import { capabilities } from '../../service/check/capabilities.ts';
import { formatMicroUsd } from '../../shared/money.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import type { CompletionItem } from '../../shared/panel/panel-info.ts';
import type { Git } from '../../tools/git/git.ts';
import { uriOfPlace } from '../workspace/place-uri.ts';
import type { TerminalRecord } from '../workspace/terminal-record.ts';
import { listCommands } from './list-commands.ts';

export interface ContextPickerDeps {
  workspace: Workspace;
  index: FileIndex;
  git: Pick<Git, 'isRepository'>;
  store: Pick<ConversationStore, 'list'>;
  currentConversation(): string;
  terminal(): TerminalRecord | undefined;
  prompts(): readonly PromptFile[];
  subagentPrice(): CallPrice;
}

const maxFiles = 30;
const maxOpen = 6;
const minIgnoredQuery = 3;
const maxSymbols = 12;
const maxProblems = 20;
const maxConversations = 5;

/**
 * Completes in the composer. `show` is called with the known items at once, then with more, and never after the
 * signal is aborted.
 */
export function createContextPicker(deps: ContextPickerDeps) {
  const rankings = new Map<string | undefined, FileRanking>();
  const files = (paths: readonly IndexedPath[], text: string, scope: string | undefined) => {
    const ranking = rankings.get(scope) ?? fileRanking(scope);
    rankings.set(scope, ranking);
    return fileItems(paths, text, { scope, ranking });
  };
  return {
    async context(query: string, show: (list: ShownList) => void, signal: AbortSignal): Promise<void> {
      const [, scope, rest = ''] = /^(file|folder|symbol|problem|chat):(.*)$/s.exec(query) ?? [];
      const shown = (list: ShownList) => {
        if (!signal.aborted) show(list);
      };
      if (scope === undefined && query === '') {
        const items = [...openTabs(''), ...kinds(deps, '').filter(({ action }) => action !== undefined)];
        shown({ items, done: true, settled: true });
        return;
      }
      const text = scope === undefined ? query : rest;
      const wants = (kind: string) => scope === undefined || scope === kind;
      const wantsFiles = wants('file') || wants('folder');
      await showSections(
        {
          kinds: scope === undefined ? kinds(deps, text) : [],
          problems: scope === 'problem' ? problems(text) : [],
          files: wantsFiles ? files(deps.index.known(), text, scope) : [],
        },
        {
          ...(wantsFiles && {
            files: deps.index.paths().then(async (paths) => {
              const found = files(paths, text, scope);
              return found.length > 0 || scope === 'folder' ? found : ignoredFiles(deps.index, text, signal);
            }),
          }),
          ...(wants('chat') && { chats: conversations(deps, text) }),
          ...(wants('symbol') && (scope !== undefined || text.length >= 2) && { symbols: symbols(text) }),
        },
        shown,
      );
    },
    commands: (query: string): CompletionItem[] =>
      listCommands(query, deps.prompts()).map(({ name, detail, disabled }) => ({
        id: `command ${name}`,
        icon: 'command',
        label: `/${name}`,
        detail,
        ...(!disabled && { action: { type: 'command', name } }),
      })),
    /** Returns all attachable kinds, always in the same order; one that has nothing to attach says so. */
    menu: (): CompletionItem[] =>
      sources(deps).flatMap(({ words: _, onlyTyped, ...item }) => (onlyTyped ? [] : [item])),
  };
}

interface Source extends CompletionItem {
  words: string[];
  onlyTyped?: true;
}

function kinds(deps: ContextPickerDeps, query: string): CompletionItem[] {
  const wanted = query.toLowerCase();
  return sources(deps)
    .filter(
      ({ words, label }) => words.length > 0 && [...words, label.toLowerCase()].some((word) => word.startsWith(wanted)),
    )
    .map(({ words: _, onlyTyped: __, ...item }) => item);
}

function sources(deps: ContextPickerDeps): Source[] {
  const { l10n } = vscode;
  const rows: Source[] = [];
  const add = (words: string[], item: CompletionItem, onlyTyped?: true) => rows.push({ ...item, words, onlyTyped });
  const attach = (pick: ContextPick) => ({ type: 'attach', pick }) as const;
  const refine = (text: string) => ({ type: 'refine', text }) as const;
  // Whoever types finds files by their names.
  add([], { id: 'files', icon: 'file', label: l10n.t('File…'), action: refine('file:') });
  add(['folder'], { id: 'folders', icon: 'folder', label: l10n.t('Folder…'), action: refine('folder:') });
  const selected = vscode.window.activeTextEditor;
  const isSelected = selected !== undefined && !selected.selection.isEmpty;
  add(isSelected ? ['selection'] : [], {
    id: 'selection',
    icon: 'text',
    label: l10n.t('Selection'),
    ...(isSelected
      ? {
          detail: vscode.workspace.asRelativePath(selected.document.uri),
          action: attach({ kind: 'selection' }),
        }
      : { detail: l10n.t('Nothing is selected in the editor') }),
  });
  add(['symbol'], { id: 'symbols', icon: 'symbol', label: l10n.t('Symbol…'), action: refine('symbol:') });
  const problems = vscode.languages
    .getDiagnostics()
    .flatMap(([, list]) => list)
    .filter(isProblem).length;
  add(['problems', 'errors'], {
    id: 'problems',
    icon: 'problems',
    label: l10n.t('Problems'),
    ...(problems === 0
      ? { detail: l10n.t('No problems reported') }
      : { detail: l10n.t('{0} reported', problems), action: attach({ kind: 'problems' }) }),
  });
  const underGit = deps.workspace.roots().some((root) => deps.git.isRepository(root));
  add(['changes', 'git', 'diff'], {
    id: 'changes',
    icon: 'changes',
    label: l10n.t('Changes'),
    ...(underGit
      ? { detail: l10n.t('Uncommitted, as a diff'), action: attach({ kind: 'changes' }) }
      : { detail: l10n.t('No open folder is a Git repository') }),
  });
  const terminal = deps.terminal();
  add(['terminal', 'command'], {
    id: 'terminal',
    icon: 'terminal',
    label: l10n.t('Terminal'),
    detail: terminal
      ? l10n.t('{0} and its output', terminal.commandLine.replace(/\s+/g, ' ').slice(0, 60).toWellFormed())
      : l10n.t('The last command and its output'),
    action: attach({ kind: 'terminal' }),
  });
  add(['image', 'picture'], {
    id: 'image',
    icon: 'image',
    label: l10n.t('Image…'),
    action: attach({ kind: 'image' }),
  });
  if (problems > 1) {
    const action = refine('problem:');
    add(['problem', 'error'], { id: 'problem', icon: 'problems', label: l10n.t('Problem…'), action }, true);
  }
  add(['chat', 'conversation'], {
    id: 'chats',
    icon: 'conversation',
    label: l10n.t('Past conversation…'),
    action: refine('chat:'),
  });
  const { estimatedMicroUsd, maxMicroUsd } = deps.subagentPrice();
  const dollars = (microUsd: number, isUsual: boolean) => formatMicroUsd(microUsd, isUsual, vscode.env.language);
  // The word itself is what asks for one. Its price comes first: a narrow chat shows no more.
  const subagent = {
    id: 'subagent',
    icon: 'command',
    label: '@subagent',
    detail: l10n.t(
      '{0}, at most {1} · may look things up apart from this chat',
      dollars(estimatedMicroUsd, true),
      dollars(maxMicroUsd, false),
    ),
    action: refine('subagent '),
  } as const;
  add(['subagent'], subagent, true);
  const embeddings = capabilities.find(({ feature }) => feature === 'embeddings');
  const detail = l10n.t('Not available: {0} {1}', embeddings?.reason() ?? '', embeddings?.substitute?.() ?? '');
  add(['codebase', 'workspace'], { id: 'codebase', icon: 'codebase', label: l10n.t('Codebase'), detail }, true);
  return rows;
}

function problems(query: string): CompletionItem[] {
  const wanted = query.toLowerCase();
  const rows = vscode.languages.getDiagnostics().flatMap(([uri, list]) => {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return [];
    const path = vscode.workspace.asRelativePath(uri);
    return list
      .filter(isProblem)
      .map(({ message, range, severity }) => ({ uri, path, message, severity, line: range.start.line + 1 }));
  });
  return rows
    .filter(({ path, message }) => `${path} ${message}`.toLowerCase().includes(wanted))
    .sort((a, b) => a.severity - b.severity || a.path.localeCompare(b.path) || a.line - b.line)
    .slice(0, maxProblems)
    .map(({ uri, path, message, line }, at) => ({
      id: `problem ${at} ${uri.toString()} ${line}`,
      icon: 'problems',
      label: message.replace(/\s+/g, ' ').slice(0, 200).toWellFormed(),
      detail: `${path}:${line}`,
      action: { type: 'attach', pick: { kind: 'problems', uri: uri.toString(), startLine: line, endLine: line } },
    }));
}

function isProblem({ severity }: vscode.Diagnostic): boolean {
  return severity === vscode.DiagnosticSeverity.Error || severity === vscode.DiagnosticSeverity.Warning;
}

function openUris(): vscode.Uri[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ordered = [...tabs.filter(({ isActive }) => isActive), ...tabs.filter(({ isActive }) => !isActive)];
  const uris = ordered.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function openTabs(query: string): CompletionItem[] {
  const paths = openUris().map((uri) => ({ ...rankedPath(vscode.workspace.asRelativePath(uri)), uri }));
  const found = query === '' ? paths.slice(0, maxOpen) : rankPaths(paths, query, maxOpen);
  return found.map(({ path, uri }) => fileItem(path, { kind: 'file', uri: uri.toString() }, vscode.l10n.t('open')));
}

type FileRanking = ReturnType<typeof createRanking<IndexedPath>>;

function fileRanking(scope: string | undefined): FileRanking {
  return createRanking({
    limit: maxFiles,
    wants: ({ isFolder }) => scope === undefined || isFolder === (scope === 'folder'),
    boost: ({ isFolder }) => (isFolder ? -20 : 0),
  });
}

function fileItems(
  paths: readonly IndexedPath[],
  query: string,
  { scope, ranking }: { scope: string | undefined; ranking: FileRanking },
): CompletionItem[] {
  const { path: text, ...range } = parseFileQuery(query);
  const open = new Set(openUris().map(String));
  const uriOf = (path: IndexedPath) => uriOfPlace(path.place).toString();
  const found = ranking(paths, text);
  // What is open is what is worked on.
  found.sort((a, b) => Number(open.has(uriOf(b))) - Number(open.has(uriOf(a))));
  const rows = found.map((path) =>
    path.isFolder
      ? fileItem(path.path, { kind: 'folder', uri: uriOf(path) })
      : fileItem(
          path.path,
          { kind: 'file', uri: uriOf(path), ...range },
          open.has(uriOf(path)) ? vscode.l10n.t('open') : '',
        ),
  );
  const listed = new Set(rows.map(({ id }) => id));
  // Open files from elsewhere, and those of a workspace that is still being listed.
  const others = scope === 'folder' ? [] : openTabs(text).filter(({ id }) => !listed.has(id));
  return [...others, ...rows];
}

/** Nothing is said not to be there before ignored files were looked at. */
async function ignoredFiles(index: FileIndex, query: string, signal: AbortSignal): Promise<CompletionItem[]> {
  const { path: text, ...range } = parseFileQuery(query);
  if (text.length < minIgnoredQuery) return [];
  const found = await index.withIgnored(text, signal);
  return found.map(({ path, place }) =>
    fileItem(path, { kind: 'file', uri: uriOfPlace(place).toString(), ...range }, vscode.l10n.t('ignored')),
  );
}

function fileItem(path: string, pick: Extract<ContextPick, { kind: 'file' | 'folder' }>, mark = ''): CompletionItem {
  const at = path.lastIndexOf('/');
  const range =
    pick.kind === 'file' && pick.startLine !== undefined ? `:${pick.startLine}-${pick.endLine ?? pick.startLine}` : '';
  const detail = [at > 0 ? path.slice(0, at) : '', mark].filter(Boolean).join(' · ');
  return {
    id: pick.uri,
    icon: pick.kind,
    label: `${path.slice(at + 1)}${range}${pick.kind === 'folder' ? '/' : ''}`,
    ...(detail !== '' && { detail }),
    action: { type: 'attach', pick },
  };
}

async function symbols(query: string): Promise<CompletionItem[]> {
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const inside = (found ?? []).filter(
    ({ location }) => vscode.workspace.getWorkspaceFolder(location.uri) !== undefined,
  );
  const ranked = rankPaths(
    inside.map((symbol) => ({ ...rankedPath(symbol.name), symbol })),
    query,
    maxSymbols,
  );
  return ranked.map(({ symbol: { name, location } }) => {
    const line = (location.range?.start.line ?? 0) + 1;
    const uri = location.uri.toString();
    return {
      id: `symbol ${uri} ${line} ${name}`,
      icon: 'symbol',
      label: name,
      detail: `${vscode.workspace.asRelativePath(location.uri)}:${line}`,
      action: { type: 'attach', pick: { kind: 'symbol', uri, name: name.slice(0, 500), line } },
    };
  });
}

async function conversations(deps: ContextPickerDeps, query: string): Promise<CompletionItem[]> {
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const wanted = query.toLowerCase();
  const found = (await deps.store.list()).filter(
    ({ id, title }) => id !== deps.currentConversation() && title.toLowerCase().includes(wanted),
  );
  return found.slice(0, maxConversations).map(({ id, title, updatedAt }) => ({
    id: `chat ${id}`,
    icon: 'conversation',
    label: title || vscode.l10n.t('Untitled'),
    detail: format.format(updatedAt),
    action: { type: 'attach', pick: { kind: 'conversation', id } },
  }));
}
