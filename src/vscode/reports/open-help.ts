import * as vscode from 'vscode';

/**
 * Opens a page of the user's documents in VS Code's own preview: `costs`, or a section of one, `costs#limits`; the table of contents
 * for anything else, because links and other extensions may pass whatever they like. The pages are in the package and in English.
 */
export async function openHelp(extension: vscode.Uri, page: unknown): Promise<void> {
  const [, name = 'index', section = ''] = (typeof page === 'string' && /^([a-z-]+)(?:#([a-z-]+))?$/.exec(page)) || [];
  const file = vscode.Uri.joinPath(extension, 'docs/user', `${name}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', file.with({ fragment: section }));
}
