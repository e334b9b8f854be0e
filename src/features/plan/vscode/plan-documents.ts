import * as vscode from 'vscode';
import type { Plans } from '../../../conversation/store/plans.ts';
import { openDocument } from '../../../vscode/workspace/place-uri.ts';
import { serveFiles } from '../../../vscode/workspace/serve-files.ts';

export interface PlanDocuments extends vscode.Disposable {
  show(conversationId: string): Promise<void>;
}

const scheme = 'svc-plan';

function planUri(conversationId: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: '/Plan.md', query: conversationId });
}

export function unsavedPlan(conversationId: string): string | undefined {
  const document = openDocument(planUri(conversationId));
  return document?.isDirty ? document.getText() : undefined;
}

export function createPlanDocuments(plans: Plans, onError: (error: unknown) => void): PlanDocuments {
  let mtime = Date.now();
  const textOf = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const plan = await plans.read(uri.query);
    if (plan === undefined || uri.path !== '/Plan.md') throw vscode.FileSystemError.FileNotFound(uri);
    return Buffer.from(plan.text);
  };
  const served = serveFiles(scheme, {
    stat: async (uri) => ({ type: vscode.FileType.File, size: (await textOf(uri)).length, mtime, ctime: 0 }),
    readFile: textOf,
    async writeFile(uri, content) {
      mtime = Math.max(mtime + 1, Date.now());
      const text = Buffer.from(content)
        .toString()
        .replace(/^\uFEFF/, '');
      if (!(await plans.edit(uri.query, text))) throw vscode.FileSystemError.FileNotFound(uri);
    },
  });
  const show = async (id: string): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(planUri(id));
    await vscode.window.showTextDocument(document, { preserveFocus: true, preview: false });
  };
  /**
   * Replaces the unsaved text of the open document by the model's new plan, which was written with it in view, as one
   * step of the editor's undo.
   */
  const replace = async (document: vscode.TextDocument, id: string): Promise<void> => {
    const text = plans.known(id)?.text ?? '';
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    if (await vscode.workspace.applyEdit(edit)) await document.save();
  };
  const following = plans.onDidChange((id, by) => {
    if (by !== 'model') return;
    const document = openDocument(planUri(id));
    if (document?.isDirty) return void replace(document, id).catch(onError);
    mtime = Math.max(mtime + 1, Date.now());
    served.changed(planUri(id));
    if (document === undefined) show(id).catch(onError);
  });
  return { show, dispose: () => vscode.Disposable.from(following, served).dispose() };
}
