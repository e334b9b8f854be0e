import * as vscode from 'vscode';
import { withSignal } from '../../../vscode/host/with-signal.ts';
import type { NativeTool } from './native-tool.ts';

/**
 * Registers the read tools that the manifest contributes, for VS Code's chat and other extensions. Their
 * implementation loads with the first call.
 */
export function registerNativeTools(
  extension: vscode.Extension<unknown>,
  load: () => Promise<(name: string) => NativeTool>,
): vscode.Disposable {
  const contributed: readonly { name: string }[] = extension.packageJSON.contributes.languageModelTools;
  return vscode.Disposable.from(
    ...contributed.map(({ name }) =>
      vscode.lm.registerTool<object>(name, {
        async prepareInvocation({ input }, token) {
          const tool = (await load())(name);
          const { title, question } = await withSignal(token, (signal) => tool.prepare(input, signal));
          return {
            invocationMessage: title,
            ...(question !== undefined && { confirmationMessages: { title, message: question } }),
          };
        },
        async invoke({ input }, token) {
          const tool = (await load())(name);
          const text = await withSignal(token, (signal) => tool.invoke(input, signal));
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    ),
  );
}
