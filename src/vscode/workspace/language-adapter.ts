import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import type { Place, Workspace } from '../../files/workspace.ts';
import type {
  CheckedEdits,
  FoundSymbol,
  Language,
  Location,
  OutlineEntry,
  Problem,
} from '../../tools/language/language.ts';
import { placeOf, uriOfPlace } from './place-uri.ts';

/** Limits the wait for diagnostics of a file that was just opened or changed, because some checkers never answer. */
const diagnosticsMs = 4000;
const editedMs = 2500;
const maxEdited = 500;
/** A checker reports in pieces, so it counts as done after this much silence. */
const quietMs = 300;

export function createLanguage({
  workspace,
  clock,
}: {
  workspace: Workspace;
  clock: Clock;
}): Language & vscode.Disposable {
  const checks = watchChecks(clock);
  const toLocation = (found: vscode.Location | vscode.LocationLink): Location => {
    const uri = 'targetUri' in found ? found.targetUri : found.uri;
    const range = 'targetUri' in found ? (found.targetSelectionRange ?? found.targetRange) : found.range;
    return { ...named(workspace, uri), line: range.start.line + 1 };
  };
  const locate = async (command: string, place: Place, line: number, column: number): Promise<Location[]> => {
    const document = await open(place);
    const position = new vscode.Position(line - 1, column - 1);
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[] | undefined>(
      command,
      document.uri,
      position,
    );
    return (found ?? []).map(toLocation);
  };
  const known = (under: Place | undefined): Problem[] =>
    vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
      const place = placeOf(workspace, uri);
      if (place === undefined || !isUnder(place, under)) return [];
      return diagnostics.flatMap((diagnostic) => toProblem(place, diagnostic));
    });
  return {
    lines: async (place) => (await open(place)).getText().split(/\r\n|\r|\n/),
    isOpen: (place) => isOpen(uriOfPlace(place)),
    async outline(place) {
      const { uri } = await open(place);
      const found = await vscode.commands.executeCommand<
        (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
      >('vscode.executeDocumentSymbolProvider', uri);
      return found === undefined ? undefined : flatten(found, 0);
    },
    async symbols(query) {
      const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      );
      return (found ?? []).map(
        ({ name, kind, containerName, location }): FoundSymbol => ({
          ...named(workspace, location.uri),
          line: (location.range?.start.line ?? 0) + 1,
          symbol: name,
          kind: kindName(kind),
          container: containerName ?? '',
        }),
      );
    },
    definitions: (place, line, column) => locate('vscode.executeDefinitionProvider', place, line, column),
    references: (place, line, column) => locate('vscode.executeReferenceProvider', place, line, column),
    async problems(under, signal) {
      if (under !== undefined && (await isFile(under))) await openForCheck(under, checks);
      const isWanted = (uri: vscode.Uri) => {
        const place = placeOf(workspace, uri);
        return place !== undefined && isUnder(place, under);
      };
      await checks.settled(isWanted, signal);
      return known(under);
    },
    watchEdits() {
      const before = known(undefined);
      const end = checks.watch();
      return async (signal): Promise<CheckedEdits> => {
        const { uris, isComplete } = await end(signal);
        const changed = uris.flatMap((uri) => placeOf(workspace, vscode.Uri.parse(uri)) ?? []);
        return { before, after: known(undefined), changed, isComplete };
      };
    },
    dispose: checks.dispose,
  };
}

interface Checks {
  opened(uri: vscode.Uri): void;
  settled(wanted: (uri: vscode.Uri) => boolean, signal: AbortSignal): Promise<void>;
  /**
   * Starts watching. The returned function waits for the checks of everything changed since, but only for languages
   * that have had a report in this window, because the others might never get one.
   */
  watch(): (signal: AbortSignal) => Promise<{ uris: string[]; isComplete: boolean }>;
  dispose(): void;
}

/**
 * Tracks which documents changed and were not reported on since, because right after an edit the known problems are
 * outdated.
 */
