import * as vscode from 'vscode';

/**
 * Opens a page of the user documentation in VS Code's preview: `costs`, or one section, `costs#limits`. Anything else
 * opens the table of contents, because links and other extensions may pass anything. The pages are packaged and in
 * English.
 */
export async function openHelp(extension: vscode.Uri, page: unknown): Promise<void> {
  const [, name = 'index', section = ''] = (typeof page === 'string' && /^([a-z-]+)(?:#([a-z-]+))?$/.exec(page)) || [];
  const file = vscode.Uri.joinPath(extension, 'docs/user', `${name}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', file.with({ fragment: section }));
}
