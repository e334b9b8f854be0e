import * as vscode from 'vscode';
import type { Search, Workspace } from '../../tools/files/workspace.ts';
import { pickFile } from '../composer/add-to-chat.ts';
import { attachmentOf } from '../composer/attachments.ts';
import { mayAttach } from '../composer/read-context.ts';
import type { AddedFile } from './inline-edit-state.ts';

/** A file that goes along with an instruction, as it is in its editor now. One that cannot be sent is said. */
export async function pickInlineFile(ports: { workspace: Workspace; search: Search }): Promise<AddedFile | undefined> {
  const uri = await pickFile(ports, vscode.l10n.t('Add a file that the model should know for this edit'));
  if (uri === undefined || !(await mayAttach(uri))) return undefined;
  try {
    const { label, text } = await attachmentOf(uri);
    return { uri, name: label, text };
  } catch {
    // The editor's own sentence holds the absolute path and no way out.
    const path = vscode.workspace.asRelativePath(uri);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} cannot be attached: it is gone, no text, or too large to open.', path),
    );
    return undefined;
  }
}
