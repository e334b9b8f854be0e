import * as vscode from 'vscode';
import type { Hunk } from '../../edits/pending/hunks.ts';

/**
 * Marks pending hunks in the colors of VS Code's diff, with a bar beside them because high contrast themes have no
 * such background. What a line was stands struck through behind it, because no stable API puts lines between lines; the
 * hover has all of it.
 */
export function createEditDecorations(hunksOf: (uri: vscode.Uri) => readonly Hunk[]) {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('diffEditorOverview.insertedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    ...gutterMark('<path d="M7 3h2v4h4v2H9v4H7V9H3V7h4z"/>', { dark: '#3fb950', light: '#116329' }),
  });
  const removed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
    borderStyle: 'solid',
    borderWidth: '1px 0 0 0',
    overviewRulerColor: new vscode.ThemeColor('diffEditorOverview.removedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    ...gutterMark('<path d="M3 7h10v2H3z"/>', { dark: '#ff7b72', light: '#a40e26' }),
  });
  const was = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor('descriptionForeground'),
      textDecoration: 'line-through',
      margin: '0 0 0 3ch',
    },
  });
  const draw = (editor: vscode.TextEditor) => {
    const { document } = editor;
    const options = (hunk: Hunk): vscode.DecorationOptions => ({
      range: rangeOf(document, hunk),
      hoverMessage: hoverOf(hunk.removed.join('\n'), document.languageId),
    });
    const hunks = isInDiff(editor) ? [] : hunksOf(document.uri);
    editor.setDecorations(added, hunks.filter((hunk) => hunk.after.count > 0).map(options));
    editor.setDecorations(removed, hunks.filter((hunk) => hunk.after.count === 0).map(options));
    const behind = hunks.slice(0, maxShown).flatMap((hunk) => removedBeside(hunk));
    editor.setDecorations(
      was,
      behind.map(({ line, text }) => ({
        range: document.validateRange(new vscode.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER)),
        renderOptions: { after: { contentText: text } },
      })),
    );
  };
  const refresh = () => {
    for (const editor of vscode.window.visibleTextEditors) draw(editor);
  };
  const subscription = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(refresh),
    vscode.window.onDidChangeTextEditorViewColumn(refresh),
    vscode.window.tabGroups.onDidChangeTabs(refresh),
  );
  refresh();
  return { refresh, dispose: () => vscode.Disposable.from(subscription, added, removed, was).dispose() };
}

const maxShown = 100;
const maxColumns = 80;

/**
 * Pairs the lines of a hunk with those that they replaced. Where their numbers differ, the first line has the first
 * that was removed, and the number of the others.
 */
export function removedBeside({ after, removed }: Pick<Hunk, 'after' | 'removed'>): { line: number; text: string }[] {
  const words = removed.map((line) => line.trim()).map((line) => line.slice(0, maxColumns).toWellFormed());
  if (words.length === after.count) {
    return words.flatMap((text, at) => (text === '' ? [] : [{ line: after.start + at, text }]));
  }
  const [first] = words.filter((text) => text !== '');
  if (first === undefined) return [];
  return [{ line: after.start, text: words.length === 1 ? first : `${first} … +${words.length - 1}` }];
}

function gutterMark(
  shape: string,
  colors: { dark: string; light: string },
): Pick<vscode.DecorationRenderOptions, 'dark' | 'light'> {
  const icon = (color: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${color}">${shape}</svg>`;
    return {
      gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`),
      gutterIconSize: 'contain',
    };
  };
  return { dark: icon(colors.dark), light: icon(colors.light) };
}

/** A diff has its own colors. An editor inside another one, as in a multi-file diff, has no column. */
function isInDiff({ document, viewColumn }: vscode.TextEditor): boolean {
  if (document.uri.scheme === 'vscode-notebook-cell') return false;
  const group = vscode.window.tabGroups.all.find((one) => one.viewColumn === viewColumn);
  return !(group?.activeTab?.input instanceof vscode.TabInputText);
}

function rangeOf(document: vscode.TextDocument, { after }: Hunk): vscode.Range {
  const last = after.start + Math.max(1, after.count) - 1;
  return document.validateRange(new vscode.Range(after.start, 0, last, Number.MAX_SAFE_INTEGER));
}

/** File text is untrusted, so it is appended as text and a code block, never as markdown. */
function hoverOf(text: string, languageId: string): vscode.MarkdownString | undefined {
  if (text === '') return undefined;
  const hover = new vscode.MarkdownString();
  hover.appendText(vscode.l10n.t('Before:'));
  hover.appendCodeblock(text.slice(0, 5000).toWellFormed(), languageId);
  return hover;
}
