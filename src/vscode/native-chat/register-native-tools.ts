import * as vscode from 'vscode';
import { withSignal } from '../host/with-signal.ts';
import type { NativeTool } from './native-tool.ts';
import { type NativeToolName, nativeToolNames } from './native-tool-names.ts';

/** Our tools that look, for VS Code's chat and other extensions. What runs them loads with the first call. */
export function registerNativeTools(load: () => Promise<(name: NativeToolName) => NativeTool>): vscode.Disposable {
  return vscode.Disposable.from(
    ...nativeToolNames.map((name) =>
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
