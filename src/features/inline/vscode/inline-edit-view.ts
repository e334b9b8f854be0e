import * as vscode from 'vscode';
import type { LineHunk } from '../../../edits/apply/line-diff.ts';
import type { CommandId } from '../../../vscode/host/command-ids.ts';
import { createLenses } from '../../../vscode/host/lenses.ts';
import type { LineScope } from '../core/edit-scope.ts';
import type { LivePreview } from '../core/live-preview.ts';

export interface EditTarget {
  readonly uri: vscode.Uri;
  scope: LineScope;
}

export interface ShownRun {
  place: EditTarget;
  writes: boolean;
  /** Lists the read calls of the model in order; it is absent before the first. */
  read?: readonly string[];
  preview: string;
  live?: LivePreview;
}

export interface ShownResult {
  place: EditTarget;
  price: string;
  /** Lists the definitions and calls that gave the model more than the lines. */
  read: readonly string[];
}

export interface InlineEditShown {
  runs(): readonly ShownRun[];
  results(): readonly ShownResult[];
  hunks(result: ShownResult): readonly LineHunk[];
}

/**
 * Draws in the editor the lines that an edit is about, the line that is being written, and lenses above the result
 * for everything besides Keep and Undo, which the review of edits draws.
 */
export function createInlineEditView(shown: InlineEditShown) {
  const decorations = createDecorations();
  // A language of any name counts less than a pattern: Keep and Undo stand first, whoever came later.
  const lenses = createLenses('*', (document) => [
    ...here(shown.runs(), document)
      .filter(({ writes }) => writes)
      .map((run) => lensAt(document, run, run.place.scope.first)(runningTitle(run), 'svc.stopInlineEdit')),
    ...here(shown.results(), document).flatMap((result) => resultLenses(document, result, shown.hunks(result))),
  ]);
  const draw = () => {
    for (const editor of vscode.window.visibleTextEditors) {
      decorations.draw(editor, here(shown.runs(), editor.document));
    }
  };
  const subscription = vscode.window.onDidChangeVisibleTextEditors(draw);
  return {
    refresh() {
      draw();
      lenses.refresh(shown.runs().length + shown.results().length > 0);
    },
    dispose: () => vscode.Disposable.from(subscription, lenses, decorations).dispose(),
  };
}

function here<Shown extends { place: EditTarget }>(all: readonly Shown[], { uri }: vscode.TextDocument): Shown[] {
  return all.filter(({ place }) => place.uri.toString() === uri.toString());
}

function resultLenses(
  document: vscode.TextDocument,
  result: ShownResult,
  hunks: readonly LineHunk[],
): vscode.CodeLens[] {
  const lens = lensAt(document, result, hunks[0]?.after.start ?? result.place.scope.first);
  return [
    ...(hunks.length < 2
      ? []
      : [lens(vscode.l10n.t('Keep All'), 'svc.keepInlineEdit'), lens(vscode.l10n.t('Undo All'), 'svc.undoInlineEdit')]),
    lens(vscode.l10n.t('Retry'), 'svc.retryInlineEdit'),
    lens(vscode.l10n.t('Refine…'), 'svc.refineInlineEdit'),
    lens(result.price, 'svc.showSpend'),
    ...(result.read.length === 0 ? [] : [lens(readTitle(result.read), 'svc.showSpend')]),
  ];
}

function runningTitle({ read, preview, live }: ShownRun): string {
  const last = preview === '' && live === undefined ? read?.at(-1) : undefined;
  return last === undefined
    ? vscode.l10n.t('$(loading~spin) Editing… Esc to stop')
    : vscode.l10n.t('$(loading~spin) {0}… Esc to stop', last);
}

const maxNamed = 3;

function readTitle(read: readonly string[]): string {
  const more = read.length - maxNamed;
  const named = read.slice(0, maxNamed).join(', ');
  return more > 0 ? vscode.l10n.t('Looked at: {0} and {1} more', named, more) : vscode.l10n.t('Looked at: {0}', named);
}

/** Each lens names its document, because a clicked lens need not be in the focused editor. */
function lensAt({ lineCount }: vscode.TextDocument, { place }: { place: EditTarget }, line: number) {
  const at = Math.max(0, Math.min(line, lineCount - 1));
  return (title: string, command: CommandId) =>
    new vscode.CodeLens(new vscode.Range(at, 0, at, 0), { title, command, arguments: [place.uri.toString()] });
}

function barIn(color: string): Pick<vscode.DecorationRenderOptions, 'borderColor' | 'borderStyle' | 'borderWidth'> {
  return { borderColor: new vscode.ThemeColor(color), borderStyle: 'solid', borderWidth: '0 0 0 2px' };
}

function createDecorations() {
  const scopeLines = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    // High contrast has no backgrounds.
    ...barIn('editorInfo.foreground'),
    overviewRulerColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const preview = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorGhostText.foreground'), margin: '0 0 0 2em', fontStyle: 'italic' },
  });
  const removed = vscode.window.createTextEditorDecorationType({
    textDecoration: 'line-through',
    backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
    isWholeLine: true,
    ...barIn('editorGutter.deletedBackground'),
  });
  const added = vscode.window.createTextEditorDecorationType({
    after: {
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      border: '1px solid',
      borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
      margin: '0 0 0 1em',
    },
  });
  return {
    draw(editor: vscode.TextEditor, runs: readonly ShownRun[]) {
      const rangeOf = ({ first, last }: LineScope) =>
        editor.document.validateRange(new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER));
      const behind = (line: number, contentText: string): vscode.DecorationOptions => {
        const { end } = rangeOf({ first: line, last: line });
        return { range: new vscode.Range(end, end), renderOptions: { after: { contentText } } };
      };
      editor.setDecorations(
        scopeLines,
        runs.map((run) => rangeOf(run.place.scope)),
      );
      editor.setDecorations(
        preview,
        runs.filter((run) => run.preview !== '').map((run) => behind(run.place.scope.last, run.preview)),
      );
      editor.setDecorations(
        removed,
        runs.flatMap((run) =>
          (run.live?.removed ?? []).map((line) => {
            const at = run.place.scope.first + line;
            return rangeOf({ first: at, last: at });
          }),
        ),
      );
      editor.setDecorations(
        added,
        runs.flatMap((run) =>
          (run.live?.added ?? []).map(({ after, text }) => behind(run.place.scope.first + after, text)),
        ),
      );
    },
    dispose: () => vscode.Disposable.from(scopeLines, preview, removed, added).dispose(),
  };
}
