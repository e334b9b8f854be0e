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
