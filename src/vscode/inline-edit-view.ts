import * as vscode from 'vscode';
import type { LineScope } from '../inline/edit-scope.ts';
import type { LineHunk } from '../tools/line-diff.ts';
import type { CommandId } from './command-ids.ts';

/** An edit that is being asked for or written. */
export interface ShownRun {
  uri: vscode.Uri;
  scope: LineScope;
  /** False while the instruction is typed. */
  writes: boolean;
  /** The line that is being written. */
  preview: string;
}

/** An edit that was made and is not decided. */
export interface ShownResult {
  uri: vscode.Uri;
  scope: LineScope;
  /** What it cost, in words. */
  price: string;
}

export interface InlineEditView extends vscode.Disposable {
  refresh(): void;
}

/**
 * What an inline edit shows in its editor: the lines that it is about, what is being written, and above the result what can be
 * done besides Keep and Undo, which the review of edits draws. Lenses are provided only while there is something to show.
 */
export function createInlineEditView(shown: {
  runs(): readonly ShownRun[];
  results(): readonly ShownResult[];
  hunks(uri: vscode.Uri): readonly LineHunk[];
}): InlineEditView {
  const changed = new vscode.EventEmitter<void>();
  let registration: vscode.Disposable | undefined;
  const scopeLines = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const preview = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorGhostText.foreground'), margin: '0 0 0 2em', fontStyle: 'italic' },
  });
  const draw = (editor: vscode.TextEditor) => {
    const { document } = editor;
    const here = shown.runs().filter(({ uri }) => uri.toString() === document.uri.toString());
    const rangeOf = ({ first, last }: LineScope) =>
      document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
    editor.setDecorations(
      scopeLines,
      here.map(({ scope }) => rangeOf(scope)),
    );
    editor.setDecorations(
      preview,
      here
        .filter((run) => run.preview !== '')
        .map(({ scope, preview: contentText }) => {
          const { end } = rangeOf(scope);
          return { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
        }),
    );
  };
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses({ uri, lineCount }) {
      const isHere = (one: { uri: vscode.Uri }) => one.uri.toString() === uri.toString();
      const lens = (line: number, title: string, command: CommandId) => {
        const at = Math.min(line, lineCount - 1);
        return new vscode.CodeLens(new vscode.Range(at, 0, at, 0), { title, command });
      };
      const running = shown.runs().filter((run) => isHere(run) && run.writes);
      return [
        ...running.map(({ scope }) =>
          lens(scope.first, vscode.l10n.t('$(loading~spin) Editing… Esc to stop'), 'svc.stopInlineEdit'),
        ),
        ...shown
          .results()
          .filter(isHere)
          .flatMap((result) => {
            const line = firstHunk(shown.hunks(uri), result)?.after.start ?? result.scope.first;
            return [
              lens(line, vscode.l10n.t('Retry'), 'svc.retryInlineEdit'),
              lens(line, vscode.l10n.t('Refine…'), 'svc.refineInlineEdit'),
              lens(line, result.price, 'svc.showSpend'),
            ];
          }),
      ];
    },
  };
  const refresh = () => {
    for (const editor of vscode.window.visibleTextEditors) draw(editor);
    if (shown.runs().length === 0 && shown.results().length === 0) {
      registration?.dispose();
      registration = undefined;
      return;
    }
    registration ??= vscode.languages.registerCodeLensProvider({ pattern: '**' }, provider);
    changed.fire();
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(refresh);
  return {
    refresh,
    dispose: () => {
      registration?.dispose();
      vscode.Disposable.from(subscription, changed, scopeLines, preview).dispose();
    },
  };
}

function firstHunk(hunks: readonly LineHunk[], { scope }: ShownResult): LineHunk | undefined {
  return hunks.find(({ after }) => after.start + after.count >= scope.first && after.start <= scope.last + 1);
}
