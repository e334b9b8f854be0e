import * as vscode from 'vscode';
import { createGlob } from '../../files/glob.ts';

/** Returns whether the editor refuses to change the file, whatever the disk allows. */
export function isReadOnlyInEditor(uri: vscode.Uri): boolean {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return true;
  const settings = vscode.workspace.getConfiguration('files', uri);
  const paths = [vscode.workspace.asRelativePath(uri, false), uri.path];
  const matches = (name: 'readonlyInclude' | 'readonlyExclude') =>
    Object.entries(settings.get<Record<string, unknown>>(name) ?? {}).some(
      ([pattern, isOn]) => isOn === true && paths.some((path) => createGlob(pattern)?.(path)),
    );
  return matches('readonlyInclude') && !matches('readonlyExclude');
}

/** The editor treats these input boxes as documents, but they hold no code. */
export function isInput({ uri: { scheme } }: vscode.TextDocument): boolean {
  return ['vscode-scm', 'comment', 'chatSessionInput', 'search-editor'].includes(scheme);
}

/** Returns false for printed output, for an older version in a diff, and for an input box. */
export function isWritable(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  return scheme !== 'output' && !isInput(document) && vscode.workspace.fs.isWritableFileSystem(scheme) !== false;
}