function watchChecks(clock: Clock): Checks {
  const changedAt = new Map<string, number>();
  const reported = new vscode.EventEmitter<void>();
  const changed = (uri: vscode.Uri) => changedAt.set(uri.toString(), clock.now());
  const languageOf = (uri: string) =>
    vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.languageId;
  const checkedLanguages = new Set<string>();
  const editedAt = new Map<string, number>();
  const subscriptions = [
    reported,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      changed(document.uri);
      editedAt.delete(document.uri.toString());
      editedAt.set(document.uri.toString(), clock.now());
      dropOldest(editedAt, maxEdited);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => changedAt.delete(uri.toString())),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        changedAt.delete(uri.toString());
        const languageId = languageOf(uri.toString());
        if (languageId !== undefined) checkedLanguages.add(languageId);
      }
      reported.fire();
    }),
  ];
  const pending = (wanted: (uri: vscode.Uri) => boolean) =>
    [...changedAt]
      .filter(([uri, at]) => clock.now() - at < diagnosticsMs && wanted(vscode.Uri.parse(uri)))
      .map(([, at]) => at);
  const nextReport = async (ms: number, signal: AbortSignal): Promise<boolean> => {
    const waiting = new AbortController();
    const next = Promise.withResolvers<true>();
    const subscription = reported.event(() => next.resolve(true));
    const either = AbortSignal.any([signal, waiting.signal]);
    const timeout = clock.sleep(ms, either).then(
      () => false,
      () => false,
    );
    const isReport = await Promise.race([next.promise, timeout]);
    subscription.dispose();
    waiting.abort();
    return isReport;
  };
  return {
    watch() {
      const since = clock.now();
      return async (signal) => {
        const uris = [...editedAt].filter(([, at]) => at >= since).map(([uri]) => uri);
        const deadline = clock.now() + editedMs;
        const isOpen = (uri: string) => changedAt.has(uri) && checkedLanguages.has(languageOf(uri) ?? '');
        const left = () => deadline - clock.now();
        while (uris.some(isOpen) && left() > 0 && !signal.aborted) await nextReport(left(), signal);
        const isChecked = uris.some((uri) => checkedLanguages.has(languageOf(uri) ?? ''));
        while (isChecked && left() > 0 && (await nextReport(Math.min(quietMs, left()), signal))) {
          // Somebody is still reporting.
        }
        return { uris, isComplete: !uris.some(isOpen) };
      };
    },
    opened: changed,
    async settled(wanted, signal) {
      for (let since = pending(wanted); since.length > 0 && !signal.aborted; since = pending(wanted)) {
        await nextReport(Math.max(...since) + diagnosticsMs - clock.now(), signal);
      }
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function named(workspace: Workspace, uri: vscode.Uri): { place?: Place; name: string } {
  const place = placeOf(workspace, uri);
  const name = uri.path.split('/').at(-1) ?? '';
  return place === undefined ? { name } : { place, name };
}

async function open(place: Place): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uriOfPlace(place));
  } catch {
    // The editor's sentence holds the absolute path; why it cannot be opened, read_file says better.
    throw new ToolError(`${place.path || place.root.name} cannot be opened as text.`);
  }
}

async function isFile(place: Place): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uriOfPlace(place))).type === vscode.FileType.File;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) throw new ToolError(`There is nothing at ${place.path}.`);
    throw error;
  }
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

async function openForCheck(place: Place, checks: Checks): Promise<void> {
  const uri = uriOfPlace(place);
  if (isOpen(uri)) return;
  checks.opened(uri);
  await open(place);
}

function isUnder(place: Place, folder: Place | undefined): boolean {
  if (folder === undefined) return true;
  if (place.root.uri !== folder.root.uri) return false;
  return folder.path === '' || place.path === folder.path || place.path.startsWith(`${folder.path}/`);
}

function toProblem(place: Place, diagnostic: vscode.Diagnostic): Problem[] {
  const severity = severities.get(diagnostic.severity);
  if (severity === undefined) return [];
  const { code } = diagnostic;
  const codeText = typeof code === 'object' ? code.value : (code ?? '');
  const { start } = diagnostic.range;
  return [
    {
      place,
      line: start.line + 1,
      column: start.character + 1,
      severity,
      message: diagnostic.message,
      source: [diagnostic.source ?? '', String(codeText)].filter(Boolean).join(' '),
    },
  ];
}

const severities = new Map<vscode.DiagnosticSeverity, Problem['severity']>([
  [vscode.DiagnosticSeverity.Error, 'error'],
  [vscode.DiagnosticSeverity.Warning, 'warning'],
  [vscode.DiagnosticSeverity.Information, 'info'],
]);

function flatten(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  depth: number,
): OutlineEntry[] {
  return symbols.flatMap((symbol) => {
    const range = 'location' in symbol ? symbol.location.range : symbol.range;
    const children = 'children' in symbol ? symbol.children : [];
    const entry: OutlineEntry = {
      name: symbol.name,
      kind: kindName(symbol.kind),
      line: range.start.line + 1,
      endLine: range.end.line + 1,
      depth,
    };
    return [entry, ...flatten(children, depth + 1)];
  });
}

function kindName(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
}
