import * as vscode from 'vscode';
import type { LightbulbResult, LightbulbTask } from './task.ts';

const warmUps = 20;
const measured = 200;

/** P17: how long VS Code waits for the code actions of a selection, all of it in one host that has one extension. */
export async function measureLightbulb(task: LightbulbTask): Promise<LightbulbResult> {
  const extension = vscode.extensions.getExtension(task.extensionId);
  if (extension === undefined) throw new Error(`${task.extensionId} is not installed`);
  await extension.activate();
  const content = Array.from({ length: 2000 }, (_, at) => `const value${at} = ${at};`).join('\n');
  const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
  await vscode.window.showTextDocument(document);
  const selection = new vscode.Selection(10, 0, 20, 5);
  const ask = async () => {
    const from = performance.now();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      selection,
    );
    // VS Code has actions of its own for any selection.
    return { ms: performance.now() - from, actions: actions.filter(({ title }) => title.startsWith('svc: ')).length };
  };
  for (let index = 0; index < warmUps; index++) await ask();
  const answers = [];
  for (let index = 0; index < measured; index++) answers.push(await ask());
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95), actions: answers.at(-1)?.actions ?? 0 };
}
